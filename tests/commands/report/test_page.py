"""The page as text: whole, escaped, and under a policy that names its own parts by digest."""

import base64
import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.commands.report.page import inert
from tests.commands.report.conftest import HOSTILE, TAGS, large_page
from tests.support.pages import Page, data_of


@pytest.fixture
def parsed(text):
    return Page(text)


def test_the_policy_lets_in_the_pages_own_style_and_script_only(parsed):
    (policy,) = [m["content"] for m in parsed.all("meta") if "http-equiv" in m]

    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for part in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(parsed.parts[part].encode()).digest()).decode()
        assert f"{part}-src 'sha256-{digest}'" in policy
    assert len(parsed.all("style")) == 1
    # Browsers do not run what is JSON.
    assert [part.get("type") for part in parsed.all("script")] == ["application/json", None]


def test_nothing_is_fetched_and_nothing_is_inline(parsed):
    for tag, attributes in parsed.elements:
        assert tag not in ("link", "img", "iframe", "object", "base", "form")
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in ("style", "src", "srcset", "action")
            if name.endswith("href"):
                assert value.startswith("#")


def test_hostile_names_are_text(parsed, text):
    texts = "".join([*parsed.texts, *map(str, strings(data_of(text)))])

    for name in (*HOSTILE, *TAGS):
        assert name.replace("\x1b", "\\x1b") in texts
    assert "\x1b" not in texts


def strings(value):
    """Yield the texts in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


@given(st.text(st.characters() | st.sampled_from("<>&:#[!/-"), max_size=30))
def test_data_are_read_back_and_cannot_end_their_element(text):
    written = inert({"text": text, text: [None, 0.5]})

    assert json.loads(written) == {"text": text, text: [None, 0.5]}
    assert not set(written) & set("<>&")
    assert "::" not in written
    assert "##[" not in written
    assert written.isascii()


def test_links_within_the_page_lead_to_ids_that_are_there(parsed):
    ids = {a["id"] for _, a in parsed.elements if "id" in a}

    targets = {a["href"][1:] for a in parsed.all("a")}
    targets |= {a["aria-labelledby"] for _, a in parsed.elements if "aria-labelledby" in a}
    assert targets
    assert targets <= ids


@pytest.mark.slow
def test_a_report_of_thirty_runs_and_250_topics_is_under_two_megabytes():
    text = large_page()

    assert len(text.encode()) < 2_000_000
    assert len(Page(text).elements) < 15_000
