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
PAGES = (ROOT / "docs" / name for name in ("ci.md", "ci-suites.md", "ci-setups.md"))
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
    shutil.copy(RUNS / "bm25.run", "main.run")
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


GITHUB = {
    "github.event.pull_request.number": "7",
    "github.repository": "us/ranking",
    "github.token": "secret",
}


def filled(text, inputs):
    """Put the inputs of an action, and the place where it stands, into an expression."""
    known = {f"inputs.{name}": value for name, value in inputs.items()}
    known["github.action_path"] = "./tools/rankeval"
    known |= GITHUB
    return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: known[found[1]], text)


def acted(given):
    """Run the steps of action.yml with some inputs, and give the outcome of the gate's."""
    assert set(given) <= set(ACTION["inputs"])
    inputs = {name: one["default"] for name, one in ACTION["inputs"].items()} | given
    for step in ACTION["runs"]["steps"]:
        if "if" in step:
            continue  # see `commented`
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


@needs_bash
def test_the_suite_over_collections_of_the_page_passes_and_fails(project):
    _, suite = blocks("toml")
    (project / "baselines").mkdir()
    qrels = 'qrels = "qrels.txt"\n'
    tables = "".join(f"[collection.{name}]\n" for name in ("scifact", "other"))
    Path("beir.toml").write_text(f'{qrels}runs = {{ dense = "candidate.run" }}\n{tables}')
    Path("rankeval.toml").write_text(suite)

    assert in_process("rankeval gate --update-baseline") == 0
    assert in_process("rankeval gate") == 0
    ranked("title")
    assert in_process("rankeval gate") == 1


@needs_make
@pytest.mark.usefixtures("project", "on_path")
@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_for_github_pass_and_fail(name):
    passed = stepped(WORKFLOWS[name])

    assert passed.returncode == 0, passed.stderr
    assert passed.stdout.startswith("PASS")
    assert Path("summary.md").read_text().startswith("### rankeval gate: PASS")
    assert Path(INSTALLED).read_text().split()[-1] == "./tools/rankeval"
    if name != "without a suite":
        assert problems("gate.xml") == []

    ranked("title")
    Path("summary.md").unlink()
    failed = stepped(WORKFLOWS[name])

    assert failed.returncode == 1
    suite = "" if name == "without a suite" else "commit%3A "
    assert f"::error title=rankeval gate%3A {suite}max-drop nDCG@10=5%25::" in failed.stdout
    assert Path("summary.md").read_text().startswith("### rankeval gate: FAIL")


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
    assert "FAIL: " in failed.stdout
    assert all(Path(path).exists() for path in job["artifacts"]["paths"])


@needs_make
@pytest.mark.usefixtures("project", "on_path")
def test_the_makefile_of_the_page_stops_at_a_closed_gate():
    Path("Makefile").write_text(blocks("make")[0])

    def make(target):
        return subprocess.run(["make", target], capture_output=True, check=False, text=True)

    assert make("gate").returncode == 0
    assert Path("gate.json").exists()
    ranked("title")
    stopped = make("gate")
    assert stopped.returncode == 2
    assert "FAIL" in stopped.stdout
    assert not Path("gate.json").exists()
    ranked("lsa")
    assert make("promote").returncode == 0
    assert Path("baseline.json").exists()


@pytest.mark.usefixtures("project")
def test_python_of_the_page_prints_outcomes(capsys):
    (program,) = blocks("python")

    exec(compile(program, "ci.md", "exec"), {})

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("max-drop nDCG@10=5% True -0.0")
    assert lines[-1] == "0"


# --- the action ---------------------------------------------------------------------------


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_the_action_writes_its_reports():
    passed = acted({"suite": "commit", "junit": "gate.xml", "json": "gate.json"})

    assert (passed.returncode, passed.stdout.split(":")[0]) == (0, "PASS")
    assert problems("gate.xml") == []
    assert '"exit_code": 0' in Path("gate.json").read_text()
    assert Path("summary.md").read_text().startswith("### rankeval gate: PASS")


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_the_action_fails_with_2_where_it_cannot_tell():
    assert acted({"suite": "comit"}).returncode == 2
    assert acted({"qrels": "qrels.txt"}).returncode == 2


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_inputs_of_the_action_are_data():
    hostile = acted({"suite": "$(touch taken); touch taken #", "rules": "min RR=$(touch taken)"})

    assert hostile.returncode == 2
    assert not Path("taken").exists()


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
    return told


def outputs():
    """The outputs of the action, as its step wrote them."""
    told = told_outputs()
    Path("outputs.txt").unlink()
    values = {name: one["value"] for name, one in ACTION["outputs"].items()}
    steps = {step.get("id") for step in ACTION["runs"]["steps"]}
    assert {text.split(".")[1] for text in values.values()} <= steps
    return {name: told[text.split(".")[-1].rstrip(" }")] for name, text in values.items()}


FILES = {"qrels": "qrels.txt", "baseline": "baseline.json", "candidate": "candidate.run"}


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_the_action_takes_rules_of_every_kind_and_comments():
    rules = """
      # what must hold
      max-drop nDCG@10=5%   # of the baseline's mean
      min   R@100=0.1
    \tmax RR=1
      max-topic-drop nDCG@10=1
    """

    passed = acted({**FILES, "rules": rules, "json": "gate.json"})

    assert (passed.returncode, passed.stdout.split(":")[0]) == (0, "PASS"), passed.stderr
    kept = [rule["rule"] for rule in json.loads(Path("gate.json").read_text())["rules"]]
    assert kept == [
        "max-drop nDCG@10=5%",
        "min R@100=0.1",
        "max RR=1",
        "max-topic-drop nDCG@10=1",
    ]


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
@pytest.mark.parametrize(
    "rule", ["junit taken.xml", "config=x.toml", "--min RR=0", "quiet", "mix RR=1"]
)
def test_the_action_takes_nothing_else_for_a_rule(rule):
    refused = acted({**FILES, "rules": f"min RR=0.1\n{rule}", "junit": "gate.xml"})

    assert refused.returncode == 2
    assert "no kind of rule is called" in refused.stderr
    assert not Path("taken.xml").exists()
    assert "<error" in Path("gate.xml").read_text()
    assert outputs()["exit-code"] == "2"


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_the_action_gives_outputs():
    assert acted({"suite": "commit"}).returncode == 0
    passed = outputs()
    ranked("title")
    assert acted({"suite": "commit"}).returncode == 1
    failed = outputs()

    assert (passed["passed"], passed["exit-code"]) == ("true", "0")
    assert passed["summary"].startswith("PASS: ")
    assert (failed["passed"], failed["exit-code"]) == ("false", "1")
    assert failed["summary"].startswith("FAIL: ")
    statuses = [json.loads(one["suites"]) for one in (passed, failed)]
    assert statuses == [{"commit": "passed"}, {"commit": "failed"}]


HOSTILE = [
    "rrf\npassed=true\ncomment=/etc/hostname",
    "rrf\nEOF\npassed=true",
    "rrf\r\npassed<<E\r\ntrue\r\nE",
    "rrf\n}\n::set-output name=passed::true\x85passed=true\u2028passed=true",
]


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_of_a_run_adds_no_output_of_the_action(name):
    ranked("title")
    in_process('rankeval eval qrels.txt candidate.run -q -m "nDCG@10" -o candidate.json')
    saved = json.loads(Path("candidate.json").read_text())
    saved["runs"][0]["name"] = name
    Path("candidate.json").write_text(json.dumps(saved))

    files = FILES | {"candidate": "candidate.json", "comment": "gate.md", "json": "gate.json"}
    assert acted({**files, "rules": "max-drop nDCG@10=0.001"}).returncode == 1

    assert name in json.loads(Path("gate.json").read_text())["summary"]
    told = told_outputs()
    summary = told.pop("summary")
    assert summary.startswith("FAIL: rrf ")
    assert summary.isprintable()
    assert told == {
        "passed": "false",
        "exit-code": "1",
        "report": "gate.json",
        "suites": '{"": "failed"}',
        "comment": "gate.md",
        "post": "false",
    }


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_a_path_of_the_action_adds_no_output():
    given = {**FILES, "rules": "min RR=1", "json": "gate.json\npassed=true", "junit": "a.xml"}
    acted(given)

    names = {"passed", "exit-code", "report", "suites", "summary", "comment", "post"}
    assert set(told_outputs()) == names
    assert outputs()["passed"] == "false"


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_the_action_judges_all_suites_and_appends_to_a_history():
    acted({"all-suites": "true", "append": "history.jsonl", "comment": "gate.md"})
    lines = map(json.loads, Path("history.jsonl").read_text().splitlines())

    assert [one["suite"] for one in lines] == ["commit", "nightly"]
    assert Path("gate.md").read_text().startswith("<!-- rankeval gate -->\n")
    told = outputs()
    assert told["comment"] == "gate.md"
    assert json.loads(told["suites"]).keys() == {"commit", "nightly"}


GH = """
import json, os, sys
words = sys.argv[1:]
with open("calls.jsonl", "a") as log:
    body = [open(word[6:]).read() for word in words if word.startswith("body=@")]
    token, marker = os.environ.get("GH_TOKEN"), os.environ.get("MARKER")
    print(json.dumps({"words": words, "body": body, "token": token, "marker": marker}), file=log)
if os.path.exists("forbidden"):
    sys.exit("gh: Resource not accessible by integration (HTTP 403)")
if "--jq" in words and os.path.exists("ids.txt"):
    print(open("ids.txt").read())
"""
"""A stand-in for gh: it notes each call, and finds the comments whose ids are in ids.txt."""


def commented():
    """Run the step that keeps a comment, with a stand-in for gh; return its outcome and calls."""
    (step,) = [one for one in ACTION["runs"]["steps"] if "if" in one]
    gh = Path("bin") / "gh"
    Path("gh.py").write_text(GH)
    gh.write_text(f'#!/bin/sh\nexec "{sys.executable}" gh.py "$@"\n')
    gh.chmod(gh.stat().st_mode | stat.S_IEXEC)
    told = told_outputs()
    given = {f"steps.gate.outputs.{name}": value for name, value in told.items()} | GITHUB
    environment = {
        name: re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: given[found[1]], text)
        for name, text in step["env"].items()
    }
    assert "${{" not in step["run"]
    assert "steps.gate.outputs.post == 'true'" in step["if"]
    outcome = called(step["run"], **environment)
    log = Path("calls.jsonl")
    calls = [json.loads(line) for line in log.read_text().splitlines()]
    log.unlink()
    return outcome, calls


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_the_action_keeps_one_comment_on_the_pull_request():
    assert acted({"suite": "commit", "pull-request-comment": "true"}).returncode == 0
    first, (asked, posted) = commented()
    Path("ids.txt").write_text("41\n42\n")
    again, (_, changed) = commented()
    everywhere = "repos/us/ranking/issues"

    assert (first.returncode, again.returncode) == (0, 0)
    assert asked["words"][:3] == ["api", "--paginate", f"{everywhere}/7/comments"]
    assert "startswith(env.MARKER)" in asked["words"][-1]
    assert asked["marker"] == "<!-- rankeval gate: commit -->"
    assert posted["words"][:4] == ["api", "-X", "POST", f"{everywhere}/7/comments"]
    assert changed["words"][:4] == ["api", "-X", "PATCH", f"{everywhere}/comments/41"]
    for call in (posted, changed):
        assert call["token"] == "secret"
        (body,) = call["body"]
        assert body.startswith(asked["marker"] + "\n### rankeval gate: commit: PASS")


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_the_action_touches_no_comment_where_none_was_written():
    """Without a marker, every comment of a bot would begin with it."""
    acted({"suite": "commit", "pull-request-comment": "true"})
    Path("ids.txt").write_text("41\n")
    Path("calls.jsonl").touch()
    Path(told_outputs()["comment"]).write_text("")
    outcome, calls = commented()

    assert (outcome.returncode, calls) == (0, [])


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_a_comment_that_may_not_be_posted_is_a_warning():
    acted({"suite": "commit", "pull-request-comment": "true"})
    Path("forbidden").touch()
    outcome, calls = commented()

    assert (outcome.returncode, len(calls)) == (0, 1)
    assert outcome.stdout.startswith("::warning title=rankeval gate::")


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_the_action_judges_a_lone_candidate_and_several():
    shutil.copy(RUNS / "title.run", "worse run.txt")

    lone = acted({"suite": "commit", "candidate": "worse run.txt"})
    several = acted(
        {
            "suite": "commit",
            "config": "rankeval.toml",
            "candidate": "candidate.run\n\nworse run.txt\n",
            "measures": "RR\nR@100",
        }
    )

    assert (lone.returncode, several.returncode) == (1, 1)
    assert lone.stdout.startswith("FAIL: title against bm25"), lone.stdout
    assert several.stdout.startswith("FAIL: rrf and title against bm25")
    assert "no rule" in several.stdout


@needs_bash
@pytest.mark.usefixtures("on_path")
def test_the_first_hour_runs_as_it_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    qrels = (ROOT / "examples" / "qrels" / "python-reference.qrels").read_text()
    Path("more.qrels").write_text(qrels)
    Path("qrels.txt").write_text("".join(qrels.splitlines(keepends=True)[:-20]))
    for name, run_file in {
        "bm25": "bm25",
        "worse": "title",
        "fixed": "bm25",
        "better": "lsa",
    }.items():
        shutil.copy(RUNS / f"{run_file}.run", f"{name}.run")
    as_author(monkeypatch)
    subprocess.run(["git", "init", "-q", "."], check=True)
    outcomes = [called(block) for block in blocks("bash")]

    assert [one.returncode for one in outcomes] == [0] * 6, outcomes
    assert len(Path("rankeval-history.jsonl").read_text().splitlines()) == 1


def as_author(monkeypatch):
    for key, value in {"NAME": "n", "EMAIL": "n@example.org"}.items():
        monkeypatch.setenv(f"GIT_AUTHOR_{key}", value)
        monkeypatch.setenv(f"GIT_COMMITTER_{key}", value)


@needs_bash
@pytest.mark.usefixtures("project", "on_path")
def test_jobs_side_by_side_lose_no_line_of_the_history_on_a_branch(monkeypatch):
    """Two jobs begin the branch at once, and two more append to it; a duplicate counts once."""
    as_author(monkeypatch)
    files = ["qrels.txt", "baseline.json", "candidate.run", "rankeval.toml"]
    assert all(Path(name).exists() for name in files)
    for words in (
        "git init -q -b main .",
        f"git add {' '.join(files)}",
        "git commit -q -m all",
        "git init -q --bare origin.git",
        "git remote add origin origin.git",
        "git push -q origin main",
        "git clone -q -b main origin.git one",
        "git clone -q -b main origin.git two",
    ):
        assert called(words).returncode == 0, words
    here = Path.cwd()
    for turn in range(2):
        jobs = []
        for name in ("one", "two"):
            monkeypatch.chdir(here / name)
            monkeypatch.setenv("GITHUB_SHA", f"{name}{turn}")
            jobs.append(subprocess.Popen([*SHELL, BRANCH], stdout=subprocess.DEVNULL))
        assert [job.wait() for job in jobs] == [0, 0]
    monkeypatch.chdir(here)
    assert called("git clone -q -b rankeval-history origin.git history").returncode == 0

    lines = Path("history/rankeval-history.jsonl").read_text().splitlines()
    assert "<<<<" not in "".join(lines)
    suites = [json.loads(line)["suite"] for line in lines]
    assert sorted(suites) == sorted(["commit", "nightly"] * (len(suites) // 2))
    assert len({*lines}) == len(lines) == 8
