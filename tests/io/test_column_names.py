"""Names of columns by which the roles of a table are known."""

import pyarrow as pa
import pytest
from pyarrow import parquet

import rankeval
from rankeval.io.column_names import find_roles


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
