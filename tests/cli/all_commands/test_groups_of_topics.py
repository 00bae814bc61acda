"""Values over groups of topics, from the file to every format."""

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pytest

import rankeval
from rankeval.__main__ import run as command
from rankeval.io.formats.named_values import read_groups
from tests.support.samples import collection

EXAMPLES = Path(__file__).parents[3] / "examples"
QRELS = str(EXAMPLES / "qrels" / "python-reference.qrels")
BM25, LSA = (str(EXAMPLES / "runs" / f"{name}.run") for name in ("bm25", "lsa"))
TYPES = str(EXAMPLES / "topic_types.tsv")


def evaluated(capsys, *options, runs=(BM25,), measures="NumQ AP"):
    assert command(["eval", QRELS, *runs, "-m", measures, "--quiet", *options]) == 0
    return capsys.readouterr().out


def test_values_by_group_are_those_of_pandas_groupby():
    qrels, run = collection(11)
    groups = {topic: "odd" if i % 2 else "even" for i, topic in enumerate(qrels)}
    measures = "AP nDCG@10 RR"

    for rule, method in [("mean", "mean"), ("sum", "sum"), ("median", "median")]:
        settings = rankeval.options.Settings(aggregate=rule)
        result = rankeval.evaluate(qrels, run, measures, settings, groups=groups).runs[0]
        columns = {score.measure: score.values for score in result.scores}  # noqa: PD011
        frame = pd.DataFrame(columns, index=result.topics)
        expected = getattr(frame.groupby(groups), method)()
        for group in result.groups:
            assert group.topics == sum(label == group.name for label in groups.values())
            assert group.aggregates == pytest.approx(expected.loc[group.name].tolist())


def test_a_group_is_evaluated_as_if_it_stood_alone():
    qrels, run = collection(12)
    hard = [topic for i, topic in enumerate(qrels) if i % 3 == 0]
    measures = "NumQ NumRel AP GMAP AUC GAUC(weight='positives') nDCG@10"
    weights = {topic: 1 + i % 4 for i, topic in enumerate(qrels)}

    whole = rankeval.evaluate(
        qrels, run, measures, groups=dict.fromkeys(hard, "hard"), weights=weights
    )
    alone = rankeval.evaluate({t: qrels[t] for t in hard}, run, measures, weights=weights)

    (group,) = whole.runs[0].groups
    expected = [score.aggregate for score in alone.runs[0].scores]
    assert group.aggregates == pytest.approx(expected, rel=1e-12)


def test_topics_without_a_group_are_named():
    result = rankeval.evaluate(
        {t: {"d": 1} for t in "abcde"},
        {t: {"d": 1} for t in "abcde"},
        "P@1",
        groups={"a": "head", "x": "tail"},
    ).runs[0]

    assert [group.name for group in result.groups] == ["head"]
    assert result.labels == ("head", "", "", "", "")
    assert "4 topics of 5 without a group, in no group's value: b, c, d and 1 more" in (
        result.warnings
    )
    assert "1 group without an evaluated topic, left out: tail" in result.warnings


def test_groups_of_other_topics_are_refused():
    with pytest.raises(rankeval.InputError, match="a group for no evaluated topic"):
        rankeval.evaluate({"a": {"d": 1}}, {"a": {"d": 1}}, groups={"b": "head"})


def test_json_has_the_groups_of_each_run(capsys):
    document = json.loads(evaluated(capsys, "--with", f"groups={TYPES}", "-f", "json"))

    groups = document["runs"][0]["groups"]
    assert list(groups) == ["how-to", "what-is", "troubleshoot"]
    assert {name: group["topics"] for name, group in groups.items()} == {
        "how-to": 29,
        "what-is": 13,
        "troubleshoot": 8,
    }
    assert groups["troubleshoot"]["measures"]["NumQ"] == {"mean": 8.0}
    whole = document["runs"][0]["measures"]["AP"]["mean"]
    parts = [group["topics"] * group["measures"]["AP"]["mean"] for group in groups.values()]
    assert sum(parts) / 50 == pytest.approx(whole)
    assert (document["settings"]["groups"], document["settings"]["group_by"]) == (TYPES, "type")


@pytest.mark.parametrize(("form", "mark"), [("tsv", "\t"), ("csv", ",")])
def test_lines_have_a_column_for_the_group_and_keep_all_for_all_topics(capsys, form, mark):
    text = evaluated(capsys, "--with", f"groups={TYPES}", "-f", form, "-q", measures="AP")
    rows = list(csv.DictReader(io.StringIO(text), delimiter=mark))

    assert len(rows) == 50 + 3 + 1
    assert (rows[0]["topic"], rows[0]["group"]) == ("1", "how-to")
    assert [(row["topic"], row["group"]) for row in rows[50:]] == [
        ("all:how-to", "how-to"),
        ("all:what-is", "what-is"),
        ("all:troubleshoot", "troubleshoot"),
        ("all", ""),
    ]


def test_groups_of_several_runs_are_tables_with_a_best_value_each(capsys):
    text = evaluated(capsys, "--with", f"groups={TYPES}", runs=(BM25, LSA), measures="AP")
    tables = [part.splitlines() for part in text.split("\n\n")]

    assert [table[0] for table in tables[:4]] == [
        "group how-to, 29 topics",
        "group what-is, 13 topics",
        "group troubleshoot, 8 topics",
        "all topics",
    ]
    assert tables[0][3:] == ["bm25  0.4293", "lsa   0.4706*"]
    assert tables[2][3:] == ["bm25  0.4028*", "lsa   0.4017"]


@pytest.fixture
def strange(tmp_path):
    """Topics and groups that look like something else."""
    (tmp_path / "qrels").write_text("all:x 0 d 1\nt 0 d 1\n")
    (tmp_path / "run").write_text("all:x Q0 d 1 1 tag\nt Q0 d 1 1 tag\n")
    (tmp_path / "groups").write_text("all:x\tx\nt\t=2+3 \x1b[1m&\n")
    return tmp_path


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "markdown", "latex", "trec"])
def test_a_group_cannot_take_effect_or_pass_for_a_topic(strange, capsys, form):
    options = ["--with", f"groups={strange}/groups", "-q", "-m", "P@1", "-f", form, "--quiet"]
    assert command(["eval", f"{strange}/qrels", f"{strange}/run", *options]) == 0
    text = capsys.readouterr().out

    assert "\x1b" not in text
    if form in ("tsv", "csv", "trec"):
        assert "\\x61ll:x" in text
    if form == "csv":
        assert "'=2+3" in text


def test_a_file_with_several_columns_is_asked_which_one(tmp_path, capsys):
    file = tmp_path / "topics.tsv"
    file.write_text("qid\ttype\tlength\na\thow to\tlong\nb\twhat is\tshort\n")

    with pytest.raises(
        rankeval.InputError, match=r"3 columns: qid type length\n.*\n.*groups:COLUMN=FILE"
    ):
        read_groups(str(file))
    with pytest.raises(rankeval.InputError, match=r"no column 'size'.*type length"):
        read_groups(str(file), "size")
    with pytest.raises(rankeval.InputError, match="no column 'qid'"):
        read_groups(str(file), "qid")
    assert read_groups(str(file), "length").by_topic == {b"a": "long", b"b": "short"}
    assert read_groups(str(file), "type").by_topic == {b"a": "how to", b"b": "what is"}
    assert command(["eval", QRELS, BM25, "--with", f"groups:size={file}"]) == 2
    assert "no column 'size'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\thead\nb\t\n", "groups:2: the group is empty"),
        ("a head\nb the tail\n", "groups:2: found 3 columns"),
        ("a head\na tail\n", "groups:2: topic"),
    ],
)
def test_a_wrong_line_of_groups_is_named(tmp_path, text, message):
    file = tmp_path / "groups"
    file.write_text(text)

    with pytest.raises(rankeval.InputError) as error:
        read_groups(str(file))

    assert message in str(error.value)


def test_a_column_can_only_be_named_where_there_is_a_header(tmp_path):
    file = tmp_path / "groups"
    file.write_text("a\thead\n")

    with pytest.raises(rankeval.InputError, match="has no column"):
        read_groups(str(file), "type")
