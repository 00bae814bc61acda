"""check and convert over files of real size."""

import json

import numpy as np
import pytest
from pyarrow import parquet

from tests.support.journey_files import JUDGED, N_TOPICS, UNJUDGED, UNRUN, drawn_qrels, drawn_run
from tests.support.journeys import ran

N_RUN = N_TOPICS + UNJUDGED - UNRUN


def test_check_counts_what_is_there(collection):
    done = ran(collection.folder, "check", "qrels.trec", "large.run", "-f", "json")

    qrels, run = (file["facts"] for file in done.json["files"])
    assert (qrels["lines"], qrels["topics"]) == (N_TOPICS * JUDGED, N_TOPICS)
    grades = np.bincount(drawn_qrels()["grade"].to_numpy())
    assert qrels["grades"] == {str(grade): count for grade, count in enumerate(grades.tolist())}
    assert (run["lines"], run["topics"]) == (N_RUN * 240, N_RUN)
    assert run["topics_without_judgments"] == UNJUDGED
    assert run["judged_topics_missing"] == UNRUN
    assert run["documents_per_topic"]["max"] == 240


FORMATS = {"qrels": ("qrels.trec", "qrels.parquet"), "run": ("large.run", "large.parquet")}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_round_through_a_table_loses_no_line(kind, collection, tmp_path):
    source, theirs = (collection.folder / name for name in FORMATS[kind])
    there, back = tmp_path / "there.parquet", tmp_path / "back.trec"
    ran(tmp_path, "convert", source, there)
    ran(tmp_path, "convert", there, back)

    ours, other = parquet.read_table(there), parquet.read_table(theirs)
    assert len(ours) == len(other)
    number = "score" if kind == "run" else "grade"
    columns = ("topic", "docno", number)
    assert not rows_of(ours, columns) ^ rows_of(other, columns)
    assert not lines_of(back) ^ lines_of(source)


def rows_of(table, columns):
    return set(zip(*(table[name].to_pylist() for name in columns), strict=True))


def lines_of(path):
    """The lines of a file, whose whole numbers may be written with a point."""
    return {line.replace(b".0 ", b" ") for line in path.read_bytes().split(b"\n")}


def test_json_lines_of_the_first_documents(collection, tmp_path):
    ran(collection.folder, "convert", "large.run.gz", tmp_path / "top.jsonl", "-M", "3")

    lines = [json.loads(line) for line in (tmp_path / "top.jsonl").read_text().splitlines()]
    assert len(lines) == 3 * N_RUN
    best: dict[str, list[float]] = {}
    table = drawn_run("large")
    for topic, score in zip(table["topic"].to_pylist(), table["score"].to_pylist(), strict=True):
        best.setdefault(topic, []).append(score)
    found: dict[str, list[float]] = {}
    for line in lines:
        found.setdefault(line["topic"], []).append(line["score"])
    assert found == {topic: sorted(scores)[:-4:-1] for topic, scores in best.items()}
