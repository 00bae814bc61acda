"""All suites of a file, or some: one report, one exit code."""

import pytest

from tests.support.gate_files import PERFECT, QRELS, worse_on

TOP = 'qrels = "qrels.txt"\nbaseline = "base.txt"\nruns = ["candidate.txt"]\n'
KEPT = "[suite.kept.rules]\nmax-drop = { RR = 0.2 }\n"
BROKEN = "[suite.broken.rules]\nmax-drop = { RR = 0.01 }\nmin = { RR = 0.5 }\n"
LOST = '[suite.lost]\nruns = ["nowhere.txt"]\nrules.min = { RR = 0.5 }\n'


@pytest.fixture
def suites(shell):
    """Write suites to rankeval.toml, and run the gate with options."""
    shell.write(qrels=QRELS, base=PERFECT, candidate=worse_on(4))

    def call(toml, *options):
        shell.path("rankeval.toml").write_text(TOP + toml)
        return shell("gate", *options)

    call.shell = shell
    return call


@pytest.mark.parametrize(
    ("toml", "code", "headline"),
    [
        (KEPT, 0, "kept: passed: candidate vs. baseline perfect, 20 topics"),
        (KEPT + BROKEN, 1, "failed 1 of 2 suites: broken"),
        (KEPT + LOST, 2, "cannot judge lost"),
        (
            KEPT + BROKEN + LOST,
            2,
            "failed 1 of 3 suites: broken; cannot judge lost",
        ),
    ],
)
def test_all_suites_are_judged_and_the_worst_exit_code_counts(suites, toml, code, headline):
    outcome = suites(toml)

    assert (outcome.code, outcome.out.splitlines()[0]) == (code, headline)


def test_annotations_name_the_suite(suites):
    told = suites(BROKEN + LOST, "--github").out

    assert "::error title=rankeval gate%3A broken%3A max-drop RR=0.01::" in told
    assert "::error title=rankeval gate%3A lost::nowhere.txt: no such file" in told


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--suite", "kept", "--suite", "keptt"], "has no suite 'keptt'"),
        (["--json", "candidate.txt"], "the output would overwrite this input"),
    ],
)
def test_what_cannot_be_done_for_several_suites_is_refused(suites, options, told):
    outcome = suites(KEPT + BROKEN, *options)

    assert outcome.code == 2
    assert told in outcome.err
    assert suites.shell.path("candidate.txt").read_text() == worse_on(4)


# --- what is wrong in a file of suites ------------------------------------------------------


@pytest.mark.parametrize("key", ["qrels", "baseline", "golden", "group", "runs", "list"])
@pytest.mark.parametrize("options", [(), ("--update-baseline",)])
def test_an_empty_text_is_no_path(suites, key, options):
    line = 'runs = ["candidate.txt", ""]' if key == "list" else f'{key} = ""'
    outcome = suites(f"[suite.a]\n{line}\nrules.min = {{ RR = 0.5 }}\n", *options)

    named = "runs" if key == "list" else key
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == f"rankeval: rankeval.toml: [suite.a]: {named} is ''\n  expected: a path\n"


@pytest.mark.parametrize("options", [(), ("--update-baseline",)])
@pytest.mark.parametrize(
    ("toml", "place"),
    [
        ("[suite.a]\nrules.min = { 'nDGC@10' = 0.5 }\n", "[suite.a.rules]: min: "),
    ],
)
def test_a_wrong_measure_names_the_file_and_the_table(suites, toml, place, options):
    baseline = suites.shell.path("new.json")
    outcome = suites(toml.replace("[suite.a]\n", "[suite.a]\nbaseline = 'new.json'\n"), *options)

    assert outcome.code == 2
    assert f"rankeval.toml: {place}unknown measure 'nDGC'" in outcome.err
    assert not baseline.exists()


def test_all_baselines_are_updated_or_none(suites):
    saved = ("eval", "qrels.txt", "base.txt", "-m", "RR", "-q", "-o")
    for name in ("one.json", "two.json"):
        suites.shell(*saved, name)
    toml = "".join(
        f'[suite.{name}]\nbaseline = "{name}.json"\nrules.max-drop = {{ RR = {limit} }}\n'
        for name, limit in (("one", 0.5), ("two", 0.01))
    )
    before = suites.shell.path("one.json").read_text()

    refused = suites(toml, "--update-baseline")
    assert (refused.code, suites.shell.path("one.json").read_text()) == (1, before)
    assert "no baseline was changed" in refused.out

    forced = suites(toml, "--update-baseline", "--force")
    assert (forced.code, forced.out.count("stored ")) == (0, 2)
    assert suites(toml).code == 0
