"""Generated judgments and rankings, small and full of what goes wrong."""

from random import Random

from hypothesis import strategies as st

from tests.support.builders import UNJUDGED, judgments

GRADES = (-2, -1, 0, 0, 0, 1, 1, 2, 3, 4)


def collection(seed, *, topics=24, grades=GRADES):
    """Judgments and a run as dictionaries, one topic of each awkward kind among them.

    Scores are multiples of 1/4 with many ties, so that 32-bit floats hold them exactly.
    """
    random = Random(seed)
    qrels, run = {}, {}
    for i in range(topics):
        topic = f"{100 + i}"
        pool = [f"D{n:03}" for n in random.sample(range(1000), random.randint(2, 60))]
        judged = random.sample(pool, random.randint(1, len(pool)))
        retrieved = random.sample(pool, random.randint(1, len(pool)))
        n_scores = random.choice((2, 8, 1000))
        qrels[topic] = {docno: random.choice(grades) for docno in judged}
        run[topic] = {docno: random.randint(-n_scores, n_scores) / 4 for docno in retrieved}
    qrels["nothing relevant"] = {"D1": 0, "D2": -1, "D3": 0}
    run["nothing relevant"] = {"D1": 2.0, "D2": 1.0, "D9": 0.5}
    qrels["nothing but junk"] = {"D1": -1, "D2": -2}
    run["nothing but junk"] = {"D1": 2.0, "D2": 1.0}
    qrels["nothing judged retrieved"] = {"D1": max(grades), "D2": 0}
    run["nothing judged retrieved"] = {"D8": 1.0, "D9": 1.0}
    qrels["everything relevant"] = {"D1": max(grades), "D2": 1}
    run["everything relevant"] = {"D1": 1.0, "D2": 1.0}
    qrels["not in the run"] = {"D1": 1, "D2": 0}
    run["not in the qrels"] = {"D1": 1.0}
    return qrels, run


def common_topics(qrels, run):
    """The topics that both have, in the order of from_dicts.

    Without those of negative grades only: trec_eval 9 and so pytrec_eval crash on them.
    """
    return [t for t in sorted(qrels) if t in run and max(qrels[t].values()) >= 0]


def untied(run):
    """The same rankings with scores n, n-1, ..., 1, for tools that break ties otherwise."""
    rankings = {
        topic: sorted(scores, key=lambda docno: (scores[docno], docno.encode()), reverse=True)
        for topic, scores in run.items()
    }
    return {
        topic: {docno: float(len(ranking) - i) for i, docno in enumerate(ranking)}
        for topic, ranking in rankings.items()
    }


def ranked_grades(qrels, run, topic):
    """The grades of a topic's ranking, None where a document is not judged."""
    ranking = untied({topic: run[topic]})[topic]
    return [qrels[topic].get(docno) for docno in ranking]


def clipped(qrels):
    """Negative grades as 0, for tools that know none."""
    return {t: {docno: max(g, 0) for docno, g in docs.items()} for t, docs in qrels.items()}


def grades(highest=4):
    """What a document may be: unjudged, junk, or of a grade up to the highest."""
    return st.sampled_from([UNJUDGED, -1, *range(highest + 1)])


@st.composite
def topics(draw, highest=4):
    """One ranking of (score, grade), scores descending with ties, and the grades it missed."""
    found = draw(st.lists(grades(highest), max_size=8))
    scores = draw(st.lists(st.integers(0, 4), min_size=len(found), max_size=len(found)))
    missed = draw(st.lists(st.sampled_from([-1, 0, 1, highest]), max_size=3))
    return list(zip(sorted(scores, reverse=True), found, strict=True)), missed


def batches(highest=4):
    """A few such topics."""
    return st.lists(topics(highest), min_size=1, max_size=4)


def aligned(batch):
    """The RankedJudgments of a batch."""
    return judgments([ranking for ranking, _ in batch], [missed for _, missed in batch])
