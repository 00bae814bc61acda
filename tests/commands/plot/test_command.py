"""`rankeval plot`: every kind in every output, and what it refuses."""

import csv
import json
import re
import struct
import subprocess
import sys

import pytest

from rankeval.base import installing
from rankeval.plots.kinds import KINDS
from tests.support.files import BM25, DENSE, EXAMPLE_QRELS, EXAMPLE_RUNS, QRELS

RUNS = [path.stem for path in EXAMPLE_RUNS]
RUN_FILES = [path.name for path in EXAMPLE_RUNS]
COSTS = "run\tms\n" + "".join(f"{run}\t{i + 1}\n" for i, run in enumerate(RUNS))


@pytest.fixture
def examples(shell):
    shell.write(qrels=EXAMPLE_QRELS.read_bytes(), spent=COSTS)
    for path in EXAMPLE_RUNS:
        shell.path(path.name).write_bytes(path.read_bytes())
    return shell


@pytest.fixture
def small(shell):
    return shell.write(qrels=QRELS, bm25=BM25, dense=DENSE)


def words(kind, *more, runs=EXAMPLE_RUNS):
    spent = ["--run-costs", "spent.txt"] if kind == "tradeoff" else []
    return ["plot", kind, "qrels.txt", *(path.name for path in runs), "--quiet", *spent, *more]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_in_the_terminal(examples, monkeypatch, kind):
    runs = EXAMPLE_RUNS[:2] if kind in ("topics", "scatter") else EXAMPLE_RUNS

    monkeypatch.setenv("COLUMNS", "40")
    narrow = examples(*words(kind, runs=runs)).out.splitlines()
    monkeypatch.setenv("COLUMNS", "80")
    outcome = examples(*words(kind, runs=runs))

    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert max(map(len, narrow)) <= 40
    assert max(map(len, lines)) <= 80
    assert len(lines) <= (24 if kind != "agreement" else 40)
    assert "\x1b" not in outcome.out
    names = ("AP", "Rprec") if kind == "agreement" else [path.stem for path in runs]
    assert all(name in outcome.out for name in names)


def test_a_terminal_has_colours_unless_they_are_not_wanted(examples, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    coloured = examples(*words("pr"))
    plain = examples(*words("pr", "--no-color"))
    monkeypatch.setenv("NO_COLOR", "1")
    refused = examples(*words("pr"))

    assert "\x1b[" in coloured.out
    assert "\x1b" not in plain.out
    assert plain.out == refused.out
    stripped = re.sub(r"\x1b\[[\d;]*m", "", coloured.out)
    assert [line.rstrip() for line in stripped.splitlines()] == plain.out.splitlines()


def test_a_stream_that_is_no_unicode_gets_ascii(examples):
    command = [sys.executable, "-m", "rankeval", *words("pr")]
    done = subprocess.run(
        command,
        capture_output=True,
        check=True,
        cwd=examples.directory,
        env={
            "PYTHONIOENCODING": "ascii",
            "PATH": "",
            "COLUMNS": "80",
            "PYTHONPATH": ":".join(sys.path),
        },
        timeout=120,
    )

    assert done.stdout.isascii()
    assert b"\\u28" not in done.stdout
    assert b"***" in done.stdout


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_written_as_a_picture(examples, kind):
    pytest.importorskip("matplotlib")

    outcome = examples(*words(kind, "-o", "plot.png", "--size", "column"))

    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    head = examples.path("plot.png").read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">I", head[16:20])[0] == round(3.33 * 200)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_numbers_drawn_are_the_same_in_every_format(examples, kind):
    for form in ("tsv", "csv", "json", "jsonl"):
        assert examples(*words(kind, "--data", f"data.{form}")).code == 0

    document = json.loads(examples.path("data.json").read_text())
    assert (document["schema"], document["kind"]) == ("rankeval-plot/1", kind)
    rows = document["rows"]
    assert rows
    lines = examples.path("data.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == rows
    for form, delimiter in (("tsv", "\t"), ("csv", ",")):
        with examples.path(f"data.{form}").open() as stream:
            read = list(csv.DictReader(stream, delimiter=delimiter))
        assert len(read) == len(rows)
        for found, expected in zip(read, rows, strict=True):
            assert {name: as_read(value) for name, value in expected.items()} == found


def as_read(value):
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_the_baseline_is_drawn_first_and_once(examples):
    by_name = examples(*words("box", "--data", "-", "--baseline", "rrf.run"))
    by_link = examples.path("link.run")
    by_link.symlink_to("rrf.run")
    linked = examples(*words("box", "--data", "-", "--baseline", "link.run"))
    alone = examples(
        "plot", "topics", "qrels.txt", "lsa.run", "--baseline", "rrf.run", "--data", "-", "--quiet"
    )

    order = [line.split("\t")[0] for line in by_name.out.splitlines()[1:]]
    assert order == ["rrf", *(run for run in RUNS if run != "rrf")]
    assert linked.out == by_name.out
    assert alone.out.splitlines()[1].startswith("rrf\tlsa\tnDCG@10\t")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["pie"], "there is no plot 'pie'\n  expected: one of pr, prg"),
        (["box", "--size", "column"], "--size needs --output"),
        (["box", "-o", "a.gif"], "the suffix '.gif' does not name the format of a picture"),
        (["box", "-o", "-"], "a name without a suffix"),
        (["box", "-o", "a.png", "--size", "huge"], "the size 'huge' is not possible"),
        (["box", "--data", "a.png"], "the suffix '.png' does not name the output format"),
        (["box", "--data", "a.tex"], "cannot be written as latex"),
        (["box", "--cutoffs", "1"], "--cutoffs is for 'cutoff', and this is 'box'"),
        (["box", "--alpha", "0.1"], "'ranks' and 'pairs', and this is 'box'"),
        (["box", "--against-qrels", "qrels.txt"], "--against-qrels is for 'slope'"),
        (["cutoff", "--cutoffs", "0,1"], "the cutoffs '0,1' are not possible"),
        (["box", "-m", "nDGC"], "nDGC"),
        (["ranks", "--alpha", "2"], "alpha is 2"),
    ],
)
def test_what_cannot_be_drawn_is_refused(examples, given, message):
    kind, *more = given

    outcome = examples("plot", kind, "qrels.txt", *(path.name for path in EXAMPLE_RUNS), *more)

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert not [p for p in examples.directory.iterdir() if p.name.startswith("a.")]


def heads_of(outcome):
    return [line.split()[0] for line in outcome.out.splitlines()[: len(RUNS)]]


def test_runs_are_sorted_by_value_unless_another_order_is_asked_for(examples):
    by_value = heads_of(examples(*words("box", "-m", "AP")))
    means = examples(*words("ci", "-m", "AP", "--data", "-")).out.splitlines()[1:]

    values = {line.split("\t")[0]: float(line.split("\t")[3]) for line in means}
    assert by_value == sorted(RUNS, key=lambda run: -values[run])
    assert [line.split("\t")[0] for line in means] == RUNS
    given = examples("plot", "box", "qrels.txt", *RUN_FILES[::-1], "--sort", "given", "--quiet")
    assert heads_of(given) == RUNS[::-1]
    assert heads_of(examples(*words("box", "--sort", "name"))) == sorted(RUNS)


def test_the_best_runs_are_drawn_with_the_baseline(examples):
    whole = heads_of(examples(*words("box")))
    outcome = examples(*words("box", "--top", "3", "--baseline", "title.run"))

    assert heads_of(outcome)[:3] == [*whole[:2], "title"]
    assert outcome.out.splitlines()[-1] == "the best 3 of 6 runs"
    data = examples(*words("box", "--top", "2", "--data", "-")).out.splitlines()[1:]
    assert {line.split("\t")[0] for line in data} == {"bm25", whole[0]}


def test_svg_has_a_title_and_a_description(examples):
    pytest.importorskip("matplotlib")
    examples(*words("box", "-o", "a.svg", "--title", "<AP> & $x$"))

    text = examples.path("a.svg").read_text()
    assert "<title>&lt;AP&gt; &amp; $x$</title>" in text
    assert f"of {len(RUNS)} runs: " in text.partition("<desc>")[2].partition("</desc>")[0]


def test_without_a_kind_one_run_has_its_mean_and_several_their_differences(examples):
    for files, kind in ((["bm25.run"], "ci"), (["bm25.run", "lsa.run"], "forest")):
        plain = examples("plot", "qrels.txt", *files, "-m", "AP", "--data", "-", "--quiet")
        named = examples("plot", kind, "qrels.txt", *files, "-m", "AP", "--data", "-", "--quiet")

        assert (plain.code, plain.out) == (0, named.out)


def test_judgments_without_a_kind_are_not_overwritten(examples):
    outcome = examples("plot", "qrels.txt", "bm25.run", "--data", "qrels.txt")

    assert outcome.code == 2
    assert examples.path("qrels.txt").read_bytes() == EXAMPLE_QRELS.read_bytes()


def test_a_plot_needs_a_run(examples):
    outcome = examples("plot", "box", "qrels.txt")

    assert (outcome.code, outcome.out) == (2, "")
    assert "no run is given" in outcome.err


def test_runs_to_highlight_are_among_the_runs(examples):
    pytest.importorskip("matplotlib")
    outcome = examples(*words("box", "-o", "a.png", "--highlight", "dense"))

    assert outcome.code == 2
    assert "--highlight dense is not among the runs" in outcome.err
    coloured = examples(*words("pr", "-o", "a.svg", "--highlight", "lsa"))
    assert coloured.code == 0
    text = examples.path("a.svg").read_text().lower()
    assert "#0072b2" in text
    assert "#e2690f" not in text


def test_the_background_of_a_style_is_its_own(examples):
    pytest.importorskip("matplotlib")
    for style, found in (("dark", True), ("light", False), ("transparent", False)):
        assert examples(*words("box", "-o", "a.svg", "--style", style)).code == 0
        assert ("#121418" in examples.path("a.svg").read_text()) == found


def test_without_matplotlib_a_picture_says_what_to_install(small, monkeypatch):
    monkeypatch.setattr("rankeval.plots.look.find_spec", lambda *_: None)

    outcome = small("plot", "box", "qrels.txt", "bm25.txt", "-o", "a.png")

    assert (outcome.code, outcome.out) == (2, "")
    assert "needs matplotlib" in outcome.err
    assert installing.command("plot") in outcome.err
    assert small("plot", "box", "qrels.txt", "bm25.txt", "--quiet").code == 0


def test_drawing_in_the_terminal_does_not_import_matplotlib(small):
    code = (
        "import sys\nfrom rankeval.__main__ import run\n"
        "assert run(['plot', 'box', 'qrels.txt', 'bm25.txt', '--quiet']) == 0\n"
        "sys.exit('matplotlib' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=small.directory,
        capture_output=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("kind", ["pr", "box", "topics", "ranks", "tradeoff"])
def test_names_take_no_effect_in_the_terminal(small, kind):
    tags = ("\x1b[31mred", "[bold]x[/bold]\u202e")
    for file, source, tag in (("bm25", BM25, tags[0]), ("dense", DENSE, tags[1])):
        lines = [line.split() for line in source.splitlines()]
        small.write(**{file: "".join(" ".join([*line[:5], tag]) + "\n" for line in lines)})
    small.write(spent=f"run\tms\n{tags[0]}\t1\n{tags[1]}\t2\n")

    outcome = small(
        *["plot", kind, "qrels.txt", "bm25.txt", "dense.txt", "--quiet"],
        *(["--run-costs", "spent.txt"] if kind == "tradeoff" else []),
    )

    assert outcome.code == 0, outcome.err
    assert all(line.isprintable() for line in outcome.out.splitlines())
    assert "\\x1b[31mred" in outcome.out
    assert "[bold]x[/bold]\\u202e" in outcome.out


SAVED = [kind for kind in KINDS if kind not in ("pr", "prg", "cutoff", "judged")]
ALL = "nDCG@10 AP RR P@10"


def saved_and_fresh(examples, kind, *more):
    """Return the rows of a plot of run files, and of the same runs with some of them saved."""
    first, *rest = EXAMPLE_RUNS
    for name, runs in (("first", [first]), ("two", rest[:2])):
        found = [path.name for path in runs]
        examples("eval", "qrels.txt", *found, "-m", ALL, "-q", "-o", f"{name}.json", "--quiet")
    spent = ["--run-costs", "spent.txt"] if kind == "tradeoff" else []
    end = [*(path.name for path in rest[2:]), "--quiet", *spent, *more, "--data", "-"]
    return (
        examples("plot", kind, "qrels.txt", *(path.name for path in EXAMPLE_RUNS[:3]), *end),
        examples("plot", kind, "qrels.txt", "first.json", "two.json", *end),
    )


@pytest.mark.parametrize("kind", SAVED)
def test_saved_results_are_drawn_as_their_runs_are(examples, kind):
    fresh, saved = saved_and_fresh(examples, kind, "-m", ALL)

    assert (saved.code, saved.err) == (0, "")
    assert saved.out == fresh.out


@pytest.mark.parametrize("kind", sorted({*KINDS} - {*SAVED}))
def test_curves_of_saved_results_are_refused(examples, kind):
    examples("eval", "qrels.txt", "bm25.run", "-m", ALL, "-q", "-o", "a.json")

    outcome = examples("plot", kind, "qrels.txt", "lsa.run", "a.json")

    assert (outcome.code, outcome.out) == (2, "")
    assert "a.json: has no values of" in outcome.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-m", "ERR"], "has no values of ERR"),
        (["-m", "AP", "--min-grade", "2"], "has no values of AP(rel=2)"),
        (["-m", "AP", "--depth", "5"], "is not defined in the same way"),
    ],
)
def test_saved_results_that_do_not_fit_are_refused(examples, words, message):
    examples("eval", "qrels.txt", "bm25.run", "-m", ALL, "-q", "-o", "a.json")

    outcome = examples("plot", "box", "qrels.txt", "lsa.run", "a.json", *words)

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
