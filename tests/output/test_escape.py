import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rankeval.errors import visible
from rankeval.output import escape

HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "\x1b]8;;http://example.org\x07link",
    "a\nb",
    "a\tb",
    "\r",
    "\x9b2J",
    "\u202eevil",
    "zero\u200bwidth",
    "\u2028",
    "\udc80",
    "\\x1b[31mred",
    "[bold red]x[/]",
    "<script>alert(1)</script>",
    "![](http://example.org/x.png)",
    "a|b",
    "`x`",
    "@everyone",
    "#1",
    "$x$",
    "\\input{secrets}",
    "^^5cinput",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    " =1",
    "'=1",
    '"quoted',
    "all",
    "",
    " a",
    "a ",
    "a  b",
]
TARGETS = [
    visible,
    escape.csv,
    escape.tsv,
    escape.trec,
    escape.markdown,
    escape.markdown_code,
    escape.latex,
]
# Few characters, so that escapes and what looks like them come up often.
TEXTS = st.text(
    st.sampled_from("\\x1bau0 \t\n`|'\"=-+@_.,?!*[{}$&#%^~<>é\u202e\udc80"), max_size=12
)


def restored(text):
    """Undo the escapes."""
    return re.sub(
        r"\\(?:(\\)|x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))",
        lambda m: m[1] or chr(int(m[2] or m[3] or m[4], 16)),
        text,
    )


@pytest.mark.parametrize("target", TARGETS)
@given(st.text() | TEXTS | st.sampled_from(HOSTILE))
def test_every_target_prints_on_one_line_and_nothing_invisible(target, text):
    shown = target(text)

    assert shown.isprintable()
    assert all(unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Zl", "Zp"} for c in shown)


@given(st.text() | TEXTS | st.sampled_from(HOSTILE))
@example("\\\\x41")
@example("\\\x1b")
@example("\\x4\t1")
def test_visible_text_can_be_read_back(text):
    assert restored(visible(text)) == text
    assert restored(escape.trec(text)) == text


@given(TEXTS | st.text() | st.sampled_from(HOSTILE))
@example("\\x61ll")
def test_topics_in_tsv_and_csv_can_be_read_back(text):
    for target in (escape.tsv, escape.csv):
        safe = escape.topic(target(text))
        without_quote = safe[1:] if re.match(r"'[\s']*[-=+@＝＋－＠]", safe) else safe
        assert restored(without_quote) == text
        assert safe != "all"


@pytest.mark.parametrize("target", TARGETS)
@given(st.lists(TEXTS | st.sampled_from(HOSTILE), unique=True, min_size=2, max_size=20))
def test_different_names_stay_different(target, texts):
    assert len(set(map(target, texts))) == len(texts)


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", " =1", "'=1", "＝1", "-cmd"]
)
def test_a_spreadsheet_sees_no_formula(text):
    assert escape.csv(text) == escape.tsv(text) == f"'{text}"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("bm25_rm3", "bm25_rm3"),
        ("nDCG@10", "nDCG@10"),
        ("AP(rel=2)", "AP(rel=2)"),
        ("AP(rel=2)@100", "`AP(rel=2)@100`"),
        ("_emphasis_", "`_emphasis_`"),
        ("@everyone", "`@everyone`"),
        ("<b>", "`<b>`"),
        ("a|b", r"`a\x7cb`"),
        ("a`b", r"`a\x60b`"),
        ("www.example.org", "`www.example.org`"),
        ("me@example.org", "`me@example.org`"),
        ("https://example.org", "`https://example.org`"),
        (":tada:", "`:tada:`"),
        ("", ""),
    ],
)
def test_markdown_leaves_words_and_puts_the_rest_into_a_code_span(text, cell):
    assert escape.markdown(text) == cell


@given(st.text() | TEXTS | st.sampled_from(HOSTILE))
def test_markdown_keeps_a_cell_a_cell_and_a_code_span_closed(text):
    cell = escape.markdown(text)

    assert "|" not in cell
    assert cell.count("`") in {0, 2}
    if "`" in cell:
        assert cell[0] == cell[-1] == "`"
    else:
        assert not set(cell) & set("<>&*[]~$!#\\:\"'{}")
        assert "//" not in cell


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("bm25_rm3", r"bm25\_rm3"),
        ("50% & more", r"50\% \& more"),
        ("\\input{x}", r"\textbackslash{}input\{x\}"),
        ("a--b", "a-{}-b"),
        ("a---b", "a-{}-{}-b"),
        ("?`", r"?\textasciigrave{}"),
        ("[2]", "{[}2]"),
        ("*", "{*}"),
        ("^^5c", r"\textasciicircum{}\textasciicircum{}5c"),
        ("\x1b", r"\textbackslash{}x1b"),
        ('"a', r"\char34{}a"),
    ],
)
def test_latex_is_printed_and_not_run(text, safe):
    assert escape.latex(text) == safe
