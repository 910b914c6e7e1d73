# Compiles for arm64 on a Debian of another architecture, against build/sysroots/arm64 (scripts/sysroot), and runs what is
# compiled with qemu: make arm64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

cmake_path(SET CMAKE_SYSROOT NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../build/sysroots/arm64)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${CMAKE_SYSROOT})

# Debian keeps HDF5 in folders of its own, and FindHDF5 would ask the compiler wrapper of this machine for them.
set(HDF5_C_COMPILER_EXECUTABLE "")
list(APPEND CMAKE_INCLUDE_PATH /usr/include/hdf5/serial)
list(APPEND CMAKE_LIBRARY_PATH /usr/lib/aarch64-linux-gnu/hdf5/serial)
