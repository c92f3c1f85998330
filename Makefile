# make run starts the app; make test checks everything. Both set up .venv by themselves.
VENV := .venv
PYTHON := $(VENV)/bin/python
PIP := $(PYTHON) -m pip --disable-pip-version-check
UV := $(PYTHON) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--fork-strategy fewest --no-emit-index-url --custom-compile-command 'make lock' \
	$(if $(UPGRADE),--upgrade)
ARGS ?=
PYTEST_ARGS ?=
PYTEST = $(PYTHON) -m pytest $(PYTEST_ARGS)

# Prints the first Python that is 3.11 or newer and can make environments.
FIND_PYTHON = for name in python3.13 python3.12 python3.11 python3; do \
	$$name -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$name && break; done
# Prints the path of a Chromium, fetched where none is there; nothing where none can be had.
CHROMIUM_PATH = $(PYTHON) -m tests.e2e.chromium

.PHONY: help run test bench peers fuzz cluster audit docs lint lock venv
.DEFAULT_GOAL := help

help:
	@echo 'make run    start the app and open it          ARGS="--server.headless true"'
	@echo 'make test   style, types and all tests         BROWSER=0  PYTEST_ARGS="-k name"'
	@echo 'make lint   style and types only'
	@echo 'make bench  speed, side by side                QUICK=1  ARGS="exact searches"'
	@echo 'make peers  libraries to be measured beside, each that can be installed'
	@echo 'make fuzz   damaged files for every reader   ARGS="npy --count 10000"'
	@echo 'make cluster  workers of this machine, for trying     ARGS="--workers 4"'
	@echo 'make docs   the documentation as pages: site/index.html'
	@echo 'make audit  known faults of what requirements*.lock name; asks the network'
	@echo 'make lock   remake requirements*.lock          UPGRADE=1 for newer versions'
	@echo 'make venv   set up .venv only'

run: $(VENV)/.ready
	@exec $(PYTHON) run.py $(ARGS)

# Tests without a browser share the processors, three at a time, for some wait for processes of their
# own; then come those with one, two files at a time: each waits for its browser half of the time. 5
# is pytest's "no test was chosen": a fault only where both say so.
test: $(VENV)/.ready-dev lint
	@if [ "$$BROWSER" != 0 ]; then chromium=$$($(CHROMIUM_PATH)) || exit 1; fi; \
	BROWSER=0 $(PYTEST) --numprocesses 3 --dist worksteal; first=$$?; \
	if [ "$$BROWSER" = 0 ]; then echo "Browser tests are left out (BROWSER=0)."; exit $$first; fi; \
	case $$first in 0|1|5) ;; *) exit $$first; esac; \
	if [ -z "$$chromium" ]; then echo "Browser tests were left out: no Chromium is there or could be" \
		"fetched. To run them: apt-get install chromium (macOS: brew install --cask chromium)."; \
		exit $$first; fi; \
	CHROMIUM=$$chromium BROWSER=only $(PYTEST) --numprocesses 2 --dist loadfile; second=$$?; \
	case $$second in 0) [ $$first = 5 ] || exit $$first;; 5) exit $$first;; *) exit $$second; esac

lint: $(VENV)/.ready-dev
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy

bench: $(VENV)/.ready-dev
	QUICK=$(QUICK) $(PYTHON) -m benchmarks $(ARGS)

# One by one: a library without a wheel for this system is left out, and the others are installed.
peers: $(VENV)/.ready-dev
	@grep -v '^#' requirements-peers.txt | while read -r line; do \
		$(PIP) install --quiet "$$line" || echo "left out: $$line" >&2; done

fuzz: $(VENV)/.ready-dev
	$(PYTHON) -m benchmarks.fuzz $(ARGS)

cluster: $(VENV)/.ready-dev
	@exec $(PYTHON) -m mips_core parts cluster $(ARGS)

docs: $(VENV)/.ready-dev
	NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build

# No part of make test: it asks the network. What could not be looked up counts as a fault, too.
audit: $(VENV)/audit/bin/pip-audit
	@for file in requirements.lock requirements-dev.lock; do \
		$< --strict --disable-pip --require-hashes -r $$file || { \
		echo "$$file: above are its known faults, or why they could not be looked up; if not" \
		"looked up, nothing is known of it." >&2; exit 1; }; done

$(VENV)/audit/bin/pip-audit: $(VENV)/bin/python
	@$(PYTHON) -m venv --clear $(VENV)/audit
	@$(VENV)/audit/bin/python -m pip --disable-pip-version-check install --quiet 'pip-audit>=2.7,<3'

lock: $(VENV)/bin/python
	$(PIP) install --quiet 'uv>=0.7,<1'
	$(UV) requirements.txt --output-file requirements.lock
	$(UV) requirements.txt requirements-dev.txt --constraints requirements.lock \
		--output-file requirements-dev.lock

venv: $(VENV)/.ready-dev
	@echo "$(VENV) is ready."

$(VENV)/bin/python:
	@python=$$($(FIND_PYTHON)); \
	if [ -z "$$python" ]; then \
		echo "Python 3.11 or newer with venv is missing: apt-get install python3-venv (macOS:" \
		"brew install python)." >&2; exit 1; fi; \
	$$python -m venv --clear $(VENV)

$(VENV)/.ready: requirements.lock $(VENV)/bin/python
	@echo "Installing into $(VENV); this happens once and takes a minute or two."
	@$(PIP) install --quiet --require-hashes -r requirements.lock
	@touch $@

$(VENV)/.ready-dev: requirements-dev.lock $(VENV)/bin/python
	@echo "Installing into $(VENV), with what the tests need; this happens once."
	@$(PIP) install --quiet --require-hashes -r requirements-dev.lock
	@touch $@ $(VENV)/.ready
