# Habits. The virtual environment is made on the first call.
python ?= python3
venv := .venv
run := $(venv)/bin/python -m

.PHONY: test lint format check docs bench record oracles pictures release clean

$(venv)/ready: pyproject.toml
	$(python) -m venv $(venv)
	$(run) pip install -q -e '.[test]'
	touch $@

test: $(venv)/ready
	$(run) pytest -q -n auto -m 'not slow'

lint: $(venv)/ready
	$(run) ruff check .
	$(run) ruff format --check .
	$(run) mypy

format: $(venv)/ready
	$(run) ruff check --fix .
	$(run) ruff format .

# All that CI runs, on a clone of the last commit.
check:
	.ci/run

# The site. Warnings are errors; the date in the pages is that of the last commit, so that a second build gives the same bytes.
docs: $(venv)/ready
	$(run) pip install -q -e '.[docs]'
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || echo 315532800)} \
	  NO_MKDOCS_2_WARNING=1 $(run) mkdocs build --quiet

bench: $(venv)/ready
	$(run) pip install -q -e '.[oracles,plot]'
	$(run) benchmarks -o benchmarks/data/results.md $(if $(trec_eval),--trec-eval $(trec_eval))

# What commands print, as tests/transcript/ keeps it: read the difference before you commit.
record: $(venv)/ready
	$(run) tests.transcript --write

# Every row of docs/coming-from.md in the other tools, each in an environment of its own in build/oracles.
oracles: $(venv)/ready
	$(run) docs.studies.coming_from

pictures: $(venv)/ready
	$(run) pip install -q -e '.[plot]'
	$(venv)/bin/python examples/make_pictures.py

# Wheel, source distribution and notes in dist/; with tag=vVERSION all must be of that version.
release: check
	$(run) pip install -q -e '.[release]'
	PYTHON=$(venv)/bin/python .ci/release $(tag)

clean:
	rm -rf $(venv) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
