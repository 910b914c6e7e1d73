# Two commands for users: make demo, make test. Each installs what is missing on a bare Debian 12.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60

.PHONY: help demo test build setup lint format asan tsan fuzz bench docs install wheel clean

help:
	@echo "make demo     build, train on the Mauna Loa CO2 record, predict 2009-2015"
	@echo "make test     build and run every test"
	@echo "make install  install the command and the library (PREFIX=/usr/local)"
	@echo "make wheel    install the Python package into an environment of its own and try it"
	@echo "make lint     formatting and static analysis"
	@echo "make asan     tests under address and undefined-behaviour sanitizers"
	@echo "make tsan     tests under the thread sanitizer (clang)"
	@echo "make fuzz     fuzz the readers of tables, kernels, models and checkpoints (FUZZ_SECONDS=60 each)"
	@echo "make bench    benchmarks"
	@echo "make docs     the documentation as a site in build/site"

setup:
	@scripts/setup

build: setup
	@scripts/configure release python
	cmake --build --preset release --parallel $(JOBS)

demo: setup
	@scripts/configure release
	cmake --build --preset release --parallel $(JOBS) --target gpcv_command
	build/release/bin/gpcv demo

test: build
	ctest --preset release --parallel $(JOBS)

install: build
	cmake --install build/release --prefix $(or $(PREFIX),/usr/local)

# As a user does it, from nothing but the clone: pip compiles the library into the package.
wheel: setup
	rm -rf build/try
	/usr/bin/python3 -m venv build/try
	build/try/bin/pip install --quiet --disable-pip-version-check .
	cd build/try && bin/python ../../python/examples/first_steps.py

lint: build
	scripts/lint

format:
	clang-format -i $$(git ls-files '*.cpp' '*.hpp' '*-inl.h')

# The thread sanitizer learns of OpenMP's barriers from libomp's own tool.
tsan: export OMP_TOOL_LIBRARIES := $(firstword $(wildcard /usr/lib/llvm-*/lib/libarcher.so))
tsan: export TSAN_OPTIONS := ignore_noninstrumented_modules=1
asan tsan: setup
	@scripts/configure $@
	cmake --build --preset $@ --parallel $(JOBS)
	ctest --preset $@ --parallel $(JOBS)

fuzz: setup
	@scripts/configure fuzz
	cmake --build --preset fuzz --parallel $(JOBS)
	scripts/fuzz $(FUZZ_SECONDS)

bench: setup
	@scripts/configure benchmark
	cmake --build --preset benchmark --parallel $(JOBS)
	scripts/bench

# A link that leads nowhere is an error.
docs: setup
	mkdocs build --quiet --clean --strict

clean:
	rm -rf build demo
