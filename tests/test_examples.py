"""The example collection: its files fit together, and its script makes the runs that are kept."""

import collections
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
QRELS = EXAMPLES / "qrels" / "python-reference.qrels"
RUNS = sorted((EXAMPLES / "runs").glob("*.run"))

# How far a score may move on another machine. The singular value decomposition differs in its
# last bits; two documents that change places because of that change their reciprocal ranks.
TOLERANCE = {"lsa": 2e-4, "rrf": 1e-3}

each_run = pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)


def rows(path):
    return [line.split() for line in path.read_text(encoding="utf-8").splitlines()]


def rankings(path):
    """Scores by docno by topic, in the order of the file."""
    run = collections.defaultdict(dict)
    for topic, _, docno, _, score, _ in rows(path):
        run[topic][docno] = float(score)
    return run


def qrels():
    """Grades by docno by topic."""
    grades = collections.defaultdict(dict)
    for topic, _, docno, grade in rows(QRELS):
        grades[topic][docno] = int(grade)
    return grades


@pytest.fixture(scope="module")
def reproduced(tmp_path_factory):
    corpus = runpy.run_path(str(EXAMPLES / "corpus.py"))
    if corpus["digest"](corpus["passages"]()) != corpus["RECORDED_DIGEST"]:
        pytest.skip(f"the judged passages are those of Python {corpus['RECORDED_PYTHON']}")
    directory = tmp_path_factory.mktemp("runs")
    subprocess.run([sys.executable, EXAMPLES / "make_runs.py", directory], check=True)
    return directory


@pytest.mark.slow
@each_run
def test_script_makes_the_run_that_is_kept(path, reproduced):
    made = reproduced / path.name
    if path.stem not in TOLERANCE:
        assert made.read_bytes() == path.read_bytes()
        return
    kept, again = rankings(path), rankings(made)
    assert list(again) == list(kept)
    for topic, ranking in kept.items():
        # A document at the end of one ranking may just have missed the end of the other.
        last = min(*ranking.values(), *again[topic].values())
        for docno in ranking.keys() | again[topic].keys():
            expected = pytest.approx(ranking.get(docno, last), abs=TOLERANCE[path.stem])
            assert again[topic].get(docno, last) == expected


def test_docs_are_those_of_the_script():
    corpus = runpy.run_path(str(EXAMPLES / "corpus.py"))
    if corpus["digest"](corpus["passages"]()) != corpus["RECORDED_DIGEST"]:
        pytest.skip(f"the judged passages are those of Python {corpus['RECORDED_PYTHON']}")
    made = subprocess.run(
        [sys.executable, EXAMPLES / "corpus.py", "--tsv"], check=True, capture_output=True
    ).stdout

    assert made == (EXAMPLES / "docs.tsv").read_bytes()


def test_the_gallery_shows_every_kind_of_plot():
    from rankeval.plots.kinds import KINDS

    script = runpy.run_path(str(EXAMPLES / "make_pictures.py"))
    docs = EXAMPLES.parent / "docs"
    page = (docs / "gallery.md").read_text(encoding="utf-8")

    assert page == script["gallery"]()
    for kind in KINDS:
        for picture in (f"pictures/{kind}.png", f"pictures/dark/{kind}.png"):
            assert f"]({picture}){{ width=49% }}]({picture})" in page
            assert (docs / picture).read_bytes().startswith(b"\x89PNG")
