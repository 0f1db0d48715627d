# One command a task; each sets up what it needs and reuses it while nothing has changed.
#
#   make lab         JupyterLab on the notebooks   LIGHT=1: without sentence-transformers
#   make test        every test, two at a time     BROWSER=no: where there is no Chromium
#   make test-long   kill loops, large histories, every explorer in the browser
#   make book        the book, into book/_build/html
#   make bench       every measurement             BENCH=assembly: one, with its own ARGS
#   make lint        style, types, spelling, notebooks without outputs
#   make clean       remove what was built; the environments stay
#
# ARGS passes options on: make test ARGS="-k window", make lab ARGS="--no-browser --port 9000".

# The first interpreter that is new enough, wherever it is.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
SETUP = $(or $(PYTHON),$(error ctxlab needs Python 3.11 or newer: install it, or name it with PYTHON=...)) .ci/environment.py
BIN := .venv/bin
# Jupyter refuses to run as root unless told; in a container one often is.
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)
# One BLAS thread each, so that two workers on two cores don't fight. A zone away from UTC, so that
# a result that depends on the machine's zone shows.
PYTEST = OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 HF_HUB_OFFLINE=1 TZ=Asia/Kathmandu \
	$(BIN)/python -m pytest -n 2
BROWSER ?= yes
BENCH ?= $(basename $(notdir $(wildcard tests/benchmarks/*.py)))

.PHONY: help lab test test-long book bench lint clean env browser npm book-env

help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

lab:
	$(SETUP) .venv lab $(if $(LIGHT),,st)
	$(BIN)/jupyter lab $(AS_ROOT) --LabApp.app_settings_dir=$(CURDIR)/.ci/lab $(ARGS) notebooks/00_start_here.ipynb

test: env browser npm book-env
	$(PYTEST) $(if $(filter yes,$(BROWSER)),,-m "not long and not browser") $(ARGS)

test-long: env browser npm book-env
	$(PYTEST) -m long $(ARGS)

book: npm book-env
	.venv-book/bin/python book/build.py $(ARGS)

bench: env
	set -e; for name in $(BENCH); do OMP_NUM_THREADS=1 $(BIN)/python tests/benchmarks/$$name.py $(ARGS); done

lint: env
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/codespell
	find notebooks -name '*.ipynb' -not -path '*/.*' -exec $(BIN)/nbstripout --keep-id --verify {} +

clean:
	rm -rf book/_build book/_vendor book/.lock build dist .cache
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find ctxlab tests -name __pycache__ -prune -exec rm -rf {} +

env:
	$(SETUP) .venv lab st ann postgres llm dask bench dev

book-env:
	$(SETUP) .venv-book book

# Debian's own packages where they can be had; a clear word elsewhere. The fonts are for labels in
# Chinese, which a bare machine would draw as boxes.
browser:
ifeq ($(BROWSER),yes)
	.ci/need "chromium chromium-browser google-chrome" "chromium fonts-noto-cjk" \
		"the browser tests (or leave them out: make test BROWSER=no)"
endif

npm:
	.ci/need npm npm "the widgets in the book"
