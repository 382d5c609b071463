# make demo | test | lint | bench | sanitize | stubs | clean. Each creates .venv and builds what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
CPP := $(shell find cpp -name '*.h' -o -name '*.cpp')
# Tests run in two processes; more would only compete for the caches of a small machine.
JOBS ?= 2

.PHONY: demo test lint bench sanitize stubs clean install

install: $(STAMP)

# Build tools live in .venv (no build isolation), so that a second build is incremental. Python files are used from
# src/ as they are; only a change of the C++ core or of the package's description installs again.
$(STAMP): pyproject.toml CMakeLists.txt $(CPP)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check "scikit-build-core>=0.10" "nanobind>=2.2" cmake ninja
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation -e ".[dev]"
	touch $@

demo: $(STAMP)
	$(BIN)/dicezero demo --out demo

test: lint
	$(BIN)/python -m pytest -n $(JOBS) -q

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(CPP)

bench: $(STAMP)
	$(BIN)/dicezero bench --against mctx,openspiel

# The C++ core alone, under AddressSanitizer and UndefinedBehaviorSanitizer, over a million random moves.
sanitize: $(STAMP)
	PATH="$(abspath $(BIN)):$$PATH" cmake -S . -B build/sanitize -G Ninja -DDICEZERO_SANITIZE=ON
	PATH="$(abspath $(BIN)):$$PATH" cmake --build build/sanitize
	build/sanitize/soak

# The type stub of the native module; a test fails when it is out of date.
stubs: $(STAMP)
	$(BIN)/python tools/stubs.py

clean:
	rm -rf $(VENV) build demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
