# All tasks are targets of this file; `make help` lists them. Each first installs missing packages (scripts/setup);
# to switch that off: make SETUP=true build
SETUP ?= scripts/setup
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Unity builds are faster from scratch (bench/build-time), and slower after a change of one file: make UNITY=OFF test
UNITY ?= ON
# ON in CI: a warning ends the build.
export WARNINGS_AS_ERRORS ?= OFF
WARNINGS = -DISOGON_WARNINGS_AS_ERRORS=$(WARNINGS_AS_ERRORS)
# With paths relative to the build folder ccache reuses the objects of other build folders (docs/decisions/ccache.md).
export CCACHE_BASEDIR ?= $(CURDIR)
# Run time of each fuzzer.
SECONDS_EACH ?= 60

.PHONY: help setup build demo test sanitize ranks fuzz faults bits each-file viewer viewer-test python-test wheel docs bench lint format python-format tidy clean

help:            ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1: /p' Makefile | awk -F': ' '{printf "make %-13s %s\n", $$1, $$2}'

setup:           ## install everything that is missing (Debian packages)
	$(SETUP)

build:           ## the library and the program build/isogon
	$(SETUP) build
	cmake --preset release $(WARNINGS) -DISOGON_UNITY=$(UNITY) -DISOGON_BUILD_TESTS=OFF
	cmake --build --preset release --parallel $(JOBS)

demo: build      ## embed 5,000 drawn digits by five methods, print how faithful each is, and write a page to look at
	scripts/demo

test:            ## build everything and run all tests
	$(SETUP) test
	cmake --preset release $(WARNINGS) -DISOGON_UNITY=$(UNITY) -DISOGON_BATCHED_TESTS=ON -DISOGON_TESTS_BY_MODULE=ON -DISOGON_BUILD_TESTS=ON -DISOGON_SANITIZED_TESTS=OFF
	cmake --build --preset release --parallel $(JOBS)
	ctest --preset release --parallel $(JOBS)

sanitize:        ## run the unit tests against a library under the address and undefined-behaviour sanitizers
	$(SETUP) test fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz --parallel $(JOBS) --target isogon
	cmake --preset release $(WARNINGS) -DISOGON_UNITY=$(UNITY) -DISOGON_BATCHED_TESTS=ON -DISOGON_TESTS_BY_MODULE=ON -DISOGON_BUILD_TESTS=ON -DISOGON_SANITIZED_TESTS=ON
	cmake --build --preset release --parallel $(JOBS)
	ctest --preset release --parallel $(JOBS) -L sanitized

ranks:           ## build with MPI and PETSc, each file by itself, and share fits among ranks of mpirun
	$(SETUP) test petsc
	cmake --preset petsc -B build-ranks $(WARNINGS) -DISOGON_BUILD_EXAMPLES=OFF -DISOGON_BATCHED_TESTS=ON
	cmake --build build-ranks --parallel $(JOBS) --target isogon_cli mpi_ranks_alike test_petsc
	ctest --test-dir build-ranks --output-on-failure -L 'mpi|petsc' $(RANKS)

fuzz:            ## run every fuzzer for a minute (make fuzz SECONDS_EACH=600): fuzz/README.md
	$(SETUP) fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz --parallel $(JOBS)
	JOBS=$(JOBS) SECONDS_EACH=$(SECONDS_EACH) scripts/fuzz

bits:            ## compare the bits of results between compilers, levels of optimisation, instruction sets and processors
	$(SETUP) bits
	JOBS=$(JOBS) scripts/bits $(WAYS)

each-file:       ## check that every C++ file compiles by itself; other builds compile many at once
	$(SETUP) test
	cmake --preset release -B build/each-file -DISOGON_UNITY=OFF
	scripts/each_file build/each-file $(JOBS)

faults:          ## let requests for memory, files and threads fail in small runs of every verb, one by one (CONTRIBUTING.md)
	$(SETUP) test
	cmake --preset release $(WARNINGS) -DISOGON_UNITY=$(UNITY) -DISOGON_BUILD_TESTS=ON
	cmake --build --preset release --parallel $(JOBS) --target isogon_cli isogon_faults
	tests/faults/faults.py --jobs $(JOBS) $(FAULTS)

viewer:          ## build the page that reports are, viewer/dist/report.html (kept in the repository)
	$(SETUP) viewer
	scripts/viewer build

viewer-test:     ## types, lint and tests of that page, in Chromium too
	$(SETUP) viewer-test
	scripts/viewer test

python-test:     ## install the Python package into an empty environment, use it there, run its tests
	$(SETUP) python
	scripts/python_test

wheel:           ## dist/isogon-*.whl, with the library inside
	$(SETUP) python
	scripts/wheel

docs: build      ## the documentation as a site, build/docs/site/index.html (CHECK_OUTSIDE=1: asks other hosts' pages too)
	$(SETUP) docs
	scripts/docs

bench:           ## build and run the benchmarks of bench/ (needs the data sets, see docs/data.md)
	$(SETUP) bench
	cmake --preset release -DISOGON_UNITY=$(UNITY) -DISOGON_BUILD_BENCH=ON
	cmake --build --preset release --parallel $(JOBS)
	scripts/bench

lint:            ## formatting, clang-tidy, syntax of scripts, modules and map; CI insists on it
	$(SETUP) lint
	JOBS=$(JOBS) scripts/lint

tidy: lint       ## the same as lint

format:          ## rewrite the C++ files in the project's format
	$(SETUP) lint
	scripts/format

python-format:   ## rewrite the files of python/ and papers/ in the project's format
	$(SETUP) python
	scripts/python_format

clean:           ## remove everything that was built
	rm -rf build build-python build-ranks dist
