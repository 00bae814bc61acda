"""What commands say and suggest where something is not as they expect."""

import json

import pytest

from tests.support.files import BM25, DENSE, QRELS


@pytest.fixture
def files(shell):
    return shell.write(
        qrels=QRELS,
        bm25=BM25,
        dense=DENSE,
        chunks=BM25.replace(" a ", " a#1 ").replace(" b ", " b#2 ").replace(" c ", " c#1 "),
        only_chunks="301 Q0 a#1 1 2 x\n301 Q0 a#2 2 1 x\n302 Q0 d#1 1 1 x\n",
    )


def test_a_run_without_judged_documents_gets_one_warning_with_the_reason(files):
    told = files("qrels.txt", "only_chunks.txt", "-m", "AP")

    (line,) = told.err.splitlines()
    assert "no document of the run is judged" in line
    assert "--collapse-sep '#'" in line


def test_check_tells_the_reason_as_well(files):
    assert "try --collapse-sep '#'" in files("check", "qrels.txt", "only_chunks.txt").out
    assert "is judged:" not in files("check", "qrels.txt", "chunks.txt").out


@pytest.mark.parametrize(
    ("command", "others"),
    [("eval", ["--baseline", "bm25"]), ("plot", ["--baseline", "bm25", "--data", "-"])],
)
def test_a_baseline_may_be_the_name_of_a_run(files, command, others):
    kind = ["topics"] if command == "plot" else []

    told = files(command, *kind, "qrels.txt", "dense.txt", "bm25.txt", "-m", "AP", *others)
    same = [other.replace("bm25", "bm25.txt") for other in others]

    assert told.code == 0, told.err
    assert told == files(command, *kind, "qrels.txt", "dense.txt", "bm25.txt", "-m", "AP", *same)


def test_the_baseline_of_compare_may_be_the_name_of_a_run(files):
    told = files("compare", "qrels.txt", "old", "dense.txt", "old=bm25.txt", "-m", "AP")

    assert told.code == 0, told.err
    assert told == files("compare", "qrels.txt", "old=bm25.txt", "dense.txt", "-m", "AP")


@pytest.mark.parametrize(
    ("option", "hint"),
    [("--tie", "perhaps --ties"), ("--tpoics", "perhaps --topics"), ("--zzz", "")],
)
def test_an_unknown_option_is_told_in_plain_words(files, option, hint):
    told = files("qrels.txt", "bm25.txt", option, "x")

    assert told.code == 2
    assert told.err.startswith(f"rankeval: there is no option {option}\n")
    assert f"expected: {hint}\n" in told.err if hint else "expected" not in told.err


@pytest.mark.parametrize(("form", "hint"), [("jsn", "perhaps json"), ("zzz", "one of table, tsv")])
def test_an_unknown_format_is_told_in_plain_words(files, form, hint):
    told = files("qrels.txt", "bm25.txt", "-f", form)

    assert told.err.startswith(f"rankeval: --format: there is no format '{form}'\n")
    assert f"expected: {hint}" in told.err


def test_standard_output_has_no_suffix(files):
    told = files("convert", "bm25.txt", "-")

    assert told.err.startswith("rankeval: standard output: has no suffix that tells which format")


def test_topics_that_share_few_digits_are_not_suggested(files):
    assert "perhaps 301" in files("explain", "qrels.txt", "bm25.txt", "3001").err
    assert "expected: 301, 302" in files("explain", "qrels.txt", "bm25.txt", "13").err


def test_saved_results_under_another_name_are_recognised(files):
    saved = files("qrels.txt", "bm25.txt", "-q", "-m", "AP", "-f", "json").out
    files.path("saved").write_text(saved)

    told = files("compare", "qrels.txt", "saved", "dense.txt")

    assert told.code == 2
    assert "saved: holds saved results" in told.err
    assert "end its name in .json" in told.err


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_captions_name_the_interval_only_where_it_is_shown(files, form):
    runs = ["qrels.txt", "bm25.txt", "dense.txt", "chunks.txt"]

    assert "interval" not in files("compare", *runs, "-f", form).out
    assert "interval" in files("compare", *runs, "-f", form, "--details").out
    assert "interval" not in files("eval", *runs, "-f", form, "--baseline", "bm25").out


def test_the_summary_of_a_gate_in_markdown_has_no_paths(files):
    folder = files.path("folder")
    folder.mkdir()
    for name in ("qrels", "bm25", "dense"):
        files.path(f"{name}.txt").rename(folder / f"{name}.txt")
    paths = [folder / f"{name}.txt" for name in ("qrels", "bm25", "dense")]

    told = files("gate", *paths, "--max-drop", "AP=0.1", "-f", "markdown")

    assert told.code == 0
    assert "folder" not in told.out
    assert "qrels: qrels.txt (2 topics" in told.out


@pytest.mark.parametrize(
    ("grades", "told"),
    [
        ([9.25, 7.5, 6.125, 3.75, 2.0625, 1.5], True),
        ([0.5, 0.5, 1.0, 0.0, 0.5, 0.5], False),
        ([3, 2, 1, 0, 4, 5], False),
    ],
)
def test_a_run_in_the_place_of_judgments_is_told_where_json_does_not_tell_them_apart(
    files, grades, told
):
    judged = dict(zip("abcdef", grades, strict=True))
    files.path("first.json").write_text(json.dumps({"301": judged}))

    outcome = files("first.json", "bm25.txt", "-m", "AP")

    assert outcome.code == 0
    assert ("the judgments look like a run" in outcome.err) == told
