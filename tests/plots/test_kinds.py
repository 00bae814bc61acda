"""A kind of plot is one record: a new one is offered, drawn and reported like the others."""

import json
import subprocess
import sys

import pytest

from rankeval.plots.kinds import OFFERED, PlotKind, plot_kinds
from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS

FILES = [str(path) for path in (EXAMPLE_QRELS, *EXAMPLE_RUNS[:2])]


def with_survival(*arguments: str) -> str:
    """Run a command in a process of its own, to which survival functions were added."""
    code = "import tests.support.survival_plot\nfrom rankeval.__main__ import run\n"
    command = [sys.executable, "-c", f"{code}raise SystemExit(run({list(arguments)}))"]
    root = EXAMPLE_QRELS.parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_kind_that_is_offered_has_its_record():
    assert [kind.name for kind in plot_kinds()] == [*OFFERED]


def test_reports_show_each_kind_in_a_place_of_its_own():
    places = [kind.report.place for kind in plot_kinds() if kind.report]

    assert sorted(places) == [*range(len(places))]


@pytest.mark.parametrize("missing", ["name", "data", "drawing", "terminal", "report"])
def test_a_record_without_one_of_its_parts_is_refused(missing):
    parts = {"name": "pie", "data": list, "drawing": None, "terminal": list, "report": None}
    del parts[missing]

    with pytest.raises(TypeError, match=missing):
        PlotKind(**parts)


def test_help_explains_a_new_kind():
    printed = " ".join(with_survival("plot", "--help").split())

    assert "judged: share unjudged in the top k. survival: share of topics above" in printed


def test_a_new_kind_is_drawn_in_the_terminal():
    printed = with_survival("plot", "survival", *FILES, "-m", "AP", "--no-color")

    assert printed.splitlines()[0] == "share of topics with AP above x"
    assert " bm25" in printed


def test_a_new_kind_is_drawn_as_a_picture(tmp_path):
    picture = tmp_path / "survival.svg"

    with_survival("plot", "survival", *FILES, "-m", "AP", "-o", str(picture))

    assert 'id="run1"' in picture.read_text()


def test_the_numbers_of_a_new_kind_are_written(tmp_path):
    data = tmp_path / "survival.json"

    with_survival("plot", "survival", *FILES, "-m", "AP", "--data", str(data))

    found = json.loads(data.read_text())
    assert found["kind"] == "survival"
    assert found["rows"][49] == {"run": "bm25", "measure": "AP", "value": 1.0, "share": 0.0}


def test_a_new_kind_is_shown_in_reports(tmp_path):
    page = tmp_path / "report.html"

    with_survival("report", *FILES, "-m", "AP", "-o", str(page))

    assert '<h3 id="picture-survival">Shares of topics: AP</h3>' in page.read_text()
