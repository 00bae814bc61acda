"""Every measure once more, as a slow plain loop over one topic, written from its definition.

`PLAIN[name](topic, **parameters)` is the value, or None where the measure is undefined.
"""

import itertools
import math
from dataclasses import dataclass, replace
from fractions import Fraction


@dataclass(frozen=True)
class Topic:
    """One ranking of (score, grade), None for an unjudged document, and the grades it missed."""

    ranking: list[tuple[float, float | None]]
    missed: list[float]
    highest_grade: float = 4

    @property
    def grades(self):
        return [grade for _, grade in self.ranking]

    @property
    def judged(self):
        return sorted([g for g in self.grades if g is not None] + list(self.missed), reverse=True)

    def condensed(self):
        return replace(self, ranking=[(s, g) for s, g in self.ranking if g is not None and g >= 0])


def topics_of(qrels, run, highest_grade):
    """The topics in the order of from_dicts."""
    for topic in sorted(qrels):
        scores = run.get(topic, {})
        order = sorted(scores, key=lambda docno: (scores[docno], docno.encode()), reverse=True)
        yield Topic(
            [(scores[docno], qrels[topic].get(docno)) for docno in order],
            [grade for docno, grade in qrels[topic].items() if docno not in scores],
            highest_grade,
        )


def is_relevant(grade, rel):
    return grade is not None and grade >= rel


def n_relevant(topic, rel):
    return sum(g >= rel for g in topic.judged)


def n_found(topic, rel, cutoff=None):
    return sum(is_relevant(g, rel) for g in topic.grades[:cutoff])


def ratio(part, whole):
    return part / whole if whole else 0.0


def on_judged_only(measure):
    """Give a measure its parameter `judged_only`."""

    def either(topic, *, judged_only=False, **parameters):
        return measure(topic.condensed() if judged_only else topic, **parameters)

    return either


# Counts


def num_q(_topic):
    return 1


def num_ret(topic, rel=None, cutoff=None):
    if rel is None:
        return len(topic.grades[:cutoff])
    return n_found(topic, rel, cutoff)


def num_rel(topic, rel):
    return n_relevant(topic, rel)


def num_rel_ret(topic, rel, cutoff=None):
    return n_found(topic, rel, cutoff)


def num_nonrel_ret(topic, rel):
    return sum(g is not None and 0 <= g < rel for g in topic.grades)


# Sets


def set_p(topic, rel, relative=False):  # noqa: FBT002 - called by name only
    n = len(topic.grades)
    return ratio(n_found(topic, rel), min(n, n_relevant(topic, rel)) if relative else n)


def set_r(topic, rel):
    return ratio(n_found(topic, rel), n_relevant(topic, rel))


def f_from(precision, recall, beta):
    """The textbook's form: van Rijsbergen's F as a weighted harmonic mean."""
    if precision == 0 or recall == 0:
        return 0.0
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def set_f(topic, rel, beta):
    return f_from(set_p(topic, rel), set_r(topic, rel), beta)


def set_e(topic, rel, beta):
    return 1 - set_f(topic, rel, beta)


def set_jaccard(topic, rel):
    found = n_found(topic, rel)
    return ratio(found, len(topic.grades) + n_relevant(topic, rel) - found)


def set_ap(topic, rel):
    return set_p(topic, rel) * set_r(topic, rel)


def set_utility(topic, *, rel, a, b, c, d, N, placeholder):
    tp = n_found(topic, rel)
    fp = (len(topic.grades) or int(placeholder)) - tp
    fn = n_relevant(topic, rel) - tp
    value = a * tp + b * fp + c * fn
    return value + d * (N - tp - fp - fn) if d else value


# The first k


def p(topic, rel, cutoff):
    return n_found(topic, rel, cutoff) / cutoff


def r(topic, rel, cutoff):
    return ratio(n_found(topic, rel, cutoff), n_relevant(topic, rel))


def f(topic, rel, beta, cutoff):
    return f_from(p(topic, rel, cutoff), r(topic, rel, cutoff), beta)


def r_cap(topic, rel, cutoff):
    return ratio(n_found(topic, rel, cutoff), min(cutoff, n_relevant(topic, rel)))


def success(topic, rel, cutoff):
    return float(any(is_relevant(g, rel) for g in topic.grades[:cutoff]))


def rprec(topic, rel, mult):
    total = n_relevant(topic, rel)
    cutoff = total if mult == 1 else math.floor(mult * total + 0.9)
    return ratio(n_found(topic, rel, cutoff), cutoff)


# Levels of recall


def needed(topic, rel, recall):
    return math.ceil(recall * n_relevant(topic, rel) - 1e-9)


def needed_by(topic, rel, recall, count):
    match count:
        case "nearest":
            return math.floor(recall * n_relevant(topic, rel) + 0.5)
        case "add 0.9":
            return math.floor(recall * n_relevant(topic, rel) + 0.9)
    return needed(topic, rel, recall)


def iprec(topic, rel, recall, count):
    best = 0.0
    for k in range(1, len(topic.grades) + 1):
        if n_found(topic, rel, k) >= needed_by(topic, rel, recall, count):
            best = max(best, n_found(topic, rel, k) / k)
    return best


def iap(topic, rel, count, levels):
    every = [x / 10 for x in range(11)] if levels is None else [float(x) for x in levels.split(",")]
    return sum(iprec(topic, rel, level, count) for level in every) / len(every)


def k_at_recall(topic, rel, recall):
    for k in range(1, len(topic.grades) + 1):
        found = n_found(topic, rel, k)
        if found and found >= needed(topic, rel, recall):
            return k
    return None


def p_at_recall(topic, rel, recall):
    k = k_at_recall(topic, rel, recall)
    return 0.0 if k is None else n_found(topic, rel, k) / k


# Average precision and reciprocal rank


def gathered(topic, rel, cutoff=None):
    total = 0.0
    for i, grade in enumerate(topic.grades[:cutoff], start=1):
        if is_relevant(grade, rel):
            total += n_found(topic, rel, i) / i
    return total


def ap(topic, rel, norm="rel", cutoff=None):
    total = n_relevant(topic, rel)
    if norm == "min" and cutoff is not None:
        total = min(cutoff, total)
    if norm == "ret":
        total = n_found(topic, rel, cutoff)
    return ratio(gathered(topic, rel, cutoff), total)


def yaap(topic, rel):
    s = gathered(topic, rel)
    return math.log((1 + s) / (1 + n_relevant(topic, rel) - s))


def rr(topic, rel, cutoff):
    for i, grade in enumerate(topic.grades[:cutoff], start=1):
        if is_relevant(grade, rel):
            return 1 / i
    return 0.0


# Cumulated gain


def gain(grade, dcg, gains):
    if grade is None:
        return 0.0
    worth = dict(gains or ()).get(grade, max(grade, 0))
    return 2 ** max(worth, 0) - 1 if dcg.startswith("exp-") else worth


def discounted(gains, dcg, base, cutoff):
    total = 0.0
    for i, worth in enumerate(gains[:cutoff], start=1):
        by = max(1.0, math.log(i) / math.log(base)) if dcg.endswith("jk") else math.log2(i + 1)
        total += worth / by
    return total


def dcg(topic, dcg, gains, base, cutoff):
    return discounted([gain(g, dcg, gains) for g in topic.grades], dcg, base, cutoff)


def idcg(topic, dcg, gains, base, cutoff):
    worth = [gain(g, dcg, gains) for g in topic.judged]
    best = sorted((w for w in worth if w > 0), reverse=True)
    return discounted(best, dcg, base, cutoff)


def ndcg(topic, dcg, gains, base, cutoff):
    ideal = idcg(topic, dcg, gains, base, cutoff)
    return ratio(globals()["dcg"](topic, dcg, gains, base, cutoff), ideal)


# Cascade


def err_of(grades, largest, cutoff):
    """Chapelle et al. (2009), algorithm 2: the loop that carries the chance to get this far."""
    going_on, total = 1.0, 0.0
    for i, grade in enumerate(grades[:cutoff], start=1):
        stop = (2 ** max(grade or 0, 0) - 1) / 2**largest
        total += going_on * stop / i
        going_on *= 1 - stop
    return total


def err(topic, max_rel, cutoff):
    return err_of(topic.grades, topic.highest_grade if max_rel == "qrels" else max_rel, cutoff)


def nerr(topic, max_rel, cutoff):
    largest = topic.highest_grade if max_rel == "qrels" else max_rel
    return ratio(err_of(topic.grades, largest, cutoff), err_of(topic.judged, largest, cutoff))


# trec_eval's walk down the ideal ranking


def ideal_gains(topic, gains):
    worth = [gain(g, "log2", gains) for g in topic.judged]
    return sorted((w for w in worth if w > 0), reverse=True)


def ndcg_rel(topic, gains):
    worth, best = [gain(g, "log2", gains) for g in topic.grades], ideal_gains(topic, gains)
    found = [i for i, w in enumerate(worth, start=1) if w > 0]
    down_to = [*found, *[None] * (len(best) - len(found))]
    values = [
        ratio(discounted(worth, "log2", 2, i), discounted(best, "log2", 2, i)) for i in down_to
    ]
    return ratio(sum(values), len(best))


def rndcg(topic, rel, gains):
    """Rank by rank, a ratio being taken before the ideal gain changes."""
    if not n_relevant(topic, rel):
        return 0.0
    worth, best = [gain(g, "log2", gains) for g in topic.grades], ideal_gains(topic, gains)
    if not best:
        return 0.0
    gathered_gain = ideal = 0.0
    values = []
    for i in range(1, len(best) + 2):
        next_gain = best[i - 1] if i <= len(best) else 0.0
        if i > 1 and next_gain != best[i - 2]:
            values.append(gathered_gain / ideal)
        ideal += next_gain / math.log2(i + 1)
        gathered_gain += worth[i - 1] / math.log2(i + 1) if i <= len(worth) else 0.0
    if len(worth) > len(best) + 1:
        values.append(discounted(worth, "log2", 2, None) / ideal)
    return sum(values) / len(values)


def g_measure(topic, gains):
    best = ideal_gains(topic, gains)
    cost = gathered_gain = total = 0.0
    for i, grade in enumerate(topic.grades):
        worth = gain(grade, "log2", gains)
        cost += max(1.0, best[i]) if i < len(best) else 1.0
        gathered_gain += worth
        total += worth / math.log2(2 + cost - gathered_gain)
    return ratio(total, sum(best))


def bin_g(topic, rel):
    total, others = 0.0, 0
    for grade in topic.grades:
        if is_relevant(grade, rel):
            total += 1 / math.log2(2 + others)
        else:
            others += 1
    return ratio(total, n_relevant(topic, rel))


# Readers, who go on to the next of a thousand places or stop

PLACES = 1000


def scaled(grade, topic, min_rel, max_rel):
    largest = topic.highest_grade if max_rel == "qrels" else max_rel
    if grade is None or largest <= min_rel:
        return 0.0
    return (min(max(grade, min_rel), largest) - min_rel) / (largest - min_rel)


def rbp(topic, p, rel, max_rel, cutoff):
    weights = [(1 - p) * p**i for i in range(len(topic.grades[:cutoff]))]
    if max_rel is None:
        return sum(w for w, g in zip(weights, topic.grades, strict=False) if is_relevant(g, rel))
    highest = highest_of(topic, max_rel)
    return sum(
        w * scaled(g, topic, 0, highest) for w, g in zip(weights, topic.grades, strict=False)
    )


def rbp_res(topic, p, rest, placeholder):
    unknown = [i for i, g in enumerate(topic.grades) if g is None or g < 0]
    if rest == "unjudged" and not unknown and not (placeholder and not topic.grades):
        return 0.0
    return (1 - p) * sum(p**i for i in unknown) + p ** len(topic.grades)


def reader(rule):
    """The framework's definitions for one ranking, C_i = rule(i, r_i, r_1 + … + r_i, …)."""

    def measure(topic, *, min_rel, max_rel, out, norm=True, **parameters):
        if not topic.grades:
            return 0.0
        gains = places([scaled(g, topic, min_rel, max_rel) for g in topic.grades])
        totals = itertools.accumulate(gains)
        go_on = [
            rule(i, r, total, **parameters)
            for i, (r, total) in enumerate(zip(gains, totals, strict=True), start=1)
        ]
        return reported(gains, go_on, out, norm=norm)

    return measure


def places(gains):
    """The gains of all places of the framework."""
    return (gains + [0.0] * PLACES)[:PLACES]


def reported(gains, go_on, out, *, norm=True):
    """What the framework reports of a reader, from C at each place."""
    reach = list(itertools.accumulate(go_on[:-1], lambda v, c: v * c, initial=1.0))
    if out in ("EU", "EC"):
        worth = gains if out == "EU" else [1.0] * PLACES
        sum_of_weights = sum(reach) if norm else 1.0
        return sum(v * w for v, w in zip(reach, worth, strict=True)) / sum_of_weights
    if out == "ED":
        return sum(reach)
    stop = [v * (1 - c) for v, c in zip(reach, go_on, strict=True)]
    kept = itertools.accumulate(gains) if out == "ETU" else range(1, PLACES + 1)
    return sum(p * total for p, total in zip(stop, kept, strict=True))


def with_reader(measure, rule):
    """Give a measure its parameter `out`: C at all places is rule(gains, cutoff, …)."""

    def either(topic, *, out, cutoff, **parameters):
        if out == "EU":
            return measure(topic, cutoff=cutoff, **parameters)
        if not topic.grades:
            return 0.0
        if parameters.get("max_rel") is None:
            gains = places([float(is_relevant(g, parameters["rel"])) for g in topic.grades])
        else:
            highest = highest_of(topic, parameters["max_rel"])
            gains = places([scaled(g, topic, 0, highest) for g in topic.grades])
        go_on = rule(gains, cutoff or len(gains) + 1, parameters.get("p"))
        stops = [c if i < (cutoff or math.inf) else 0.0 for i, c in enumerate(go_on, start=1)]
        return reported(gains, stops, out)

    return either


def highest_of(topic, max_rel):
    return max([1, *topic.judged]) if max_rel == "topic" else max_rel


def ap_rule(gains, cutoff, _p):
    worth = [r / i if i <= cutoff else 0.0 for i, r in enumerate(gains, start=1)]
    ahead = [sum(worth[i:]) for i in range(len(worth) + 1)]
    return [ratio(after, here) for here, after in itertools.pairwise(ahead)]


def rr_rule(gains, _cutoff, _p):
    return [float(total == 0) for total in itertools.accumulate(gains)]


def insq_rule(i, T):
    return ((i + 2 * T - 1) / (i + 2 * T)) ** 2


def ift_rule(i, total, *, T, b1, R1, A, b2, R2):
    goal = 1 - 1 / (1 + b1 * math.exp((T - total) * R1))
    return goal if A is None else goal / (1 + b2 * math.exp((A - total / i) * R2))


def u_rule(i, L):
    weights = [max(0.0, 1 - k / L) if k < PLACES - 1 else 0.0 for k in (i - 1, i)]
    return ratio(weights[1], weights[0])


# NTCIR


def blended(topic, beta, gains):
    """BR at each rank, and whether it is relevant."""
    best = ideal_gains(topic, gains)
    count = total = 0.0
    for i, grade in enumerate(topic.grades, start=1):
        count += is_relevant(grade, SOME)
        total += gain(grade, "log2", gains)
        yield (count + beta * total) / (i + beta * sum(best[:i])), is_relevant(grade, SOME)


SOME = 1e-9
"""Every grade above 0 is relevant."""


def q_measure(topic, beta, gains, cutoff=None):
    values = list(blended(topic, beta, gains))[:cutoff]
    size = n_relevant(topic, SOME)
    return ratio(sum(b for b, relevant in values if relevant), min(size, cutoff or size))


def o_measure(topic, beta, gains):
    best = ideal_gains(topic, gains)
    for i, grade in enumerate(topic.grades, start=1):
        if is_relevant(grade, SOME):
            return (1 + beta * gain(grade, "log2", gains)) / (i + beta * sum(best[:i]))
    return 0.0


def down_to_preferred(topic, beta, gains):
    known = [g or 0 for g in topic.grades]
    if max(known, default=0) <= 0:
        return [0.0]
    preferred = known.index(max(known)) + 1
    return [b for b, relevant in list(blended(topic, beta, gains))[:preferred] if relevant]


def p_measure(topic, beta, gains):
    return down_to_preferred(topic, beta, gains)[-1]


def p_plus(topic, beta, gains):
    values = down_to_preferred(topic, beta, gains)
    return sum(values) / len(values)


def ncu(topic, *, stop, beta, gamma, stops, gains):
    relevant = [g for g in topic.grades if is_relevant(g, SOME)]
    everywhere = [g for g in topic.judged if g > 0]
    ratios = [b for b, is_one in blended(topic, beta, gains) if is_one]
    if stop == "u":
        readers, population = [1.0] * len(relevant), len(everywhere)
    elif stop == "rb":
        readers = [gamma**j for j in range(len(relevant))]
        population = sum(gamma**j for j in range(len(everywhere)))
    else:
        table = stops or gains
        readers = [gain(g, "log2", table) for g in relevant]
        population = sum(gain(g, "log2", table) for g in everywhere)
    total = sum(b * n for b, n in zip(ratios, readers, strict=True))
    return total / population if population > 0 else 0.0


def stopping(topic, max_rel):
    """The chance to stop at each rank, as in ERR."""
    largest, going_on = topic.highest_grade if max_rel == "qrels" else max_rel, 1.0
    for grade in topic.grades:
        stop = (2 ** max(grade or 0, 0) - 1) / 2**largest
        yield going_on * stop
        going_on *= 1 - stop


def ebr(topic, beta, max_rel, gains):
    ratios = [b for b, _ in blended(topic, beta, gains)]
    return sum(s * b for s, b in zip(stopping(topic, max_rel), ratios, strict=True))


def irbu(topic, p, max_rel):
    return sum(s * p**i for i, s in enumerate(stopping(topic, max_rel), start=1))


# Similarity to an ideal ranking


def overlap(one, other, p, depth):
    """Rank-biased overlap, sets compared at every depth until both lists have ended."""
    total = 0.0
    for i in range(1, depth + 1):
        total += p ** (i - 1) * len({*one[:i]} & {*other[:i]}) / i
    return total / sum(p**i for i in range(depth))


def compat(topic, *, p, normalize, depth):
    documents = [*topic.grades, *topic.missed]
    useful = [d for d, grade in enumerate(documents) if grade is not None and grade > 0]
    ideal = sorted(useful, key=lambda d: -documents[d])  # stable: equal grades as ranked
    if not ideal:
        return 0.0
    found = overlap(range(len(topic.grades)), ideal, p, depth)
    return ratio(found, overlap(ideal, ideal, p, depth) if normalize else 1.0)


# Incomplete judgments


def judged(topic, cutoff):
    first = topic.grades[:cutoff]
    return ratio(sum(g is not None for g in first), len(first))


def unjudged(topic, cutoff):
    return sum(g is None or g < 0 for g in topic.grades[:cutoff]) / cutoff


def bpref(topic, rel):
    size = n_relevant(topic, rel)
    n_nonrelevant = sum(0 <= g < rel for g in topic.judged)
    above, total = 0, 0.0
    for grade in topic.grades:
        if is_relevant(grade, rel):
            total += 1 - min(above, size) / min(n_nonrelevant, size) if above else 1
        elif grade is not None and grade >= 0:
            above += 1
    return ratio(total, size)


def inf_ap(topic, rel):
    """Yilmaz and Aslam (2006), with the smoothing of trec_eval."""
    relevant = nonrelevant = pooled = 0
    total, tiny = 0.0, 0.00001
    for k, grade in enumerate(topic.grades, start=1):
        if is_relevant(grade, rel):
            inferred = (relevant + tiny) / (relevant + nonrelevant + 2 * tiny)
            above = (relevant + nonrelevant + pooled) / (k - 1) if k > 1 else 0
            total += 1 / k + (k - 1) / k * above * inferred
            relevant += 1
        elif grade is not None:
            pooled += grade < 0
            nonrelevant += grade >= 0
    return ratio(total, n_relevant(topic, rel))


# ROC


def labelled(topic, rel, universe):
    """(score, is relevant) of the documents that count; None when there is no ranking."""
    if not topic.ranking:
        return []
    documents = [
        (score, is_relevant(grade, rel))
        for score, grade in topic.ranking
        if universe == "retrieved" or (grade is not None and grade >= 0)
    ]
    if universe == "judged":
        documents += [(-math.inf, grade >= rel) for grade in topic.missed if grade >= 0]
    return documents


def auc(topic, rel, universe):
    documents = labelled(topic, rel, universe)
    positive = [score for score, relevant in documents if relevant]
    negative = [score for score, relevant in documents if not relevant]
    if not positive or not negative:
        return None
    won = sum((a > b) + (a == b) / 2 for a in positive for b in negative)
    return won / (len(positive) * len(negative))


def gauc(topic, rel, universe, weight):  # noqa: ARG001 - the weight is the aggregate's
    return auc(topic, rel, universe)


def accuracy(topic, rel, cutoff):
    labels = [is_relevant(g, rel) for g in topic.grades[:cutoff]]
    pairs = [above for i, above in enumerate(labels) for below in labels[i + 1 :] if above != below]
    return sum(pairs) / len(pairs) if pairs else None


# Precision-recall-gain, in fractions


def classes(topic, rel, universe):
    labels = [relevant for _, relevant in labelled(topic, rel, universe)]
    return sum(labels), len(labels) - sum(labels)


def contingency(topic, rel, universe, cutoff):
    """π, precision and recall at k, or None where a gain is undefined."""
    positive, negative = classes(topic, rel, universe)
    if not positive or not negative:
        return None
    ranking = labelled(topic, rel, "retrieved" if universe == "retrieved" else "condensed")
    first = [Fraction(relevant) for _, relevant in ranking][:cutoff]
    if universe == "judged":  # those that were not retrieved follow, each as relevant as all
        missed = positive + negative - len(ranking)
        left = positive - sum(relevant for _, relevant in ranking)
        first += [Fraction(left, missed)] * min(missed, cutoff - len(first)) if missed else []
    if not any(first):
        return None
    pi = Fraction(positive, positive + negative)
    return pi, sum(first) / len(first), sum(first) / positive


def rescaled(value, pi):
    return (value - pi) / ((1 - pi) * value)


def prec_g(topic, rel, universe, cutoff):
    found = contingency(topic, rel, universe, cutoff)
    return None if found is None else float(rescaled(found[1], found[0]))


def rec_g(topic, rel, universe, cutoff):
    found = contingency(topic, rel, universe, cutoff)
    return None if found is None else float(rescaled(found[2], found[0]))


def fg(topic, rel, beta, universe, cutoff):
    found = contingency(topic, rel, universe, cutoff)
    if found is None:
        return None
    pi, precision, recall = (float(x) for x in found)
    return rescaled(f_from(precision, recall, beta), pi)


def gain_curve(topic, rel, universe):
    """π and the points (recall gain, precision gain) from recall gain 0 to the end (1, 0)."""
    positive, negative = classes(topic, rel, universe)
    if not positive or not negative:
        return None
    documents = labelled(topic, rel, universe)
    tables = [(Fraction(0), Fraction(0))]
    for score in sorted({score for score, _ in documents}, reverse=True):
        tp = sum(s >= score and relevant for s, relevant in documents)
        fp = sum(s >= score and not relevant for s, relevant in documents)
        tables.append((Fraction(tp), Fraction(fp)))
    pi = Fraction(positive, positive + negative)
    edge = pi * positive

    def point(tp, fp):
        return rescaled(tp / positive, pi), rescaled(tp / (tp + fp), pi)

    points = []
    for (tp, fp), (next_tp, next_fp) in itertools.pairwise(tables):
        if tp < edge <= next_tp:
            share = (edge - tp) / (next_tp - tp)
            points.append(point(edge, fp + share * (next_fp - fp)))
        if next_tp >= edge:
            points.append(point(next_tp, next_fp))
    return pi, points


def prg(topic, rel, universe, level):
    """The highest point of the curve at a recall gain."""
    found = gain_curve(topic, rel, universe)
    if found is None:
        return None
    level = Fraction(level).limit_denominator(10**6)
    heights = []
    for (x1, y1), (x2, y2) in itertools.pairwise([*found[1], found[1][-1]]):
        if x1 <= level <= x2:
            heights.append(max(y1, y2) if x1 == x2 else y1 + (level - x1) / (x2 - x1) * (y2 - y1))
    return float(max(heights))


def auprg(topic, rel, universe):
    found = gain_curve(topic, rel, universe)
    if found is None:
        return None
    points = found[1]
    steps = itertools.pairwise(points)
    return float(sum((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in steps))


def efg(topic, rel, beta, universe):
    """The mean of FG along the curve, taken over Δ = recG/π - precG/(1-π) as it runs."""
    found = gain_curve(topic, rel, universe)
    if found is None:
        return None
    pi, points = found
    weight = Fraction(beta) ** 2
    along = [(x / pi - y / (1 - pi), (y + weight * x) / (1 + weight)) for x, y in points]
    width = along[-1][0] - along[0][0]
    steps = itertools.pairwise(along)
    area = sum((d2 - d1) * (f1 + f2) / 2 for (d1, f1), (d2, f2) in steps)
    return float(area / width if width else (along[0][1] + along[-1][1]) / 2)


# Preferences


def fulfilled_and_possible(topic, kind):
    """Of the only group: preferences as pairs of places, None for what is not retrieved."""
    documents = [(i, g) for i, g in enumerate(topic.grades) if g is not None]
    documents += [(None, g) for g in topic.missed]
    fulfilled = possible = 0
    for (a, better), (b, worse) in itertools.permutations(documents, 2):
        lacking = (a is None) + (b is None)
        if better > worse and lacking <= {"": 2, "_imp": 1, "_ret": 0}[kind]:
            possible += 1
            fulfilled += a is not None and (b is None or a < b)
    return fulfilled, possible


def preferences(kind):
    return lambda topic, tied: ratio(*fulfilled_and_possible(turned(topic, tied), kind))


def turned(topic, tied):
    """The topic with its documents of equal scores in reverse order, where that is wanted."""
    if tied == "ranked":
        return topic
    groups = itertools.groupby(topic.ranking, key=lambda document: document[0])
    return replace(topic, ranking=[d for _, group in groups for d in [*group][::-1]])


PLAIN = {
    "NumQ": num_q,
    "NumRet": num_ret,
    "NumRel": num_rel,
    "NumRelRet": num_rel_ret,
    "NumNonRelRet": num_nonrel_ret,
    "SetP": on_judged_only(set_p),
    "SetRelP": lambda topic, rel: set_p(topic, rel, relative=True),
    "SetR": set_r,
    "SetF": on_judged_only(set_f),
    "SetE": set_e,
    "SetJaccard": set_jaccard,
    "SetAP": on_judged_only(set_ap),
    "SetUtility": set_utility,
    "P": on_judged_only(with_reader(p, lambda gains, _cutoff, _p: [1.0] * len(gains))),
    "R": on_judged_only(r),
    "F": on_judged_only(f),
    "R_cap": on_judged_only(r_cap),
    "Success": on_judged_only(success),
    "Rprec": on_judged_only(rprec),
    "IPrec": on_judged_only(iprec),
    "IAP": iap,
    "KAtRecall": k_at_recall,
    "PAtRecall": p_at_recall,
    "AP": on_judged_only(with_reader(ap, ap_rule)),
    "GMAP": ap,
    "YAAP": yaap,
    "RR": on_judged_only(with_reader(rr, rr_rule)),
    "DCG": on_judged_only(dcg),
    "IDCG": idcg,
    "nDCG": on_judged_only(ndcg),
    "ERR": err,
    "nERR": nerr,
    "Judged": judged,
    "Unjudged": unjudged,
    "AUC": auc,
    "GAUC": gauc,
    "Accuracy": accuracy,
    "precG": prec_g,
    "recG": rec_g,
    "FG": fg,
    "PRG": prg,
    "AUPRG": auprg,
    "EFG": efg,
    "nDCG_rel": ndcg_rel,
    "Rndcg": rndcg,
    "G": g_measure,
    "binG": bin_g,
    "RBP": with_reader(rbp, lambda gains, _cutoff, p: [p] * len(gains)),
    "RBPres": rbp_res,
    "INST": reader(lambda i, _r, total, T: ((i + 2 * T - total - 1) / (i + 2 * T - total)) ** 2),
    "INSQ": reader(lambda i, _r, _total, T: insq_rule(i, T)),
    "BPM": reader(lambda i, _r, total, T, cutoff: float(total < T - 1e-9 and i < cutoff)),
    "SDCG": reader(
        lambda i, _r, _total, cutoff: math.log2(i + 1) / math.log2(i + 2) if i < cutoff else 0.0
    ),
    "NERR8": reader(lambda i, r, _total, cutoff: 1 - r if i < cutoff else 0.0),
    "NERR9": reader(lambda i, r, _total, cutoff: i / (i + 1) * (1 - r) if i < cutoff else 0.0),
    "NERR10": reader(lambda _i, r, _total, p: p * (1 - r)),
    "NERR11": reader(lambda i, r, _total, T: insq_rule(i, T) * (1 - r)),
    "IFT": reader(lambda i, _r, total, **given: ift_rule(i, total, **given)),
    "NPV": reader(lambda _i, _r, _total, rate: 1 / (1 + rate)),
    "TBG": reader(lambda i, _r, _total, halflife: 2 ** (-1 / halflife) if i < PLACES else 0.0),
    "UMeasure": reader(lambda i, _r, _total, L: u_rule(i, L)),
    "Q": q_measure,
    "OMeasure": o_measure,
    "PMeasure": p_measure,
    "PPlus": p_plus,
    "NCU": ncu,
    "EBR": ebr,
    "iRBU": irbu,
    "Compat": compat,
    "Bpref": bpref,
    "GMBpref": bpref,
    "infAP": inf_ap,
    **{
        name + kind: preferences(kind)
        for name in ("PrefSimp", "PrefPair", "PrefAvgjg")
        for kind in ("", "_ret", "_imp")
    },
    "NumPrefsPoss": lambda topic: fulfilled_and_possible(topic, "")[1],
    "NumPrefsFul": lambda topic, tied: fulfilled_and_possible(turned(topic, tied), "")[0],
    "NumPrefsFulRet": lambda topic, tied: fulfilled_and_possible(turned(topic, tied), "_ret")[0],
}
