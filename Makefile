# `make run` plays, `make test` tests. Both need nothing but Python 3.12 or newer and make.

# The newest Python that really runs: a shim on the path may point at none.
PYTHON := $(shell for p in python3.13 python3.14 python3.12 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null && echo $$p && break; done)
VENV := .venv/bin
export PYTHONPATH := platform:.

.PHONY: run install test check lint fmt messages lock demo spool-full
.DEFAULT_GOAL := run

run: install  ## play: web, worker and mail on this machine
	@exec $(VENV)/python manage.py run

install: python
	@$(PYTHON) tools/prepare.py run

test: install-test  ## the whole suite
	@$(VENV)/python tools/suite.py

check: install-test lint  ## what does not run but must be right

demo: install  ## a whole game between four mail addresses
	@exec $(VENV)/python manage.py demo --title intrige --seed 7

.PHONY: python install-test
python:
	@test -n "$(PYTHON)" || { echo "Please install Python 3.12 or newer (on Debian 13: apt-get install python3 python3-venv), then try again."; exit 1; }

install-test: python
	@$(PYTHON) tools/prepare.py test

lint:
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy
	$(VENV)/lint-imports
	$(VENV)/python manage.py makemigrations --check --dry-run
	$(VENV)/python manage.py check --fail-level WARNING
	git ls-files '*.html' | xargs -r $(VENV)/djade --check --target-version 6.0
	git ls-files '*.html' | xargs -r $(VENV)/djlint --quiet --lint

fmt:
	$(VENV)/ruff check --fix .
	$(VENV)/ruff format .
	git ls-files '*.html' | xargs -r $(VENV)/djade --target-version 6.0 || true

messages:  ## gather the texts to translate into locale/
	$(VENV)/python manage.py makemessages --locale de --no-wrap --no-location --ignore 'var/*' --ignore 'tests/*' --ignore 'bench/*'

lock:  ## pin anew what pyproject.toml asks for
	$(VENV)/python -m pip install -q --disable-pip-version-check uv
	$(VENV)/uv pip compile -q --universal --generate-hashes --no-header --no-annotate pyproject.toml -o requirements.lock
	$(VENV)/uv pip compile -q --universal --generate-hashes --no-header --no-annotate --group dev pyproject.toml -o requirements-dev.lock

spool-full:  ## 6,000 messages, 3 producers, 2 consumers
	SPOOL_MESSAGES=6000 $(VENV)/python -m pytest -n 0 -s tests/house/test_spool.py -k three_producers

.PHONY: mail-matrix
mail-matrix:  ## who may act by mail: all 2,160 combinations of the table in docs/mail.md
	MAIL_MATRIX=1 $(VENV)/python -m pytest -n 0 -q tests/post/test_matrix.py

.PHONY: answers
answers:  ## write anew what the letters of tests/ are answered; read what has changed
	WRITE_ANSWERS=1 $(VENV)/python -m pytest -n 0 -q tests/post/test_letters.py

.PHONY: fuzz-intrige
fuzz-intrige:  ## 10,000 whole games of Intrige with legal, illegal, stale and garbled sheets (about ten minutes)
	$(VENV)/python -m tests.intrige.fuzzing 10000

.PHONY: fuzz-kreml contest-full
fuzz-kreml:  ## 20,000 whole games of Kreml with legal, illegal, stale and garbled sheets (about forty minutes)
	$(VENV)/python -m tests.kreml.fuzzing 20000

contest-full:  ## 10,000 contests of Kreml beside an auction that raises one point at a time
	$(VENV)/python -c "from tests.kreml.test_contests import compare; compare(10_000)"

.PHONY: corpus-full
corpus-full:  ## All answers in the styles of 52 mail programs (HELD_BACK=1: of the 25 others)
	PYTHONPATH=platform:. DJANGO_SETTINGS_MODULE=postspiel.config.settings $(VENV)/python -c \
		'import django; django.setup(); from tests.mail import corpus; raise SystemExit(corpus.main())'

.PHONY: schedule-full
schedule-full:  ## a thousand examples of each property of schedules, over all time zones and 2020 to 2040
	HYPOTHESIS_PROFILE=thorough $(VENV)/python -m pytest -n 0 -q tests/play/test_schedule.py tests/play/test_clocks.py tests/play/test_pauses.py

.PHONY: fuzz-mail
fuzz-mail:  ## 100,000 damaged mails: none may raise, take a second, or bring an order that is not its own
	FUZZ_MAILS=100000 $(VENV)/python -m pytest -n 0 -s tests/mail/test_fuzzing.py -k damaged

.PHONY: replacements-full
replacements-full:  ## a seat changes hands in every turn of 500 games of each title, in the engine and with pages and mails
	REPLACEMENTS=500 REPLACEMENTS_SERVED=500 REPLACEMENTS_STEPS=9999 \
		$(VENV)/python -m pytest -n 0 -q -s tests/play/test_replacements.py

.PHONY: chaos chaos-full
chaos:  ## a minute of a server whose processes, queue, database, clock and mail server fail
	$(VENV)/python -m tests.chaos --games 20 --seconds 60

chaos-full:  ## the same with 200 games for ten minutes
	$(VENV)/python -m tests.chaos --games 200 --seconds 600

.PHONY: mail-full
mail-full:  ## Postfix, Dovecot and PostgreSQL (Debian: dovecot-imapd postfix swaks msmtp postgresql), killed and crashed; as root
	POSTSPIEL_TEST_SERVICES=required REAL_MAILS=300 REAL_KILLS=12 REAL_PIPED=6 REAL_CRASHES=4 \
		$(VENV)/python -m pytest -n 0 -s -p no:randomly tests/mail/test_real_programs.py
