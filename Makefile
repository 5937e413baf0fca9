# `make demo` and `make test` need python3 (3.11 or newer), make and git; they build .venv themselves.
.PHONY: demo test test-slow lint bench docs lock clean
PYTHON_FILES := src tests benchmarks

demo: .venv/.base
	.venv/bin/duologue demo $(ARGS)

test: .venv/.test lint
	scripts/chromium
	.venv/bin/python scripts/run_tests.py --durations=25 -n auto --dist loadfile -m "not slow"

test-slow: .venv/.test
	.venv/bin/python -m pytest -m slow

lint: .venv/.test
	.venv/bin/ruff format --check $(PYTHON_FILES)
	.venv/bin/ruff check $(PYTHON_FILES)
	.venv/bin/mypy

bench: .venv/.test
	.venv/bin/python -m benchmarks $(ARGS)

docs: .venv/.test
	.venv/bin/python scripts/make_docs.py

# After a change of dependencies in pyproject.toml.
lock: .venv/.test
	scripts/lock

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis duologue-demo duologue-talk duologue-llm

.venv/.base: locks/base.txt locks/uv.txt pyproject.toml scripts/bootstrap
	scripts/bootstrap locks/base.txt
	touch $@

.venv/.test: locks/test.txt locks/uv.txt pyproject.toml scripts/bootstrap
	scripts/bootstrap locks/test.txt
	touch $@ .venv/.base
