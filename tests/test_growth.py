"""Time beside that of twice as much, or of a peer: what a file or a command may not make slow."""

import json

import pytest

from rankeval.align import align
from rankeval.measures import parse_measures
from rankeval.qrels import read_qrels
from rankeval.render import Format, Style, render
from tests.growth import MOST, growth, seconds
from tests.render.builders import results, score


def test_a_list_of_cutoffs_is_read_in_time_that_grows_with_its_length():
    def cutoffs(n):
        text = "P@" + ",".join(map(str, range(1, n + 1)))
        return lambda: parse_measures(text)

    assert growth(cutoffs, 2000) < MOST


def test_a_table_is_drawn_in_time_that_grows_with_its_columns():
    def columns(n):
        found = results({"bm25": [score(f"P@{i}", [0.25, 0.5], 0.375) for i in range(1, n + 1)]})
        return lambda: list(render(found, Format.TABLE, Style(per_topic=True, width=80)))

    assert growth(columns, 60) < MOST


@pytest.mark.parametrize("kind", [str, int])
def test_objects_are_read_at_a_third_of_the_speed_of_words(tmp_path, kind):
    n, names = (
        60_000,
        {name: tmp_path / name for name in ("a.qrels", "a.run", "q.jsonl", "r.jsonl")},
    )
    rows = [(kind(i // 1000 + 1), f"clueweb-{i * 7919 % n:07}", i % 3, -i / 7) for i in range(n)]
    names["a.qrels"].write_text("".join(f"{t} 0 {d} {g}\n" for t, d, g, _ in rows))
    names["a.run"].write_text("".join(f"{t} Q0 {d} 1 {s} x\n" for t, d, _, s in rows))
    names["q.jsonl"].write_text(
        "".join(json.dumps({"qid": t, "docno": d, "rel": g}) + "\n" for t, d, g, _ in rows)
    )
    names["r.jsonl"].write_text(
        "".join(json.dumps({"qid": t, "docno": d, "score": s}) + "\n" for t, d, _, s in rows)
    )
    judgments = read_qrels(str(names["a.qrels"]))

    def fastest(name):
        path = str(names[name])
        if name in ("a.qrels", "q.jsonl"):
            return min(seconds(lambda: read_qrels(path)) for _ in range(3))
        return min(seconds(lambda: align(judgments, path)) for _ in range(3))

    assert align(judgments, str(names["r.jsonl"])).lines == n
    assert read_qrels(str(names["q.jsonl"])).digest == judgments.digest
    assert fastest("q.jsonl") < 3 * fastest("a.qrels")
    assert fastest("r.jsonl") < 3 * fastest("a.run")
