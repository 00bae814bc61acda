"""Tables in HTML: a page of one file that runs nothing, whatever names hold."""

import pytest

from rankeval.output.html import page
from rankeval.output.style import Style
from rankeval.output.tables import Cell, Column, Emphasis, Heading, Table, Verbatim, numbers
from tests.support.pages import Page

HOSTILE = ["<script>alert(1)</script>", '" onload="x', "&lt;b&gt;", "</style><b>", "::error::x"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_page_is_whole_and_a_name_is_text(name):
    rows = [[name, Cell("0.5", Emphasis.BEST, mark=name, better=("a",))]]
    table = Table(name, [Column(name), *numbers([name])], rows)

    written = "".join(page([Heading(name), table, name, Verbatim(name)], Style()))

    parsed = Page(written)
    assert parsed.open == []
    assert "".join(parsed.texts).count(name) == 8
    assert parsed.all("script") == parsed.all("b onload") == []
    assert not [line for line in written.splitlines() if line.lstrip().startswith("::")]
    (policy,) = [meta["content"] for meta in parsed.all("meta") if "http-equiv" in meta]
    assert policy.startswith("default-src 'none'; ")
