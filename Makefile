# Two commands for users: make demo, make test. Each installs what it needs and is missing on a bare Debian 12.
SHELL := /bin/bash
export JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
# Compiled objects are kept between builds where ccache is installed (scripts/setup); nothing needs it.
ifneq ($(shell command -v ccache >/dev/null && test -w "$${CCACHE_DIR:-$$HOME}" && echo yes),)
export CMAKE_C_COMPILER_LAUNCHER ?= ccache
export CMAKE_CXX_COMPILER_LAUNCHER ?= ccache
export CCACHE_SLOPPINESS ?= pch_defines,time_macros
# Another clone of the same sources finds them too.
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR ?= true
endif

.PHONY: help demo test build lint format asan tsan fuzz arm64 blas bench docs install wheel wheels debs release r clean

help:
	@echo "make demo     build the command, train on the Mauna Loa CO2 record, predict 2009-2015"
	@echo "make test     build and run every test"
	@echo "make install  install the command and the library (PREFIX=/usr/local)"
	@echo "make wheel    install the Python package into an environment of its own and try it"
	@echo "make wheels   self-contained wheels and the source distribution in build/dist"
	@echo "make debs     Debian packages in build/dist"
	@echo "make release  everything that a release consists of in build/dist (TESTS=no: but the tests)"
	@echo "make r        build, check and test the R package"
	@echo "make lint     formatting and static analysis"
	@echo "make asan     tests under address and undefined-behaviour sanitizers"
	@echo "make tsan     tests under the thread sanitizer (clang)"
	@echo "make fuzz     fuzz the readers of tables, kernels, models and checkpoints (FUZZ_SECONDS=60 each)"
	@echo "make arm64    compile for arm64, run the suites of products and solvers and the command with qemu"
	@echo "make blas     link with other BLAS libraries (the reference, BLIS, MKL), run the suites of solvers"
	@echo "make bench    benchmarks"
	@echo "make docs     run the code of the documentation, make the site with the C++, Python and R API in build/site"

# The command alone, in a folder of its own: no tests, one unit per folder of sources.
demo:
	@scripts/setup build
	@scripts/configure demo
	scripts/build demo gpcv_command
	build/demo/bin/gpcv demo

build:
	@scripts/setup build mpi test python
	@scripts/configure release python
	scripts/build release

test: build
	ctest --preset release --parallel $(JOBS)

install: build
	cmake --install build/release --prefix $(or $(PREFIX),/usr/local)

# As a user does it, from nothing but the clone: pip compiles the library into the package.
wheel:
	@scripts/setup build python
	rm -rf build/try
	/usr/bin/python3 -m venv build/try
	build/try/bin/pip install --quiet --disable-pip-version-check .
	cd build/try && bin/python ../../python/examples/first_steps.py && bin/python -m gpcv --version && bin/gpcv --version

# For others to install; docs/releasing.md.
wheels:
	@scripts/setup build python packages
	packaging/wheels

debs:
	@scripts/setup build mpi python packages
	packaging/debs

release:
	@scripts/setup build mpi test python packages
	packaging/release

# R's own check builds the vignettes, runs the examples and tests, and compares models with those of the command and the
# Python package.
r:
	@scripts/setup build mpi test python r
	@scripts/configure release python
	scripts/build release gpcv gpcv_command gpcv_mpi gpcv_python gpcv_python_stub
	scripts/r

# mypy reads the package's compiled module.
lint: build
	@scripts/setup lint
	scripts/lint

format:
	@scripts/setup lint
	clang-format -i $$(git ls-files '*.cpp' '*.hpp' '*-inl.h')

asan:
	@scripts/setup build mpi test
	@scripts/configure asan
	scripts/build asan
	ctest --preset asan --parallel $(JOBS)

# The thread sanitizer learns of OpenMP's barriers from libomp's own tool.
tsan: export OMP_TOOL_LIBRARIES = $(firstword $(wildcard /usr/lib/llvm-*/lib/libarcher.so))
tsan: export TSAN_OPTIONS := ignore_noninstrumented_modules=1
tsan:
	@scripts/setup build mpi test clang
	@scripts/configure tsan
	scripts/build tsan
	ctest --preset tsan --parallel $(JOBS)

fuzz:
	@scripts/setup build clang
	@scripts/configure fuzz
	scripts/build fuzz
	scripts/fuzz $(FUZZ_SECONDS)

arm64:
	scripts/arm64

blas:
	scripts/blas

bench:
	@scripts/setup build bench
	@scripts/configure benchmark
	scripts/build benchmark
	scripts/bench

# The code of the pages needs the command and the packages, and the Python reference reads the compiled package.
docs:
	@scripts/setup build mpi test python r docs
	@scripts/configure release python
	scripts/build release gpcv gpcv_command gpcv_mpi gpcv_python gpcv_python_stub
	scripts/docs

clean:
	rm -rf build demo
