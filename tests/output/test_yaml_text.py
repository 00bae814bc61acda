"""Documents as YAML."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.base.endings import harmless, harmless_yaml
from rankeval.output.yaml_text import document

yaml = pytest.importorskip("yaml")


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.sampled_from(["::error::x", "##[a]", "no"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("ab:#[ \n"), inner),
)


def read_back(text):
    """Read YAML by libyaml, which takes a tenth of the time of PyYAML's own parser."""
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


@given(st.dictionaries(st.text("ab:#[ \n"), VALUES))
@settings(max_examples=40)
def test_a_document_reads_back_and_holds_no_command_of_a_workflow(value):
    printed = "".join(document(value))

    assert read_back(printed) == value
    shown = harmless_yaml(printed)
    assert read_back(shown) == value
    assert harmless(shown) == shown


def test_keys_keep_their_order_and_repeated_lists_are_written_again():
    lines = [1]

    assert "".join(document({"b": lines, "a": lines})) == "b:\n- 1\na:\n- 1\n"
