"""The table of formats: a format that a plugin or a package adds is one in every command."""

import sys

import pytest

import rankeval
from rankeval.io.formats import formats
from tests.support.commands import run_command
from tests.support.files import BM25 as BM25_AS_GIVEN
from tests.support.files import DENSE, QRELS

BM25 = BM25_AS_GIVEN.replace(" 9 ", " 9.0 ").replace(" 8 ", " 8.0 ")
"""With scores as `convert` writes them."""

PLUGIN = """
import rankeval

rankeval.options.register_format(
    rankeval.options.line_format("tds", run="topic docno score", suffixes=[".tds"])
)
"""


@pytest.fixture(autouse=True)
def forgotten():
    """Forget what a test registers or loads."""
    before = set(sys.modules)
    formats.load_installed_formats.cache_clear()
    yield
    formats._REGISTERED.clear()
    formats.load_installed_formats.cache_clear()
    for name in set(sys.modules) - before:
        if name.startswith("rankeval_plugin_") or name == "formats_of_a_package":
            del sys.modules[name]


def three_columns(run):
    """A run of TREC's lines as lines of topic, docno and score."""
    fields = [line.split() for line in run.splitlines()]
    return "".join(f"{topic} {docno} {score}\n" for topic, _, docno, _, score, _ in fields)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tds.py").write_text(PLUGIN)
    (tmp_path / "q.qrels").write_text(QRELS)
    for name, run in ("bm25", BM25), ("dense", DENSE):
        (tmp_path / f"{name}.run").write_text(run)
        (tmp_path / f"{name}.tds").write_text(three_columns(run))
    return tmp_path


COMMANDS = {
    "eval": "eval q.qrels bm25.run dense.run -m AP --measure-names as-given -f tsv",
    "compare": "compare q.qrels bm25.run dense.run -m AP -f json",
    "diff": "diff q.qrels bm25.run dense.run -m AP",
    "gate": "gate q.qrels bm25.run dense.run --max-drop AP=0.05",
    "explain": "explain q.qrels bm25.run 301 -m AP",
    "check": "check q.qrels bm25.run",
    "convert": "convert bm25.run - --to csv",
}


@pytest.mark.parametrize("command", [line.split() for line in COMMANDS.values()], ids=COMMANDS)
def test_a_format_of_a_plugin_is_read_by_every_command(folder, command):
    words = [word.replace(".run", ".tds") for word in command]

    done = run_command([*words, "--plugin", "tds.py"])

    formats._REGISTERED.clear()
    (folder / "bm25.csv").write_text("topic,docno,score\n" + comma(three_columns(BM25)))
    (folder / "dense.csv").write_text("topic,docno,score\n" + comma(three_columns(DENSE)))
    expected = run_command([word.replace(".run", ".csv") for word in command])
    assert done.code == expected.code < 2
    assert done.stdout.replace("tds", "csv") == expected.stdout


def comma(lines):
    return lines.replace(" ", ",")


def test_a_format_of_a_plugin_is_written(folder):
    done = run_command(["convert", "bm25.run", "out.tds", "--plugin", "tds.py"])

    assert done.code == 0
    assert "tds holds no run tags: 5 lines" in done.stderr
    assert (folder / "out.tds").read_text() == three_columns(BM25)


def test_names_that_a_format_of_a_plugin_cannot_hold_are_refused(folder):
    (folder / "run.csv").write_text("topic,docno,score\n1,a b,2.5\n")

    done = run_command(["convert", "run.csv", "out.tds", "--plugin", "tds.py"])

    assert done.code == 2
    assert "cannot be written in the format tds" in done.stderr
    assert not (folder / "out.tds").exists()


@pytest.mark.usefixtures("folder")
def test_a_format_of_a_plugin_holds_only_the_kinds_that_it_has_columns_for():
    written = run_command(["convert", "q.qrels", "out.tds", "--plugin", "tds.py"])
    read = run_command(
        ["eval", "bm25.tds", "dense.tds", "--qrels-format", "tds", "--plugin", "tds.py"]
    )

    assert written.code == read.code == 2
    assert "holds judgments, which cannot be written in the format tds" in written.stderr
    assert "is in the format tds, which is not one of judgments" in read.stderr


def test_a_format_is_known_by_its_name_where_no_suffix_tells(folder):
    (folder / "bm25").write_text(three_columns(BM25))

    done = run_command(["q.qrels", "bm25", "-m", "AP", "--run-format", "tds", "--plugin", "tds.py"])

    assert "0.6667" in done.stdout


def test_columns_may_stand_in_any_order_with_ranks_and_tags(folder):
    columns = "tag score rank docno Q0 topic"
    rankeval.options.register_format(
        rankeval.options.line_format("back", run=columns, suffixes=[".back"])
    )
    backwards = [" ".join(reversed(line.split())) for line in BM25.splitlines()]

    rankeval.convert(folder / "bm25.run", folder / "bm25.back")
    rankeval.convert(folder / "bm25.back", folder / "again.run")

    assert (folder / "bm25.back").read_text().splitlines() == backwards
    assert (folder / "again.run").read_text() == BM25


def test_judgments_and_runs_by_rank_have_formats_of_plugins_too(folder):
    rankeval.options.register_format(
        rankeval.options.line_format("short", qrels="docno topic grade", run="docno topic rank")
    )
    (folder / "q").write_text("a 1 1\nb 1 0\n")
    (folder / "r").write_text("b 1 1\na 1 2\n")
    reading = rankeval.options.Reading(qrels_format="short", run_format="short")

    found = rankeval.evaluate(folder / "q", folder / "r", "RR", reading=reading)

    assert found.runs[0].scores[0].aggregate == 1 / 2


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (
            lambda: rankeval.options.line_format("trec", run="topic docno score"),
            "a format 'trec' already",
        ),
        (
            lambda: rankeval.options.line_format("x", run="topic docno score", suffixes=[".csv"]),
            "another format has the suffix '.csv'",
        ),
        (
            lambda: rankeval.options.line_format("x y", run="topic docno score"),
            "cannot be called 'x y'",
        ),
        (lambda: rankeval.options.line_format("x", run="topic score"), "lacks the column docno"),
        (
            lambda: rankeval.options.line_format("x", qrels="topic docno score"),
            "lacks the column grade",
        ),
        (
            lambda: rankeval.options.line_format("x", run="topic docno docno score"),
            "a column twice",
        ),
        (lambda: rankeval.options.line_format("x"), "has no columns"),
    ],
)
def test_a_format_that_could_not_be_told_from_others_is_refused(make, problem):
    with pytest.raises(rankeval.UsageError, match=problem):
        rankeval.options.register_format(make())

    assert not formats.registered_formats()


def test_a_plugin_that_fails_registers_nothing(folder):
    (folder / "tds.py").write_text(PLUGIN + "1 / 0\n")

    done = run_command(["q.qrels", "bm25.tds", "--plugin", "tds.py"])

    assert done.code == 2
    assert "tds.py:7: the plugin tds.py cannot be loaded" in done.stderr
    assert not formats.registered_formats()


@pytest.fixture
def package(folder, monkeypatch):
    """A package with formats that is installed beside rankeval."""
    metadata = folder / "formats_of_a_package-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Name: formats_of_a_package\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[rankeval.formats]\ntds = formats_of_a_package\n")
    monkeypatch.syspath_prepend(str(folder))
    return folder / "formats_of_a_package.py"


def test_formats_of_an_installed_package_are_known_by_name(package):
    package.write_text(PLUGIN)

    done = run_command(["q.qrels", "bm25.tds", "-m", "AP", "--run-format", "tds"])
    written = run_command(["convert", "bm25.run", "out.tds"])

    assert "0.6667" in done.stdout
    assert written.code == 0


def test_a_package_is_loaded_only_when_a_name_is_not_known(package):
    package.write_text(PLUGIN)

    run_command(["q.qrels", "bm25.run", "-m", "AP", "--run-format", "trec"])

    assert "formats_of_a_package" not in sys.modules


def test_a_package_whose_formats_fail_is_named(package):
    package.write_text("1 / 0")

    done = run_command(["q.qrels", "bm25.tds", "-m", "AP", "--run-format", "tds"])

    assert done.code == 2
    assert "the package formats_of_a_package 1.0 cannot be loaded: ZeroDivision" in done.stderr


def test_a_text_file_that_begins_with_a_word_like_parquets_is_no_table(folder):
    (folder / "q").write_text("PAR1 0 a 1\nPAR1 0 b 0\n")

    done = rankeval.convert(folder / "q", folder / "out.csv")

    assert (done.what, done.source, done.warnings) == ("qrels", "trec", ())
