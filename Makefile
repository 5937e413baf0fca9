# `make demo` and `make test` need python3 (3.11 or newer), make and git; they build .venv themselves.
.PHONY: demo test test-slow test-neural test-hard lint style bench docs lock clean
PYTHON_FILES := src tests benchmarks scripts
# Where the shell forbids byte code, every process that a test starts would compile all it imports again.
export PYTHONDONTWRITEBYTECODE :=

demo: .venv/.base
	.venv/bin/duologue demo $(ARGS)

# Types are checked by the script, beside the tests.
test: .venv/.test style
	scripts/chromium
	.venv/bin/python scripts/run_tests.py --durations=25 -m "not slow"

# Calibration by simulation, and every property with new and more examples.
test-slow: .venv/.test
	HYPOTHESIS_PROFILE=random .venv/bin/python -m pytest -p timeout -n auto -m "slow or hypothesis" $(ARGS)

# What needs PyTorch, which is not in the lock: it is installed into .venv first.
test-neural: .venv/.test
	.venv/bin/python -m pip install --quiet --disable-pip-version-check 'torch>=2.5' 'transformers>=4.46'
	OMP_NUM_THREADS=1 .venv/bin/python -m pytest -p timeout tests/models tests/bots/kinds $(ARGS)

# `make test` on a busy machine, in the background, twice in a row, and not as root; logs in test-hard-*.log.
test-hard: .venv/.test
	scripts/test_hard $(ARGS)

lint: style
	.venv/bin/mypy

style: .venv/.test
	.venv/bin/ruff format --check $(PYTHON_FILES)
	.venv/bin/ruff check $(PYTHON_FILES)

bench: .venv/.test
	.venv/bin/python -m benchmarks $(or $(ARGS),$(filter-out _%,$(basename $(notdir $(wildcard benchmarks/*.py)))))

docs: .venv/.test
	.venv/bin/python scripts/make_docs.py

# After a change of dependencies in pyproject.toml.
lock: .venv/.test
	scripts/lock

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis duologue-demo duologue-talk duologue-llm test-hard-*.log test-flaky.log

.venv/.base: locks/base.txt locks/uv.txt pyproject.toml scripts/bootstrap
	scripts/bootstrap locks/base.txt
	touch $@

.venv/.test: locks/test.txt locks/uv.txt pyproject.toml scripts/bootstrap
	scripts/bootstrap locks/test.txt
	touch $@ .venv/.base
