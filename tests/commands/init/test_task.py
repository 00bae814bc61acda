"""`rankeval init` writes a gate that passes, and replaces nothing."""

import shlex
import tomllib

import pytest

from tests.support.gate_files import PERFECT, QRELS, worse_on

yaml = pytest.importorskip("yaml")

INIT = ("init", "judgments.qrels", "runs/bm25.run", "runs/new.run")
FROM = ("--requirement", "rankeval-ir==1.0")


@pytest.fixture
def project(shell):
    shell.path("runs").mkdir()
    shell.path("judgments.qrels").write_text(QRELS)
    shell.path("runs/bm25.run").write_text(PERFECT)
    return shell


def files_of(project):
    return {file for file in project.path(".").rglob("*") if file.is_file()}


def steps_of(project):
    """The commands of the workflow that init wrote, and what it uploads."""
    workflow = yaml.safe_load(project.path(".github/workflows/ranking.yml").read_text())
    steps = workflow["jobs"]["gate"]["steps"]
    assert [one["with"]["path"] for one in steps if "upload" in one.get("uses", "")] == ["gate.xml"]
    return [step["run"] for step in steps if "run" in step]


def test_the_gate_that_it_writes_passes_and_then_fails_on_a_run_that_lost_a_quarter(project):
    done = project(*INIT, *FROM)

    assert done.code == 0, done.err
    assert done.out.endswith("next: rankeval gate, and commit these files\n")
    install, gate = steps_of(project)
    assert install == 'pip install "rankeval-ir==1.0"'
    project.path("runs/new.run").write_text(PERFECT)
    assert project(*shlex.split(gate)[1:]).code == 0
    project.path("runs/new.run").write_text(
        worse_on(10, ranking="x r y")
    )  # RR of half of them: 1/2
    failed = project(*shlex.split(gate)[1:])
    assert failed.code == 1
    # The production run and the candidate are two files, so that diff shows the worst topic.
    assert "next: rankeval diff judgments.qrels runs/bm25.run runs/new.run t01" in failed.out
    assert 'failures="1"' in project.path("gate.xml").read_text()
    suite = tomllib.loads(project.path("rankeval.toml").read_text())["suite"]["main"]
    assert (suite["qrels"], suite["runs"]) == ("judgments.qrels", ["new=runs/new.run"])


def test_without_anything_to_install_nothing_is_written(project):
    before = files_of(project)
    done = project(*INIT)

    assert (done.code, files_of(project)) == (2, before)
    assert "--requirement rankeval-ir" in done.err


def test_a_job_of_gitlab_has_the_same_steps(project):
    assert project(*INIT, *FROM, "--ci", "gitlab").code == 0

    job = yaml.safe_load(project.path(".gitlab-ci.yml").read_text())["gate"]
    assert job["script"] == ['pip install "rankeval-ir==1.0"', "rankeval gate --junit gate.xml"]
    assert job["artifacts"] == {"when": "always", "reports": {"junit": "gate.xml"}}
    assert not project.path(".github").exists()


@pytest.mark.parametrize(
    "path", ["rankeval.toml", "baselines/main.json", ".github/workflows/ranking.yml"]
)
def test_no_file_is_replaced_and_none_is_written_then(project, path):
    project.path(path).parent.mkdir(parents=True, exist_ok=True)
    project.path(path).write_text("mine = 1\n")
    before = files_of(project)
    done = project(*INIT, *FROM)

    assert done.code == 2
    assert project.path(path).read_text() == "mine = 1\n"
    assert files_of(project) == before


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--max-drop", "nDCG@10"], "'nDCG@10' is not a rule"),
        (["--max-drop", "nonsense=2%"], "nonsense"),
    ],
)
def test_what_cannot_be_is_refused(project, words, problem):
    done = project(*INIT, *FROM, *words)

    assert done.code == 2
    assert problem in done.err
    assert not project.path("rankeval.toml").exists()


def test_names_are_text_in_what_it_writes(shell):
    name = 'a"]\\ \x7f#\t.qrels'
    shell.path(name).write_text(QRELS)
    shell.path("x.run").write_text(PERFECT)

    assert shell("init", name, "x.run", "y.run", *FROM, "--max-drop", "RR=0.1").code == 0
    suite = tomllib.loads(shell.path("rankeval.toml").read_text())["suite"]["main"]
    assert (suite["qrels"], suite["baseline"]) == (name, "baselines/main.json")
    assert suite["rules"] == {"max-drop": {"RR": "0.1"}}
    shell.path("y.run").write_text(PERFECT)
    assert shell("gate").code == 0
