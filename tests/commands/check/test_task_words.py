"""The reports of `rankeval check`: the verdict and the errors first, and all of it in few lines."""

import re

import pytest

from tests.support.commands import run_command
from tests.support.files import EXAMPLES

QRELS = str(EXAMPLES / "qrels" / "python-reference.qrels")
RUNS = [str(EXAMPLES / "runs" / f"{name}.run") for name in ("bm25", "title")]
NOT_FOR_PEOPLE = re.compile(r"[{}]|\bNone\b|\bnan\b|_per_")


@pytest.fixture
def told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def told(*words, **files):
        for name, content in files.items():
            (tmp_path / name).write_text(content)
        return run_command(["check", *files, *words]).stdout

    return told


def test_a_good_file_has_a_dozen_lines(told):
    reports = told(QRELS, *RUNS).split(f"\n\n{EXAMPLES}")

    assert [report.partition("\n")[0].rpartition(": ")[2] for report in reports] == [
        "ok, 1 warning",  # a topic without a relevant document
        "ok, 1 warning",  # equal scores
        "ok, 2 warnings",
    ]
    assert max(report.count("\n") for report in reports) <= 12
    assert "\n  judgments (trec): 1,359 lines, 50 topics\n" in reports[0]
    assert "\n  judged documents per topic: 15 to 47, median 27\n" in reports[0]
    assert reports[0].endswith(", 3 (70)")  # examples/README.md counts 70 of grade 3
    assert "\n  run (trec): 4,226 lines, 50 topics, tag bm25\n" in reports[1]
    assert "\n  warning: 3 judged topics missing: 5, 19, 34\n" in reports[2]
    assert not NOT_FOR_PEOPLE.search("".join(reports))


def test_a_broken_run_begins_with_its_errors_and_fits_a_screen(told):
    good = "".join(f"1 Q0 d{i} {i} {9 - i} t\n" for i in range(5))
    said = told(
        qrels="1 0 d1 1\n1 0 d2 0\n",
        run=good + "1 Q0\n" * 20 + "1 Q0 x 1 nan t\n1 Q0 d1 1 0 t\n2 Q0 d1 1 0 u\n",
    )

    assert said.count("\n") < 24
    report = said.partition("\n\n")[2].splitlines()
    assert report[0] == "run: 22 errors, 2 warnings"  # ranks, a topic without judgments
    assert report[1].startswith("  error: wrong number of columns (20 times)")
    assert "    and 17 more: --max-problems 22" in report
