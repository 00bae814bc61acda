"""`rankeval measures`, as it is typed."""

import json

import pytest

from rankeval.__main__ import run as run_command
from rankeval.commands.measures.task import LISTING, find_measures
from rankeval.measures import definitions, parse_measure
from rankeval.measures.definition import OF_TREC_EVAL
from rankeval.output.style import Style


@pytest.fixture
def measures(capsys, monkeypatch):
    """Run the command; give exit code, stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "80")

    def shown(*arguments):
        code = run_command(["measures", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return shown


def test_the_list_holds_every_measure_in_80_columns(measures):
    lines = measures("--all")[1].splitlines()
    on_terminal = "".join(
        LISTING.text(
            [(one, None) for one in find_measures()], "table", Style(width=80, colour=False)
        )
    )

    names = {line.split()[0].partition("@")[0] for line in lines if line}
    listed = {n for n, one in definitions().items() if one.subject != OF_TREC_EVAL}
    assert listed <= names
    assert not {"PrefSimp", "APAvgjg", "TabulatedGain"} & names
    assert lines[-1] == f"{len(listed)} measures; 'rankeval measures NAME' explains one."
    assert max(map(len, on_terminal.splitlines())) <= 80


def test_twelve_common_measures_come_first_on_one_screen(measures):
    code, out, err = measures()

    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert len(out.splitlines()) <= 22
    assert "docs/which-measure.md helps to choose" in out
    assert measures("choose")[1] == out
    names = [line.split()[0] for line in out.splitlines()[2:14]]
    assert [str(parse_measure(name)) for name in names] == names
    assert "| nDCG@10 | are the best documents at the top? |" in measures("-f", "markdown")[1]


def test_words_find_measures(measures):
    _, out, _ = measures("bejeweled", "player")
    assert out.startswith("BPM@k\n")

    _, out, _ = measures("geometric")
    names = [line.split()[0] for line in out.splitlines() if line.startswith("GM")]
    assert names == ["GMAP", "GMBpref"]

    _, out, _ = measures("--all", "precision")
    assert {"SetP", "P@k", "AP@k", "IPrec@r"} <= {
        line.split()[0] for line in out.splitlines() if line
    }


def test_json_lists_everything_that_is_declared(measures):
    _, out, _ = measures("-f", "json")
    document = json.loads(out)

    assert document["schema"] == "rankeval-measures/1"
    assert sorted(one["name"] for one in document["measures"]) == sorted(definitions())

    _, out, _ = measures("ERR", "--format", "json")
    (err,) = json.loads(out)["measures"]
    assert (err["low"], err["high"], err["loss"]) == (0.0, 1.0, False)
    assert err["synonyms"] == [{"name": "err", "meaning": ""}]
    assert err["parameters"][0]["default"] == "4"
    assert err["parameters"][1]["sign"] == "@"
    assert err["documentation"]["differences"]
    assert err["example"]["documents"][0]["terms"]["stops"] == pytest.approx(3 / 16)
    (dcg,) = json.loads(measures("DCG", "-f", "json")[1])["measures"]
    assert (dcg["low"], dcg["high"]) == (None, None)


def test_tsv_has_a_line_per_measure(measures):
    code, out, _ = measures("-f", "tsv")
    heads, *rows = [line.split("\t") for line in out.splitlines()]
    by_name = {row[0].partition("@")[0]: dict(zip(heads, row, strict=True)) for row in rows}

    assert code == 0
    assert set(by_name) == set(definitions())
    assert by_name["Unjudged"]["better"] == "lower"
    assert (by_name["AP"]["low"], by_name["DCG"]["low"]) == ("0", "")
    assert "map" in by_name["AP"]["also"].split()
