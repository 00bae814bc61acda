"""The table of formats: what tells them apart."""

import rankeval
from rankeval.choices import FILE_FORMATS
from rankeval.io.formats import FORMATS


def test_a_text_file_that_begins_with_a_word_like_parquets_is_no_table(tmp_path):
    (tmp_path / "q").write_text("PAR1 0 a 1\nPAR1 0 b 0\n")

    done = rankeval.convert(tmp_path / "q", tmp_path / "out.csv")

    assert (done.what, done.source, done.warnings) == ("qrels", "trec", ())


def test_options_name_every_format():
    assert tuple(FORMATS) == FILE_FORMATS
