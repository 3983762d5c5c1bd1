# What one types here. `make run` and `make test` need nothing but Python 3.12 or newer and make.
PYTHON := .venv/bin/python

.PHONY: run test check fmt lint lock demo

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
