# find_package(gpcv) for other projects.
include(CMakePackageConfigHelpers)
include(PkgConfig)

install(TARGETS gpcv EXPORT gpcvTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS gpcv_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR} OPTIONAL)
if(TARGET gpcv_mpi)
  install(TARGETS gpcv_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})  # opened from beside libgpcv
endif()
install(DIRECTORY include/gpcv DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT gpcvTargets NAMESPACE gpcv:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpcv)

configure_package_config_file(cmake/gpcvConfig.cmake.in gpcvConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpcv)
write_basic_package_version_file(gpcvConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gpcvConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/gpcvConfigVersion.cmake
              ${CMAKE_CURRENT_SOURCE_DIR}/cmake/FindLAPACKE.cmake ${CMAKE_CURRENT_SOURCE_DIR}/cmake/FindZstd.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpcv)
