"""The texts that a result shows: their sources in Python, and windows around words of the query."""

import json
import time

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import InputError, UsageError
from rankeval.evaluation.shown_texts import (
    LONGEST_QUERY,
    WINDOW,
    texts_of,
    window,
    words_of,
)

pl = pytest.importorskip("polars")

QUERIES = {"q1": "green eggs", "q2": "ham"}
DOCS = {"d1": ("Breakfast", "Ham and EGGS"), "d2": ("", "nothing")}
ASKED = {"q1": ["d1", "d2", "d3"], "q2": ["d1"], "q3": []}


def frame(library):
    return library({"id": [*DOCS], "title": [t for t, _ in DOCS.values()],
                    "text": [b for _, b in DOCS.values()]})  # fmt: skip


def jsonl(tmp_path):
    path = tmp_path / "docs.jsonl"
    lines = [json.dumps({"id": name, "title": t, "text": b}) for name, (t, b) in DOCS.items()]
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize(
    "docs",
    [
        DOCS,
        {name: {"title": title, "text": body} for name, (title, body) in DOCS.items()},
        frame(pd.DataFrame),
        frame(pl.DataFrame),
        frame(pa.table),
        DOCS.get,
        "path",
    ],
    ids=["pairs", "objects", "pandas", "polars", "pyarrow", "function", "path"],
)
def test_texts_come_from_mappings_paths_and_functions(docs, tmp_path):
    docs = jsonl(tmp_path) if isinstance(docs, str) else docs

    texts = texts_of(QUERIES, docs, ASKED)

    assert texts.queries == QUERIES
    assert texts.documents == {
        ("q1", "d1"): ("Breakfast", "Ham and EGGS"),
        ("q2", "d1"): ("Breakfast", "Ham and EGGS"),
        ("q1", "d2"): ("", "nothing"),
    }
    assert texts.missing == ("d3",)
    assert texts.notices() == ["texts: 1 document not in the documents: d3"]


@pytest.mark.parametrize(
    ("docs", "error"),
    [
        (7, UsageError),
        (pd.DataFrame({"a": ["d1"]}), InputError),
        ({"d1": 7}, InputError),
    ],
)
def test_what_is_no_source_is_refused(docs, error):
    with pytest.raises(error):
        texts_of(None, docs, ASKED)


def test_words_are_folded_by_case():
    shown = window("Die große Größe der CRÈME brulée", words_of("crème GRÖSSE"), 15)

    assert shown == "…Größe der…"


WORDS = st.sampled_from(["egg", "ham", "a", "longerword", "x" * 200])


@given(st.lists(WORDS, max_size=120), st.sets(WORDS, max_size=3))
def test_a_window_is_a_part_of_the_text_no_longer_than_it_may_be(words, asked):
    text = " ".join(words)

    shown = window(text, asked)

    assert len(shown) <= WINDOW
    assert shown.strip("…") in text
    if any(word in asked and len(word) <= WINDOW - 2 for word in words):
        assert asked & words_of(shown)


@given(st.lists(st.sampled_from(["egg", "ham", "bun", "other"]), min_size=40, max_size=90))
def test_no_other_window_holds_more_of_the_words(words):
    asked, text = {"egg", "ham", "bun"}, " ".join(words)
    stretches = (text[start : start + WINDOW - 2] for start in range(len(text)))
    most = max(len(asked & {*words_of(stretch[:-1])}) for stretch in stretches)

    assert len(asked & words_of(window(text, asked))) >= most


def test_texts_are_bounded_and_a_word_of_five_megabytes_is_no_delay():
    long = "x" * 5_000_000
    begun = time.perf_counter()

    texts = texts_of({"q": long}, {"d": (long, f"{long} egg")}, {"q": ["d"]})

    found = texts.documents["q", "d"]
    assert len(texts.queries["q"]) == LONGEST_QUERY
    assert len(found.title) <= 200
    assert len(found.body) <= WINDOW
    assert time.perf_counter() - begun < 20  # it would take hours by trying each place
