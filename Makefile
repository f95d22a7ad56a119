# `make run` starts the app, `make test` runs every check. Both set up what they need first; once
# it is there, they start at once. See README.md for the same without make.

PYTHON ?= python3
PORT ?= 8501
VENV := .venv
ENVIRONMENT := $(PYTHON) scripts/environment.py $(VENV)
BIN := $(VENV)/bin

.PHONY: run test lint unit browser screenshots clean

run:
	@$(ENVIRONMENT) requirements.txt
	$(BIN)/python -m streamlit run app.py --server.port $(PORT) --server.address 127.0.0.1

test: lint unit browser

lint:
	@$(ENVIRONMENT) requirements-dev.txt
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

unit:
	@$(ENVIRONMENT) requirements-dev.txt
	$(BIN)/python -m pytest -n 2 -m "not browser"

browser:
	@$(ENVIRONMENT) requirements-dev.txt --chromium
	$(BIN)/python -m pytest -n 2 --dist loadfile -m browser

screenshots:
	@$(ENVIRONMENT) requirements-dev.txt --chromium
	$(BIN)/python -m scripts.screenshots screenshots

clean:
	rm -rf $(VENV) screenshots
