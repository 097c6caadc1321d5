# The front door. CMakePresets.json holds the builds, test/suite the list of tests.

JOBS ?= 2
# For test: which tests (a regular expression), the operations of the model test in all, its seed.
# For test-full and model: the operations of the model test (OPS). It does some 350,000 a second.
ONLY ?= .
MODEL_OPS ?= 10000000
SEED ?= 1
# For fuzz: how long, and what (model, expression, replay). For bench: which rows, and at which size.
SECONDS ?= 60
TARGET ?= model
ROWS ?=
N ?=
# For run: options of the game.
ARGS ?=

.PHONY: help run test test-full model bench costs docs coverage fuzz format dist clean

help:
	@echo 'make run        a game: a pond at night (ARGS=--help)'
	@echo 'make test       every test, in 17 to 30 minutes (ONLY=valgrind for a part)'
	@echo 'make test-full  the same and the long runs (OPS=100000000, SECONDS=600)'
	@echo 'make model      the model test alone, before a release: about an hour (OPS=1000000000, SEED=$(SEED))'
	@echo 'make bench      the benchmarks (ROWS='\''get_.*'\'' N=100000 for a part)'
	@echo 'make costs      docs/costs.md of what make bench measured last'
	@echo 'make docs       the reference of the public headers, and the pictures'
	@echo 'make coverage   coverage of src/ by line, branch and MC/DC'
	@echo 'make fuzz       the fuzzer (SECONDS=$(SECONDS))'
	@echo 'make format     format every C file'
	@echo 'make dist       the library as two files, and the archive of the last commit, in build/dist'
	@echo 'make clean      remove what was built'

run:
	@tools/setup.sh run
	@cmake --preset gcc-release -B build/run -DILK_TESTS=OFF -DILK_BENCH=OFF >/dev/null
	@cmake --build build/run -j $(JOBS) --target ilk_game
	@build/run/game/ilk_game --out build/game --every 150 $(ARGS)

test:
	@tools/setup.sh test
	@JOBS=$(JOBS) ONLY='$(ONLY)' tools/run_suite.sh build/test \
		-DMODEL_OPS=$(MODEL_OPS) -DSEED=$(SEED)

test-full: SECONDS = 600
test-full: OPS ?= 100000000
test-full:
	@tools/setup.sh full
	@JOBS=$(JOBS) ONLY='$(ONLY)' tools/run_suite.sh build/test-full \
		-DMODEL_OPS=$(OPS) -DSEED=$(SEED) -DFULL=ON -DFUZZ_SECONDS=$(SECONDS)

model: OPS ?= 1000000000
model:
	@tools/setup.sh test
	@cmake --preset gcc-release >/dev/null
	@cmake --build build/gcc-release -j $(JOBS) --target model_test
	@tools/model.sh build/gcc-release/test/model_test $(OPS) $(SEED) $(JOBS)

bench:
	@tools/setup.sh bench
	@JOBS=$(JOBS) ROWS='$(ROWS)' N='$(N)' tools/bench.sh

costs:
	@cp build/bench/results.csv bench/results/costs.csv
	@python3 tools/costs.py

docs:
	@tools/setup.sh test
	@tools/draw.sh
	@tools/reference.sh

coverage:
	@tools/setup.sh coverage
	@JOBS=$(JOBS) tools/coverage.sh

fuzz:
	@tools/setup.sh test
	@JOBS=$(JOBS) tools/fuzz.sh $(SECONDS) $(TARGET)

format:
	@tools/setup.sh test
	@tools/format.sh

dist:
	@tools/setup.sh dist
	@python3 tools/dist.py --archive build/dist
	@ls build/dist

clean:
	rm -rf build
