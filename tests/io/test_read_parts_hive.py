import pytest

from rankeval import InputError
from rankeval.io.read_parts import part_of, parts_of


def test_keys_and_values_of_hive_are_text(tmp_path):
    (tmp_path / "topic=007/lang=en%2FUS").mkdir(parents=True)
    (tmp_path / "topic=007/lang=en%2FUS/a.run").write_text("")

    (part,) = parts_of(str(tmp_path))

    assert part.keys == {"topic": b"007", "lang": b"en/US"}
    assert part.fixed("run", {}) == {"topic": b"007"}


@pytest.mark.parametrize(
    ("path", "what", "given", "expected"),
    [
        ("user-id=u1/a", "run", {}, {"topic": b"u1"}),
        ("Query ID=u1/a", "qrels", {}, {"topic": b"u1"}),
        ("label=2/a", "qrels", {}, {"grade": b"2"}),
        ("label=2/a", "run", {}, {}),
        ("score=2/a", "run", {}, {}),
        ("docno=2/a", "run", {}, {}),
        ("run_id=bm25/a", "run", {}, {"tag": b"bm25"}),
        ("who=7/topic=8/a", "run", {"topic": "who"}, {"topic": b"7"}),
        ("a=b=c/a", "run", {"topic": "a"}, {"topic": b"b=c"}),
    ],
)
def test_a_key_named_like_a_role_is_its_column(path, what, given, expected):
    assert part_of(path).fixed(what, given) == expected


@pytest.mark.parametrize("value", ["", "__HIVE_DEFAULT_PARTITION__"])
def test_a_topic_without_a_name_is_an_error(value):
    with pytest.raises(InputError, match="gives the topic no value"):
        part_of(f"topic={value}/a.run").fixed("run", {})


@pytest.mark.parametrize("value", ["x", "nan", "inf"])
def test_a_grade_that_is_no_number_is_an_error(value):
    with pytest.raises(InputError, match=r"grade=.*: its folder's grade is no finite number"):
        part_of(f"grade={value}/a.qrels").fixed("qrels", {})
