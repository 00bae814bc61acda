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


def set_utility(topic, *, rel, a, b, c, d, N):  # noqa: N803 - the field's letter
    tp = n_found(topic, rel)
    fp = len(topic.grades) - tp
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


def iprec(topic, rel, recall):
    best = 0.0
    for k in range(1, len(topic.grades) + 1):
        if n_found(topic, rel, k) >= needed(topic, rel, recall):
            best = max(best, n_found(topic, rel, k) / k)
    return best


def iap(topic, rel):
    return sum(iprec(topic, rel, level / 10) for level in range(11)) / 11


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


# Incomplete judgments


def judged(topic, cutoff):
    first = topic.grades[:cutoff]
    return ratio(sum(g is not None for g in first), len(first))


def unjudged(topic, cutoff):
    return sum(g is None or g < 0 for g in topic.grades[:cutoff]) / cutoff


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
    first = [relevant for _, relevant in ranking][:cutoff]
    if not any(first):
        return None
    pi = Fraction(positive, positive + negative)
    return pi, Fraction(sum(first), len(first)), Fraction(sum(first), positive)


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
        if tp <= edge < next_tp:
            share = (edge - tp) / (next_tp - tp)
            points.append(point(edge, fp + share * (next_fp - fp)))
        if next_tp > edge:
            points.append(point(next_tp, next_fp))
    return pi, points


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
    "P": on_judged_only(p),
    "R": on_judged_only(r),
    "F": on_judged_only(f),
    "R_cap": on_judged_only(r_cap),
    "Success": on_judged_only(success),
    "Rprec": on_judged_only(rprec),
    "IPrec": on_judged_only(iprec),
    "IAP": iap,
    "KAtRecall": k_at_recall,
    "PAtRecall": p_at_recall,
    "AP": on_judged_only(ap),
    "GMAP": ap,
    "YAAP": yaap,
    "RR": on_judged_only(rr),
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
    "AUPRG": auprg,
    "EFG": efg,
}
