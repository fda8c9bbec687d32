# Start with `make demo` or `make test`. Both first build .venv, with uv if it is installed and otherwise with venv and pip.

VENV := .venv
BIN := $(VENV)/bin/python
MINIMUM := 3.11
JOBS := 2
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python

# The first interpreter that is new enough; `make PYTHON=/path/to/python ...` chooses another.
NEW_ENOUGH := import sys; sys.exit(sys.version_info[:2] < tuple(map(int, "$(MINIMUM)".split("."))))
PYTHON ?= $(firstword $(foreach p,$(CANDIDATES),$(shell $(p) -c '$(NEW_ENOUGH)' >/dev/null 2>&1 && echo $(p))))
UV := $(shell uv --version >/dev/null 2>&1 && echo uv)
INSTALL = $(if $(UV),uv pip install --quiet --compile-bytecode --python $(BIN),$(BIN) -m pip install --quiet --disable-pip-version-check)

PYTEST_IN_PARTS = $(BIN) -m pytest --numprocesses $(JOBS) --dist loadgroup --no-loadscope-reorder

# What `quick` finds without a cache is kept for `rest`, which compares with it.
quick rest: export JAXTYPED_STATIC_COLD_RUNS := $(CURDIR)/.cache/cold-runs

# The tests start a hundred processes, each of which would compile the plugin and the tests again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo picture test test-all quick rest lint types pytest fuzz matrix peers site vscode release-check clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/^([a-z-]+):[^#]*## /  make \1\t/' | expand -t 16

demo: $(VENV)/.demo ## check the programs in examples/, then run them
	@$(BIN) examples/demo.py

picture: $(VENV)/.demo ## make the picture in docs/check.md again
	@$(BIN) examples/picture.py

test: lint ## what every change must pass: every rule, in every mode of mypy
	@$(MAKE) --no-print-directory -j 2 types quick

test-all: test rest ## everything that CI runs: every case in every mode, real packages, fresh environments

lint: $(VENV)/.dev ## ruff (format and rules) and typos
	@$(BIN) -m ruff format --check --quiet .
	@$(VENV)/bin/typos --format brief
	@$(BIN) -m ruff check .

types: $(VENV)/.dev ## mypy --strict on this project, with its own plugin
	@$(BIN) -m mypy

quick: $(VENV)/.dev
	@$(PYTEST_IN_PARTS) -m "not thorough"

rest: $(VENV)/.dev $(VENV)/.docs $(VENV)/.release ## what `make test-all` runs in addition to `make test`
	@$(PYTEST_IN_PARTS) -m thorough

pytest: $(VENV)/.dev ## run some of the tests, thorough or not (`make pytest ARGS="-k name"`)
	@$(BIN) -m pytest $(ARGS)

fuzz: $(VENV)/.dev ## run the checker on odd programs (`make fuzz ARGS="--seconds 600 --seed 1"`)
	@$(BIN) -m tests.fuzz $(ARGS)

matrix: $(VENV)/.dev ## run some tests with each release of Python, mypy and JAX, for the README's table; needs uv
	@$(BIN) -m tests.matrix $(ARGS)

peers: $(VENV)/.dev ## run other libraries' tests of their classes on ours (`make peers ARGS=torax`)
	@$(BIN) -m tests.peers $(ARGS)

site: $(VENV)/.dev $(VENV)/.docs ## build the documentation in build/site; a dead link is an error
	@$(BIN) -m website

vscode: ## build the extension for VS Code, editors/vscode/jaxtyped-static.vsix; needs Node 20 or newer
	@cd editors/vscode && npm ci --silent --no-audit --no-fund && npm run --silent types && npm run --silent build && npm run --silent package

release-check: $(VENV)/.dev $(VENV)/.release ## build the distributions, install them with each Python, and check what PyPI shows
	@$(BIN) -m tests.release

clean: ## remove the environment and every cache
	rm -rf $(VENV) .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist

# A stamp per set of extras: a second run installs nothing until pyproject.toml changes.
$(VENV)/.demo: pyproject.toml | $(BIN)
	@echo "installing jaxtyped-static[cli] into $(VENV)"
	@$(INSTALL) -e '.[cli]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)
	@echo "installing jaxtyped-static[mypy,dev] into $(VENV)"
	@$(INSTALL) -e '.[mypy,dev]'
	@touch $@ $(VENV)/.demo

$(VENV)/.docs $(VENV)/.release: $(VENV)/.%: pyproject.toml | $(BIN)
	@echo "installing jaxtyped-static[$*] into $(VENV)"
	@$(INSTALL) -e '.[$*]'
	@touch $@

$(BIN):
	@$(or $(PYTHON),python3) -c '$(NEW_ENOUGH)' 2>/dev/null || { \
	  echo "error: Python $(MINIMUM) or newer is needed; found: $$($(or $(PYTHON),python3) --version 2>/dev/null || echo none)" >&2; \
	  echo "       make PYTHON=/path/to/python $(MAKECMDGOALS)" >&2; exit 1; }
	@rm -rf $(VENV)
	@$(if $(UV),uv venv --quiet --no-project --python $(PYTHON) $(VENV),$(PYTHON) -m venv $(VENV))
