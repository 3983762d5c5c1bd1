# What one types here. `make run` and `make test` need nothing but Python 3.12 or newer and make.
PYTHON := .venv/bin/python

.PHONY: test check fmt lint lock spool-full

test:
	$(PYTHON) -m pytest -n 2

check: lint

lint:
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	PYTHONPATH=platform:. .venv/bin/lint-imports
	$(PYTHON) manage.py makemigrations --check --dry-run

fmt:
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .

lock:
	.venv/bin/uv pip compile -q --universal --generate-hashes --no-header --no-annotate pyproject.toml -o requirements.lock
	.venv/bin/uv pip compile -q --universal --generate-hashes --no-header --no-annotate --group dev pyproject.toml -o requirements-dev.lock

spool-full:
	SPOOL_MESSAGES=6000 $(PYTHON) -m pytest -n 0 -s tests/house/test_spool.py -k three_producers
