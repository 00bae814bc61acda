"""Names of columns by which the roles of a table are known."""

import pyarrow as pa
import pytest
from pyarrow import parquet

import rankeval
from rankeval.io.parsers.column_names import find_roles

RATINGS = [("u1", "i1", 5), ("u1", "i2", 1), ("u2", "i1", 3)]
PREDICTIONS = [("u1", "i1", 4.5), ("u1", "i2", 4.75), ("u2", "i3", 1.5), ("u2", "i1", 1.25)]


def written(folder, form, name, header, rows):
    path = folder / f"{name}.{form}"
    if form == "parquet":
        columns = zip(*rows, strict=True)
        parquet.write_table(pa.table(dict(zip(header, columns, strict=True))), path)
    else:
        lines = [header, *rows]
        path.write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("user", "item"), [("user_id", "item_id"), ("userID", "itemID"), ("user", "item")]
)
def test_recommenders_tables_are_read_as_they_are(tmp_path, form, user, item):
    """Both users have their one relevant item, at a grade of 3 or more, at rank 2."""
    qrels = written(tmp_path, form, "ratings", (user, item, "rating"), RATINGS)
    run = written(tmp_path, form, "predictions", (user, item, "prediction"), PREDICTIONS)

    (found,) = rankeval.evaluate(qrels, run, "RR(rel=3) P(rel=3)@1").runs

    assert [score.values.tolist() for score in found.scores] == [[1 / 2, 1 / 2], [0, 0]]
    assert rankeval.check([qrels, run])[1].what == "run"


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_mistyped_name_does_not_become_the_usual_column(tmp_path, form):
    header, rows = ("topic", "docno", "score", "bm25"), [("1", "a", 2.0, 1.0), ("1", "b", 1.0, 2.0)]
    run, qrels = written(tmp_path, form, "run", header, rows), {"1": {"a": 1}}

    assert rankeval.evaluate(qrels, run, "RR")["run"]["RR"].mean == 1
    named = rankeval.evaluate(qrels, run, "RR", columns={"score": "bm25"})
    assert named["run"]["RR"].mean == 1 / 2
    with pytest.raises(rankeval.InputError, match='has no column "bm52" for the score'):
        rankeval.evaluate(qrels, run, "RR", columns={"score": "bm52"})


def test_a_topic_is_preferred_to_a_user():
    names = ["user_id", "query_id", "item", "doc_id", "score"]

    assert find_roles(names, "run", {}) == {"topic": 1, "docno": 3, "score": 4}
