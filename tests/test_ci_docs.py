"""The set-ups of docs/ci.md and action.yml do what they say, with the files they speak of."""

import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from rankeval.__main__ import run
from tests.junit_schema import problems

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
RUNS = ROOT / "examples" / "runs"


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Make a repository such as the page describes, with `rankeval` on the path."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "examples" / "qrels" / "python-reference.qrels", "qrels.txt")
    shutil.copy(RUNS / "bm25.run", "main.run")
    shutil.copy(RUNS / "rrf.run", "candidate.run")
    (suites,) = blocks("toml")
    Path("rankeval.toml").write_text(suites)
    (made,) = [block for block in blocks("text") if block.startswith("rankeval eval")]
    in_process(made.replace('"nDCG@10 R@100"', '"nDCG@10 R@100 RR"'))
    return tmp_path


def in_process(line):
    words = shlex.split(line)
    assert words[0] == "rankeval"
    return run(words[1:])


@pytest.fixture
def on_path(tmp_path, monkeypatch):
    """Put a command `rankeval` there that runs this checkout."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "rankeval"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rankeval "$@"\n')
    script.chmod(script.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def worse():
    shutil.copy(RUNS / "title.run", "candidate.run")


@pytest.mark.usefixtures("project")
def test_suites_of_the_page_pass_and_fail(capsys):
    assert in_process("rankeval gate --suite commit") == 0
    assert in_process("rankeval gate --suite nightly") == 0
    worse()
    assert in_process("rankeval gate --suite commit") == 1
    assert in_process("rankeval gate --suite nightly") == 1
    assert "rankeval gate --suite NAME" not in capsys.readouterr().out


@pytest.mark.usefixtures("project")
def test_steps_of_the_page_run():
    found = re.findall(r"(?:- run: |- )(rankeval gate .*)$", "".join(blocks("yaml")), re.MULTILINE)

    assert len(found) == 2
    for line in found:
        assert in_process(line) == 0
    assert problems(ET.parse("gate.xml").getroot()) == []
    assert Path("gate.json").exists()


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.usefixtures("project", "on_path")
def test_the_makefile_of_the_page_stops_at_a_closed_gate():
    Path("Makefile").write_text(blocks("make")[0])

    def make(target):
        return subprocess.run(["make", target], capture_output=True, check=False, text=True)

    assert make("gate").returncode == 0
    assert Path("gate.json").exists()
    Path("gate.json").unlink()
    worse()
    stopped = make("gate")
    assert stopped.returncode == 2
    assert "FAIL" in stopped.stdout
    assert not Path("gate.json").exists()
    assert make("promote").returncode == 0
    assert Path("baseline.json").exists()


@pytest.mark.usefixtures("project")
def test_python_of_the_page_prints_outcomes(capsys):
    (program,) = blocks("python")

    exec(compile(program, "ci.md", "exec"), {})

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("max-drop nDCG@10=5% True -0.0")
    assert lines[-1] == "0"


def test_inputs_of_the_page_are_those_of_the_action():
    inputs = ACTION.partition("inputs:")[2].partition("\nruns:")[0]
    known = set(re.findall(r"^  ([\w-]+):$", inputs, re.MULTILINE))
    used = {
        name
        for part in "".join(blocks("yaml")).split("OWNER/rankeval@main")[1:]
        for name in re.findall(r"^ {10}([\w-]+):", part, re.MULTILINE)
    }

    assert used
    assert used <= known


@pytest.fixture
def action(project, on_path):  # noqa: ARG001 - the script finds rankeval there
    """Run the last script of action.yml with some inputs."""
    script = textwrap.dedent(ACTION.rpartition("run: |\n")[2])
    assert "${{" not in script
    names = re.findall(r"^        ([A-Z]+): \$\{\{ inputs", ACTION, re.MULTILINE)

    def call(**inputs):
        assert set(inputs) <= set(names)
        environment = {**os.environ, **dict.fromkeys(names, ""), **inputs}
        environment["GITHUB_STEP_SUMMARY"] = str(project / "summary.md")
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            capture_output=True,
            check=False,
            text=True,
            env=environment,
        )

    return call


needs_bash = pytest.mark.skipif(
    shutil.which("bash") is None or os.name == "nt", reason="needs bash"
)


@needs_bash
def test_the_action_runs_a_suite(action):
    passed = action(SUITE="commit", JUNIT="gate.xml", JSON="gate.json")

    assert (passed.returncode, passed.stdout.split(":")[0]) == (0, "PASS")
    assert problems(ET.parse("gate.xml").getroot()) == []
    assert Path("summary.md").read_text().startswith("### rankeval gate: PASS")


@needs_bash
def test_the_action_takes_files_and_rules(action):
    files = {"QRELS": "qrels.txt", "BASELINE": "baseline.json", "CANDIDATE": "candidate.run"}
    rules = "max-drop nDCG@10=5%\nmin R@100=0.7\n"

    assert action(**files, RULES=rules, POLICY="observed").returncode == 0
    worse()
    failed = action(**files, RULES=rules)
    assert failed.returncode == 1
    assert failed.stdout.count("::error") == 2


@needs_bash
def test_inputs_of_the_action_are_data(action):
    hostile = action(SUITE="$(touch taken); touch taken #", RULES="min RR=$(touch taken)")

    assert hostile.returncode == 2
    assert not Path("taken").exists()
