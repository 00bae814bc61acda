"""JSON that every strict parser takes."""

import json
import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rankeval.output import declared_columns
from rankeval.output.document_form import plain
from rankeval.output.style import PLAIN

orjson = pytest.importorskip("orjson")


WRITERS = {
    "document": lambda value: "".join(declared_columns.json_document(value, PLAIN)),
    "line": lambda value: declared_columns.json_line(plain(value)),
}
ANY_TEXT = st.text(st.characters(), max_size=8) | st.text(
    "\\ud8cf\udcff\ud800\U0001f600ab", max_size=8
)
"""Any text, with halves of surrogate pairs and what looks like them."""

HALVES_OF_A_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
"""Two halves side by side, which JSON holds as one character; nothing that is read gives them."""


def shown(text: str) -> str:
    return "".join(f"\\u{ord(c):x}" if "\ud800" <= c <= "\udfff" else c for c in text)


@pytest.mark.parametrize("writer", WRITERS)
@given(key=ANY_TEXT, value=ANY_TEXT)
@example(key="\\udcff", value="\\\udcff\\")
@example(key="\U0001f600", value="\ud83d\U0001f600\ude00")
def test_strict_parsers_read_any_text(writer, key, value):
    assume(not HALVES_OF_A_PAIR.search(key + " " + value))
    text = WRITERS[writer]({key: [value, {"deep": value}]})

    expected = {shown(key): [shown(value), {"deep": shown(value)}]}
    assert orjson.loads(text.encode()) == json.loads(text) == expected
