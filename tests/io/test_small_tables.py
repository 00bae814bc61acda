from functools import partial

import pytest

from rankeval.errors import InputError
from rankeval.io.small_tables import run_costs_of, values_of


def read(folder, text):
    path = folder / "costs.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return run_costs_of(path)


@pytest.mark.parametrize(
    "text",
    [
        "run\tms per query\nbm25\t3\nmy run\t1e2\n",
        "# measured on Monday\nrun\tms per query\n\nbm25\t3.0\r\nmy run\t100\n",
    ],
)
def test_costs_are_read_by_run(tmp_path, text):
    costs = read(tmp_path, text)

    assert (costs.name, costs.by_run) == ("ms per query", {"bm25": 3.0, "my run": 100.0})


def test_costs_need_no_header(tmp_path):
    assert read(tmp_path, "bm25 3\nlsa 4\n").by_run == {"bm25": 3.0, "lsa": 4.0}


def test_wrong_lines_are_named(tmp_path):
    with pytest.raises(InputError, match='the cost "x" is not possible') as caught:
        read(tmp_path, "run ms\nbm25 x\n")

    assert caught.value.place.endswith("costs.txt:2")


@pytest.mark.parametrize("text", ["", "run ms\n", "# nothing\n"])
def test_a_file_without_a_run_is_refused(tmp_path, text):
    with pytest.raises(InputError, match="no run"):
        read(tmp_path, text)


def test_a_table_that_is_too_large_is_refused(tmp_path):
    with (tmp_path / "large").open("wb") as file:
        file.truncate(1 << 40)
    for read in partial(values_of, what="weight"), run_costs_of:
        with pytest.raises(InputError, match="holds more than"):
            read(tmp_path / "large")
