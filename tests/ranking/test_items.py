"""The catalogue and the features of items: files, values in memory, and what is wrong in them."""

import numpy as np
import pandas as pd
import pytest

from rankeval import InputError, RankevalError, UsageError, evaluate
from rankeval.ranking.items import catalog_from, features_from

pl = pytest.importorskip("polars")


def written(tmp_path, text, name="items.csv"):
    path = tmp_path / name
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("given", [3, np.int64(3), "3"])
def test_a_catalogue_is_a_number_of_items(given):
    found = catalog_from(given)

    assert (found.size, found.digest) == (3, "3")


@pytest.mark.parametrize(
    "text", ["a\nb\nc\n", "a\r\nb\r\n\r\nc", "# items\nitem_id\na\nb\nb\nc\n", " a\nb \nc\n\n"]
)
def test_a_file_has_one_item_a_line(tmp_path, text):
    found = catalog_from(written(tmp_path, text))

    assert found.size == 3
    assert found.digest == catalog_from(["c", "b", "a"]).digest
    found.check([b"a", b"c"])


@pytest.mark.parametrize("given", [0, -1, 10**15, "0", "9" * 99, True, 2.0, None, object()])
def test_an_impossible_catalogue_is_refused(given):
    with pytest.raises(UsageError, match=r"catalogue"):
        catalog_from(given)


def test_an_empty_catalogue_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"items\.csv: has no items"):
        catalog_from(written(tmp_path, "# nothing\n"))
    with pytest.raises(InputError, match="catalog: has no items"):
        catalog_from([])
    with pytest.raises(InputError, match="no such file"):
        catalog_from(str(tmp_path / "absent.txt"))


def test_a_catalogue_that_is_smaller_than_what_is_shown_is_an_error(tmp_path):
    with pytest.raises(UsageError, match=r"a catalogue of 1 item is too small: .* 2 items"):
        catalog_from(1).check([b"a", b"b"])
    path = written(tmp_path, "a\n")
    with pytest.raises(InputError, match=r'items\.csv: lacks 2 items .*, such as "b"'):
        catalog_from(path).check([b"a", b"b", b"c"])


def rows(found):
    """The numbers of each item."""
    names = [name.decode() for name in found.items.names]
    return dict(zip(names, np.transpose(found.values).tolist(), strict=True))


EXPECTED = {"a": [0, 0], "b": [0, 1], "c": [1, -1]}


@pytest.mark.parametrize(
    "text",
    [
        "docno,genre,year\na,crime,1999\nb,crime,2005\nc,comedy,\n",
        "genre,item_id,year\ncrime,a,1999\ncrime,b,2005.0\ncomedy,c,NaN\n",
        'docno;genre;year\n"a";"crime";1999\nb;crime;2e3\nc;comedy;""\n',
        "docno\tgenre\tyear\r\na\tcrime\t1999\r\nb\tcrime\t5\r\n\r\n# no item\nc\tcomedy\t\r\n",
    ],
)
def test_features_are_numbered_column_by_column(tmp_path, text):
    assert rows(features_from(written(tmp_path, text))) == EXPECTED


IN_MEMORY = {
    "features by item": {
        "a": {"genre": "crime", "year": 1999},
        "b": {"genre": "crime", "year": 2005.0},
        "c": {"genre": "comedy"},
    },
    "lists by column": {
        "item": ["a", "b", "c"],
        "genre": ["crime", "crime", "comedy"],
        "year": [1999, 2005, None],
    },
    "pandas": pd.DataFrame(
        {"docno": ["a", "b", "c"], "genre": ["crime", "crime", "comedy"], "year": [1999, 2, None]}
    ),
    "Polars": pl.DataFrame(
        {"docno": ["a", "b", "c"], "genre": ["crime", "crime", "comedy"], "year": [1999, 2, None]}
    ),
}


@pytest.mark.parametrize("given", IN_MEMORY.values(), ids=IN_MEMORY)
def test_features_are_taken_from_memory(given):
    assert rows(features_from(given)) == EXPECTED


def test_the_digest_is_of_the_values(tmp_path):
    one = features_from(written(tmp_path, "docno,f\na,1\nb,x\n"))
    other = features_from({"b": {"f": "x"}, "a": {"f": 1}})
    third = features_from({"b": {"f": "x"}, "a": {"f": 2}})

    assert one.digest == other.digest != third.digest


WRONG = {
    "": "has no items",
    "docno,f\n": "has no items",
    "name,f\na,1\n": r"items\.csv: has no column of the docno: name f",
    "docno\na\n": r"items\.csv: has no features",
    "docno,f\na,1\nb\n": r"items\.csv:3: found 1 column, the header has 2",
    "docno,f\na,1\nb,2,3\n": r"items\.csv:3: found 3 columns, the header has 2",
    "docno,f\na,1\n\na,2\n": r'items\.csv:4: item "a" has features already',
    "docno,f\n,1\n": r"items\.csv:2: the docno is empty",
    'docno,f\na,"1\n': r"items\.csv:2: a quote is not closed",
}


@pytest.mark.parametrize(("text", "error"), WRONG.items(), ids=WRONG.values())
def test_a_wrong_file_of_features_is_named_with_its_line(tmp_path, text, error):
    with pytest.raises(InputError, match=error):
        features_from(written(tmp_path, text))


@pytest.mark.parametrize(
    "given", [3, {}, {"a": 1}, {"docno": ["a"], "f": [1, 2]}, {"docno": ["a", "a"], "f": [1, 2]}]
)
def test_features_in_memory_that_fit_nothing_are_refused(given):
    with pytest.raises(RankevalError, match="item_features"):
        features_from(given)


def test_the_first_document_without_a_cost_is_named():
    run = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}

    with pytest.raises(InputError, match='document "b" of the run has no cost'):
        evaluate({"1": {"a": 1}}, run, "TBG", costs={"a": 1.0})
