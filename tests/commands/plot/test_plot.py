"""`rankeval plot` and `rankeval.plot`: every kind in every output, and what they refuse."""

import csv
import json
import re
import struct
import subprocess
import sys

import pytest

import rankeval as rk
from rankeval.endings import installing
from rankeval.errors import UsageError
from rankeval.plots.kinds import KINDS
from tests.support.drawn_runs import QRELS, RUNS
from tests.support.files import BM25, DENSE, EXAMPLE_QRELS, EXAMPLE_RUNS
from tests.support.files import QRELS as SMALL_QRELS

NAMES = [path.stem for path in EXAMPLE_RUNS]
FILES = [path.name for path in EXAMPLE_RUNS]
COSTS = "run\tms\n" + "".join(f"{run}\t{i + 1}\n" for i, run in enumerate(NAMES))


@pytest.fixture
def examples(shell):
    shell.write(qrels=EXAMPLE_QRELS.read_bytes(), spent=COSTS)
    for path in EXAMPLE_RUNS:
        shell.path(path.name).write_bytes(path.read_bytes())
    return shell


@pytest.fixture
def small(shell):
    return shell.write(qrels=SMALL_QRELS, bm25=BM25, dense=DENSE)


@pytest.fixture(scope="module")
def results():
    return rk.evaluate(QRELS, RUNS, "nDCG@10 AP")


def words(kind, *more, runs=FILES):
    spent = ["--run-costs", "spent.txt"] if kind == "tradeoff" else []
    return ["plot", kind, "qrels.txt", *runs, "--quiet", *spent, *more]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_in_the_terminal(examples, monkeypatch, kind):
    runs = FILES[:2] if kind in ("topics", "scatter") else FILES

    for width in (40, 80):
        monkeypatch.setenv("COLUMNS", str(width))
        outcome = examples(*words(kind, runs=runs))
        lines = outcome.out.splitlines()
        assert (outcome.code, outcome.err) == (0, "")
        assert max(map(len, lines)) <= width

    assert len(lines) <= (24 if kind != "agreement" else 40)
    assert "\x1b" not in outcome.out
    names = ("AP", "Rprec") if kind == "agreement" else NAMES[: len(runs)]
    assert all(name in outcome.out for name in names)


def test_a_stream_that_is_no_unicode_gets_ascii_without_matplotlib(examples):
    code = (
        "import sys\nfrom rankeval.__main__ import run\n"
        f"assert run({words('pr')!r}) == 0\nsys.exit('matplotlib' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        cwd=examples.directory,
        env={"PYTHONIOENCODING": "ascii", "PATH": "", "PYTHONPATH": ":".join(sys.path)},
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


def test_the_baseline_is_drawn_first_and_once(examples):
    by_name = examples(*words("box", "--data", "-", "--baseline", "rrf.run"))
    examples.path("link.run").symlink_to("rrf.run")
    linked = examples(*words("box", "--data", "-", "--baseline", "link.run"))
    of_one = words("topics", "--baseline", "rrf.run", "--data", "-", runs=["lsa.run"])

    order = [line.split("\t")[0] for line in by_name.out.splitlines()[1:]]
    assert order == ["rrf", *(run for run in NAMES if run != "rrf")]
    assert linked.out == by_name.out
    assert examples(*of_one).out.splitlines()[1].startswith("rrf\tlsa\tnDCG@10\t")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["pie"], "there is no plot 'pie'\n  expected: one of pr, prg"),
        (["box", "--size", "column"], "--size needs --output"),
        (["box", "-o", "a.gif"], "the suffix '.gif' does not name the format of a picture"),
        (["box", "-o", "-"], "a name without a suffix"),
        (["box", "-o", "a.png", "--size", "huge"], "the size 'huge' is not possible"),
        (["box", "-o", "a.png", "--highlight", "dense"], "no run is named 'dense'"),
        (["box", "--data", "a.png"], "the suffix '.png' does not name the output format"),
        (["box", "--data", "a.tex"], "cannot be written as latex"),
        (["box", "--alpha", "0.1"], "'box' has no use for --alpha"),
        (["pr", "-m", "AP"], "'pr' draws measures of its own"),
        (["cutoff", "-m", "Rprec P"], "Rprec has no cutoff to draw it over"),
        (["slope", "-m", "AP"], "'slope' joins ranks under two measures"),
        (["ranks", "--alpha", "2"], "alpha is 2"),
    ],
)
def test_what_cannot_be_drawn_is_refused(examples, given, message):
    kind, *more = given

    outcome = examples("plot", kind, "qrels.txt", *FILES, *more)

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert not [p for p in examples.directory.iterdir() if p.name.startswith("a.")]


def heads_of(outcome):
    return [line.split()[0] for line in outcome.out.splitlines()[: len(NAMES)]]


def test_runs_are_sorted_by_value_unless_another_order_is_asked_for(examples):
    by_value = heads_of(examples(*words("box", "-m", "AP")))
    means = examples(*words("ci", "-m", "AP", "--data", "-")).out.splitlines()[1:]
    given = examples(*words("box", "--sort", "given", runs=FILES[::-1]))

    values = {line.split("\t")[0]: float(line.split("\t")[3]) for line in means}
    assert by_value == sorted(NAMES, key=lambda run: -values[run])
    assert [*values] == NAMES
    assert heads_of(given) == NAMES[::-1]
    assert heads_of(examples(*words("box", "--sort", "name"))) == sorted(NAMES)


def test_the_best_runs_are_drawn_with_the_baseline(examples):
    whole = heads_of(examples(*words("box")))
    outcome = examples(*words("box", "--top", "3", "--baseline", "title.run"))
    data = examples(*words("box", "--top", "2", "--data", "-")).out.splitlines()[1:]

    assert heads_of(outcome)[:3] == [*whole[:2], "title"]
    assert {line.split("\t")[0] for line in data} == {"bm25", whole[0]}


def test_without_a_kind_one_run_has_its_mean_and_several_their_differences(examples):
    end = ["-m", "AP", "--data", "-", "--quiet"]
    for files, kind in ((["bm25.run"], "ci"), (["bm25.run", "lsa.run"], "forest")):
        plain = examples("plot", "qrels.txt", *files, *end)
        assert (plain.code, plain.out) == (0, examples("plot", kind, "qrels.txt", *files, *end).out)

    over_qrels = examples("plot", "qrels.txt", "bm25.run", "--data", "qrels.txt")
    without_run = examples("plot", "box", "qrels.txt")
    assert (over_qrels.code, without_run.code) == (2, 2)
    assert examples.path("qrels.txt").read_bytes() == EXAMPLE_QRELS.read_bytes()
    assert "no run to evaluate" in without_run.err


# --- from Python ----------------------------------------------------------------------------


def test_runs_with_judgments_are_evaluated_for_what_the_kind_draws():
    picture = rk.plot("pr", QRELS, RUNS, topics="both")
    levels = rk.evaluate(QRELS, RUNS, "IPrec@0 IPrec@0.5")
    cutoffs = rk.plot("cutoff", QRELS, RUNS["bm25"], "P@3,1").to_frame()["cutoff"]

    rows = {(row["run"], row["recall"]): row["IPrec"] for _, row in picture.to_frame().iterrows()}
    assert rows["bm25", 0.0] == pytest.approx(levels["bm25"]["IPrec@0"])
    assert rows["hybrid", 0.5] == pytest.approx(levels["hybrid"]["IPrec@0.5"])
    assert [*cutoffs] == [1, 3]


def test_results_are_drawn_with_a_baseline_by_name_and_costs_in_memory(results):
    frame = rk.plot("forest", results, baseline="dense", measures="AP").to_frame()
    spent = rk.plot("tradeoff", results, run_costs={"bm25": 1, "dense": 20, "hybrid": 3})

    apart = dict(zip(frame["run"], frame["difference"], strict=True))
    assert apart == {
        name: pytest.approx(results[name]["AP"] - results["dense"]["AP"])
        for name in ("bm25", "hybrid")
    }
    assert {*frame["baseline"]} == {"dense"}
    assert {*spent.to_frame()["cost"]} == {1.0, 20.0, 3.0}


def test_a_picture_shows_and_saves_itself_as_the_command_does(small):
    pytest.importorskip("matplotlib")
    given = [str(small.path(f"{name}.txt")) for name in ("qrels", "bm25", "dense")]
    picture = rk.plot("box", given[0], given[1:], "AP", size="column", title="<AP> & $x$")
    for suffix in ("png", "svg", "pdf", "csv", "json"):
        picture.save(small.path(f"a.{suffix}"))
    more = ("-m", "AP", "-o", "b.svg", "--size", "column", "--title", "<AP> & $x$")
    small(*words("box", *more, runs=["bm25.txt", "dense.txt"]))

    svg = small.path("a.svg").read_text()
    assert svg == small.path("b.svg").read_text()
    assert svg.endswith(picture._repr_html_())
    assert '"><title>bm25: topics 2' in svg
    assert repr(picture).isascii()
    assert {"bm25", "dense"} <= {*re.findall(r"\w+", repr(picture))}
    assert small.path("a.png").read_bytes()[:4] == b"\x89PNG"
    assert small.path("a.pdf").read_bytes()[:5] == b"%PDF-"
    rows = csv.DictReader(small.path("a.csv").read_text().splitlines())
    assert [row["run"] for row in rows] == ["bm25", "dense"]
    assert json.loads(small.path("a.json").read_text())["kind"] == "box"


def test_style_and_highlights_change_colours(results):
    pytest.importorskip("matplotlib")
    for style, found in (("dark", True), ("light", False), ("transparent", False)):
        assert ("#121418" in rk.plot("box", results, style=style)._repr_html_()) == found
    one = rk.plot("ecdf", results, measures="AP", sort="given", highlight=["bm25"])._repr_html_()
    assert "#0072b2" in one.lower()
    assert "#e2690f" not in one.lower()


@pytest.mark.parametrize(
    ("kind", "keywords", "message"),
    [
        ("forst", {}, "'forst'"),
        ("box", {"baseline": "no"}, "no run is named 'no'"),
        ("box", {"topics": "both"}, "topics is given with results"),
        ("box", {"runs": RUNS}, "runs is given with results"),
        ("box", {"style": "blue"}, "'blue'"),
        ("box", {"top": 0}, "--top 0 leaves too few runs"),
        ("box", {"sort": "best"}, "'best'"),
    ],
)
def test_errors_name_the_option_that_is_wrong(results, kind, keywords, message):
    with pytest.raises(UsageError) as refused:
        rk.plot(kind, results, **keywords)

    assert message in str(refused.value)


def test_without_matplotlib_a_picture_says_what_to_install(small, monkeypatch):
    monkeypatch.setattr("rankeval.plots.look.find_spec", lambda *_: None)

    outcome = small("plot", "box", "qrels.txt", "bm25.txt", "-o", "a.png")

    assert (outcome.code, outcome.out) == (2, "")
    assert "needs matplotlib" in outcome.err
    assert installing("plot") in outcome.err


def test_without_a_kind_runs_are_compared_and_one_run_has_its_interval_in_python(results, tmp_path):
    runs = {"a": RUNS["bm25"], "b": RUNS["dense"]}

    assert rk.plot(results).kind == "forest"
    assert rk.plot(QRELS, runs, "AP").kind == "forest"
    assert rk.plot(QRELS, runs["a"], "AP").kind == "ci"
    rk.Qrels(QRELS).save(tmp_path / "one.qrels")
    assert rk.plot(str(tmp_path / "one.qrels"), runs, measures="AP").kind == "forest"
