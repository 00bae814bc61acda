"""Collections are read from a file; errors name the file, the table and the mend."""

from pathlib import Path

import pytest

from rankeval import InputError
from rankeval.options import read_collections

BOTH = '{ bm25 = "b.run", dense = "d.run" }'


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def read(text, name="beir.toml"):
    Path(name).write_text(text, encoding="utf-8")
    return read_collections(name)


def test_paths_are_relative_to_the_file():
    Path("sub").mkdir()

    (one,) = read(f'[collection.a]\nqrels = "q.txt"\nruns = {BOTH}\n', "sub/beir.toml")

    assert one.qrels == str(Path("sub", "q.txt"))
    assert one.runs == {"bm25": str(Path("sub", "b.run")), "dense": str(Path("sub", "d.run"))}
    assert one.place == f"{Path('sub', 'beir.toml')!s}: [collection.a]"


def test_absolute_and_remote_paths_stay():
    (one,) = read(
        '[collection.a]\nqrels = "/q.txt"\nruns = { x = "s3://bucket/{collection}.run" }\n'
    )

    assert (one.qrels, one.runs["x"]) == ("/q.txt", "s3://bucket/a.run")


def test_keys_above_hold_for_all_and_own_ones_take_precedence():
    first, second = read(
        'qrels = "{collection}/q"\nmeasures = "AP"\nties = "input"\ndepth = 5\n'
        'runs = { bm25 = "{collection}/b", dense = "{collection}/d" }\n'
        "[collection.a]\n"
        '[collection.b]\ndepth = 7\nduplicates = "first"\n'
        'runs = { dense = "other", new = "n" }\n'
    )

    assert (first.qrels, first.measures) == (str(Path("a", "q")), ("AP",))
    assert (first.settings().ties, first.settings().depth) == ("input", 5)
    assert second.measures == ("AP",)
    assert (second.settings().ties, second.settings().depth) == ("input", 7)
    assert second.settings().duplicates == "first"
    assert second.runs == {"bm25": str(Path("b", "b")), "dense": "other", "new": "n"}


def test_collections_stand_beside_suites():
    (one,) = read(
        f'runs = ["candidate.run"]\nbaseline = "b.json"\n[suite.a]\nmeasures = "AP"\n'
        f'[collection.a]\nqrels = "q"\nruns = {BOTH}\n'
    )

    assert list(one.runs) == ["bm25", "dense"]


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("", "beir.toml", "has no collections"),
        ("collection = 3", "beir.toml", "collection is not a table of collections"),
        ('measure = "AP"\n[collection.a]', "beir.toml", "unknown key 'measure'"),
        ("[collection.a]\nqrel = 'q'", "beir.toml: [collection.a]", "unknown key 'qrel'"),
        ("[collection.a]\nruns = {x = 'x'}", "beir.toml: [collection.a]", "has no qrels"),
        ("[collection.a]\nqrels = 'q'", "beir.toml: [collection.a]", "has no runs"),
        (
            "[collection.a]\nqrels = '-'\nruns = {x = 'x'}",
            "beir.toml: [collection.a]",
            "qrels is '-'",
        ),
        (
            "[collection.a]\nqrels = 'q\\u0000'\nruns = {x = 'x'}".replace("'", '"'),
            "beir.toml: [collection.a]",
            "x00",
        ),
        (
            "[collection.a]\nqrels = 'q'\nruns = {x = 3}",
            "beir.toml: [collection.a]",
            "the run of x is 3",
        ),
        (
            "[collection.a]\nqrels='q'\nruns={x='x'}\nties='never'",
            "beir.toml: [collection.a]",
            "ties cannot be 'never'",
        ),
    ],
)
def test_errors_name_the_file_and_the_table(text, place, problem):
    with pytest.raises(InputError) as caught:
        read(text)

    assert caught.value.place == place
    assert problem in caught.value.problem
    assert caught.value.expected


@pytest.mark.parametrize(
    "name", ["../../evil", "a/../../b", "..", ".", "/etc/x", "a//b", "", "..\\x", "C:x", "*", "[a]"]
)
@pytest.mark.parametrize("where", ["qrels", "runs"])
def test_a_name_leads_to_no_other_place_than_its_path_says(name, where):
    paths = {"qrels": "q", "runs": "r"} | {where: "values/{collection}.x"}
    table = f'qrels = "{paths["qrels"]}"\nruns = {{ x = "{paths["runs"]}" }}\n'

    with pytest.raises(InputError, match=r"cannot replace \{collection\} in a path") as caught:
        read(f"{table}[collection.'{name}']\n")

    assert caught.value.place == f"beir.toml: [collection.{name}]"
    (one,) = read(f"qrels = 'q'\nruns = {{ x = 'r' }}\n[collection.'{name}']\n")
    assert one.name == name


def test_a_file_that_is_too_large_is_refused(tmp_path):
    with (tmp_path / "large").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(InputError, match="holds more than"):
        read_collections(tmp_path / "large")
