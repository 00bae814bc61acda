# Habits. The virtual environment is made on the first call.
python ?= python3
venv := .venv
run := $(venv)/bin/python -m

# The quick tests: those of the rooms that everything else stands on, without properties, which are tried on many drawn
# inputs, and without those that try every measure at length.
quick_tests := tests/ranking tests/evaluation tests/io tests/measures tests/test_layers.py \
  $(foreach name,test_measures test_measures_with_fractions base/test_ties,--ignore=tests/measures/$(name).py)

.PHONY: test quick check search lint format bench demo lock site release built oracles pictures clean

$(venv)/ready: pyproject.toml
	$(python) -m venv $(venv)
	$(run) pip install -q -e '.[test]'
	touch $@

test: $(venv)/ready
	$(run) pytest -q -n auto -m 'not slow'

quick: lint
	$(run) pytest -q -n auto -m 'not slow and not hypothesis' $(quick_tests)

check:
	.ci/run

search: $(venv)/ready
	$(run) pytest -n auto --hypothesis-profile=search

lint: $(venv)/ready
	$(run) ruff check .
	$(run) ruff format --check .
	$(run) mypy

format: $(venv)/ready
	$(run) ruff check --fix .
	$(run) ruff format .

bench: $(venv)/ready
	$(run) pip install -q -e '.[oracles,plot]'
	$(run) benchmarks -o benchmarks/data/results.md $(if $(trec_eval),--trec-eval $(trec_eval))

demo: $(venv)/ready
	$(venv)/bin/rankeval examples/qrels/python-reference.qrels examples/runs/*.run

# Warnings are errors; the date in the pages is that of the last commit, so that a second build gives the same bytes.
site:
	test -d $(venv) || $(python) -m venv $(venv)
	$(run) pip install -q -e '.[docs]'
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || echo 315532800)} \
	  NO_MKDOCS_2_WARNING=1 $(run) mkdocs build --quiet

# The dependencies of the image, with their digests, for the Python that the Dockerfile has.
lock: $(venv)/ready
	$(run) pip install -q -e '.[release]'
	$(run) uv pip compile pyproject.toml --extra all --universal --python-version 3.13 --generate-hashes --upgrade \
	  --no-header --no-annotate --no-emit-index-url --quiet -o requirements.lock

# Wheel, source distribution, notes, and lists of parts and of their licences in dist/; with tag=vVERSION all must be of
# that version. The wheels, also the one with the compiled reader, are tried with every Python that is there.
release: check built

built: $(venv)/ready
	$(run) pip install -q -e '.[release]'
	PYTHON=$(venv)/bin/python .ci/release $(tag)
	$(venv)/bin/python .ci/check_wheels.py dist/*.whl build/compiled/*.whl --keep build/clean
	PYTHON=$(venv)/bin/python .ci/parts build/clean dist

# Every row of docs/coming-from.md in the other tools, each in an environment of its own in build/oracles.
oracles: $(venv)/ready
	$(run) docs.studies.coming_from

pictures: $(venv)/ready
	$(run) pip install -q -e '.[plot]'
	$(venv)/bin/python examples/make_pictures.py

clean:
	rm -rf $(venv) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
