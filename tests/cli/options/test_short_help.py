import pytest

from rankeval.cli.options.short_help import summary


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Number of decimals. Default: 4.", "Number of decimals"),
        ("Write it; completely.", "Write it"),
        ("Format: a, b, c.", "Format: a, b, c"),
        ("Kind of format: one, two, three, or another.", "Kind of format: one, two …"),
        ("Kind of format: text (default), json, or another.", "Kind of format: text …"),
        ("Size of pictures: either a width or a height.", "Size of pictures"),
        ("Ties. docno (default): by docno; best, worst: by grade.", "Ties: docno, best, worst"),
        ("Documents of a topic. first (default): one; last: two.", "Documents of a topic"),
        ("Append means to a history, as a line of JSON.", "Append means to a history"),
        ("Compare both of these documents again.", "Compare both of these …"),
    ],
)
def test_a_summary_is_cut_where_a_sentence_a_list_or_a_clause_ends(text, line):
    assert summary(text, 26) == line
    assert len(line) <= 26
