# For packages that bring their libraries: those of the folder GPCV_BUNDLED (packaging/dependencies) are linked in place of
# those that were found, whose headers are of the same versions. OpenBLAS, zlib and the libraries of the compiler become part
# of the program, too; OpenMP only of an executable, because a module has to share it with other threads of its process.
if(NOT GPCV_BUNDLED)
  return()
endif()

function(gpcv_bundle target library)
  set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${ARGN}")
  foreach(configuration "" _NONE _RELEASE)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION${configuration} ${library})
  endforeach()
endfunction()

set(lib ${GPCV_BUNDLED}/lib)
gpcv_bundle(fmt::fmt ${lib}/libfmt.a)
gpcv_bundle(hwy::hwy ${lib}/libhwy.a)
gpcv_bundle(NLopt::nlopt ${lib}/libnlopt.a m)
gpcv_bundle(Zstd::Zstd ${lib}/libzstd.a)
gpcv_bundle(ZLIB::ZLIB ${lib}/libz.a)
gpcv_bundle(hdf5::hdf5 ${lib}/libhdf5.a ZLIB::ZLIB dl m)
find_library(GPCV_STATIC_OPENBLAS libopenblas.a REQUIRED)
# A weak reference does not fetch a function from an archive.
set(openblas get_num_threads set_num_threads get_config get_corename)
list(TRANSFORM openblas PREPEND LINKER:--undefined=openblas_)
set_target_properties(LAPACKE::LAPACKE PROPERTIES
  INTERFACE_LINK_LIBRARIES "${lib}/processor.o;${lib}/liblapacke.a;${GPCV_STATIC_OPENBLAS};pthread;m"
  INTERFACE_LINK_OPTIONS "${openblas}")
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgomp.a OUTPUT_VARIABLE gomp OUTPUT_STRIP_TRAILING_WHITESPACE)
set_target_properties(OpenMP::OpenMP_CXX PROPERTIES INTERFACE_LINK_LIBRARIES
  "$<IF:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>,${gomp},gomp>;pthread;dl")
# Here and not among CMake's flags, with which shared libraries are looked for: those of this system need its own glibc.
separate_arguments(options UNIX_COMMAND "${GPCV_BUNDLED_LINKER}")
add_link_options(${options} -static-libstdc++ LINKER:--exclude-libs,ALL)
# By its map packaging/sbom knows what a program contains.
add_link_options("LINKER:-Map=${PROJECT_BINARY_DIR}/$<TARGET_PROPERTY:NAME>.map")
