# Two commands do everything on a machine with only Python (3.11 or newer), make and git:
#   make score [PHOTO=my.jpg] [ARGS="--overlay out.jpg"]     make test
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV ?= .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
PHOTO ?= $(firstword $(sort $(wildcard tests/fixtures/photos/*.jpg tests/fixtures/photos/*/*.jpg)))
ARGS ?=

.PHONY: help score test lint bench train tesseract clean

help:  ## This list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/^([a-z]+):.*## /make \1|/' | column -t -s '|'

score: $(VENV)/.run  ## Score a photo of a board: PHOTO=my.jpg (default: a fixture), ARGS="more options"
	@test -n '$(PHOTO)' || { echo 'No fixture photo here: make score PHOTO=my.jpg' >&2; exit 2; }
	$(BIN)/ontour-cv score "$(PHOTO)" $(ARGS)

test: lint tesseract  ## Everything: lint, types, import contracts, the test suite
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 --dist loadfile $(ARGS)

lint: $(VENV)/.test  ## ruff, mypy --strict, import contracts
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.test  ## Measure what bench/results/ does not hold yet and write the figures into docs/ (long)
	$(BIN)/python -m bench $(ARGS)

train: $(VENV)/.train  ## Train the mark network from nothing (hours)
	$(BIN)/python -m ontour_cv.train $(ARGS)

# The package is installed editable, so a changed source needs no new install; the stamps know when one is due.
$(VENV)/bin/python:
	@test -n '$(PYTHON)' || { echo 'Python 3.11 or newer is needed; say where: make PYTHON=/path/to/python3' >&2; exit 2; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo 'Python cannot make environments here. On Debian or Ubuntu: apt-get install python3-venv' >&2; exit 2; }

$(VENV)/.run: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP_INSTALL) --editable '.[test]'
	@touch $@ $(VENV)/.run

$(VENV)/.train: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP_INSTALL) --editable '.[test,train]'
	@touch $@ $(VENV)/.test $(VENV)/.run

tesseract:
	@command -v tesseract >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq tesseract-ocr >/dev/null; \
	else \
		echo 'The tests need the program "tesseract". Please install it, then run make test again:' >&2; \
		echo '  Debian, Ubuntu:  sudo apt-get install tesseract-ocr' >&2; \
		echo '  Fedora:          sudo dnf install tesseract' >&2; \
		echo '  macOS:           brew install tesseract' >&2; \
		exit 2; \
	fi

clean:  ## Remove the environment and all caches
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
