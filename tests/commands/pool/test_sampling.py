"""Samples of pools: what is drawn, with which probabilities, and how more is drawn."""

import csv
import io
from collections import defaultdict

import numpy as np
import pytest

import rankeval
from rankeval.errors import InputError, UsageError
from tests.support.commands import run_command

WAYS = ("stratified", "uniform", "by-rank")


def run_of(seed, *, topics=3, documents=60, length=40):
    rng = np.random.default_rng(seed)
    return {
        f"q{topic}": {
            f"d{name}": float(length - rank)
            for rank, name in enumerate(rng.permutation(documents)[:length].tolist())
        }
        for topic in range(topics)
    }


RUNS = [run_of(seed) for seed in range(4)]


@pytest.fixture
def files(tmp_path):
    paths = []
    for number, run in enumerate(RUNS):
        paths.append(str(tmp_path / f"r{number}.run"))
        lines = (
            f"{topic} Q0 {docno} 1 {score} r{number}\n"
            for topic, found in run.items()
            for docno, score in found.items()
        )
        (tmp_path / f"r{number}.run").write_text("".join(lines))
    return paths


def read(path, separator="\t"):
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream, delimiter=separator))


def strata(rows):
    found = defaultdict(list)
    for row in rows:
        found[row["topic"], row["stratum"]].append(row)
    return found


def grade(path, grades):
    """People grade the documents that were drawn."""
    rows = read(path)
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], delimiter="\t", lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {**row, "grade": row["grade"] or grades(row["topic"], row["docno"])} for row in rows
    )
    path.write_text(out.getvalue())


@pytest.mark.parametrize("way", WAYS)
def test_a_sample_lists_the_pool_and_the_share_that_was_drawn_of_each_stratum(files, tmp_path, way):
    done = run_command(
        [
            "pool",
            *files,
            "--depth",
            "20",
            "--sample",
            way,
            "--budget",
            "9",
            "-o",
            str(tmp_path / "s.tsv"),
        ]
    )

    assert (done.code, done.stderr) == (0, "")
    rows = read(tmp_path / "s.tsv")
    assert list(rows[0]) == ["topic", "docno", "stratum", "probability", "grade"]
    pooled = set(rankeval.pool(RUNS, depth=20).pairs())
    assert {(row["topic"], row["docno"]) for row in rows} == pooled
    assert len(rows) == len(pooled)
    for of_stratum in strata(rows).values():
        drawn = sum(row["grade"] == "" for row in of_stratum)
        assert drawn >= 1
        for row in of_stratum:
            assert row["grade"] in ("", "-1")
            assert float(row["probability"]) == drawn / len(of_stratum)
    for topic in ("q0", "q1", "q2"):
        assert sum(row["topic"] == topic and row["grade"] == "" for row in rows) == 9


def test_lines_for_assessors_are_the_documents_that_the_table_wants_graded(files, tmp_path):
    command = ["pool", *files, "--depth", "20", "--sample", "by-rank", "--budget", "9"]
    for target in ("s.tsv", "s.qrels"):
        assert run_command([*command, "-o", str(tmp_path / target)]).code == 0

    wanted = [
        f"{row['topic']} 0 {row['docno']} -1"
        for row in read(tmp_path / "s.tsv")
        if row["grade"] == ""
    ]
    assert (tmp_path / "s.qrels").read_text().splitlines() == wanted
    assert run_command(command).stdout.splitlines() == wanted


@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow"])
def test_the_suffix_of_the_target_chooses_the_form_of_the_table(files, tmp_path, suffix):
    frames = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow.feather")
    command = ["pool", *files, "--depth", "20", "--sample", "uniform", "--budget", "9"]
    for target in (f"s.{suffix}", "s.tsv"):
        assert run_command([*command, "-o", str(tmp_path / target)]).code == 0

    table = tmp_path / f"s.{suffix}"
    if suffix == "csv":
        found = read(table, ",")
    else:
        readers = {"parquet": frames[0].read_table, "arrow": frames[1].read_table}
        found = readers[suffix](table).to_pylist()

    assert [(row["topic"], row["docno"]) for row in found] == [
        (row["topic"], row["docno"]) for row in read(tmp_path / "s.tsv")
    ]
    assert sum(row["grade"] in ("", None) for row in found) == 3 * 9


def test_documents_ranked_well_are_likelier_by_rank_and_in_bands():
    runs, best = [run_of(seed, documents=5000) for seed in range(4)], {}
    for run in runs:
        for topic, found in run.items():
            for rank, docno in enumerate(sorted(found, key=found.get, reverse=True), 1):
                best[topic, docno] = min(rank, best.get((topic, docno), rank))
    for way in ("stratified", "by-rank"):
        drawn = rankeval.pool(runs, sample=way, budget=15).drawn
        named = [drawn.topics[topic].decode() for topic in drawn.topic]
        ranks = np.array(
            [best[topic, docno.decode()] for topic, docno in zip(named, drawn.docnos, strict=True)]
        )

        top = drawn.probability[ranks <= 5].mean()

        assert top > 2 * drawn.probability[ranks > 20].mean()


def test_the_seed_decides_what_is_drawn_and_the_order_of_runs_does_not():
    def drawn(runs, seed):
        return list(rankeval.pool(runs, sample="uniform", budget=5, seed=seed).pairs())

    assert drawn(RUNS, 1) == drawn(RUNS[::-1], 1)
    assert drawn(RUNS, 1) != drawn(RUNS, 2)


def test_a_budget_over_the_pool_draws_every_document():
    found = rankeval.pool(RUNS, sample="stratified", budget=1000)

    assert len(found) == len(rankeval.pool(RUNS, depth=1000))
    assert (found.drawn.probability == 1.0).all()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("n", [7, 40])
def test_next_adds_so_many_documents_and_keeps_the_others_and_their_grades(files, tmp_path, way, n):
    first, second = tmp_path / "s.tsv", tmp_path / "s2.tsv"
    run_command(["pool", *files, "--sample", way, "--budget", "6", "-o", str(first)])
    grade(first, lambda _, docno: str(int(docno[1:]) % 2))
    before = {(r["topic"], r["docno"]): r["grade"] for r in read(first)}

    done = run_command(
        ["pool", *files, "--judged", str(first), "--next", str(n), "-o", str(second)]
    )

    assert (done.code, done.stderr) == (0, "")
    rows = read(second)
    after = {(r["topic"], r["docno"]): r["grade"] for r in rows}
    assert after.keys() == before.keys()
    new = [key for key, found in after.items() if found == ""]
    assert len(new) == n
    assert all(before[key] == "-1" for key in new)
    assert all(after[key] == before[key] for key in after if key not in new)
    for of_stratum in strata(rows).values():
        drawn = sum(row["grade"] != "-1" for row in of_stratum)
        assert {float(row["probability"]) for row in of_stratum} == {drawn / len(of_stratum)}
        assert drawn >= 1


def test_next_prefers_documents_on_which_the_runs_differ(tmp_path):
    """Two runs agree down to rank 20 and differ from there on: little is to be had at the top."""
    same = {f"a{i}": 100.0 - i for i in range(20)}
    runs = [{"q": same | {f"{name}{i}": 50.0 - i for i in range(20)}} for name in ("b", "c")]
    sample = rankeval.pool(runs, sample="uniform", budget=6)
    path = tmp_path / "s.tsv"
    write(sample, path)

    more = rankeval.pool(runs, judged=path, next=20, measures="R@30")

    probability = dict(zip(more.drawn.docnos, more.drawn.probability.tolist(), strict=True))
    tells = [p for docno, p in probability.items() if docno[:1] != b"a" and int(docno[1:]) < 10]
    same = [p for docno, p in probability.items() if docno[:1] == b"a"]
    assert len(list(more.pairs())) == 20
    assert sum(tells) / 20 > 0.75 > 2 * sum(same) / 20


def write(sample, path):
    from rankeval.commands.pool.task import write_sample

    write_sample(sample, str(path), "tsv")


def test_next_with_a_depth_draws_from_documents_of_new_runs_too(tmp_path):
    write(rankeval.pool(RUNS[:2], depth=10, sample="uniform", budget=6), tmp_path / "s.tsv")
    old = set(rankeval.pool(RUNS[:2], depth=10).pairs())
    every = set(rankeval.pool(RUNS, depth=10).pairs())

    more = rankeval.pool(RUNS, judged=tmp_path / "s.tsv", next=30, depth=10)
    same = rankeval.pool(RUNS, judged=tmp_path / "s.tsv", next=30)

    assert len(more.drawn.docnos) == len(every)
    assert set(more.pairs()) & (every - old)
    assert len(same.drawn.docnos) == len(old)
    assert (more.drawn.probability > 0).all()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"sample": "uniform"}, "sample= needs budget="),
        ({"next": 5}, "next= needs judged="),
        ({"sample": "uniform", "budget": 5, "judged": {"q": {"d": 1}}}, "do not go together"),
        ({"sample": "uniform", "budget": 5, "order": "rrf"}, "do not go together"),
        ({"sample": "some", "budget": 5}, "cannot be drawn by 'some'"),
        ({"sample": "uniform", "budget": 0}, "a budget of 0"),
        ({"sample": "uniform", "budget": 5, "seed": -1}, "seed -1 is negative"),
        ({"next": 5, "judged": {"q": {"d": 1}}}, "has no probabilities"),
        ({"budget": 5, "seed": 3}, "seed= is for documents that are drawn"),
    ],
)
def test_draws_that_make_no_sense_are_refused(how, said):
    with pytest.raises(UsageError, match=said):
        rankeval.pool(RUNS, **how)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--sample uniform", "--sample needs --budget"),
        ("--next 5", "--next needs --judged"),
        ("--seed 1 --depth 5", "expected: --sample or --next with it"),
    ],
)
def test_errors_of_draws_name_the_options(files, words, said):
    done = run_command(["pool", *files, *words.split()])

    assert done.code == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("q0\td1\t1\t0.0\t1\n", r"s.tsv:2: the probability \"0.0\" is not above 0"),
        ("q0\td1\t1\t1.5\t1\n", r"s.tsv:2: the probability \"1.5\" is not above 0"),
        ("q0\td1\t1\tx\t1\n", r"s.tsv:2: the probability \"x\" is not above 0"),
        ("q0\td1\t1\t1.0\t1\nq0\td1\t1\t1.0\t0\n", r"s.tsv:3: document \"d1\" is judged twice"),
    ],
)
def test_a_sample_that_is_wrong_is_refused_with_its_line(tmp_path, lines, said):
    path = tmp_path / "s.tsv"
    path.write_text("topic\tdocno\tstratum\tprobability\tgrade\n" + lines)

    with pytest.raises(InputError, match=said):
        rankeval.pool(RUNS, judged=path, next=5)
