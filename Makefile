# Everything a person runs. A bare machine needs Python 3.11 or later and make; the rest is set up in .venv.
PYTHON ?= python3
BIN := .venv/bin
UV := $(BIN)/uv
READY := .venv/.ready
PACKAGES := src examples tests benchmarks scripts

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-fast lint format generate lock coverage clean bench-recall bench-checkpoints bench-erasure bench-consolidate bench-turn guard-report train-guard-head

help: ## Say what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | sort

setup: $(READY) ## Install everything, at locked versions, into .venv

$(UV): requirements/bootstrap.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Memwarden needs Python 3.11 or later; set PYTHON=python3.11 or newer.")'
	@echo "Setting up .venv ..."
	@$(PYTHON) -m venv .venv || { echo "Python's venv module is missing; on Debian: apt-get install python3-venv." >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bootstrap.txt
	@touch $@

$(READY): $(UV) requirements/dev.txt pyproject.toml
	@echo "Installing the locked packages (about 200 MB on a new machine) ..."
	@$(UV) pip sync --quiet --python $(BIN)/python --require-hashes requirements/dev.txt
	@$(UV) pip install --quiet --python $(BIN)/python --no-build-isolation --no-deps --editable .
	@touch $@

demo: $(READY) ## Hold two conversations with an agent that remembers, on an embedded PostgreSQL
	@$(BIN)/memwarden demo

test: $(READY) ## Run every test
	@$(BIN)/python -m pytest -n auto

test-fast: $(READY) ## Run the tests that take no longer than a few seconds each
	@$(BIN)/python -m pytest -n auto -m "not slow"

coverage: $(READY) ## Run every test and show what they leave out
	@$(BIN)/python -m pytest -n auto --cov --cov-report=term

bench-checkpoints: $(READY) ## Measure threads of 200 turns on our checkpoint saver and on LangGraph's, and draw the picture
	@$(UV) pip install --quiet --python $(BIN)/python 'matplotlib>=3.10'
	@$(BIN)/python benchmarks/checkpoints.py --plot benchmarks/checkpoints.svg $(ARGS)

bench-erasure: $(READY) ## Measure erasing a user with 10,000 memories and 100 conversations
	@$(BIN)/python benchmarks/erasure.py $(ARGS)

bench-consolidate: $(READY) ## Measure putting memories in order
	@$(BIN)/python benchmarks/consolidate.py $(ARGS)

bench-turn: $(READY) ## Measure one turn with everything on and the growth of prompts, and draw the picture
	@$(UV) pip install --quiet --python $(BIN)/python 'matplotlib>=3.10'
	@$(BIN)/python benchmarks/turn.py --plot benchmarks/turn.svg $(ARGS)

guard-report: $(READY) ## Print how the guard does on its labelled sets: per label and language, and every miss
	@$(BIN)/python scripts/guard_report.py $(ARGS)

train-guard-head: $(READY) $(UV) ## Train the guard's linear head again, and print how each set is judged by the others
	@$(UV) pip install --quiet --python $(BIN)/python 'scikit-learn>=1.7'
	@$(BIN)/python scripts/train_guard_head.py

bench-recall: $(READY) ## Measure recall with 1,000,000 memories (options in ARGS="--data-dir ... --json")
	@$(BIN)/python benchmarks/recall.py $(ARGS)

lint: $(READY) ## Check format, style, types and layers
	@$(BIN)/ruff format --check $(PACKAGES)
	@$(BIN)/ruff check $(PACKAGES)
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python scripts/generate_blocking.py --check
	@$(BIN)/python scripts/generate_settings_table.py --check
	@$(BIN)/python scripts/generate_embedding_centre.py --check

format: $(READY) ## Put the code in its form
	@$(BIN)/ruff format $(PACKAGES)
	@$(BIN)/ruff check --fix $(PACKAGES)

generate: $(READY) ## Write the generated files again
	@$(BIN)/python scripts/generate_blocking.py
	@$(BIN)/python scripts/generate_settings_table.py
	@$(BIN)/python scripts/generate_embedding_centre.py

lock: $(UV) ## Resolve the locked versions again
	@$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --upgrade requirements/bootstrap.in -o requirements/bootstrap.txt
	@$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --upgrade pyproject.toml --extra dev -o requirements/dev.txt
	@$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --upgrade pyproject.toml -o requirements/runtime.txt

clean: ## Remove what was set up and made
	@rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache dist build
