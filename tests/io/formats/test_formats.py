"""The table of formats: what tells them apart."""

import rankeval


def test_a_text_file_that_begins_with_a_word_like_parquets_is_no_table(tmp_path):
    (tmp_path / "q").write_text("PAR1 0 a 1\nPAR1 0 b 0\n")

    done = rankeval.convert(tmp_path / "q", tmp_path / "out.csv")

    assert (done.what, done.source, done.warnings) == ("qrels", "trec", ())
