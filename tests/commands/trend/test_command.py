"""`rankeval trend`: the history of gates in every format, and as a picture."""

import csv
import io
import json
import os
import re
import subprocess
import sys
import threading

import pytest

from tests.support.files import HISTORY, gate_line, history_of
from tests.support.gate_files import PERFECT, QRELS, worse_on
from tests.support.pages import Page
from tests.support.processes import environment
from tests.support.schemas import assert_rows_of_csv, assert_valid
from tests.transcript.session import printed

HELD = history_of(
    gate_line(day, 0.4 if not 20 < day <= 32 else 0.38, suite="held") for day in range(1, 46)
)


@pytest.fixture
def history(shell):
    shell.path("history.jsonl").write_text(HISTORY)
    shell.path("held.jsonl").write_text(HELD)
    return shell


def test_a_fall_is_told_with_its_commit(history):
    outcome = history("trend", "history.jsonl")

    assert (outcome.code, outcome.err) == (0, "")
    told = " ".join(outcome.out.split())
    assert "nightly: 35 nights, 2026-09-01 to 2026-10-05; 20 passed, 15 failed" in told
    for measure in ("AP", "P@5"):
        fell = f"{measure} of bm25 fell for good at c21 (2026-09-21) from 0.4000 to 0.3800"
        assert fell in told
    assert "The commit of the night before was c20." in told
    # Twelve characters for 35 nights: eleven of three nights, one of two.
    assert "AP bm25 35 0.4000 0.3800 0.3800 0.4000 20/15/0 ██████▆▁▁▁▁▁" in told
    assert "Shin, Ramdas and Rinaldo, 2024" in told
    assert "a false alarm every 1,000 nights or more seldom in all 2 series together" in told
    assert re.search(r"; noticed on 2026-10-0\d\.", told)


def test_a_page_has_the_changes_first_then_the_tables_and_a_picture(history):
    pytest.importorskip("jinja2")

    outcome = history("trend", "history.jsonl", "-o", "trend.html")

    assert (outcome.code, outcome.err) == (0, "")
    parsed = Page(history.path("trend.html").read_text())
    assert parsed.open == []
    text = " ".join("".join(parsed.texts).split())
    fell = "AP of bm25 fell for good at c21 (2026-09-21) from 0.4000 to 0.3800"
    assert text.index(fell) < text.index("nightly: 35 nights") < text.rindex(fell)
    assert ("headline alarm" in [facts.get("class") for facts in parsed.all("p")]) is True
    assert len(parsed.all("svg")) == 1
    assert "nights or more seldom in all 2 series together" in text


def test_a_page_without_matplotlib_has_no_picture(history, monkeypatch):
    pytest.importorskip("jinja2")
    monkeypatch.setattr("rankeval.commands.trend.show.find_spec", lambda _: None)

    assert history("trend", "held.jsonl", "-o", "trend.html").code == 0

    parsed = Page(history.path("trend.html").read_text())
    assert parsed.all("svg") == []
    assert "recovered at c33" in " ".join("".join(parsed.texts).split())


def test_a_recovery_is_told_with_both_commits(history):
    told = " ".join(history("trend", "held.jsonl", "-m", "AP").out.split())

    assert (
        "AP of bm25 fell at c21 (2026-09-21) from 0.4000 to 0.3800, and recovered at c33 "
        "(2026-10-03) from 0.3800 to 0.4000"
    ) in told
    assert "for good" not in told


def test_a_steady_history_says_so(history):
    history.path("steady.jsonl").write_text(history_of(map(gate_line, range(1, 20))))

    outcome = history("trend", "steady.jsonl")
    assert "No change was found." in outcome.out
    assert "fewer than" not in outcome.out


def test_series_that_are_too_short_are_counted(history):
    told = " ".join(history("trend", "history.jsonl", "--last", "7").out.split())

    assert "2 of 2 series of candidates have fewer than the 14 nights that a change needs" in told


def test_more_than_one_fall_and_what_else_has_changed_are_told(history):
    lines = [gate_line(day, 0.4 - 0.02 * (day // 20), commit="same") for day in range(1, 60)]
    history.path("twice.jsonl").write_text(history_of(lines))
    told = " ".join(history("trend", "twice.jsonl", "-m", "AP").out.split())

    assert re.search(
        r"fell for good at same \(2026-10-10\) from 0.3800 to 0.3600.*; noticed on 2026-10-1\d;",
        told,
    )
    assert "it fell before at same (2026-09-20)." in told
    assert "The commit is that of the night before: something else has changed." in told


def test_new_judgments_are_told_as_the_beginning_of_a_level(history):
    lines = [gate_line(day, 0.4 - 0.02 * (day // 20)) for day in range(1, 40)]
    for line in lines[19:]:
        line["digests"]["qrels"] = "other"
    history.path("anew.jsonl").write_text(history_of(lines))
    told = " ".join(history("trend", "anew.jsonl", "-m", "AP").out.split())

    assert "Judgments changed on 2026-09-20: a new level begins, which no commit made." in told
    assert "fell" not in told


def test_suites_measures_and_nights_are_chosen(history):
    words = ["trend", "history.jsonl", "held.jsonl", "-f", "json"]
    chosen = ["--suite", "held", "-m", "AP", "--since", "2026-09-05", "--last", "10"]
    (suite,) = json.loads(history(*words, *chosen).out)["suites"]

    assert (suite["suite"], suite["nights"]) == ("held", 10)
    assert {one["measure"] for one in suite["series"]} == {"AP"}
    assert len(json.loads(history(*words).out)["suites"]) == 2


def test_json_keeps_to_the_schema_and_lines_are_the_rows_of_csv(history):
    for more in ([], ["-q"]):
        words = ["trend", "history.jsonl", "held.jsonl", *more]
        document = assert_valid(json.loads(history(*words, "-f", "json").out), "rankeval-trend/1")
        lines, table = (history(*words, "-f", form).out for form in ("jsonl", "csv"))
        assert len(assert_rows_of_csv(lines, table)) == (8 if not more else 320)
        assert ("values" in document["suites"][0]["series"][0]) == bool(more)
    series = document["suites"][0]["series"][0]
    assert [one["value"] for one in series["values"]] == [0.4] * 20 + [0.38] * 15
    assert (series["state"], series["changes"][0]["commit"]) == ("fell", "c21")


def test_rows_are_series_or_nights(history):
    words = ["trend", "history.jsonl", "-m", "AP", "-f", "csv"]
    fell, base = csv.DictReader(io.StringIO(history(*words).out))
    nights = list(csv.DictReader(io.StringIO(history(*words, "-q").out)))

    assert (fell["role"], fell["state"], fell["commit"], fell["after"]) == (
        *("candidate", "fell", "c21", "0.38"),
    )
    assert (base["role"], base["run"], base["state"], base["noticed"]) == (
        "baseline",
        "base",
        "",
        "",
    )
    assert [(one["role"], float(one["mean"])) for one in nights] == [
        *[("candidate", 0.4)] * 20,
        *[("candidate", 0.38)] * 15,
        *[("baseline", 0.4)] * 35,
    ]


def test_the_nights_are_listed(history):
    outcome = history("trend", "history.jsonl", "-q", "-m", "AP", "--last", "2")

    assert "2026-10-05 03:00  c35     0.3800  failed" in outcome.out


@pytest.mark.usefixtures("history")
def test_tables_fit_the_terminal():
    lines = printed("rankeval trend history.jsonl held.jsonl -q").splitlines()

    assert max(map(len, lines)) == 80
    assert "██" in "".join(lines)


def test_without_unicode_the_history_is_drawn_in_digits(history):
    done = subprocess.run(
        [sys.executable, "-m", "rankeval", "trend", history.path("history.jsonl")],
        env={**environment(), "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )

    assert b"888888611111" in done.stdout
    assert done.stdout.isascii()


def test_latex_draws_no_history(history):
    assert history("trend", "history.jsonl", "-f", "latex").out.isascii()
    assert "██████▆▁▁▁▁▁" in history("trend", "history.jsonl", "-f", "markdown").out


@pytest.mark.parametrize(
    ("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".PDF", b"%PDF")]
)
def test_a_picture_is_written_by_its_suffix(history, suffix, start):
    pytest.importorskip("matplotlib")
    outcome = history("trend", "history.jsonl", "held.jsonl", "-o", f"trend{suffix}")

    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert history.path(f"trend{suffix}").read_bytes().startswith(start)


def test_a_picture_has_the_size_asked_for(history):
    pytest.importorskip("matplotlib")
    outcome = history("trend", "history.jsonl", "-o", "x.svg", "--size", "5x3.5")

    assert (outcome.code, outcome.err) == (0, "")
    assert 'width="360pt" height="252pt"' in history.path("x.svg").read_text()


@pytest.mark.parametrize("options", [[], ["-o", "x.tsv"], ["-o", "x.svg", "-f", "json"]])
def test_a_size_without_a_picture_is_refused(history, options):
    outcome = history("trend", "history.jsonl", "--size", "column", *options)

    assert outcome.code == 2
    assert "--size is that of a picture" in outcome.err


@pytest.mark.filterwarnings("error")
def test_a_picture_of_more_than_a_year_has_dates_without_a_warning(history):
    pytest.importorskip("matplotlib")
    days = map(gate_line, range(1, 500, 10))
    history.path("long.jsonl").write_text(history_of(days))

    assert history("trend", "long.jsonl", "-o", "x.svg").err == ""


def test_a_format_that_is_given_counts_more_than_the_suffix(history):
    assert history("trend", "history.jsonl", "-f", "json", "-o", "x.svg").code == 0
    assert json.loads(history.path("x.svg").read_text())["schema"] == "rankeval-trend/1"


def test_without_matplotlib_no_picture_is_drawn(history, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    outcome = history("trend", "missing.jsonl", "-o", "x.svg")

    assert outcome.code == 2
    assert "needs matplotlib" in outcome.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no gate"),
        ("notes\n", "history.jsonl:1: this is not JSON"),
        (HISTORY[:-200] + "\n" + HISTORY, "history.jsonl:35: this is not JSON"),
        (HISTORY.replace("history/1", "history/2"), "rankeval-gate-history/2"),
        ('{"qid": "q1"}\n', "history.jsonl:1: the object has no schema"),
    ],
)
def test_what_is_no_history_is_told_with_its_line(history, text, said):
    history.path("history.jsonl").write_text(text)
    outcome = history("trend", "history.jsonl")

    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err
    assert "  expected: " in outcome.err


def test_damaged_lines_are_moved_and_counted_before_the_trend_is_shown(history):
    lines = HISTORY.splitlines()
    text = "\n".join(["<<<<<<< HEAD", *lines[:9], lines[9][:80], *lines[10:], ">>>>>>> main"])
    history.path("history.jsonl").write_text(text)
    refused = history("trend", "history.jsonl")
    assert (refused.code, refused.out) == (2, "")
    assert "history.jsonl:1: this is a mark of git" in refused.err
    assert "2 more lines are damaged: 11, 37" in refused.err
    assert "let rankeval trend --repair move them to history.jsonl.dropped" in refused.err

    outcome = history("trend", "history.jsonl", "--repair")

    assert outcome.code == 0
    assert outcome.err == (
        "rankeval: history.jsonl: moved 3 damaged lines to history.jsonl.dropped (lines 1, 11, "
        "37), and kept 34 lines\n"
    )
    assert "nightly: 34 nights" in outcome.out
    again = history("trend", "history.jsonl", "--repair")
    assert (again.code, again.out) == (0, outcome.out)
    assert again.err == "rankeval: history.jsonl: no line is damaged, and nothing was changed\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-m", "nDCG@10"], "no measure 'nDCG@10'"),
        (["--suite", "x"], "no suite 'x'"),
        (["--since", "2030-01-01"], "no gate is as late as 2030-01-01"),
        (["--since", "monday"], "'monday' is no day"),
        (["--last", "0"], "0"),
        (["--false-alarm-every", "0"], "0"),
        (["-o", "x.bmp"], "x.bmp"),
    ],
    ids=str,
)
def test_what_the_history_lacks_is_told(history, words, said):
    outcome = history("trend", "history.jsonl", *words)

    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err


def test_a_last_line_that_was_cut_off_is_a_warning(history):
    history.path("history.jsonl").write_text(HISTORY[:-300])
    outcome = history("trend", "history.jsonl")

    assert outcome.code == 0
    assert outcome.err == (
        "rankeval: warning: history.jsonl:35: the last line is cut off, and left out\n"
    )
    assert history("trend", "history.jsonl", "--quiet").err == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes as POSIX has them")
def test_a_history_comes_through_a_pipe(history):
    expected = history("trend", "history.jsonl").out
    os.mkfifo(history.path("pipe"))
    write = history.path("pipe").write_text
    threading.Thread(target=write, args=(HISTORY,), daemon=True).start()

    assert history("trend", "pipe").out == expected


def test_the_gates_of_a_history_are_shown(shell, monkeypatch):
    """What `gate --append` writes, of two suites and two candidates, one night after the other."""
    shell.write(qrels=QRELS, base=PERFECT)
    suites = (
        'qrels = "qrels.txt"\nbaseline = "base.txt"\nruns = ["a.txt", "b.txt"]\n'
        'measures = ["P@1"]\n'
        "[suite.x.rules]\nmin = { RR = 0.9 }\n[suite.y.rules]\nmax-drop = { RR = 0.5 }\n"
    )
    shell.path("rankeval.toml").write_text(suites)
    for count in (2, 3, 8):
        shell.write(a=worse_on(count, tag="a"), b=worse_on(0, tag="b"))
        monkeypatch.setenv("GITHUB_SHA", f"commit{count}")
        shell("gate", "--all-suites", "--append", "history.jsonl")
    found = json.loads(shell("trend", "history.jsonl", "-q", "-f", "json").out)

    x, y = found["suites"]
    assert (x["suite"], y["suite"], x["nights"]) == ("x", "y", 3)
    assert (x["passed"], x["failed"]) == (2, 1)
    means = {
        (one["measure"], one["run"]): [night["value"] for night in one["values"]]
        for one in x["series"]
    }
    # Of 20 topics so many fall from rank 1 to rank 2.
    assert means["RR", "a"] == pytest.approx([1 - count / 40 for count in (2, 3, 8)])
    assert means["P@1", "a"] == pytest.approx([1 - count / 20 for count in (2, 3, 8)])
    assert means["RR", "b"] == means["RR", "perfect"] == [1, 1, 1]
