# What `make install` installs, find_package(gpcv) for other projects, and the Debian packages that it is divided into:
# the components command, library, mpi, development and (python/CMakeLists.txt) python.
include(CMakePackageConfigHelpers)

install(TARGETS gpcv EXPORT gpcvTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS gpcv_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT command OPTIONAL)
if(TARGET gpcv_mpi)
  install(TARGETS gpcv_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT mpi)  # opened from beside libgpcv
endif()

# Everything else is for developers of other programs.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
include(PkgConfig)
install(DIRECTORY include/gpcv DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT gpcvTargets NAMESPACE gpcv:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpcv)

configure_package_config_file(cmake/gpcvConfig.cmake.in gpcvConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpcv)
write_basic_package_version_file(gpcvConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gpcvConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/gpcvConfigVersion.cmake
              ${CMAKE_CURRENT_SOURCE_DIR}/cmake/FindLAPACKE.cmake ${CMAKE_CURRENT_SOURCE_DIR}/cmake/FindZstd.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpcv)

if(GPCV_DEBIAN)
  include(DebianPackages)
endif()
