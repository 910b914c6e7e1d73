# Debian packages by CPack, one for each component; packaging/debs builds and examines them.
set(documents ${PROJECT_BINARY_DIR}/debian)  # packaging/debs writes copyright and changelogs there

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL command library mpi development python)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_NAME gpcv)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each component has its own
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "gpcv maintainers <maintainers@gpcv.invalid>")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

# gpcv_package(COMPONENT NAME SYNOPSIS TEXT): names and describes the package of a component.
function(gpcv_package component name synopsis text)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${synopsis}\n${text}" PARENT_SCOPE)
  foreach(document copyright changelog.Debian.gz changelog.gz)
    install(FILES ${documents}/${document} DESTINATION share/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
  endforeach()
  set(overrides "# The packages are those of the project and were never uploaded to Debian.\n${name}: initial-upload-closes-no-bugs\n")
  if(component STREQUAL mpi)
    string(APPEND overrides "# Nobody links to the module: libgpcv opens it from its own folder.\n"
           "${name}: sharedobject-in-library-directory-missing-soname\n")
  endif()
  file(WRITE ${documents}/${name}.overrides "${overrides}")
  install(FILES ${documents}/${name}.overrides DESTINATION share/lintian/overrides RENAME ${name}
          COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

set(what "gpcv is Gaussian-process regression for tables: it predicts a numeric\ncolumn with \
uncertainty, chooses the kernel and trains it by\ncross-validation, and needs neither a stored matrix nor a setting.")
set(soname libgpcv${GPCV_SOVERSION})
gpcv_package(command gpcv "Gaussian-process regression trained by cross-validation"
  "${what}\n.\nThis package contains the command, its pages of man and its completions.")
gpcv_package(library ${soname} "Gaussian-process regression (shared library)"
  "${what}\n.\nThis package contains the shared library.")
gpcv_package(mpi ${soname}-mpi "Gaussian-process regression on many machines (MPI module)"
  "${what}\n.\nThis package contains the module by which processes that mpirun has\nstarted share the work.")
gpcv_package(development libgpcv-dev "Gaussian-process regression (development files)"
  "${what}\n.\nThis package contains the headers of the C++ library and its packages\nfor CMake and pkg-config.")
gpcv_package(python python3-gpcv "Gaussian-process regression for Python"
  "${what}\n.\nThis package contains the Python package, an estimator by the\nconventions of scikit-learn.")

set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "${soname} (= ${version})")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "librsvg2-2, ${soname}-mpi")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
# dpkg's own files for a shared library. CPack adds scripts that run ldconfig, which packaging/debs takes out again.
file(WRITE ${documents}/shlibs "libgpcv ${GPCV_SOVERSION} ${soname} (>= ${PROJECT_VERSION})\n")
file(WRITE ${documents}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${documents}/shlibs ${documents}/triggers)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "${soname} (= ${version}), openmpi-bin")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${soname} (= ${version}), libeigen3-dev (>= 3.4)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
find_package(Python REQUIRED COMPONENTS Interpreter)
math(EXPR next "${Python_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${soname} (= ${version}), python3 (>= 3.${Python_VERSION_MINOR}~), python3 (<< 3.${next}), python3-numpy, \
python3-sklearn (>= 1.2)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "gpcv, python3-matplotlib, python3-pandas, python3-tqdm")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/postinst
                                              ${PROJECT_SOURCE_DIR}/packaging/debian/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)

install(FILES examples/train_and_predict.cpp DESTINATION share/doc/libgpcv-dev/examples COMPONENT development EXCLUDE_FROM_ALL)
include(CPack)
