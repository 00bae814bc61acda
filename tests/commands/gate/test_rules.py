"""Which rules a gate tests, in which families, and what becomes of topics without a value."""

import pytest

from tests.support.files import run_of
from tests.support.gate_files import PERFECT, QRELS, TOPICS, judged, worse_on
from tests.support.junit_schema import problems


@pytest.fixture
def gate(shell):
    """Run the gate on the files above; the candidates are given as texts."""
    shell.write(qrels=QRELS, base=PERFECT)

    def call(candidates, *arguments):
        texts = [candidates] if isinstance(candidates, str) else candidates
        names = [f"candidate{i}" for i in range(len(texts))]
        shell.write(**dict(zip(names, texts, strict=True)))
        files = ("qrels.txt", "base.txt", *(f"{name}.txt" for name in names))
        return shell("gate", *files, *arguments)

    call.shell = shell
    return call


def written(gate, name="g.json"):
    return judged(gate.shell.path(name).read_text())


# --- one rule, one measure ----------------------------------------------------------------


def test_an_alias_takes_the_place_of_a_rule_of_the_suite(gate):
    gate.shell.write(candidate=worse_on(2))
    gate.shell.path("rankeval.toml").write_text(
        'qrels = "qrels.txt"\nbaseline = "base.txt"\nruns = ["candidate.txt"]\n'
        "[rules]\nmax-drop = { RR = 0.01 }\n"
        "[suite.a.rules]\nmax-drop = { recip_rank = 0.04 }\n"
    )

    assert gate.shell("gate", "--suite", "a", "--json", "g.json").code == 1
    assert [rule["rule"] for rule in written(gate)["rules"]] == ["max-drop RR=0.04"]
    assert gate.shell("gate", "--suite", "a", "--max-drop", "mrr=0.05").code == 0


# --- limits that a measure can reach ------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "rule", "meant"),
    [
        ("max-drop", "nDCG@10=5", "did you mean nDCG@10=5%"),
        ("max-topic-drop", "nDCG@10=50", "did you mean nDCG@10=50%"),
        ("max-drop", "nDCG@10=200%", "did you mean nDCG@10=2%"),
        ("max-topic-drop", "RR=101%", "from 0 to 1"),
        ("min", "R@100=80", "did you mean R@100=0.8"),
        ("min", "R@100=1.01", "from 0 to 1"),
        ("max", "RR=-0.1", "from 0 to 1"),
    ],
)
def test_a_limit_that_cannot_be_reached_is_refused(gate, kind, rule, meant):
    outcome = gate(PERFECT, f"--{kind}", rule)

    assert (outcome.code, outcome.out) == (2, "")
    assert f"--{kind}: the limit of '{kind} {rule}' cannot be reached" in outcome.err
    assert meant in outcome.err


# --- topics that have a value on one side only --------------------------------------------

EVERY_POLICY = ("observed", "not-shown-worse", "shown-not-worse")


def judged_ranking(count_lost, tag="c"):
    """Rankings of one relevant and two other documents, without a relevant one in some topics."""
    rankings = {t: "x y" if i < count_lost else "r x y" for i, t in enumerate(TOPICS)}
    return run_of(tag, **rankings)


@pytest.mark.parametrize("policy", EVERY_POLICY)
@pytest.mark.parametrize("n_lost", [1, 10, 17])
def test_topics_that_lose_their_value_close_the_gate(gate, policy, n_lost):
    rules = ("--max-drop", "AUC=0.5", "--max-topic-drop", "AUC=1", "--min", "AUC=0.1")
    outcome = gate(
        judged_ranking(n_lost),
        *(*rules, "--policy", policy),
        *("--json", "g.json", "--junit", "g.xml", "--github", "-o", "g.md"),
    )

    drop, floor, topic_drop = written(gate)["rules"]
    assert outcome.code == 1
    assert (drop["passed"], topic_drop["passed"], floor["passed"]) == (False, False, True)
    assert drop["verdict"] == "inconclusive"
    lost = TOPICS[:n_lost]
    assert drop["lost"] == topic_drop["lost"] == floor["lost"] == lost
    assert problems(gate.shell.path("g.xml")) == []
    annotations = [line for line in outcome.out.splitlines() if line.startswith("::")]
    assert [a.split()[0] for a in annotations] == ["::error", "::error"]
    more = f" and {n_lost - 3} more" if n_lost > 3 else ""
    said = f"has a value for {n_lost} topic{'s' * (n_lost > 1)}: {', '.join(lost[:3])}{more}"
    for told in (gate.shell.path("g.xml").read_text(), gate.shell.path("g.md").read_text()):
        assert told.count(said) >= 3
    assert all(said in line for line in annotations)


@pytest.mark.parametrize(
    ("policy", "code"), [("observed", 0), ("not-shown-worse", 0), ("shown-not-worse", 1)]
)
def test_topics_that_only_the_candidate_has_a_value_for_leave_the_verdict_open(shell, policy, code):
    shell.write(qrels=QRELS, base=judged_ranking(3, "base"), candidate=judged_ranking(0))
    files = ("gate", "qrels.txt", "base.txt", "candidate.txt")

    outcome = shell(*files, "--max-drop", "AUC=0.5", "--policy", policy, "--json", "g.json")

    (rule,) = judged(shell.path("g.json").read_text())["rules"]
    assert (outcome.code, rule["verdict"]) == (code, "inconclusive")
    assert rule["gained"] == TOPICS[:3]
    assert "only the candidate has a value for 3 topics: t01, t02, t03" in outcome.out


# --- families -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_worse", "margin", "verdict", "code"),
    [(0, "0.2", "equivalent", 0), (10, "0.45", "equivalent", 0), (0, "0.1", "inconclusive", 1)],
)
def test_equivalence_is_a_rule_that_has_to_be_shown(gate, n_worse, margin, verdict, code):
    """An identical run of 20 topics is shown to be within 0.14, for log(0.05) / 20 = -0.15."""
    rule = ("--equivalent", f"RR={margin}", "--bound", "betting")
    outcome = gate(worse_on(n_worse), *rule, "--json", "g.json")

    (rule,) = judged(gate.shell.path("g.json").read_text())["rules"]
    assert (outcome.code, rule["kind"], rule["verdict"]) == (code, "equivalent", verdict)
    assert ("inconclusive" in rule["message"]) == rule["inconclusive"] == (code == 1)
