# Sennit: one word per thing a person wants to do. CMakeLists.txt has the build itself.
#
#   make            build into build/; the tool is build/sennit, runnable in place
#   make run        on a fresh machine: install what is missing, build, find a bug
#   make test       install what is missing, build, run the whole test suite
#   make test-long  the same with long oracle runs, large sizes, sanitizers, both compilers
#   make bench      counts, rates and memory of the reference programs
#   make install PREFIX=/usr/local        make clean

BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
MAKEFLAGS += --no-print-directory

all: $(BUILD)/CMakeCache.txt
	@cmake --build $(BUILD) -j $(JOBS)

$(BUILD)/CMakeCache.txt:
	@cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX)

setup:
	@tools/setup

run: setup
	@$(MAKE) all
	@tools/first-bug $(BUILD)/sennit examples/bank.c

test: setup
	@$(MAKE) all
	@ctest --test-dir $(BUILD) -LE long -j $(JOBS) --output-on-failure

test-long: test
	@ctest --test-dir $(BUILD) -L long -j $(JOBS) --output-on-failure
	@tools/check-compilers $(BUILD)-check

bench: all
	@bench/run $(BUILD)/sennit
	@bench/efficiency $(BUILD)/sennit

install: all
	@cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	@cmake --install $(BUILD)

clean:
	@rm -rf $(BUILD) $(BUILD)-check

.PHONY: all setup run test test-long bench install clean
