"""The table of formats: what tells them apart."""

import sys
from types import SimpleNamespace

import pytest

import rankeval
from rankeval.choices import FILE_FORMATS
from rankeval.io.blocks import whole_lines
from rankeval.io.column_names import ContentGuess
from rankeval.io.columns import Layout
from rankeval.io.formats import FORMATS, FileFormat


def test_a_text_file_that_begins_with_a_word_like_parquets_is_no_table(tmp_path):
    (tmp_path / "q").write_text("PAR1 0 a 1\nPAR1 0 b 0\n")

    done = rankeval.convert(tmp_path / "q", tmp_path / "out.csv")

    assert (done.what, done.source, done.warnings) == ("qrels", "trec", ())


def test_options_name_every_format():
    assert tuple(FORMATS) == FILE_FORMATS


@pytest.mark.parametrize(("file", "named"), [("a.own", {}), ("a", {"qrels_format": "own"})])
def test_a_format_of_ones_own_says_what_a_file_holds(tmp_path, monkeypatch, file, named):
    """TREC's form would take such lines for a run's, by the number of their fields."""
    layout = Layout("qrels", ("grade", "topic", "docno"), 0, "grade", topic=1, more=True)
    own = SimpleNamespace(
        guess=lambda *_: ContentGuess("qrels", certain=True),
        read=lambda _name, path, begun, _form: (layout, whole_lines(begun.whole, path)),
    )
    monkeypatch.setitem(sys.modules, "rankeval.io.own", own)
    monkeypatch.setitem(FORMATS, "own", FileFormat("own", "own", "words", (), suffixes=(".own",)))
    line = "2 q1 d1 by people today\n" if named else "2 q1 d1 by people from here today\n"
    (tmp_path / file).write_text(line)

    (found,) = rankeval.check(tmp_path / file, **named)

    assert (found.what, found.facts["format"], found.facts["grades"]) == ("qrels", "own", {"2": 1})
