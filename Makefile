# Sennit: one word per thing a person wants to do. CMakeLists.txt has the build itself.
#
#   make            build into build/; the tool is build/sennit, runnable in place
#   make SENNIT_TESTS=OFF                 the tool alone, without tests and benchmarks
#   make run        on a fresh machine: install what is missing, build the tool, find a bug
#   make test       install what is missing, build, run the whole test suite
#   make test-long  the same with long oracle runs, large sizes, sanitizers, both compilers
#   make bench      counts, rates and memory of the reference programs
#   make install PREFIX=/usr/local DESTDIR=
#   make package    a Debian package, in build/
#   make clean

BUILD  ?= build
JOBS   ?= $(shell nproc)
MAKEFLAGS += --no-print-directory

# What was said once holds for this build directory until something else is said.
SETTINGS := $(strip $(if $(SENNIT_TESTS),-DSENNIT_TESTS=$(SENNIT_TESTS)) \
                    $(if $(PREFIX),-DCMAKE_INSTALL_PREFIX=$(abspath $(PREFIX))))
GENERATOR := $(if $(wildcard $(BUILD)/CMakeCache.txt),,$(if $(shell command -v ninja),-G Ninja))
# A configuration that failed leaves its cache behind, but no files to build by: then it is tried again.
CONFIGURED := $(wildcard $(BUILD)/build.ninja $(BUILD)/Makefile)

all: configure
	@cmake --build $(BUILD) -j $(JOBS)

configure:
	@[ -n '$(CONFIGURED)' ] && [ -z '$(SETTINGS)' ] || \
	    log=$$(cmake -S . -B $(BUILD) $(GENERATOR) $(SETTINGS) 2>&1) || { echo "$$log"; exit 1; }

setup:
	@tools/setup

# The tests are built only if they were before, or if asked for.
run:
	@tools/setup --tool
	@$(MAKE) all $(if $(CONFIGURED),,SENNIT_TESTS=$(or $(SENNIT_TESTS),OFF))
	@tools/first-bug $(BUILD)/sennit examples/bank.c

test: setup
	@$(MAKE) all SENNIT_TESTS=ON
	@ctest --test-dir $(BUILD) --no-tests=error -LE long -j $(JOBS) --output-on-failure

test-long: test
	@ctest --test-dir $(BUILD) --no-tests=error -L long -j $(JOBS) --output-on-failure
	@tools/check-compilers $(BUILD)-check

bench: all
	@bench/run $(BUILD)/sennit
	@bench/efficiency $(BUILD)/sennit

install: all
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) >/dev/null
	@echo "installed below $(DESTDIR)$$(sed -n 's/^CMAKE_INSTALL_PREFIX:PATH=//p' $(BUILD)/CMakeCache.txt)"

package: all
	@tools/package $(BUILD)

clean:
	@rm -rf $(BUILD) $(BUILD)-check

.PHONY: all configure setup run test test-long bench install package clean
