# Two commands, `make demo` and `make test`. Both build .venv first: with uv when it is there, else with venv and pip.

VENV := .venv
BIN := $(VENV)/bin/python
MINIMUM := 3.11
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python

# The first interpreter that is new enough; `make PYTHON=/path/to/python ...` chooses another.
NEW_ENOUGH := import sys; sys.exit(sys.version_info[:2] < tuple(map(int, "$(MINIMUM)".split("."))))
PYTHON ?= $(firstword $(foreach p,$(CANDIDATES),$(shell $(p) -c '$(NEW_ENOUGH)' >/dev/null 2>&1 && echo $(p))))
UV := $(shell uv --version >/dev/null 2>&1 && echo uv)
INSTALL = $(if $(UV),uv pip install --quiet --python $(BIN),$(BIN) -m pip install --quiet --disable-pip-version-check)

.DEFAULT_GOAL := help
.PHONY: help demo test lint types pytest fuzz clean

help: ## list the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/^([a-z]+):[^#]*## /  make \1\t/' | expand -t 16

demo: $(VENV)/.demo ## what the checker finds in examples/, and what those programs then do
	@$(BIN) examples/demo.py

test: lint types pytest ## everything CI checks

lint: $(VENV)/.dev ## ruff: format and rules
	@$(BIN) -m ruff format --check --quiet .
	@$(BIN) -m ruff check .

types: $(VENV)/.dev ## mypy --strict on this project, with its own plugin
	@$(BIN) -m mypy

pytest: $(VENV)/.dev ## the tests (`make pytest ARGS="-k name"`)
	@$(BIN) -m pytest $(ARGS)

fuzz: $(VENV)/.dev ## odd programs against the checker (`make fuzz ARGS="--seconds 600 --seed 1"`)
	@$(BIN) -m tests.fuzz $(ARGS)

clean: ## remove the environment and every cache
	rm -rf $(VENV) .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist

# A stamp per set of extras: a second run installs nothing until pyproject.toml changes.
$(VENV)/.demo: pyproject.toml | $(BIN)
	@echo "installing jaxtyped-static[mypy] into $(VENV)"
	@$(INSTALL) -e '.[mypy]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)
	@echo "installing jaxtyped-static[mypy,dev] into $(VENV)"
	@$(INSTALL) -e '.[mypy,dev]'
	@touch $@ $(VENV)/.demo

$(BIN):
	@$(or $(PYTHON),python3) -c '$(NEW_ENOUGH)' 2>/dev/null || { \
	  echo "error: Python $(MINIMUM) or newer is needed; found: $$($(or $(PYTHON),python3) --version 2>/dev/null || echo none)" >&2; \
	  echo "       make PYTHON=/path/to/python $(MAKECMDGOALS)" >&2; exit 1; }
	@rm -rf $(VENV)
	@$(if $(UV),uv venv --quiet --no-project --python $(PYTHON) $(VENV),$(PYTHON) -m venv $(VENV))
