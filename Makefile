# `make site` publishes, `make test` tests, `make check` proves; each sets up what it needs.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
SHELL := /bin/sh

.PHONY: help site serve check facts claims accept verify test mutants bench browser lock clean
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

site: $(VENV)/site.ok ## build the site in build/site
	@$(RUN) -m engine build

serve: $(VENV)/site.ok ## show the site in a browser, and show it anew after each edit
	@$(RUN) -m engine serve

check: $(VENV)/site.ok ## run and check everything from scratch, publish nothing
	@$(RUN) -m engine check --out build/check

facts: $(VENV)/site.ok ## list every number the lessons may quote
	@$(RUN) -m engine facts

claims: $(VENV)/site.ok ## list every claim, nearest to failing first
	@$(RUN) -m engine claims

accept: $(VENV)/site.ok ## record the numbers that the lessons quote now, once you have read them
	@$(RUN) -m engine accept

verify: site ## read the published site a second time, by other rules
	@$(RUN) -m engine verify build/site

test: $(VENV)/test.ok browser ## run every test, in a real browser too
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(RUN) -m pytest

browser: $(VENV)/test.ok
	@$(RUN) tests/browser.py

mutants: $(VENV)/test.ok ## mutate prose, code, facts, figures and the widget, and see that the gate notices
	@$(RUN) -m tests.mutants

bench: $(VENV)/test.ok browser ## print how long builds and the preview take
	@$(RUN) -m tests.bench

lock: ## pin the dependencies anew (needs uv)
	uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header \
	    --python-version 3.11 --upgrade pyproject.toml -o requirements.lock
	uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header \
	    --python-version 3.11 --upgrade --extra test -c requirements.lock pyproject.toml \
	    -o requirements-test.lock

clean: ## remove what was built and set up
	rm -rf build $(VENV)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Python 3.11 or newer is needed: set PYTHON=/path/to/python3.11"; exit 2; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
	    { echo "Python's venv module is needed: apt-get install python3-venv"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/site.ok: requirements.lock pyproject.toml | $(VENV)/bin/python
	@$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(VENV)/test.ok: requirements-test.lock pyproject.toml $(VENV)/site.ok
	@$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-test.lock
	@$(RUN) -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@
