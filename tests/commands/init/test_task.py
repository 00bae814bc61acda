"""`rankeval init` writes a gate that passes, and replaces nothing."""

import shlex
import tomllib

import pytest

import rankeval
from tests.support.gate_files import PERFECT, QRELS

yaml = pytest.importorskip("yaml")

INIT = ("init", "judgments.qrels", "runs/bm25.run")


@pytest.fixture
def project(shell):
    shell.path("runs").mkdir()
    shell.path("judgments.qrels").write_text(QRELS)
    shell.path("runs/bm25.run").write_text(PERFECT)
    return shell


def files_of(project):
    return {file for file in project.path(".").rglob("*") if file.is_file()}


def steps_of(project):
    """The commands of the workflow that init wrote."""
    workflow = yaml.safe_load(project.path(".github/workflows/ranking.yml").read_text())
    return [step["run"] for step in workflow["jobs"]["gate"]["steps"] if "run" in step]


def test_the_gate_that_it_writes_passes(project):
    done = project(*INIT)

    assert done.code == 0, done.err
    assert done.out.endswith("next: rankeval gate, and commit these files\n")
    (gate,) = [step for step in steps_of(project) if step.startswith("rankeval gate ")]
    assert project(*shlex.split(gate)[1:]).code == 0
    assert project("gate").code == 0
    suite = tomllib.loads(project.path("rankeval.toml").read_text())["suite"]["main"]
    assert (suite["qrels"], suite["runs"]) == (
        "judgments.qrels",
        [{"path": "runs/bm25.run", "name": "bm25"}],
    )


@pytest.mark.parametrize(
    ("words", "copy", "installed"),
    [
        ([], False, "rankeval-ir"),
        ([], True, "./tools/rankeval"),
        (["--install", "rankeval-ir==1.0"], True, "rankeval-ir==1.0"),
    ],
)
def test_the_workflow_installs_a_copy_or_what_is_named(project, words, copy, installed):
    if copy:
        project.path("tools/rankeval").mkdir(parents=True)

    assert project(*INIT, *words).code == 0
    assert f"pip install {installed}" in steps_of(project)


def test_a_worse_run_then_fails_and_no_baseline_and_new_judgments_work(project):
    assert project(*INIT).code == 0
    project.path("runs/prod.run").write_text(PERFECT)
    project.path("runs/bm25.run").write_text(PERFECT.replace(" r ", " other "))
    assert project("gate").code == 1
    assert project("gate", "--update-baseline").code == 1
    words = ("eval", "judgments.qrels", "runs/prod.run", "-q", "-o", "baselines/main.json")
    assert project(*words).code == 0


@pytest.mark.parametrize(
    "path", ["rankeval.toml", "baselines/main.json", ".github/workflows/ranking.yml"]
)
def test_no_file_is_replaced_and_none_is_written_then(project, path):
    project.path(path).parent.mkdir(parents=True, exist_ok=True)
    project.path(path).write_text("mine = 1\n")
    before = files_of(project)
    done = project(*INIT)

    assert done.code == 2
    assert project.path(path).read_text() == "mine = 1\n"
    assert files_of(project) == before


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--suite", "a/b"], "'a/b' is no name for a suite"),
        (["--max-drop", "nDCG@10"], "'nDCG@10' is not a rule"),
        (["--max-drop", "nonsense=2%"], "nonsense"),
    ],
)
def test_what_cannot_be_is_refused(project, words, problem):
    done = project(*INIT, *words)

    assert done.code == 2
    assert problem in done.err
    assert not project.path("rankeval.toml").exists()


def test_names_are_text_in_what_it_writes(shell):
    name = 'a"]\\ \x7f#\t.qrels'
    shell.path(name).write_text(QRELS)
    shell.path("x.run").write_text(PERFECT)

    assert shell("init", name, "x.run", "--suite", "a b", "--max-drop", "RR=0.1").code == 0
    suite = tomllib.loads(shell.path("rankeval.toml").read_text())["suite"]["a b"]
    assert (suite["qrels"], suite["baseline"]) == (name, "baselines/a b.json")
    assert suite["rules"] == {"max-drop": {"RR": 0.1}}
    assert shell("gate").code == 0


def test_a_gate_is_set_up_from_python(project):
    made = rankeval.init("judgments.qrels", "runs/bm25.run", max_drop="AP=2%")

    assert {*made.written} == {
        "rankeval.toml",
        ".github/workflows/ranking.yml",
        "baselines/main.json",
    }
    assert repr(made).splitlines()[0].startswith("wrote rankeval.toml ")
    suite = tomllib.loads(project.path("rankeval.toml").read_text())["suite"]["main"]
    assert suite["rules"] == {"max-drop": {"AP": "2%"}}
    kept = rankeval.load("baselines/main.json")
    assert kept["bm25"]["AP"] == made.results["bm25"]["AP"]
    assert project("gate").code == 0
