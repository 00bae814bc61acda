"""Compare every measure with other tools.

Run it as `python -m docs.studies.compare_oracles [-o docs/oracles.md]`.

The tools that are installed compute the same measures of the same generated collections, full of
ties, missing topics, fractions of judged documents and negative grades; what is printed is the
largest difference over all topics and collections.
"""

import argparse
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rankeval.ranking.rank import ExtraNeeds

from rankeval.errors import MeasureError
from rankeval.io.python_values import columns_of
from rankeval.io.text_formats import RUN
from rankeval.measures import definitions, parse_measure
from rankeval.ranking.align import align_columns
from rankeval.ranking.items import costs_from
from rankeval.ranking.qrels import from_mapping
from tests.support import oracles, plain, samples, strata, subtopics
from tests.support.builders import from_dicts
from tests.support.settings import settings_of

SEEDS = range(1, 6)
NO_DIFFERENCE = 5e-16
TO_THREE = (-1, 0, 0, 1, 2, 3)

INTRODUCTION = """\
# Measures and oracles

Every measure beside other tools: the values that were compared, of topics of generated collections
with tied scores, missing topics, unjudged documents and negative grades, and the largest difference
from each tool, unless it is 0. `python -m docs.studies.compare_oracles -o docs/oracles.md` writes
this page, and prints each setting of parameters with `--all`. A plain loop is a second, slow
implementation (`tests/support/plain.py`). Ties are broken before, where a tool has another rule;
trec_eval prints four decimals, hence 5e-05.

| measure | compared with | values |
| :--- | :--- | ---: |
"""

WRITTEN = "\n## The tests of other libraries\n"
"""Begins the part of the page that is written by hand, and stays as it is."""


@dataclass(frozen=True)
class Compared:
    """A measure beside an oracle: how many values, and the largest difference."""

    measure: str
    oracle: str
    values: int
    difference: float

    @property
    def name(self):
        """The measure without its parameters."""
        return re.split(r"[(@ ]", self.measure)[0]


Pairs = tuple[str, list[float], list[float]]
"""The name of a measure, our values, and theirs; NaN where undefined."""


def common(qrels, run, name, judged=None):
    """Our values of the topics that both have."""
    judged = from_dicts(qrels, run) if judged is None else judged
    return oracles.of_common_topics(qrels, run, parse_measure(name).values(judged))


PYTREC_EVAL = {
    "AP": "map",
    "AP@10": "map_cut.10",
    "P@10": "P.10",
    "R@10": "recall.10",
    "R_cap@10": "relative_P.10",
    "Success@5": "success.5",
    "Rprec": "Rprec",
    "Rprec(mult=2.0)": "Rprec_mult.2.00",
    "RR": "recip_rank",
    "nDCG": "ndcg",
    "nDCG@10": "ndcg_cut.10",
    "Bpref": "bpref",
    "infAP": "infAP",
    "SetP": "set_P",
    "SetR": "set_recall",
    "SetF": "set_F",
    "SetAP": "set_map",
    "SetRelP": "set_relative_P",
    "SetUtility": "utility",
    "NumRet": "num_ret",
    "NumRel": "num_rel",
    "NumRelRet": "num_rel_ret",
    "NumNonRelRet": "num_nonrel_judged_ret",
    "G": "G",
    "binG": "binG",
    "nDCG_rel": "ndcg_rel",
    "Rndcg": "Rndcg",
    "IPrec(count='add 0.9')@0.5": "iprec_at_recall.0.50",
    "IAP(count='add 0.9')": "11pt_avg",
}


def of_collections(
    values: Callable[..., list[float]],
    names: Mapping[str, str],
    prepare: Callable[..., tuple[Any, Any]] = lambda qrels, run: (qrels, run),
) -> Iterator[Pairs]:
    """Compare measures with the values that another tool has under other names."""
    for seed in SEEDS:
        qrels, run = prepare(*samples.collection(seed))
        for name, theirs in names.items():
            yield name, common(qrels, run, name), values(qrels, run, theirs)


def pytrec_eval() -> Iterator[Pairs]:
    yield from of_collections(oracles.pytrec_eval_values, PYTREC_EVAL)


TREC_EVAL = {
    "AP": "map",
    "GMBpref": "bpref",
    "IPrec(count='nearest')@0.5": "iprec_at_recall.0.50",
    "IAP(count='nearest')": "11pt_avg",
    "NumNonRelRet": "num_nonrel_judged_ret",
    "Unjudged@10": "unj.10",
    "YAAP": "yaap",
}


def trec_eval() -> Iterator[Pairs]:
    yield from of_collections(oracles.trec_eval_values, TREC_EVAL)


IR_MEASURES = (
    *("AP(rel=2)@10", "P(rel=2)@5", "R@10", "RR(rel=2)@10", "nDCG@10", "nDCG(gains={1:1,2:3})@10"),
    *("Success(rel=2)@5", "SetP", "Judged@10", "Bpref(rel=2)"),
    *("AP(judged_only=True)", "IPrec(judged_only=True)@0.5"),
)


def ir_measures() -> Iterator[Pairs]:
    same = {name: name for name in IR_MEASURES}
    yield from of_collections(
        oracles.ir_measures_values, same, lambda qrels, run: (qrels, samples.untied(run))
    )


RANX = {
    "NumRelRet@5": "hits@5",
    "Success@5": "hit_rate@5",
    "P@5": "precision@5",
    "R@5": "recall@5",
    "F@5": "f1@5",
    "Rprec": "r-precision",
    "RR@5": "mrr@5",
    "AP@10": "map@10",
    "DCG@10": "dcg@10",
    "DCG(dcg='exp-log2')@10": "dcg_burges@10",
    "nDCG@10": "ndcg@10",
    "nDCG(dcg='exp-log2')@10": "ndcg_burges@10",
}


def ranx() -> Iterator[Pairs]:
    yield from of_collections(
        oracles.ranx_values,
        RANX,
        lambda qrels, run: (samples.clipped(qrels), samples.untied(run)),
    )


CWL_EVAL = {
    "P@10": ("PrecisionCWLMetric", (10,)),
    "RR": ("RRCWLMetric", ()),
    "AP": ("APCWLMetric", ()),
    "RBP(p=0.8)": ("RBPCWLMetric", (0.8,)),
    "INST(T=2.0,max_rel=3)": ("INSTCWLMetric", (2.0,)),
    "INSQ(T=2.0,max_rel=3)": ("INSQCWLMetric", (2.0,)),
    "BPM(max_rel=3)@10": ("BPMCWLMetric", (1.0, 10)),
    "SDCG(max_rel=3)@10": ("NDCGCWLMetric", (10,)),
    "NERR8(max_rel=3)@10": ("NERReq8CWLMetric", (10,)),
    "NERR9(max_rel=3)@10": ("NERReq9CWLMetric", (10,)),
    "NERR10(max_rel=3)": ("NERReq10CWLMetric", (0.9,)),
    "NERR11(T=2.0,max_rel=3)": ("NERReq11CWLMetric", (2.0,)),
    "IFT(T=2.0,max_rel=3)": ("IFTGoalCWLMetric", (2.0, 0.9, 1.0)),
    "IFT(A=0.2,R2=3.0,max_rel=3)": ("IFTGoalRateCWLMetric", (1.0, 0.9, 1.0, 0.2, 0.9, 3.0)),
    "TBG(halflife=20,max_rel=3)": ("TBGCWLMetric", (20,)),
    "UMeasure(L=100,max_rel=3)": ("UMeasureCWLMetric", (100,)),
}
COSTLY = ("INST", "IFT(A", "TBG", "UMeasure", "SDCG")
BINARY = ("P", "RR", "AP", "RBP")
WITH_COSTS = " with costs"
OUTS = ("EU", "ETU", "EC", "ETC", "ED")


def cwl_eval() -> Iterator[Pairs]:
    costs = {f"D{n:03}": 0.5 + n % 7 for n in range(1000)} | {f"D{n}": 2.5 for n in range(10)}
    needs = ExtraNeeds(costs=costs_from(costs))
    for seed in SEEDS:
        for name, (metric, arguments) in CWL_EVAL.items():
            is_binary = name.startswith(BINARY)
            grades, max_rel = ((-1, 0, 0, 1), 1) if is_binary else (TO_THREE, 3)
            qrels, run = samples.collection(seed, grades=grades)
            judged = align_columns(from_mapping(qrels), [columns_of(run, RUN)], needs=needs).judged
            measure = parse_measure(name)
            for given in (None, costs) if name.startswith((*COSTLY, *BINARY)) else (None,):
                scores = oracles.cwl_eval_scores(
                    qrels, run, metric, arguments, max_rel=max_rel, costs=given
                )
                theirs = [found for _, found in scores]
                for column, out in enumerate(OUTS):
                    if out == "EU" and name == "AP":
                        # The utility per document of AP's reader is AP(norm='ret').
                        continue
                    asked = measure.definition.measure({**dict(measure.given), "out": out})
                    ours = common(qrels, run, str(asked), judged if given else None)
                    found = [float(row[column]) for row in theirs]
                    row = str(asked) if is_binary else name
                    yield row + (WITH_COSTS if given else ""), ours, found


NTCIREVAL = {
    "Q": ("QMeasure", (1.0,)),
    "Q(beta=10)@10": ("QMeasure", (10.0, 10)),
    "OMeasure": ("OMeasure", (1.0,)),
    "PMeasure": ("PMeasure", (1.0,)),
    "PPlus(beta=0.5)": ("PPlusMeasure", (0.5,)),
    "NCU(stop='rb',beta=1.0)": ("NCUrbBR", (0.9, 1.0)),
    "NCU(stop='gu',stops={1:1,2:4,3:5})": ("NCUguP", ([1, 4, 5],)),
}


def ntcireval() -> Iterator[Pairs]:
    for seed in SEEDS:
        qrels, run = samples.collection(seed, grades=TO_THREE)
        for name, (metric, arguments) in NTCIREVAL.items():
            theirs = oracles.pyntcireval_values(qrels, run, metric, arguments, grades=[1, 2, 3])
            yield name, common(qrels, run, name), theirs


NDEVAL = {
    "alpha_DCG@10": "alpha-DCG@10",
    "alpha_nDCG@5": "alpha-nDCG@5",
    "alpha_nDCG@20": "alpha-nDCG@20",
    "ERR_IA@10": "ERR-IA@10",
    "nERR_IA@10": "nERR-IA@10",
    "NRBP": "NRBP",
    "nNRBP": "nNRBP",
    "AP_IA": "MAP-IA",
    "P_IA@10": "P-IA@10",
    "StRecall@5": "strec@5",
}


def ndeval() -> Iterator[Pairs]:
    for seed in SEEDS:
        qrels, run = subtopics.collection(seed)
        run = samples.untied(run)
        judged = subtopics.aligned(qrels, run)
        topics = [t for t in sorted(qrels) if t in run and subtopics.has_relevant(qrels[t])]
        for name, theirs in NDEVAL.items():
            values = dict(zip(sorted(qrels), parse_measure(name).values(judged), strict=True))
            found = oracles.ndeval_values(qrels, run, theirs, topics)
            yield name, [float(values[topic]) for topic in topics], found


def scikit_learn() -> Iterator[Pairs]:
    metrics = oracles.other_tool("sklearn.metrics")
    for seed in SEEDS:
        qrels, run = samples.collection(seed)
        pairs = {"AUC": [], "SetF(beta=2.0)": [], "SetJaccard": []}
        values = {n: parse_measure(n).values(from_dicts(qrels, run)) for n in pairs}
        for i, topic in enumerate(sorted(qrels)):
            scores, judged = run.get(topic, {}), qrels[topic]
            labels = [judged.get(docno, 0) >= 1 for docno in scores]
            every = sorted({*judged, *scores})
            truth = [judged.get(docno, 0) >= 1 for docno in every]
            found = [docno in scores for docno in every]
            if len(set(labels)) == 2:
                pairs["AUC"].append((i, metrics.roc_auc_score(labels, list(scores.values()))))
            f_beta = metrics.fbeta_score(truth, found, beta=2, zero_division=0)
            pairs["SetF(beta=2.0)"].append((i, f_beta))
            jaccard = metrics.jaccard_score(truth, found, zero_division=0)
            pairs["SetJaccard"].append((i, jaccard))
        for name, theirs in pairs.items():
            yield name, [values[name][i] for i, _ in theirs], [value for _, value in theirs]


def pyprg() -> Iterator[Pairs]:
    for seed in SEEDS:
        qrels, run = samples.collection(seed)
        areas = parse_measure("AUPRG(universe='retrieved')").values(from_dicts(qrels, run))
        ours, theirs = [], []
        for topic, area in zip(sorted(qrels), areas.tolist(), strict=True):
            scores = run.get(topic, {})
            labels = [int(qrels[topic].get(docno, 0) >= 1) for docno in scores]
            if 0 < sum(labels) < len(labels):
                ours.append(area)
                theirs.append(oracles.area_of_pyprg(labels, list(scores.values())))
        yield "AUPRG(universe='retrieved')", ours, theirs


def plain_loops() -> Iterator[Pairs]:
    for highest in (2, 4):
        qrels, run = samples.collection(highest)
        yield "Hole@10", holes(qrels, run, 10), plain_holes(qrels, run, 10)
        qrels, run = samples.collection(highest, topics=8, grades=(-1, 0, 0, 1, highest))
        judged = from_dicts(qrels, run)
        topics = list(plain.topics_of(qrels, run, highest))
        yield from looped(plain.PLAIN, judged, topics)
        qrels, run = subtopics.collection(highest, topics=8, highest=highest)
        judged = subtopics.aligned(qrels, run)
        yield from looped(subtopics.PLAIN, judged, list(subtopics.plain_topics(qrels, run)))
        qrels, run = strata.collection(highest, topics=8, highest=highest)
        topics = list(strata.rankings(qrels, run))
        loops = {
            name: lambda topic, loop=loop, **given: loop(*topic, **given)
            for name, loop in strata.PLAIN.items()
        }
        yield from looped(loops, strata.aligned(qrels, run), topics)


def holes(qrels, run, cutoff) -> list[float]:
    judged = align_columns(
        from_mapping(qrels), [columns_of(run, RUN)], needs=ExtraNeeds(elsewhere=True)
    ).judged
    return parse_measure(f"Hole@{cutoff}").values(judged).tolist()


def plain_holes(qrels, run, cutoff) -> list[float]:
    known = {docno for docs in qrels.values() for docno in docs}
    rankings = samples.untied(run)
    return [
        sum(docno not in known for docno in list(rankings.get(topic, ()))[:cutoff]) / cutoff
        for topic in sorted(qrels)
    ]


def looped(loops, judged, topics) -> Iterator[Pairs]:
    """The settings of each measure beside its plain loop, under its bare name."""
    for name, loop in loops.items():
        for measure in settings_of(definitions()[name], most=60):
            try:
                ours = measure.values(judged).tolist()
            except MeasureError:
                continue
            found = [loop(topic, **measure.parameters) for topic in topics]
            yield name, ours, [math.nan if value is None else value for value in found]


TOOLS: dict[str, tuple[str, Callable[[], Iterator[Pairs]]]] = {
    "pytrec_eval": ("pytrec_eval-terrier", pytrec_eval),
    "ir_measures": ("ir-measures", ir_measures),
    "ranx": ("ranx", ranx),
    "cwl-eval": ("cwl-eval", cwl_eval),
    "ndeval": ("pyndeval", ndeval),
    "NTCIREVAL": ("pyNTCIREVAL", ntcireval),
    "scikit-learn": ("scikit-learn", scikit_learn),
    "pyprg": ("pyprg", pyprg),
    "trec_eval 10": ("", trec_eval),
    "plain loop": ("", plain_loops),
}


def comparisons() -> Iterator[Compared]:
    """Each measure with each oracle that is here."""
    for tool, (package, pairs_of) in TOOLS.items():
        try:
            if package:
                print(f"{package} {version(package)}", file=sys.stderr)
            collected: dict[str, list[tuple[float, float]]] = {}
            for name, ours, theirs in pairs_of():
                both = zip(ours, theirs, strict=True)
                collected.setdefault(name, []).extend((a, b) for a, b in both if not math.isnan(b))
        except (PackageNotFoundError, pytest.skip.Exception):
            print(f"{tool} is not installed", file=sys.stderr)
            continue
        for name, values in collected.items():
            difference = float(np.abs(np.subtract(*np.transpose(values))).max())
            yield Compared(name, tool, len(values), difference)


def main() -> None:
    """Print the table, by measure in the order of the catalogue, and write it where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, help="write the page there, too")
    parser.add_argument("--all", action="store_true", help="print each setting of parameters")
    given = parser.parse_args()
    order = {name: i for i, name in enumerate(definitions())}
    rows = sorted(comparisons(), key=lambda c: order[c.name])
    if given.all:
        for c in rows:
            print(c.measure, c.oracle, f"{c.values:,}", shown(c.difference), sep="\t")
        return
    lines = [line(name, [*of]) for name, of in groupby(rows, key=lambda c: c.name)]
    without = sorted(set(order) - {c.name for c in rows})
    page = INTRODUCTION + "".join(lines)
    if without:
        page += f"\nHeld by worked examples and properties only: {', '.join(without)}.\n"
    written = Path("docs/oracles.md").read_text(encoding="utf-8").partition(WRITTEN)
    page += "".join(written[1:])
    sys.stdout.write(page)
    if given.output:
        given.output.write_text(page, encoding="utf-8")


def line(name: str, compared: Sequence[Compared]) -> str:
    """Return the row of a measure."""
    most: dict[str, float] = {}
    for one in compared:
        most[one.oracle] = max(one.difference, most.get(one.oracle, 0.0))
    oracles = ", ".join(
        tool if shown(most[tool]) == "0" else f"{tool} ({shown(most[tool])})" for tool in most
    )
    return f"| `{name}` | {oracles} | {sum(one.values for one in compared):,} |\n"


def shown(difference: float) -> str:
    """A difference in one digit; 0 where there is none beyond the last bits."""
    return "0" if difference < NO_DIFFERENCE else f"{difference:.0e}"


if __name__ == "__main__":
    main()
