"""`--like TOOL` gives the tool's numbers: compared with its recorded output on our examples."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import rankeval
from rankeval.measures.other_names import SETS, TEXTS, expanded
from tests.support.files import EXAMPLE_QRELS, EXAMPLES

pytrec_eval = pytest.importorskip("pytrec_eval")


DATA = Path(__file__).parents[1] / "data" / "tools"

PRINTED_BY_TREC_EVAL = {
    "num_q": "NumQ",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "map": "AP",
    "gm_map": "GMAP",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "recip_rank": "RR",
    **{f"iprec_at_recall_{i / 10:.2f}": f"IPrec@{i / 10:g}" for i in range(11)},
    **{f"P_{k}": f"P@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)},
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The files that the tools read, see tests/data/tools/README.md."""
    directory = tmp_path_factory.mktemp("tools")

    def write(name, rows):
        path = directory / name
        path.write_text("".join(" ".join(row) + "\n" for row in rows), encoding="utf-8")
        return str(path)

    part = (EXAMPLES / "runs" / "bm25.run").read_text(encoding="utf-8").splitlines()[:3000]
    run = [line.split() for line in part]
    judged = [line.split() for line in EXAMPLE_QRELS.read_text(encoding="utf-8").splitlines()]
    near = [[*row[:4], f"{100 + float(row[4]) / 1000000:.9f}", row[5]] for row in run]
    of_self = [[*r[:2], "7", *r[3:]] if (r[0], r[3]) == ("7", "1") else r for r in near]
    return {
        "some.qrels": write("some.qrels", [[*r[:3], "0"] if r[0] == "2" else r for r in judged]),
        "relevant.qrels": write("relevant.qrels", [row for row in judged if int(row[3]) > 0]),
        "part.run": write("part.run", run),
        "near.run": write("near.run", near),
        "self.run": write("self.run", of_self),
        "top.run": write("top.run", [row for row in run if int(row[3]) <= 15]),
        "three.run": write("three.run", [[r[0], r[2], r[3]] for r in run]),
        # The scores say the opposite of the ranks, and the lines are in no order.
        "ranks.run": write("ranks.run", sorted([*r[:4], r[3], r[5]] for r in run)),
    }


def scores(files, qrels, run, tool, measures=None, **stated):
    settings = rankeval.options.Settings.like_tool(tool, **stated)
    (result,) = rankeval.evaluate(files[qrels], files[run], measures, settings).runs
    return {score.measure: score for score in result.scores}, result.topics


def recorded_json(name):
    return json.loads((DATA / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(("tool", "recorded"), [("trec_eval", "10"), ("trec_eval9", "9")])
def test_like_trec_eval(files, tool, recorded):
    lines = (DATA / f"trec_eval{recorded}.txt").read_text(encoding="utf-8").splitlines()
    expected = {name.strip(): value for name, _, value in (line.split("\t") for line in lines)}

    found, _ = scores(files, "some.qrels", "near.run", tool)

    by_name = {score.as_given: score.aggregate for score in found.values()}
    for theirs, ours in PRINTED_BY_TREC_EVAL.items():
        assert by_name[ours] == pytest.approx(float(expected[theirs]), abs=5.1e-5), theirs
    assert len(found) == len(PRINTED_BY_TREC_EVAL)


def lines_at_level_2():
    """{name: value} of trec_eval -l 2 over all topics, numbers only."""
    lines = (DATA / "trec_eval10_level2.txt").read_text(encoding="utf-8").splitlines()
    values = {name.strip(): value for name, _, value in (line.split("\t") for line in lines)}
    return {name: float(value) for name, value in values.items() if name not in TEXTS}


def grouped_judgments(folder):
    """The judgments of our examples in groups, see tests/data/tools/README.md."""
    rows = [line.split() for line in EXAMPLE_QRELS.read_text(encoding="utf-8").splitlines()]
    grouped = [
        [row[0], "a" if int(row[0]) % 3 == 0 or number % 2 else "b", *row[2:]]
        for number, row in enumerate(rows, 1)
    ]
    grouped.sort(key=lambda row: (int(row[0]), row[1]))
    path = folder / "groups.qrels"
    path.write_text("".join(" ".join(row) + "\n" for row in grouped), encoding="utf-8")
    return path


@pytest.mark.parametrize("tool", [None, "trec_eval"])
@pytest.mark.parametrize("names", ["all_trec", "official", "set", "qrels_jg", "num_rel", "each"])
def test_names_of_trec_eval_have_its_values_at_relevance_level_2(names, tool, tmp_path):
    recorded = lines_at_level_2()
    asked = list(SETS["all_trec"] - TEXTS) if names == "each" else [names]
    qrels = grouped_judgments(tmp_path) if names == "qrels_jg" else EXAMPLE_QRELS
    settings = rankeval.options.Settings.like_tool(tool, min_grade=2)

    (result,) = rankeval.evaluate(qrels, EXAMPLES / "runs" / "bm25.run", asked, settings).runs

    expected = {name for one in asked for name in expanded(one) or [one]}
    assert {score.as_given for score in result.scores} == expected
    for score in result.scores:
        assert score.aggregate == pytest.approx(recorded[score.as_given], abs=5.1e-5), score


def test_like_trec_eval9_is_pytrec_eval_to_the_last_digit(files):
    qrels, run = {}, {}
    for line in Path(files["some.qrels"]).read_text(encoding="utf-8").splitlines():
        topic, _, docno, grade = line.split()
        qrels.setdefault(topic, {})[docno] = int(grade)
    for line in Path(files["near.run"]).read_text(encoding="utf-8").splitlines():
        topic, _, docno, _, score, _ = line.split()
        run.setdefault(topic, {})[docno] = float(score)
    expected = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut.10"}).evaluate(run)

    found, topics = scores(files, "some.qrels", "near.run", "trec_eval9", "AP nDCG@10")

    assert set(topics) == set(expected)
    for ours, theirs in {"AP": "map", "nDCG@10": "ndcg_cut_10"}.items():
        values = [expected[topic][theirs] for topic in topics]
        np.testing.assert_allclose(found[ours].values, values, atol=1e-12)
    doubles = rankeval.evaluate(files["some.qrels"], files["near.run"], "AP").runs[0].scores[0]
    assert doubles.values.tolist() != found["AP"].values.tolist()


def test_like_gdeval(files):
    with (DATA / "gdeval.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    *by_topic, mean = rows

    found, topics = scores(files, "some.qrels", "part.run", "gdeval", "nDCG@10 ERR@10")

    assert set(topics) == {row["topic"] for row in by_topic}
    columns = {"nDCG(dcg='exp-log2')@10": "ndcg@10", "ERR@10": "err@10"}
    assert set(found) == set(columns)
    for ours, theirs in columns.items():
        values = dict(zip(topics, found[ours].values.tolist(), strict=True))
        for row in by_topic:
            assert values[row["topic"]] == pytest.approx(float(row[theirs]), abs=5.1e-6)
        assert found[ours].aggregate == pytest.approx(float(mean[theirs]), abs=5.1e-6)


@pytest.mark.parametrize("run", ["part.run", "ranks.run", "three.run"])
def test_like_msmarco(files, run):
    text = (DATA / "msmarco.txt").read_text(encoding="utf-8")
    expected = float(text.partition("MRR @10: ")[2].split()[0])

    found, _ = scores(files, "relevant.qrels", run, "msmarco")

    assert list(found) == ["RR@10"]
    assert found["RR@10"].aggregate == pytest.approx(expected, abs=1e-12)


def test_like_beir(files):
    expected = recorded_json("beir.json")
    names = {"NDCG": "nDCG", "MAP": "AP", "Recall": "R", "P": "P"}

    found, _ = scores(files, "some.qrels", "self.run", "beir")

    for theirs, value in expected.items():
        name, _, cutoff = theirs.partition("@")
        ours = found[f"{names[name]}@{cutoff}"]
        assert ours.aggregate == pytest.approx(value, abs=5.1e-6), theirs


def test_like_ranx(files):
    expected = recorded_json("ranx.json")

    found, _ = scores(files, "some.qrels", "top.run", "ranx", " ".join(expected))

    by_name = {score.as_given: score.aggregate for score in found.values()}
    assert by_name == pytest.approx(expected, abs=1e-12)


def test_a_parameter_in_a_measures_name_wins_over_the_tool(files):
    found, _ = scores(files, "some.qrels", "part.run", "gdeval", "nDCG(dcg='log2')@5 nDCG ERR")

    assert list(found) == ["nDCG@5", "nDCG(dcg='exp-log2')@20", "ERR@20"]


def test_what_is_said_beside_a_tool_holds_against_it():
    assert rankeval.options.Settings(like="msmarco", depth=10).order == "rank"
    assert rankeval.options.Settings(like="beir", drop_self=True, depth=5).depth == 5
    stated = rankeval.options.Settings.like_tool("beir", topics="judged")
    assert (stated.topics, stated.drop_self) == ("judged", True)
    assert replace(stated, depth=3).topics == "judged"
