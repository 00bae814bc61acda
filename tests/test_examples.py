"""The example collection: its files fit together, and its script makes the runs that are kept."""

import collections
import itertools
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
QRELS = EXAMPLES / "qrels" / "python-reference.qrels"
RUNS = sorted((EXAMPLES / "runs").glob("*.run"))
POOL_DEPTH = 10

# How far a score may move on another machine. The singular value decomposition differs in its
# last bits; two documents that change places because of that change their reciprocal ranks.
TOLERANCE = {"lsa": 2e-4, "rrf": 1e-3}

each_run = pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)


def rows(path):
    return [line.split() for line in path.read_text(encoding="utf-8").splitlines()]


def tsv(path):
    header, *body = path.read_text(encoding="utf-8").splitlines()
    return header, dict(line.split("\t") for line in body)


def rankings(path):
    """Scores by docno by topic, in the order of the file."""
    run = collections.defaultdict(dict)
    for topic, _, docno, _, score, _ in rows(path):
        run[topic][docno] = float(score)
    return run


def qrels():
    """Grades by docno by topic."""
    grades = collections.defaultdict(dict)
    for topic, _, docno, grade in rows(QRELS):
        grades[topic][docno] = int(grade)
    return grades


@pytest.fixture(scope="module")
def topics():
    header, queries = tsv(EXAMPLES / "topics.tsv")
    assert header == "topic\tquery"
    return queries


@pytest.fixture(scope="module")
def reproduced(tmp_path_factory):
    corpus = runpy.run_path(str(EXAMPLES / "corpus.py"))
    if corpus["digest"](corpus["passages"]()) != corpus["RECORDED_DIGEST"]:
        pytest.skip(f"the judged passages are those of Python {corpus['RECORDED_PYTHON']}")
    directory = tmp_path_factory.mktemp("runs")
    subprocess.run([sys.executable, EXAMPLES / "make_runs.py", directory], check=True)
    return directory


def test_topics_are_numbered_from_1_and_each_has_a_type(topics):
    header, types = tsv(EXAMPLES / "topic_types.tsv")

    assert len(topics) >= 40
    assert list(topics) == [str(number) for number in range(1, len(topics) + 1)]
    assert header == "topic\ttype"
    assert list(types) == list(topics)
    assert set(types.values()) == {"how-to", "what-is", "troubleshoot"}


def test_qrels_are_sorted_and_judge_a_document_once(topics):
    judgments = rows(QRELS)
    keys = [(int(topic), docno) for topic, _, docno, _ in judgments]

    assert {len(judgment) for judgment in judgments} == {4}
    assert {judgment[1] for judgment in judgments} == {"0"}
    assert keys == sorted(set(keys))
    assert {topic for topic, *_ in judgments} == set(topics)


def test_grades_are_0_to_3_and_only_one_topic_has_nothing_relevant():
    grades = qrels()

    assert {grade for judged in grades.values() for grade in judged.values()} == {0, 1, 2, 3}
    assert [topic for topic, judged in grades.items() if not any(judged.values())] == ["50"]


def test_the_pool_is_judged_and_documents_below_it_are_not():
    grades = qrels()
    unjudged_ranks = [
        rank
        for path in RUNS
        for topic, ranking in rankings(path).items()
        for rank, docno in enumerate(ranking, start=1)
        if docno not in grades[topic]
    ]

    assert min(unjudged_ranks) == POOL_DEPTH + 1


@each_run
def test_run_is_well_formed(path, topics):
    lines = rows(path)
    by_topic = {topic: list(group) for topic, group in itertools.groupby(lines, lambda row: row[0])}

    assert {len(line) for line in lines} == {6}
    assert {(line[1], line[5]) for line in lines} == {("Q0", path.stem)}
    assert len({(line[0], line[2]) for line in lines}) == len(lines)
    assert list(by_topic) == [topic for topic in topics if topic in by_topic]
    for ranking in by_topic.values():
        scores = [float(line[4]) for line in ranking]
        assert [int(line[3]) for line in ranking] == list(range(1, len(ranking) + 1))
        assert len(ranking) <= 100
        assert scores == sorted(scores, reverse=True)


def test_some_run_has_ties_and_some_run_lacks_a_topic(topics):
    runs = [rankings(path) for path in RUNS]
    n_ties = [len(scores) - len(set(scores.values())) for run in runs for scores in run.values()]

    assert len(runs) >= 4
    assert any(n_ties)
    assert any(len(run) < len(topics) for run in runs)


@pytest.mark.slow
@each_run
def test_script_makes_the_run_that_is_kept(path, reproduced):
    made = reproduced / path.name
    if path.stem not in TOLERANCE:
        assert made.read_bytes() == path.read_bytes()
        return
    kept, again = rankings(path), rankings(made)
    assert list(again) == list(kept)
    for topic, ranking in kept.items():
        # A document at the end of one ranking may just have missed the end of the other.
        last = min(*ranking.values(), *again[topic].values())
        for docno in ranking.keys() | again[topic].keys():
            expected = pytest.approx(ranking.get(docno, last), abs=TOLERANCE[path.stem])
            assert again[topic].get(docno, last) == expected


def test_docs_hold_the_passages_that_were_judged():
    header, *lines = (EXAMPLES / "docs.tsv").read_text(encoding="utf-8").splitlines()
    docs = {docno: text for docno, _, text in (line.split("\t") for line in lines)}

    assert header == "docno\ttitle\ttext"
    assert all(docs.values())
    assert len(docs) == len(lines) == 549
    retrieved = {docno for path in RUNS for run in rankings(path).values() for docno in run}
    assert retrieved | {docno for judged in qrels().values() for docno in judged} == set(docs)


def test_docs_are_those_of_the_script():
    corpus = runpy.run_path(str(EXAMPLES / "corpus.py"))
    if corpus["digest"](corpus["passages"]()) != corpus["RECORDED_DIGEST"]:
        pytest.skip(f"the judged passages are those of Python {corpus['RECORDED_PYTHON']}")
    made = subprocess.run(
        [sys.executable, EXAMPLES / "corpus.py", "--tsv"], check=True, capture_output=True
    ).stdout

    assert made == (EXAMPLES / "docs.tsv").read_bytes()


def test_readme_states_the_sizes_and_the_digest(topics):
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    grades = collections.Counter(grade for judged in qrels().values() for grade in judged.values())
    script = (EXAMPLES / "corpus.py").read_text(encoding="utf-8")
    digest = script.split('RECORDED_DIGEST = "')[1].split('"')[0]

    assert f"{len(topics)} topics" in readme
    assert f"{grades.total():,} judgments" in readme
    for grade, count in grades.items():
        assert f"| {grade} | {count:,} |" in readme
    assert digest in readme


def test_the_gallery_shows_every_kind_of_plot():
    from rankeval.plots.kinds import OFFERED

    script = runpy.run_path(str(EXAMPLES / "make_pictures.py"))
    docs = EXAMPLES.parent / "docs"
    page = (docs / "gallery.md").read_text(encoding="utf-8")

    assert page == script["gallery"]()
    for kind in OFFERED:
        for picture in (f"pictures/{kind}.png", f"pictures/dark/{kind}.png"):
            assert f"]({picture}){{ width=49% }}]({picture})" in page
            assert (docs / picture).read_bytes().startswith(b"\x89PNG")
