"""The JSON that others rely upon keeps to the schema that it names, whatever the options.

The fixture `shell` checks every other document that the tests of the command line print, too, and
`test_contract` that the JSON of the other commands has the numbers of their rows.
"""

import json

import pytest

from tests.support.files import BM25, DENSE, QRELS, run_of
from tests.support.gate_files import PERFECT, TOPICS, worse_on
from tests.support.gate_files import QRELS as GATE_QRELS
from tests.support.schemas import assert_rows_of_csv, assert_valid

FILES = ("qrels.txt", "bm25.txt", "dense.txt")
GROUPS = "301 short\n302 long\n"
HOSTILE = run_of(tag='x"},{', **{"301": "a=b c", "302": "z y a=d", "399": "q"})


@pytest.fixture
def files(shell):
    return shell.write(
        qrels=QRELS,
        bm25=BM25,
        dense=DENSE,
        hostile=HOSTILE,
        groups=GROUPS,
        weights="301 2\n302 1\n",
        half=run_of("half", **{"301": "a=b=c"}),
    )


def document(outcome, name, code=0):
    assert outcome.code == code, outcome.err
    return assert_valid(json.loads(outcome.out), name)


EVAL = {
    "nothing": "",
    "several runs": "dense.txt hostile.txt half.txt",
    "by topic": "dense.txt -q",
    "groups": "--with groups=groups.txt -q",
    "weights": "--with weights=weights.txt",
    "bounds by topic": "hostile.txt --bounds -q -m 'nDCG@10 AP AUC NumRet bpref'",
    "aggregate": "--aggregate geometric -m 'AP GMAP NumRel'",
    "undefined": "-m 'AUC RBP(p=0.5)' half.txt -q",
    "conventions": "-m AP --ties expected --skip-no-relevant -l 2 -M 2 -J -N 9 --like ranx",
    "topics in both": "half.txt --topics both --like gdeval",
}


def words(text):
    """Split as a shell does, with ' only."""
    found = []
    for i, part in enumerate(text.split("'")):
        found += [part] if i % 2 else part.split()
    return found


@pytest.mark.parametrize("options", EVAL.values(), ids=EVAL)
def test_eval(files, options):
    command = ("eval", *FILES[:2], *words(options))

    document(files(*command, "-f", "json"), "rankeval/1")

    assert_rows_of_csv(*(files(*command, "-f", form).out for form in ("jsonl", "csv")))


COMPARE = {
    "two": "",
    "three": "half.txt",
    "all pairs": "hostile.txt half.txt --all-pairs",
    "groups": "--with groups=groups.txt",
    "clusters": "--with clusters=groups.txt",
    **{f"test {name}": f"--test {name}" for name in (
        *("t", "randomization", "bootstrap", "wilcoxon", "sign", "bayes"),
    )},
    **{f"test {name} of three": f"half.txt --test {name}" for name in (
        *("tukey", "randomized-tukey", "dunnett", "bayes"),
    )},
    "power": "--correction bh --power 0.01",
    "no correction": "--correction none",
    "equivalence": "--equivalent AP=0.01",
    "undefined": "half.txt -m AUC",
    "loss": "-m 'Unjudged@2 AP' --test bayes",
    "same run": "bm25.txt",
}  # fmt: skip


@pytest.mark.parametrize("options", COMPARE.values(), ids=COMPARE)
def test_compare(files, options):
    command = ("compare", *FILES, *words(options))

    document(files(*command, "-f", "json"), "rankeval-compare/1")

    assert_rows_of_csv(*(files(*command, "-f", form).out for form in ("jsonl", "csv")))


GATE = {
    "passes": ("--max-drop RR=0.5", 0),
    "fails": ("--max-drop RR=0.001 --min RR=0.99", 1),
    "every kind": ("--max-drop RR=2% --min RR=0 --max AP=1 --equivalent RR=0.5 -M 2", 1),
    "single topics": ("--max-topic-drop RR=50%", 0),
    **{
        f"policy {name}": (f"--max-drop RR=0.9 --policy {name} --bound t", 0)
        for name in ("observed", "not-shown-worse", "not-shown-beyond-limit")
    },
    "not shown": ("--max-drop RR=0 --policy shown-not-worse --bound t", 1),
    "candidates": ("half.txt --max-drop RR=0.01", 1),
    "undefined": ("--max-drop AUC=0.5", 0),
    "unknown measure": ("--min NoSuch=0", 2),
    "no rule": ("", 2),
}


@pytest.fixture
def gate(shell):
    # t01 has relevant documents only, and no value of AUC; half lacks the other topics.
    return shell.write(
        qrels=GATE_QRELS.replace("t01 0 x 0\nt01 0 y 0\n", ""),
        base=PERFECT,
        candidate=worse_on(3),
        half=run_of("half", **dict.fromkeys(TOPICS[:10], "r=x y")),
    )


@pytest.mark.parametrize(("options", "code"), GATE.values(), ids=GATE)
def test_gate(gate, options, code):
    command = ("gate", "qrels.txt", "base.txt", "candidate.txt", *words(options))
    expected = ("rankeval-gate/1", code)

    gate(*command, "--json", "gate.json")
    assert_valid(json.loads(gate.path("gate.json").read_text()), "rankeval-gate/1")
    if code < 2:
        document(gate(*command, "-f", "json"), *expected)
