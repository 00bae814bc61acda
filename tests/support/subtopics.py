"""Judgments by subtopic: generated ones, and every diversity measure as a plain loop."""

import math
from dataclasses import dataclass
from random import Random

from rankeval.io.formats import RUN
from rankeval.io.python_values import columns_of
from rankeval.ranking.align import align_columns
from rankeval.ranking.qrels import from_mapping

EXAMPLE_QRELS = {
    "1": {"a": {"1": 1, "2": 1}, "b": {"1": 1}, "c": {"3": 2}, "d": {"2": 1}, "e": {"0": 0}}
}
EXAMPLE_RUN = {"1": {"b": 4, "a": 3, "x": 2, "c": 1}}


def collection(seed, *, topics=16, highest=3):
    """{topic: {docno: {subtopic: grade}}} and a run with ties, awkward topics among them."""
    random = Random(seed)
    qrels, run = {}, {}
    for i in range(topics):
        topic = f"{100 + i}"
        pool = [f"D{n:03}" for n in random.sample(range(1000), random.randint(2, 40))]
        names = [f"{n}" for n in range(1, random.randint(2, 8))]
        qrels[topic] = {
            docno: {
                name: random.choice([-1, 0, 0, 1, 1, highest])
                for name in random.sample(names, random.randint(1, len(names)))
            }
            for docno in random.sample(pool, random.randint(1, len(pool)))
        }
        n_scores = random.choice((2, 8, 1000))
        run[topic] = {
            docno: random.randint(-n_scores, n_scores) / 4
            for docno in random.sample(pool, random.randint(1, len(pool)))
        }
    qrels["nothing relevant"] = {"D1": {"1": 0}, "D2": {"1": 0, "2": -1}}
    run["nothing relevant"] = {"D1": 2.0, "D9": 1.0}
    qrels["nothing judged retrieved"] = {"D1": {"1": 1, "2": 1}}
    run["nothing judged retrieved"] = {"D8": 1.0, "D9": 1.0}
    qrels["not in the run"] = {"D1": {"1": 1}}
    run["not in the qrels"] = {"D1": 1.0}
    return qrels, run


def has_relevant(documents):
    """Whether a topic has a relevant document."""
    return any(grade > 0 for grades in documents.values() for grade in grades.values())


def aligned(qrels, run):
    """The RankedJudgments of judgments by subtopic."""
    return align_columns(from_mapping(qrels), [columns_of(run, RUN)]).judged


@dataclass(frozen=True)
class Topic:
    """The docnos of a ranking, and {docno: {subtopic: grade}}."""

    ranking: list[str]
    judgments: dict[str, dict[str, float]]
    highest_grade: float

    def served(self, docno, rel):
        return {s for s, g in self.judgments.get(docno, {}).items() if g >= rel}

    def subtopics(self, rel):
        return set().union(*(self.served(docno, rel) for docno in self.judgments))

    def judged_only(self):
        kept = [d for d in self.ranking if max(self.judgments.get(d, {"": -1}).values()) >= 0]
        return Topic(kept, self.judgments, self.highest_grade)


def plain_topics(qrels, run):
    """The topics in the order in which they are aligned."""
    highest = max(g for t in qrels.values() for d in t.values() for g in d.values())
    for topic in sorted(qrels):
        scores = run.get(topic, {})
        order = sorted(scores, key=lambda docno: (scores[docno], docno.encode()), reverse=True)
        yield Topic(order, qrels[topic], highest)


def ratio(part, whole):
    return part / whole if whole else 0.0


def gathered(topic, ranking, rel, alpha, weight):
    """Σ over the ranking of novelty times a weight by rank."""
    seen, total = {}, 0.0
    for i, docno in enumerate(ranking, start=1):
        served = topic.served(docno, rel)
        total += weight(i) * sum((1 - alpha) ** seen.get(s, 0) for s in served)
        for s in served:
            seen[s] = seen.get(s, 0) + 1
    return total


def ideal_ranking(topic, rel, alpha):
    left, ideal, seen = set(topic.judgments), [], {}
    while left:

        def worth(docno):
            n = sum((1 - alpha) ** seen.get(s, 0) for s in topic.served(docno, rel))
            return round(n, 9), docno

        best = max(left, key=worth)
        left.remove(best)
        ideal.append(best)
        for s in topic.served(best, rel):
            seen[s] = seen.get(s, 0) + 1
    return ideal


def logarithmic(i):
    return 1 / math.log2(i + 1)


def reciprocal(i):
    return 1 / i


def over_beyond_ideal(weight):
    def value(topic, *, rel, alpha=0.5, judged_only=False, cutoff=None):
        topic = topic.judged_only() if judged_only else topic
        found = gathered(topic, topic.ranking[:cutoff], rel, alpha, weight)
        last = len(topic.ranking) if cutoff is None else cutoff
        best = sum(weight(i) * (1 - alpha) ** (i - 1) for i in range(1, last + 1))
        return ratio(found, len(topic.subtopics(rel)) * best)

    return value


def over_ideal(weight):
    def value(topic, *, rel, alpha=0.5, judged_only=False, cutoff=None):
        ideal = ideal_ranking(topic, rel, alpha)[:cutoff]
        topic = topic.judged_only() if judged_only else topic
        found = gathered(topic, topic.ranking[:cutoff], rel, alpha, weight)
        return ratio(found, gathered(topic, ideal, rel, alpha, weight))

    return value


def nrbp(topic, *, rel, alpha, beta):
    found = gathered(topic, topic.ranking, rel, alpha, lambda i: beta ** (i - 1))
    return ratio((1 - (1 - alpha) * beta) * found, len(topic.subtopics(rel)))


def nnrbp(topic, *, rel, alpha, beta):
    return over_ideal(lambda i: beta ** (i - 1))(topic, rel=rel, alpha=alpha)


def ap_ia(topic, *, rel, judged_only=False):
    topic = topic.judged_only() if judged_only else topic
    values = []
    for s in topic.subtopics(rel):
        n_relevant = sum(s in topic.served(d, rel) for d in topic.judgments)
        ranks = [i for i, d in enumerate(topic.ranking, start=1) if s in topic.served(d, rel)]
        values.append(sum(n / i for n, i in enumerate(ranks, start=1)) / n_relevant)
    return ratio(sum(values), len(values))


def p_ia(topic, *, rel, judged_only=False, cutoff):
    topic = topic.judged_only() if judged_only else topic
    n_found = sum(len(topic.served(d, rel)) for d in topic.ranking[:cutoff])
    return ratio(n_found, cutoff * len(topic.subtopics(rel)))


def st_recall(topic, *, rel, cutoff=None):
    served = set().union(*(topic.served(d, rel) for d in topic.ranking[:cutoff]))
    return ratio(len(served), len(topic.subtopics(rel)))


def positive(topic):
    return {s for d in topic.judgments.values() for s, g in d.items() if g > 0}


def rbu(topic, *, p, e, max_rel, cutoff=None):
    scale = topic.highest_grade if max_rel == "qrels" else max_rel
    subtopics, total = positive(topic), 0.0
    not_yet = dict.fromkeys(subtopics, 1.0)
    for i, docno in enumerate(topic.ranking[:cutoff], start=1):
        useful = 0.0
        for s in subtopics:
            r = (2 ** max(topic.judgments.get(docno, {}).get(s, 0), 0) - 1) / 2**scale
            useful += r * not_yet[s]
            not_yet[s] *= 1 - r
        total += p**i * (ratio(useful, len(subtopics)) - e)
    return total if subtopics else 0.0


def d_ndcg(topic, *, cutoff=None):
    def gain(docno):
        return sum(max(g, 0) for g in topic.judgments.get(docno, {}).values())

    def total(ranking):
        return sum(gain(d) * logarithmic(i) for i, d in enumerate(ranking[:cutoff], start=1))

    return ratio(total(topic.ranking), total(sorted(topic.judgments, key=gain, reverse=True)))


def d_sharp_ndcg(topic, *, gamma, cutoff=None):
    served = st_recall(topic, rel=1, cutoff=cutoff)
    return gamma * served + (1 - gamma) * d_ndcg(topic, cutoff=cutoff)


def served_in_turn(topic):
    """The ideal ranking that gives each place to the subtopics served least so far."""
    left = sorted((d for d in topic.judgments if topic.served(d, 1e-9)), reverse=True)
    ideal = []
    while left:
        open_ones = set().union(*(topic.served(d, 1e-9) for d in left))
        so_far = {s: sum(s in topic.served(d, 1e-9) for d in ideal) for s in open_ones}
        turn = {s for s, n in so_far.items() if n == min(so_far.values())}
        places = {d: i for i, d in enumerate(topic.ranking)}
        nowhere = len(topic.ranking)
        # Documents that stay equal keep the order that earlier places gave them.
        left.sort(key=lambda d: places.get(d, nowhere))
        left.sort(key=lambda d: len(turn & topic.served(d, 1e-9)), reverse=True)
        ideal.append(left.pop(0))
    return ideal


def overlap(one, other, p, depth):
    """Rank-biased overlap, cut at a depth and divided by the sum of its weights."""
    shared = [p ** (i - 1) * len({*one[:i]} & {*other[:i]}) / i for i in range(1, depth + 1)]
    return sum(shared) / sum(p ** (i - 1) for i in range(1, depth + 1))


def alpha_compat(topic, *, p, normalize, depth):
    ideal = served_in_turn(topic)
    found = overlap(topic.ranking, ideal, p, depth)
    return ratio(found, overlap(ideal, ideal, p, depth)) if normalize else found


PLAIN = {
    "alpha_DCG": over_beyond_ideal(logarithmic),
    "alpha_nDCG": over_ideal(logarithmic),
    "ERR_IA": over_beyond_ideal(reciprocal),
    "nERR_IA": over_ideal(reciprocal),
    "NRBP": nrbp,
    "nNRBP": nnrbp,
    "AP_IA": ap_ia,
    "P_IA": p_ia,
    "StRecall": st_recall,
    "RBU": rbu,
    "DnDCG": d_ndcg,
    "DSharp_nDCG": d_sharp_ndcg,
    "AlphaCompat": alpha_compat,
}
