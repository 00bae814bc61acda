"""`trend --bisect`: its script, run by git on a repository of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

import rankeval
from tests.support.files import gate_line, history_of
from tests.support.gate_files import QRELS, run_with

TOML = (
    'qrels = "qrels.txt"\nbaseline = "base.json"\nruns = [{ path = "c.run", name = "prod" }]\n'
    '[suite.nightly.rules]\nmax-drop = { RR = 1 }\nmin = { "P@5" = 0.9 }\n'
)


def git(*words):
    done = subprocess.run(["git", *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(shell, monkeypatch):
    """A repository in which each commit ranks by rank.py, and a fall at one of them."""
    for key, value in {"NAME": "n", "EMAIL": "n@example.org"}.items():
        monkeypatch.setenv(f"GIT_AUTHOR_{key}", value)
        monkeypatch.setenv(f"GIT_COMMITTER_{key}", value)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{shell.path('.')}", prepend=":")
    git("init", "-q", ".")
    shell.path("qrels.txt").write_text(QRELS)
    shell.path("rankeval.toml").write_text(TOML)
    shell.path("source.run").write_text(run_with("x"))
    assert (
        shell("eval", "qrels.txt", "source.run", "-m", "RR P@5", "-q", "-o", "base.json").code == 0
    )
    commits = []
    for number in range(9):
        worse = "x r y" if number >= 5 else "r x y"
        shell.path("source.run").write_text(
            run_with("x", **{f"t{i:02}": worse for i in range(1, 9)})
        )
        shell.path("number.txt").write_text(str(number))
        git("add", "-A")
        git("commit", "-q", "-m", f"Change {number}")
        commits.append(git("rev-parse", "HEAD"))
    return shell, commits


@pytest.mark.slow
@pytest.mark.parametrize("broken", [False, True], ids=["all commits rank", "some do not"])
def test_git_finds_the_commit(repository, monkeypatch, broken):
    shell, commits = repository
    rank = "cp source.run c.run" + (' && [ "$(cat number.txt)" != 3 ]' if broken else "")
    monkeypatch.setenv("RANK", rank)
    lines = []
    for day in range(1, 41):
        line = gate_line(day, 1.0 if day < 16 else 0.8)
        line["commit"] = commits[0 if day < 16 else 8]
        line["candidates"] = ["prod"]
        for mean in (*line["rules"], *line["shown"]):
            mean |= {"run": "prod", "measure": "RR"}
        lines.append(line)
    shell.path("../h.jsonl").write_text(history_of(lines))
    done = shell("trend", "../h.jsonl", "--bisect", "nightly", "-o", "../bisect.sh")
    assert done.code == 0, done.err
    found = subprocess.run(["sh", "../bisect.sh"], capture_output=True, text=True, check=False)

    assert found.returncode == 0, found.stderr
    assert f"{commits[5]} is the first bad commit" in found.stdout
    assert git("rev-parse", "HEAD") == commits[8]


def test_the_two_commits_and_the_middle_of_the_levels_are_in_it(shell):
    lines = [gate_line(day, 0.40 if day < 21 else 0.38) for day in range(1, 41)]
    shell.path("h.jsonl").write_text(history_of(lines))
    script = shell("trend", "h.jsonl", "--bisect", "nightly").out

    assert "git bisect start c21 c20\n" in script
    assert "--min AP=0.39 " in script


def test_names_cannot_leave_their_words(shell):
    lines = [gate_line(day, 0.40 if day < 21 else 0.38) for day in range(1, 41)]
    for line in lines:
        line["suite"] = "a'; touch owned; '\n#"
        line["commit"] += "$(touch owned)"
    shell.path("h.jsonl").write_text(history_of(lines))
    done = shell("trend", "h.jsonl", "--bisect", "a'; touch owned; '\n#", "-o", "b.sh")
    assert done.code == 0
    subprocess.run(["sh", "b.sh"], capture_output=True, check=False)

    assert not shell.path("owned").exists()


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([gate_line(day, 0.4) for day in range(1, 41)], "got worse for good"),
        ([gate_line(day, 0.4 if day > 15 else 0.3) for day in range(1, 41)], "got worse for good"),
        (
            [gate_line(day, 0.4 if day < 15 else 0.3, commit="") for day in range(1, 41)],
            "are not known",
        ),
        (
            [gate_line(day, 0.4 if day < 15 else 0.3, commit="c") for day in range(1, 41)],
            "are the same",
        ),
    ],
    ids=["no change", "a rise", "no commits", "one commit"],
)
def test_without_two_commits_there_is_no_script(shell, lines, problem):
    shell.path("h.jsonl").write_text(history_of(lines))
    done = shell("trend", "h.jsonl", "--bisect", "nightly")

    assert (done.code, done.out) == (2, "")
    assert problem in done.err


def test_a_rise_of_a_loss_is_a_fall():
    from rankeval.commands.trend.bisect_script import bisect_script

    lines = [gate_line(day, 0.3 if day < 15 else 0.4) for day in range(1, 41)]
    for line in lines:
        line["rules"] = []
        line["shown"] = [{**line["shown"][0], "measure": "SetE"}]

    assert "--max SetE=0.35 " in bisect_script(rankeval.trend(lines), "nightly")
