"""Every table, caption and report says the conventions and how many topics were averaged."""

import re
from html import unescape

import pytest

DOCNOS = [("x", 3), ("a", 2), ("b", 1)]
QRELS = "1 0 a 1\n1 0 b 2\n2 0 a 2\n3 0 a 1\n4 0 a 2\n"
LINES = [f"{topic} Q0 {docno} {4 - score} {score}" for topic in "123" for docno, score in DOCNOS]
SET = ["-J", "-M", "7", "-l", "2", "--ties", "input", "--skip-no-relevant", "--collapse", "#.*"]
BOTH = ["--topics", "both", "--like", "beir", "--order", "rank"]
SAID = ["(-J)", "(-M 7)", "(-l 2)", "(--ties input)", "(--skip-no-relevant)", "(--collapse #.*)"]
SAID_OF_BOTH = ["(--topics both)", "(--like beir)", "(--order rank)"]
COMMANDS = {
    "eval": "eval qrels.txt a.txt b.txt",
    "eval, markdown": "eval qrels.txt a.txt -f markdown",
    "eval, latex": "eval qrels.txt a.txt -f latex",
    "eval, a topic a row": "eval qrels.txt a.txt -q",
    "compare": "compare qrels.txt a.txt b.txt",
    "compare, markdown": "compare qrels.txt a.txt b.txt c.txt -f markdown",
    "compare, latex": "compare qrels.txt a.txt b.txt -f latex",
    "compare, html": "compare qrels.txt a.txt b.txt -f html",
    "diff": "diff qrels.txt a.txt b.txt",
    "topics": "topics qrels.txt a.txt b.txt",
    "systems": "systems qrels.txt a.txt b.txt",
    "report": "report qrels.txt a.txt b.txt -o -",
    "gate": "gate qrels.txt a.txt b.txt --max-drop AP=1",
    "gate, markdown": "gate qrels.txt a.txt b.txt --max-drop AP=1 -f markdown",
}
OF_NO_MEANS = {
    "explain": "explain qrels.txt a.txt 2",
    "judges": "judges qrels.txt qrels.txt a.txt b.txt",
    "estimate": "estimate qrels.txt a.txt --machine qrels.txt",
}


@pytest.fixture
def told(shell):
    shell.write(qrels=QRELS, **{tag: "".join(f"{line} {tag}\n" for line in LINES) for tag in "abc"})

    def words(command, *options):
        measure = [] if command.startswith("gate") else ["-m", "AP"]
        outcome = shell(*command.split(), *measure, *options)
        assert outcome.code == 0, outcome.err
        plain = unescape(outcome.out).replace("{*}", "*").replace("{}", "").replace("\\", "")
        return re.sub(r"\s+", " ", plain)

    return words


@pytest.mark.parametrize("name", [*COMMANDS, *OF_NO_MEANS])
def test_conventions_are_said(told, name):
    command = {**COMMANDS, **OF_NO_MEANS}[name]
    both = [] if name.startswith("gate") else BOTH  # a gate counts every topic

    few = -2 if name.startswith("gate") else None  # and its chunks are a key of suites
    found = told(command, *SET[:few], *both)

    said = (*SAID[: few and -1], *(SAID_OF_BOTH if both else ()))
    assert [one for one in said if one not in found] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_topics_that_were_averaged_are_counted(told, name):
    """Topic 3 has no document of grade 2, and the runs lack topic 4."""
    if name.startswith("gate"):
        assert "3 of 4 topics" in told(COMMANDS[name], "--skip-no-relevant", "-l", "2")
    else:
        assert "3 of 4 topics" in told(COMMANDS[name], "--topics", "both")
