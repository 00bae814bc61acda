"""All ordered pairs of the example runs under seven sets of rules, against plain arithmetic."""

import itertools

import pytest

import rankeval
from rankeval.options import Decision
from tests.support.files import EXAMPLES

QRELS = EXAMPLES / "qrels" / "python-reference.qrels"
RUNS = sorted((EXAMPLES / "runs").glob("*.run"))
MEASURES = "nDCG@10 AP R@100 RR Unjudged@10 P@10 P@5"
SETS = {
    "a share": ["max-drop nDCG@10=2%"],
    "drops": ["max-drop AP=0.01", "max-drop R@100=5%", "max-drop RR=0.2"],
    "floors": ["min nDCG@10=0.4", "max Unjudged@10=0.2"],
    "gains": ["min-gain nDCG@10=1%", "min-gain AP=0.02"],
    "topics": ["max-topic-drop nDCG@10=0.5", "max-topic-drop P@10=50%"],
    "golden": ["max-drop-from-golden AP=0.1", "max-drop-from-golden RR=20%"],
    "all": ["max-drop P@5=0", "min AP=0.2", "min-gain RR=0.01", "max-topic-drop AP=0.6"],
}


@pytest.fixture(scope="module")
def results():
    """Every run, evaluated by itself as a saved baseline would be."""
    return {run.stem: rankeval.evaluate(QRELS, run, MEASURES) for run in RUNS}


def values(results, run, measure):
    (found,) = results[run].runs
    return list(found[measure].per_topic.values())


def expected(rule, old, new, golden):
    """Whether plain sums over topics keep the rule; 1e-12 is for rounding."""
    kind, _, rest = rule.partition(" ")
    measure, _, amount = rest.partition("=")
    limit = float(amount.rstrip("%")) / (100 if amount.endswith("%") else 1)
    before, after = (golden if "golden" in kind else old)(measure), new(measure)
    was, now = (sum(each) / len(each) for each in (before, after))
    allowed = limit * (was if amount.endswith("%") else 1)
    if kind.startswith("max-drop"):
        return was - now <= allowed + 1e-12
    if kind == "max-topic-drop":
        shares = before if amount.endswith("%") else [1] * len(before)
        return all(
            a - b <= limit * s + 1e-12 for a, b, s in zip(before, after, shares, strict=True)
        )
    return {"min": now >= limit, "max": now <= limit, "min-gain": now - was >= allowed}[kind]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("bound", ["t", "betting"])
def test_observed_outcomes_of_all_pairs_are_those_of_plain_sums(results, name, bound):
    """As before verdicts had one function: 30 pairs, and the exit code of each."""
    failed = 0
    for before, after in itertools.permutations(results, 2):
        report = rankeval.gate(
            QRELS,
            results[before],
            results[after],
            SETS[name],
            golden=results["bm25"],
            decision=Decision(bound=bound),
        )

        sides = [
            lambda measure, run=run: values(results, run, measure)
            for run in (before, after, "bm25")
        ]
        wanted = {rule: expected(rule, *sides) for rule in SETS[name]}
        assert {str(one.rule): one.passed for one in report.outcomes} == wanted
        assert report.exit_code == (not all(wanted.values()))
        failed += report.exit_code
    assert 0 < failed < 30
