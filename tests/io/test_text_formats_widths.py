"""A line of another width than its format has is refused with the count, by every reader."""

import pytest

import rankeval
from rankeval.__main__ import run
from rankeval.errors import InputError

QRELS = "1 0 a 1\n1 0 b 0\n"
LINE = "1 Q0 a 1 3.0 t\n"
RUNS = {
    "two lines in one": ("1 Q0 a 1 3.0 t 1 Q0 b 2 2.0 t\n", 12, "the columns of 2 lines"),
    "a docno with a blank": ("1 Q0 New York 1 3.0 t\n", 7, "a line has 6 columns"),
    "a tag with a blank": ("1 Q0 a 1 3.0 my tag\n", 7, "a line has 6 columns"),
    "a topic with a blank": ("New York Q0 a 1 3.0 t\n", 7, "a line has 6 columns"),
    "no tag": ("1 Q0 a 1 3.0\n", 5, "add the missing column"),
}
JUDGMENTS = {
    "a docno of two words": ("1 0 Aspirin overdose 1\n", 5, "must not hold blanks"),
    "two lines in one": ("1 0 a 1 1 0 b 0\n", 8, "the columns of 2 lines"),
}
ABOVE = {"alone": "", "below a line": LINE, "below many": LINE.replace("a", "{}") * 20_000}
"""What stands above the wrong line: files of many lines have another parser."""


@pytest.fixture(params=["1", "0"], ids=["kernel", "no kernel"])
def _kernel(request, monkeypatch):
    from rankeval.io.blocks import library

    if request.param == "0":
        monkeypatch.setenv("RANKEVAL_KERNEL", "0")
    library.cache_clear()
    yield
    monkeypatch.undo()
    library.cache_clear()


@pytest.mark.usefixtures("_kernel")
@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("wrong", RUNS)
def test_a_run_of_another_width_is_refused(tmp_path, monkeypatch, capsys, wrong, above):
    monkeypatch.chdir(tmp_path)
    line, width, remedy = RUNS[wrong]
    lines = ABOVE[above]
    lines = lines.format(*range(lines.count("{}")))
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(lines + line)
    place = f"run:{lines.count(chr(10)) + 1}"

    evaluated = lambda: rankeval.evaluate("qrels", "run", "AP")  # noqa: E731
    for read in (lambda: list(rankeval.Run("run")), evaluated):
        with pytest.raises(InputError, match=f"found {width} columns") as caught:
            read()
        assert caught.value.place == place
        assert remedy in caught.value.remedy
    for words in (["eval", "qrels", "run"], ["convert", "run", "x.csv"]):
        assert run(words) == 2
        assert f"{place}: found {width} columns" in capsys.readouterr().err
    assert run(["check", "run"]) == 1
    assert f"{place}: found {width} columns" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", ["a docno of two words", "two lines in one"])
@pytest.mark.parametrize("above", ["", QRELS])
def test_judgments_of_another_width_are_refused(tmp_path, monkeypatch, capsys, wrong, above):
    monkeypatch.chdir(tmp_path)
    line, width, remedy = JUDGMENTS[wrong]
    (tmp_path / "qrels").write_text(above + line)
    (tmp_path / "run").write_text(LINE)

    with pytest.raises(InputError, match=f"found {width} columns") as caught:
        rankeval.Qrels("qrels")
    assert remedy in caught.value.remedy
    for words in (["eval", "qrels", "run"], ["convert", "qrels", "x.csv"]):
        assert run(words) == 2
        assert f"found {width} columns" in capsys.readouterr().err
    assert run(["check", "qrels", "run"]) == 1
    assert f"found {width} columns" in capsys.readouterr().out


@pytest.mark.parametrize("measure", ["AP", "xinfAP", "infNDCG", "statAP"])
@pytest.mark.parametrize("above", ["", "1 0 a 1 1\n1 0 b 2 0\n"])
def test_words_are_no_strata_whatever_is_asked_for(tmp_path, measure, above):
    (tmp_path / "qrels").write_text(f"{above}1 0 Aspirin overdose 1\n")

    with pytest.raises(InputError, match="found 5 columns"):
        rankeval.evaluate(tmp_path / "qrels", {"1": {"a": 1.0}}, measure)


def test_numbered_strata_are_read_where_they_are_asked_for(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1 1\n1 0 b -2 0\n")

    assert rankeval.evaluate(tmp_path / "qrels", {"1": {"a": 1.0}}, "xinfAP")["run"]["xinfAP"] == 1
    with pytest.raises(InputError, match="found 5 columns") as caught:
        rankeval.evaluate(tmp_path / "qrels", {"1": {"a": 1.0}}, "AP")
    assert "xinfAP" in caught.value.remedy
    assert run(["convert", str(tmp_path / "qrels"), str(tmp_path / "x.csv")]) == 0
    assert (tmp_path / "x.csv").read_text().splitlines()[1:] == ["1,a,1,1", "1,b,-2,0"]
