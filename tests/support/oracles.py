"""Other tools, called so that they compute what we compute; tests are skipped without them."""

import warnings

import numpy as np
import pytest

from rankeval.measures import parse_measure
from tests.support.builders import from_dicts
from tests.support.samples import clipped, collection, common_topics, ranked_grades, untied

SEEDS = (1, 2)
ROUNDING = 1e-12


def other_tool(module):
    """Import an optional tool, whatever it warns of while it is imported."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(module, exc_type=ImportError)


def pytrec_eval_values(qrels, run, name, *, rel=1, judged_only=False):
    """trec_eval 9 through pytrec_eval: one value per topic that both have, and the topics.

    `name` is written as in `ndcg_cut.10`. Scores must be exact in 32 bits, as it keeps them so.
    """
    topics = common_topics(qrels, run)
    pytrec_eval = pytest.importorskip("pytrec_eval")
    evaluator = pytrec_eval.RelevanceEvaluator(
        {topic: qrels[topic] for topic in topics},
        {name},
        relevance_level=rel,
        judged_docs_only_flag=judged_only,
    )
    values = evaluator.evaluate({topic: run[topic] for topic in topics})
    key = name.replace(".", "_", 1)
    return [values[topic][key] for topic in topics]


def ir_measures_values(qrels, run, name):
    """One value per topic that both have; ties must have been broken."""
    ir_measures = other_tool("ir_measures")
    topics = common_topics(qrels, run)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        measure = ir_measures.parse_measure(name)
        found = {
            metric.query_id: metric.value
            for metric in ir_measures.iter_calc(
                [measure], {t: qrels[t] for t in topics}, {t: run[t] for t in topics}
            )
        }
    return [found[topic] for topic in topics]


def ranx_values(qrels, run, name):
    """One value per topic that both have; ties broken, no negative grades."""
    ranx = other_tool("ranx")
    topics = common_topics(qrels, run)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        judged = ranx.Qrels({t: qrels[t] for t in topics})
        ranking = ranx.Run({t: run[t] for t in topics})
        ranx.evaluate(judged, ranking, [name], make_comparable=False)
    return [ranking.scores[name][topic] for topic in topics]


def cwl_eval_scores(qrels, run, metric, arguments, *, max_rel, costs=None):
    """The metric, after each topic that both have, and what it found: EU, ETU, EC, ETC, ED."""
    cwl = other_tool("cwl.ruler.cwl_ruler")
    oracle = getattr(cwl, metric)(*arguments)
    oracle.residuals = True
    for topic in common_topics(qrels, run):
        # Documents without a judgment are NaN: the best and the worst case make the residual.
        gains = [
            np.nan if grade is None or grade < 0 else grade / max_rel
            for grade in ranked_grades(qrels, run, topic)
        ]
        docnos = untied({topic: run[topic]})[topic]
        spent = [1.0 if costs is None else costs[docno] for docno in docnos]
        oracle.measure(cwl.Ranking(topic, gains, spent))
        yield oracle, oracle.get_scores()


def pyntcireval_values(qrels, run, metric, arguments, *, grades):
    """One value per topic that both have; it divides by zero where nothing is relevant."""
    tool = other_tool("pyNTCIREVAL")
    metrics = other_tool("pyNTCIREVAL.metrics")
    values = []
    for topic in common_topics(qrels, run):
        judged = tool.Labeler({docno: max(grade, 0) for docno, grade in qrels[topic].items()})
        numbers = judged.compute_per_level_doc_num(len(grades) + 1)
        labelled = [(None, max(grade or 0, 0)) for grade in ranked_grades(qrels, run, topic)]
        oracle = getattr(metrics, metric)(numbers, grades, *arguments)
        values.append(oracle.compute(labelled) if sum(numbers[1:]) else 0.0)
    return values


def ndeval_values(qrels, run, name, topics):
    """One value per topic from ndeval through pyndeval; ties must have been broken."""
    tool = other_tool("pyndeval")
    lines = [
        tool.SubtopicQrel(topic, subtopic, docno, grade)
        for topic in topics
        for docno, by_subtopic in qrels[topic].items()
        for subtopic, grade in by_subtopic.items()
    ]
    scores = [
        tool.ScoredDoc(topic, d, score) for topic in topics for d, score in run[topic].items()
    ]
    evaluator = tool.RelevanceEvaluator(lines, [name], relevance_level=1, alpha=0.5, beta=0.5)
    found = evaluator.evaluate(scores)
    return [found[topic][name] for topic in topics]


def length(a):
    """numpy.alen, as it was: 1 for a number."""
    return len(a) if hasattr(a, "__len__") else 1


def area_of_pyprg(labels, scores):
    """The area under pyprg's curve."""
    return other_tool("prg.prg").calc_auprg(curve_of_pyprg(labels, scores))


def curve_of_pyprg(labels, scores):
    """pyprg needs numpy.alen, which numpy dropped."""
    prg = other_tool("prg.prg")
    with (
        pytest.MonkeyPatch.context() as patch,
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
    ):
        warnings.simplefilter("ignore")
        patch.setattr(np, "alen", length, raising=False)
        return prg.create_prg_curve(np.array(labels), np.array(scores))


def of_common_topics(qrels, run, values):
    """Our values of the topics that both have, in the order in which the oracles give theirs."""
    of_topic = dict(zip(sorted(qrels), values, strict=True))
    return [of_topic[topic] for topic in common_topics(qrels, run)]


def assert_agrees_with_pytrec_eval(name, theirs, *, rel=1, topics=None):
    """Compare a measure with trec_eval 9 on generated collections full of ties.

    `topics` says from a topic's judged grades whether it is compared, for rules that differ.
    """
    measure = parse_measure(name) if rel is None else parse_measure(name).with_default("rel", rel)
    for seed in SEEDS:
        qrels, run = collection(seed)
        qrels = {t: docs for t, docs in qrels.items() if topics is None or topics(docs.values())}
        ours = of_common_topics(qrels, run, measure.values(from_dicts(qrels, run)))
        expected = pytrec_eval_values(qrels, run, theirs, rel=rel or 1)
        assert len(expected) > 15
        assert ours == pytest.approx(expected, abs=ROUNDING)


def assert_agrees_with_ir_measures(name, theirs=None):
    """Compare a measure with ir_measures, ties broken beforehand."""
    for seed in SEEDS:
        qrels, run = collection(seed)
        run = untied(run)
        ours = of_common_topics(qrels, run, parse_measure(name).values(from_dicts(qrels, run)))
        expected = np.array(ir_measures_values(qrels, run, theirs or name))
        # Where judged_only leaves no document, trec_eval divides 0 by 0 in iprec_at_recall.
        expected[np.isnan(expected)] = 0.0
        assert ours == pytest.approx(expected, abs=ROUNDING)


def assert_agrees_with_ranx(name, theirs):
    """Compare a measure with ranx, which knows no negative grades, ties broken beforehand."""
    for seed in SEEDS:
        qrels, run = collection(seed)
        qrels, run = clipped(qrels), untied(run)
        ours = of_common_topics(qrels, run, parse_measure(name).values(from_dicts(qrels, run)))
        assert ours == pytest.approx(ranx_values(qrels, run, theirs), abs=ROUNDING)
