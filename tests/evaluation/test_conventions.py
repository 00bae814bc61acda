"""Conventions that are not the default are said in words, with the option that sets each."""

from dataclasses import fields

import pytest

from rankeval.evaluation.conventions import conventions_in_words
from rankeval.options import Reading, Settings

OPTIONS = {
    "topics": ("both", "--topics both"),
    "skip_no_relevant": (True, "--skip-no-relevant"),
    "min_grade": (2, "-l 2"),
    "depth": (5, "-M 5"),
    "judged_only": (True, "-J"),
    "collection_size": (100, "-N 100"),
    "ties": ("input", "--ties input"),
    "order": ("rank", "--order rank"),
    "single_precision": (True, "32-bit"),
    "drop_self": (True, "topic's name"),
    "unjudged": ("remove", "-J"),
    "like": ("gdeval", "--like gdeval"),
}
OF_READING = {
    "on_error": ("skip", "--on-error skip"),
    "duplicates": ("best", "--duplicates best"),
    "collapse": ("#.*", "--collapse #.*"),
    "collapse_sep": ("#", "--collapse-sep #"),
}
SAID_ELSEWHERE = {"require_coverage", "aggregate", "defaults"}
"""It changes no number; the aggregation has a line of its own; those of the tool."""


def test_every_setting_is_said():
    assert {one.name for one in fields(Settings)} == OPTIONS.keys() | SAID_ELSEWHERE


@pytest.mark.parametrize("name", OPTIONS)
def test_a_setting_that_is_not_the_default_is_said(name):
    value, words = OPTIONS[name]

    said = conventions_in_words(Settings(**{name: value}).facts())

    assert any(words in one for one in said)
    assert len(said) == (3 if name == "like" else 1)  # gdeval's own two stand beside it


@pytest.mark.parametrize("name", OF_READING)
def test_a_rule_of_reading_that_is_not_the_default_is_said(name):
    value, words = OF_READING[name]

    (said,) = conventions_in_words(Reading(**{name: value}).facts())

    assert words in said


def test_the_default_is_not_said():
    assert conventions_in_words({**Settings(min_grade=1).facts(), **Reading().facts()}) == ()
