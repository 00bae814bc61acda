"""The set-ups of docs/ci*.md and action.yml do what they say: read as CI reads them, and run."""

import itertools
import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from rankeval.__main__ import run
from tests.support.junit_schema import problems

yaml = pytest.importorskip("yaml")


pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "docs" / name for name in ("ci.md", "ci-setups.md"))
PAGE = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
RUNS = ROOT / "examples" / "runs"
INSTALLED = "installed.txt"
SHELL = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")  # as GitHub calls it

needs_bash = pytest.mark.skipif(
    shutil.which("bash") is None or os.name == "nt", reason="needs bash"
)
needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def set_ups():
    """The blocks of YAML as what they mean: a workflow, steps of two others, and GitLab's."""
    return [yaml.safe_load(textwrap.dedent(block)) for block in blocks("yaml")]


WORKFLOW, WITHOUT_SUITE, WITHOUT_ACTION, GITLAB, CACHE, ARTIFACT = set_ups()
(BRANCH,) = blocks("sh")
WORKFLOWS = {
    "with a suite": WORKFLOW["jobs"]["gate"]["steps"],
    "without a suite": [*WORKFLOW["jobs"]["gate"]["steps"][:2], *WITHOUT_SUITE],
    "without the action": [*WORKFLOW["jobs"]["gate"]["steps"][:2], *WITHOUT_ACTION],
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Make a repository such as the page describes: a Makefile ranks, and rankeval is a copy."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "examples" / "qrels" / "python-reference.qrels", "qrels.txt")
    shutil.copy(RUNS / "bm25.run", "production.run")
    Path("Makefile").write_text("candidate.run: ranked.run\n\tcp $< $@\n")
    ranked("rrf")
    Path("tools").mkdir()
    Path("tools/rankeval").symlink_to(ROOT)
    suites, _ = blocks("toml")
    Path("rankeval.toml").write_text(suites)
    (made,) = [block for block in blocks("text") if block.startswith("rankeval eval")]
    in_process(made.replace('"nDCG@10 R@100"', '"nDCG@10 R@100 RR"'))
    return tmp_path


def ranked(name):
    """What the ranker of the project ranks: `title` is much worse than `bm25`."""
    shutil.copy(RUNS / f"{name}.run", "ranked.run")
    shutil.copy(RUNS / f"{name}.run", "candidate.run")


def in_process(line):
    words = shlex.split(line)
    assert words[0] == "rankeval"
    return run(words[1:])


@pytest.fixture
def on_path(tmp_path, monkeypatch):
    """Put commands there that run this checkout; pip only notes what it is to install."""
    folder = tmp_path / "bin"
    folder.mkdir()
    note = f'printf "%s\\n" "$@" > "{tmp_path / INSTALLED}"'
    scripts = {
        "rankeval": f'exec "{sys.executable}" -m rankeval "$@"',
        "pip": note,
        "python": f'[ "$1" != "-c" ] || exec "{sys.executable}" "$@"\n'
        f'[ "$1 $2" = "-m pip" ] || exit 3; shift 2; {note}',
    }
    for name, text in scripts.items():
        script = folder / name
        script.write_text(f"#!/bin/sh\n{text}\n")
        script.chmod(script.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def called(script, **environment):
    """Run a script as CI does."""
    return subprocess.run(
        [*SHELL, script],
        capture_output=True,
        check=False,
        text=True,
        env={**os.environ, **environment},
    )


def filled(text, inputs):
    """Put the inputs of an action, and the place where it stands, into an expression."""
    known = {f"inputs.{name}": value for name, value in inputs.items()}
    known["github.action_path"] = "./tools/rankeval"
    return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: known[found[1]], text)


def acted(given):
    """Run the steps of action.yml with some inputs, and give the outcome of the gate's."""
    assert set(given) <= set(ACTION["inputs"])
    inputs = {name: one["default"] for name, one in ACTION["inputs"].items()} | given
    for step in ACTION["runs"]["steps"]:
        if "uses" in step:
            assert step["uses"].startswith("actions/setup-python@")
            assert filled(step["with"]["python-version"], inputs) == "3.12"
            continue
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "inputs are data, not part of a script"
        environment = {name: filled(text, inputs) for name, text in step["env"].items()}
        files = {"GITHUB_STEP_SUMMARY": "summary.md", "GITHUB_OUTPUT": "outputs.txt"}
        outcome = called(step["run"], **files, **environment)
        if outcome.returncode:
            break
    return outcome


def stepped(steps):
    """Run the steps of a workflow until one fails."""
    for step in steps:
        if "run" in step:
            outcome = called(step["run"], GITHUB_STEP_SUMMARY="summary.md")
        elif step["uses"].startswith("./"):
            assert (Path(step["uses"]) / "action.yml").samefile(ROOT / "action.yml")
            outcome = acted(step["with"])
        else:
            assert re.fullmatch(r"actions/(checkout|setup-python)@v\d", step["uses"])
            continue
        if outcome.returncode:
            break
    return outcome


# --- the page -----------------------------------------------------------------------------


@pytest.mark.usefixtures("project")
def test_suites_of_the_page_pass_and_fail(capsys):
    assert in_process("rankeval gate --suite commit") == 0
    assert in_process("rankeval gate --suite nightly") == 0
    ranked("title")
    assert in_process("rankeval gate --suite commit") == 1
    assert in_process("rankeval gate --suite nightly") == 1
    assert "rankeval gate --suite NAME" not in capsys.readouterr().out


def test_the_suite_over_collections_of_the_page_passes_and_fails(project):
    _, suite = blocks("toml")
    for folder in ("qrels", "baselines", "dense"):
        (project / folder).mkdir()
    for name in ("scifact", "nfcorpus"):
        shutil.copy("qrels.txt", f"qrels/{name}.tsv")
        shutil.copy("candidate.run", f"dense/{name}.run")
    Path("rankeval.toml").write_text(suite)

    assert in_process("rankeval gate --update-baseline") == 0
    assert in_process("rankeval gate") == 0
    shutil.copy(RUNS / "title.run", "dense/scifact.run")
    assert in_process("rankeval gate") == 1


@needs_make
@pytest.mark.usefixtures("project", "on_path")
@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_for_github_pass_and_fail(name):
    passed = stepped(WORKFLOWS[name])

    assert passed.returncode == 0, passed.stderr
    assert passed.stdout.partition("\n")[0].count("passed") == 1
    assert (
        Path("summary.md")
        .read_text()
        .startswith(f"### rankeval gate: {passed.stdout.partition(chr(10))[0]}")
    )
    assert Path(INSTALLED).read_text().split()[-1] == "./tools/rankeval"
    if name != "without a suite":
        assert problems("gate.xml") == []

    ranked("title")
    Path("summary.md").unlink()
    failed = stepped(WORKFLOWS[name])

    assert failed.returncode == 1
    suite = "" if name == "without a suite" else "commit%3A "
    assert f"::error title=rankeval gate%3A {suite}max-drop nDCG@10=5%25::" in failed.stdout
    assert "failed" in Path("summary.md").read_text().partition("\n")[0]


@needs_bash
@needs_make
@pytest.mark.usefixtures("project", "on_path")
def test_the_job_for_gitlab_passes_and_fails():
    job = GITLAB["gate"]
    script = "\n".join(job["script"])

    passed = called(script)
    assert passed.returncode == 0, passed.stderr
    assert Path(INSTALLED).read_text().split() == ["install", "./tools/rankeval"]
    assert problems(job["artifacts"]["reports"]["junit"]) == []
    for path in job["artifacts"]["paths"]:
        Path(path).unlink()

    ranked("title")
    failed = called(script)
    assert failed.returncode == 1
    assert "commit: failed: " in failed.stdout
    assert all(Path(path).exists() for path in job["artifacts"]["paths"])


# --- the action ---------------------------------------------------------------------------


def told_outputs():
    """Read what a step wrote to GITHUB_OUTPUT, by GitHub's rules for its lines."""
    lines = iter(Path("outputs.txt").read_text().split("\n")[:-1])
    told = {}
    for line in lines:
        plain, heredoc = line.find("="), line.find("<<")
        if heredoc >= 0 and not 0 <= plain < heredoc:
            name, end = line.split("<<", 1)
            told[name] = "\n".join(itertools.takewhile(end.__ne__, lines))
        else:
            name, told[name] = line.split("=", 1)
    Path("outputs.txt").unlink()
    return told


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_the_action_writes_its_reports_and_gives_outputs():
    words = "--suite commit --junit gate.xml --json gate.json --comment gate.md"
    assert acted({"arguments": words}).returncode == 0
    passed = told_outputs()
    ranked("title")
    assert acted({"arguments": words}).returncode == 1
    failed = told_outputs()

    assert problems("gate.xml") == []
    assert '"exit_code": 1' in Path("gate.json").read_text()
    assert (passed["passed"], passed["exit-code"]) == ("true", "0")
    assert passed["summary"].startswith("commit: passed: ")
    assert (failed["passed"], failed["exit-code"]) == ("false", "1")
    assert failed["summary"].startswith("commit: failed: ")
    values = {one["value"] for one in ACTION["outputs"].values()}
    assert values <= {f"${{{{ steps.gate.outputs.{name} }}}}" for name in failed}


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_inputs_of_the_action_are_data():
    hostile = acted({"arguments": "$(touch taken);touch taken #"})

    assert hostile.returncode == 2
    assert not Path("taken").exists()


@needs_bash
@pytest.mark.usefixtures("on_path")
def test_the_first_hour_runs_as_it_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    qrels = (ROOT / "examples" / "qrels" / "python-reference.qrels").read_text()
    Path("more.qrels").write_text(qrels)
    Path("qrels.txt").write_text("".join(qrels.splitlines(keepends=True)[:-20]))
    for name, run_file in {
        "production": "bm25",
        "worse": "title",
        "better": "lsa",
    }.items():
        shutil.copy(RUNS / f"{run_file}.run", f"{name}.run")
    as_author(monkeypatch)
    subprocess.run(["git", "init", "-q", "."], check=True)
    outcomes = [called(block) for block in blocks("bash")]

    assert [one.returncode for one in outcomes] == [0] * 6, [one.stderr for one in outcomes]
    (line,) = Path("history.jsonl").read_text().splitlines()
    assert json.loads(line)["error"]["message"].startswith("candidate.run: no such file")


def as_author(monkeypatch):
    for key, value in {"NAME": "n", "EMAIL": "n@example.org"}.items():
        monkeypatch.setenv(f"GIT_AUTHOR_{key}", value)
        monkeypatch.setenv(f"GIT_COMMITTER_{key}", value)
