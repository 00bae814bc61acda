"""Training interactions: every form in which they can be given, and those that cannot be used."""

import gzip

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from rankeval import InputError, UsageError
from rankeval.io.formats import Form
from rankeval.ranking.items import interactions_from

pl = pytest.importorskip("polars")


FORM = Form("qrels")
EXPECTED = {("1", "7"): 1, ("1", "8"): 2, ("2", "8"): 1}


def counted(given, form=FORM):
    found = interactions_from(given, form)
    names = [found.topics[i].decode() for i in found.topic.tolist()]
    items = [found.docnos.names[i].decode() for i in found.docno.tolist()]
    return dict(zip(zip(names, items, strict=True), found.grade.tolist(), strict=True))


PAIRS = [(1, 7), (1, 8), (1, 8), (2, 8)]
IN_MEMORY = {
    "lists by user": {1: [7, 8, 8], 2: [8]},
    "arrays by user": {1: np.array([7, 8, 8]), 2: np.array([8])},
    "pairs": PAIRS,
    "an iterator": iter(PAIRS),
    "rows with a rating": [(user, item, 2.5) for user, item in PAIRS],
    "an array of pairs": np.array(PAIRS),
    "lists by column": {"user_id": [1, 1, 1, 2], "item_id": [7, 8, 8, 8]},
    "arrays by column": {
        "user_id": np.array([1, 1, 1, 2]),
        "item_id": np.array([7, 8, 8, 8]),
        "rating": np.zeros(4),
    },
    "pandas": pd.DataFrame(PAIRS, columns=["user_id", "item_id"]).assign(weight=1.0, time="now"),
    "Polars": pl.DataFrame(PAIRS, schema=["user", "item"], orient="row"),
    "a sparse matrix": csr_matrix(([1.0, 2.0, 1.0], ([1, 1, 2], [7, 8, 8]))),
}


@pytest.mark.parametrize("given", IN_MEMORY.values(), ids=IN_MEMORY)
def test_interactions_are_taken_from_anything_in_memory(given):
    expected = dict.fromkeys(EXPECTED, 1) if hasattr(given, "tocoo") else EXPECTED

    assert counted(given) == expected


FILES = {
    "two.tsv": "1\t7\n1\t8\n1\t8\n2\t8\n",
    "two.csv": "user_id,item_id\n1,7\n1,8\n1,8\n2,8\n",
    "rated.csv": "user_id,item_id,rating,timestamp\n1,7,0,9\n1,8,3.5,9\n1,8,1,9\n2,8,-1,9\n",
    "old.qrels": "1 0 7 1\n1 0 8 0\n1 0 8 2\n2 0 8 -1\n",
    "scattered.tsv": "1\t8\n2\t8\n1\t7\n1\t8\n",
    "lines.jsonl": "".join(f'{{"user": "{u}", "item": "{i}"}}\n' for u, i in PAIRS),
}


@pytest.mark.parametrize(("name", "text"), FILES.items(), ids=FILES)
def test_every_line_of_a_file_is_an_interaction_whatever_its_grade(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(text.encode()))

    assert counted(str(path)) == EXPECTED
    assert counted(packed) == EXPECTED
    with path.open("rb") as stream:
        assert counted(stream) == EXPECTED


def test_the_digest_is_of_the_interactions_whatever_their_order():
    one = interactions_from(PAIRS, FORM)
    other = interactions_from({2: [8], 1: [8, 7, 8]}, FORM)

    assert one.digest == other.digest
    assert one.digest != interactions_from(PAIRS[:-1], FORM).digest
    assert one.digest != interactions_from([*PAIRS, (2, 8)], FORM).digest


def test_a_file_without_interactions_is_named(tmp_path):
    path = tmp_path / "empty.tsv"
    path.write_text("")

    with pytest.raises(InputError, match=r"empty\.tsv"):
        counted(path)


@pytest.mark.parametrize(
    "given",
    [
        3,
        {"u": 3},
        {"u": "abc"},
        np.zeros((2, 2)),
        np.zeros((2, 5), dtype=int),
        pytest.param(object(), id="object"),
    ],
    ids=repr,
)
def test_what_holds_no_interactions_is_refused(given):
    with pytest.raises((UsageError, InputError), match="train"):
        counted(given)
