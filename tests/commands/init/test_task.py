"""`rankeval init` writes a gate that passes, and replaces nothing."""

import re
import shlex
import subprocess
import tomllib

import pytest

import rankeval
from tests.support.gate_files import PERFECT, QRELS

yaml = pytest.importorskip("yaml")


@pytest.fixture
def project(shell):
    shell.path("runs").mkdir()
    shell.path("judgments.qrels").write_text(QRELS)
    shell.path("runs/bm25.run").write_text(PERFECT)
    shell.path("README.md").write_text("# nothing to see\n\none two three 4\n")
    return shell


def commands_of(project, ci):
    """The commands of rankeval in what init wrote."""
    if ci == "make":
        rules = project.path("ranking.mk").read_text()
        return re.findall(r"^gate:\n\t\$\(RANKEVAL\) (.*)$", rules, re.MULTILINE)
    path = {"github": ".github/workflows/ranking.yml", "gitlab": ".gitlab-ci.yml"}[ci]
    document = yaml.safe_load(project.path(path).read_text())
    gate = document["jobs"]["gate"]["steps"] if ci == "github" else document["gate"]["script"]
    lines = [step.get("run", "") if isinstance(step, dict) else step for step in gate]
    return [line.removeprefix("rankeval ") for line in lines if line.startswith("rankeval ")]


@pytest.mark.parametrize("ci", ["github", "gitlab", "make"])
def test_what_it_writes_from_the_files_at_hand_passes(project, ci):
    done = project("init", "--ci", ci)

    assert done.code == 0, done.err
    assert done.out.endswith("next: rankeval gate, and commit these files\n")
    (command,) = commands_of(project, ci)
    assert project(*shlex.split(command)).code == 0
    assert project("gate").code == 0
    suite = tomllib.loads(project.path("rankeval.toml").read_text())["suite"]["main"]
    assert (suite["qrels"], suite["runs"]) == (
        "judgments.qrels",
        [{"path": "runs/bm25.run", "name": "bm25"}],
    )


def test_a_worse_run_then_fails_and_no_baseline_and_new_judgments_work(project):
    assert project("init").code == 0
    project.path("runs/prod.run").write_text(PERFECT)
    project.path("runs/bm25.run").write_text(PERFECT.replace(" r ", " other "))
    assert project("gate").code == 1
    assert project("gate", "--update-baseline").code == 1
    words = ("eval", "judgments.qrels", "runs/prod.run", "-q", "-o", "baselines/main.json")
    assert project(*words).code == 0


def test_git_merges_the_history_and_attributes_that_are_there_stay(project):
    project.path(".gitattributes").write_text("*.run -diff")
    assert project("init").code == 0

    assert project.path(".gitattributes").read_text().splitlines() == [
        "*.run -diff",
        "rankeval-history.jsonl merge=union",
    ]


@pytest.mark.parametrize(
    "path", ["rankeval.toml", "baselines/main.json", ".github/workflows/ranking.yml"]
)
def test_no_file_is_replaced_and_none_is_written_then(project, path):
    project.path(path).parent.mkdir(parents=True, exist_ok=True)
    project.path(path).write_text("mine = 1\n")
    before = {file for file in project.path(".").rglob("*") if file.is_file()}
    done = project("init")

    assert done.code == 2
    assert project.path(path).read_text() == "mine = 1\n"
    assert {file for file in project.path(".").rglob("*") if file.is_file()} == before


def test_several_files_have_to_be_named(project):
    project.path("runs/dense.run").write_text(PERFECT)
    refused = project("init")

    assert refused.code == 2
    assert "runs/bm25.run, runs/dense.run" in refused.err
    assert project("init", "judgments.qrels", "runs/dense.run").code == 0


def test_files_without_telling_names_are_known_by_their_lines(shell):
    shell.path("truth.txt").write_text(QRELS)
    shell.path("ranking.txt").write_text(PERFECT)

    assert shell("init", "--suite", "a b", "--max-drop", "RR=0.1").code == 0
    suite = tomllib.loads(shell.path("rankeval.toml").read_text())["suite"]["a b"]
    assert (suite["qrels"], suite["baseline"]) == ("truth.txt", "baselines/a b.json")
    assert suite["rules"] == {"max-drop": {"RR": 0.1}}
    assert shell("gate").code == 0


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--ci", "jenkins"], "jenkins"),
        (["--suite", "a/b"], "'a/b' is no name for a suite"),
        (["--max-drop", "nDCG@10"], "'nDCG@10' is not a rule"),
        (["--max-drop", "nonsense=2%"], "nonsense"),
    ],
)
def test_what_cannot_be_is_refused(project, words, problem):
    done = project("init", *words)

    assert done.code == 2
    assert problem in done.err
    assert not project.path("rankeval.toml").exists()


def test_names_are_text_in_what_it_writes(shell):
    name = 'a"]\\ \x7f#\t.qrels'
    shell.path(name).write_text(QRELS)
    shell.path("x.run").write_text(PERFECT)

    assert shell("init").code == 0
    (suite,) = tomllib.loads(shell.path("rankeval.toml").read_text())["suite"].values()
    assert suite["qrels"] == name
    assert shell("gate").code == 0


def test_no_files_are_said(shell):
    done = shell("init")

    assert done.code == 2
    assert "found judgments: none here" in done.err


def test_a_terminal_is_asked_four_questions(project, monkeypatch):
    asked = []

    def answer(question, default, err):
        asked.append((question, default))
        assert err
        return {"Largest drop of the mean": "RR=1%"}.get(question, default)

    monkeypatch.setattr("typer.prompt", answer)
    monkeypatch.setattr("rankeval.commands.init.command._can_ask", lambda: True)
    done = project("init")

    assert done.code == 0
    assert [default for _, default in asked] == [
        "judgments.qrels",
        "runs/bm25.run",
        "nDCG@10=5%",
        "github",
    ]
    assert 'max-drop = { "RR" = "1%" }' in project.path("rankeval.toml").read_text()


def test_git_takes_what_it_writes(project):
    subprocess.run(["git", "init", "-q", "."], check=True, cwd=project.path("."))
    assert project("init").code == 0
    told = subprocess.run(
        ["git", "check-attr", "merge", "rankeval-history.jsonl"],
        check=True,
        cwd=project.path("."),
        capture_output=True,
        text=True,
    )
    assert told.stdout.strip() == "rankeval-history.jsonl: merge: union"


def test_a_gate_is_set_up_in_another_folder_from_python(shell):
    shell.path("web/runs").mkdir(parents=True)
    shell.path("web/judgments.txt").write_text(QRELS)  # found by its first line
    shell.path("web/runs/bm25.txt").write_text(PERFECT)

    made = rankeval.init(folder="web", max_drop="AP=2%", ci="make")

    assert {*made.written} == {
        "web/rankeval.toml",
        "web/ranking.mk",
        "web/.gitattributes",
        "web/baselines/main.json",
    }
    assert repr(made).splitlines()[0].startswith("wrote web/rankeval.toml ")
    suite = tomllib.loads(shell.path("web/rankeval.toml").read_text())["suite"]["main"]
    assert suite["qrels"] == "judgments.txt"
    assert suite["runs"][0]["path"] == "runs/bm25.txt"
    assert suite["rules"] == {"max-drop": {"AP": "2%"}}
    kept = rankeval.load("web/baselines/main.json")
    assert kept["bm25"]["AP"] == made.results["bm25"]["AP"]
    assert shell("gate", "--config", "web/rankeval.toml").code == 0


def test_files_are_named_from_here_and_written_from_the_folder(shell):
    shell.path("web").mkdir()
    shell.path("data").mkdir()
    shell.path("data/q.qrels").write_text(QRELS)
    shell.path("data/b.run").write_text(PERFECT)

    rankeval.init(shell.path("data/q.qrels"), "data/b.run", folder="web")

    suite = tomllib.loads(shell.path("web/rankeval.toml").read_text())["suite"]["main"]
    assert suite["qrels"] == str(shell.path("data/q.qrels"))
    assert suite["runs"][0]["path"] == "../data/b.run"
    assert shell("gate", "--config", "web/rankeval.toml").code == 0


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"ci": "jenkins"}, rankeval.UsageError, "a gate does not run in 'jenkins'"),
        ({"folder": "nowhere"}, rankeval.UsageError, "found judgments: none here"),
        (
            {"qrels": {"q1": {"d1": 1}}},
            rankeval.UsageError,
            "judgments is of the type dict",
        ),
        ({"suite": "a/b"}, rankeval.UsageError, "'a/b' is no name for a suite"),
        ({"max_drop": "nDCG@10"}, rankeval.RankevalError, "nDCG@10"),
    ],
)
def test_errors_write_nothing(project, keywords, error, message):
    before = {file for file in project.path(".").rglob("*") if file.is_file()}

    with pytest.raises(error) as refused:
        rankeval.init(**keywords)

    assert message in str(refused.value)
    assert {file for file in project.path(".").rglob("*") if file.is_file()} == before
