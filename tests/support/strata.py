"""Judgments by stratum: generated ones, and the measures for them as plain loops."""

import math
from collections import Counter
from random import Random

from rankeval.io.formats import RUN, STRATUM
from rankeval.io.python_values import columns_of
from rankeval.ranking.align import align_columns
from rankeval.ranking.qrels import from_mapping

EPSILON = 0.00001


def collection(seed, *, topics=16, rate=0.5, highest=3):
    """{topic: {docno: {stratum: grade}}}, -1 where it was not sampled, and a run with ties."""
    random = Random(seed)
    qrels, run = {}, {}
    for i in range(topics):
        topic = f"{100 + i}"
        pool = [f"D{n:03}" for n in random.sample(range(1000), random.randint(3, 60))]
        names = [f"{n}" for n in range(1, random.randint(2, 5))]
        qrels[topic] = {
            docno: {
                random.choice(names): random.choice([0, 0, 1, highest])
                if random.random() < rate
                else -1
            }
            for docno in random.sample(pool, random.randint(2, len(pool)))
        }
        n_scores = random.choice((2, 8, 1000))
        retrieved = random.sample(pool, random.randint(1, len(pool)))
        run[topic] = {docno: random.randint(0, n_scores) / 4 for docno in retrieved}
    qrels["nothing sampled"] = {"D1": {"1": -1}, "D2": {"1": -1}}
    run["nothing sampled"] = {"D1": 1.0}
    qrels["not in the run"] = {"D1": {"1": 1}}
    return qrels, run


def aligned(qrels, run):
    """The RankedJudgments of judgments by stratum."""
    judgments = from_mapping(qrels, label=STRATUM)
    return align_columns(judgments, [columns_of(run, RUN)]).judged


def rankings(qrels, run):
    """The (stratum, grade) of each document in rank order, None without, and all of them."""
    for topic in sorted(qrels):
        judged = {docno: next(iter(found.items())) for docno, found in qrels[topic].items()}
        scores = run.get(topic, {})
        order = sorted(scores, key=lambda docno: (scores[docno], docno.encode()), reverse=True)
        yield [judged.get(docno) for docno in order], list(judged.values())


def weights(judged):
    size = Counter(stratum for stratum, _ in judged)
    sampled = Counter(stratum for stratum, grade in judged if grade >= 0)
    return {stratum: size[stratum] / n for stratum, n in sampled.items()}


def estimated_relevant(judged, rel):
    weight = weights(judged)
    return sum(weight[stratum] for stratum, grade in judged if grade >= rel)


def xinf_ap(ranking, judged, *, rel, outcomes):
    weight, total = weights(judged), 0.0
    for k, document in enumerate(ranking, start=1):
        if document is None or document[1] < rel:
            continue
        above = [d for d in ranking[: k - 1] if d is not None]
        expected = 0.0
        for stratum in {s for s, _ in above}:
            grades = [grade for s, grade in above if s == stratum]
            a, n = sum(g >= rel for g in grades), sum(g >= 0 for g in grades)
            expected += len(grades) * (a + EPSILON) / (n + outcomes * EPSILON)
        total += weight[document[0]] * (1 + expected) / k
    relevant = estimated_relevant(judged, rel)
    return total / relevant if relevant else 0.0


def inf_ndcg(ranking, judged):
    weight, found = weights(judged), [d for d in ranking if d is not None]
    retrieved = Counter(s for s, _ in found)
    sampled = Counter(s for s, g in found if g >= 0)
    total = sum(
        retrieved[d[0]] / sampled[d[0]] * d[1] / math.log2(i + 1)
        for i, d in enumerate(ranking, start=1)
        if d is not None and d[1] > 0
    )
    ideal, rank = 0.0, 0
    for level in sorted({g for _, g in judged if g > 0}, reverse=True):
        number = sum(weight[s] for s, g in judged if g == level)
        for _ in range(math.floor(number + 0.5)):
            rank += 1
            ideal += level / math.log2(rank + 1)
    return total / ideal if ideal else 0.0


def stat_ap(ranking, judged, *, rel):
    weight, above, total = weights(judged), 0.0, 0.0
    for i, document in enumerate(ranking, start=1):
        if document is not None and document[1] >= rel:
            total += weight[document[0]] * (1 + above) / i
            above += weight[document[0]]
    relevant = estimated_relevant(judged, rel)
    return total / relevant if relevant else 0.0


PLAIN = {"xinfAP": xinf_ap, "infNDCG": inf_ndcg, "statAP": stat_ap}
