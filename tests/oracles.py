"""Other tools, called so that they compute what we compute; tests are skipped without them."""

import warnings

import numpy as np
import pytest
import pytrec_eval

from tests.samples import common_topics


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


def area_under_gain_curve_of_pyprg(labels, scores, monkeypatch):
    """pyprg needs numpy.alen, which numpy dropped."""
    monkeypatch.setattr(np, "alen", lambda a: len(a) if hasattr(a, "__len__") else 1, raising=False)
    prg = other_tool("prg.prg")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return prg.calc_auprg(prg.create_prg_curve(np.array(labels), np.array(scores)))
