"""What other tools say, row by row of the tables in docs/coming-from.md.

    python docs/studies/other_tools.py SECTION < data.json

It is run in the environment of the section's tool, which has no rankeval, and prints JSON: the
versions, and for each row values by name. docs/studies/coming_from.py draws the data, and has
rankeval's side.
"""

import json
import sys
import warnings
from importlib.metadata import PackageNotFoundError, version


def mean(values):
    """Return the mean of some values, which may be a generator."""
    found = list(values)
    return sum(found) / len(found)


def named(by_topic, measure=""):
    """Name the values of topics, and of a measure of each."""
    return {f"{topic} {measure}".strip(): float(value) for topic, value in by_topic.items()}


# trec_eval and pytrec_eval: the C code of trec_eval, as pytrec_eval has it.


def trec(data, measures, run="a", **options):
    """Return {topic: {measure: value}} of trec_eval's code."""
    import pytrec_eval

    return pytrec_eval.RelevanceEvaluator(data["qrels"], measures, **options).evaluate(data[run])


def trec_means(data, measures, n_topics=None, **options):
    found = trec(data, measures, **options)
    names = next(iter(found.values()))
    n_topics = n_topics or len(found)
    return {name: sum(values[name] for values in found.values()) / n_topics for name in names}


def trec_letters(data):
    first = {
        topic: dict(sorted(scores.items(), key=lambda pair: -pair[1])[:7])
        for topic, scores in data["a"].items()
    }
    judged = {
        topic: {d: s for d, s in scores.items() if d in data["qrels"].get(topic, ())}
        for topic, scores in data["a"].items()
    }
    level = trec(data, {"map"}, relevance_level=2)
    return {
        **named({topic: values["map"] for topic, values in level.items()}, "-q -l 2"),
        "-M 7": trec_means({**data, "a": first}, {"map"})["map"],
        "-J": trec_means({**data, "a": judged}, {"map"})["map"],
    }


def trec_all(data):
    import pytrec_eval

    found = trec(data, pytrec_eval.supported_measures)
    names = [name for name in next(iter(found.values())) if name in data["all_trec"]]
    return {
        name: pytrec_eval.compute_aggregated_measure(name, [v[name] for v in found.values()])
        for name in names
    }


TREC_EVAL = {
    "`trec_eval -c -m map qrels run`": lambda data: trec_means(data, {"map"}, len(data["qrels"])),
    "without `-c`": lambda data: trec_means(data, {"map"}),
    "`-q`, `-n`, `-l 2`, `-M 100`, `-J`, `-N 1000`": trec_letters,
    "`-m ndcg_cut.10`, `-m P.5,10`": lambda data: trec_means(data, {"ndcg_cut.10", "P.5,10"}),
    "`-m all_trec`, `-m official`": trec_all,
}

PYTREC_EVAL = {
    '`RelevanceEvaluator(qrel, {"map", "ndcg_cut_10"})`': lambda data: trec_means(
        data, {"map", "ndcg_cut_10"}
    ),
    "`evaluator.evaluate(run)`": lambda data: named(
        {topic: values["map"] for topic, values in trec(data, {"map"}).items()}
    ),
    "a mean over `values()`": lambda data: trec_means(data, {"map"}),
    "a query that the run lacks is left out": lambda data: {
        "topics": float(len(trec(data, {"map"}))),
        **trec_means(data, {"map"}),
    },
}


# ir_measures


def ir_means(data, *names):
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in names]
    found = ir_measures.calc_aggregate(measures, data["qrels"], data["a"])
    return {str(measure): value for measure, value in found.items()}


def ir_topics(data):
    import ir_measures

    return {
        f"{found.query_id} {found.measure}": found.value
        for found in ir_measures.iter_calc(
            [ir_measures.AP, ir_measures.P @ 5], data["qrels"], data["a"]
        )
    }


IR_MEASURES = {
    "`nDCG@10`, `AP(rel=2)@100`": lambda data: ir_means(data, "nDCG@10", "AP(rel=2)@100"),
    "`ir_measures.calc_aggregate([AP], qrels, run)`": lambda data: ir_means(data, "AP"),
    "`ir_measures.iter_calc(...)`": ir_topics,
    "`Judged@10`, `SetP`, `infAP`": lambda data: ir_means(data, "Judged@10", "SetP", "infAP"),
}


# ranx


def ranx_means(data, *names):
    import ranx

    found = ranx.evaluate(
        ranx.Qrels(data["qrels"]), ranx.Run(data["a"]), list(names), make_comparable=True
    )
    return {names[0]: float(found)} if len(names) == 1 else {n: float(found[n]) for n in names}


def ranx_binary(data):
    qrels = {t: {d: int(g > 0) for d, g in docs.items()} for t, docs in data["qrels"].items()}
    return ranx_means({**data, "qrels": qrels}, "rbp.95")


def ranx_compare(data):
    import ranx

    runs = [ranx.Run(data[name], name=name) for name in ("complete", "b")]
    report = ranx.compare(
        ranx.Qrels(data["qrels"]), runs, metrics=["map"], stat_test="student"
    ).to_dict()
    return {
        "complete": report["complete"]["scores"]["map"],
        "b": report["b"]["scores"]["map"],
        "p": report["complete"]["comparisons"]["b"]["map"],
    }


def ranx_fuse(data):
    import ranx

    found = ranx.fuse([ranx.Run(data[name]) for name in ("complete", "b")], method="rrf")
    return {
        f"{topic} {docno}": float(score)
        for topic, scores in found.to_dict().items()
        for docno, score in scores.items()
    }


RANX = {
    '`ranx.evaluate(qrels, run, ["ndcg@10", "mrr"])`': lambda d: ranx_means(d, "ndcg@10", "mrr"),
    "`ranx.compare(qrels, runs, ...)`": ranx_compare,
    '`ranx.fuse(runs, method="rrf")`': ranx_fuse,
    "`hits`, `hit_rate@5`, `precision@5`, `f1@5`, `r-precision`": lambda d: ranx_means(
        d, "hits", "hit_rate@5", "precision@5", "f1@5", "r-precision"
    ),
    "`rbp.95` of grades 0 and 1": ranx_binary,
    "`ndcg_burges@10`": lambda d: ranx_means(d, "ndcg_burges@10"),
}


# RecTools


def rectools_frames(data):
    import pandas as pd

    lists = [(u, i, rank) for u, items in data["lists"].items() for rank, i in enumerate(items, 1)]
    pairs = [(user, item) for user, items in data["test"].items() for item in items]
    reco = pd.DataFrame(lists, columns=["user_id", "item_id", "rank"])
    return reco, pd.DataFrame(pairs, columns=["user_id", "item_id"])


def rectools(data, **metrics):
    """Return the means of metrics of users, which take recommendations and interactions."""
    reco, interactions = rectools_frames(data)
    return {name: float(metric.calc(reco, interactions)) for name, metric in metrics.items()}


def rectools_users(data):
    from rectools.metrics import Precision

    reco, interactions = rectools_frames(data)
    found = Precision(k=10).calc_per_user(reco, interactions)
    return {**named(found.to_dict()), "mean": float(found.mean())}


def rectools_shown_users(data):
    import pandas as pd
    from rectools.metrics import MeanInvUserFreq

    reco, _ = rectools_frames(data)
    train = pd.DataFrame(data["train"], columns=["user_id", "item_id"])
    found = MeanInvUserFreq(k=10).calc_per_user(reco, train)
    return {**named(found.to_dict()), "mean": float(found.mean())}


def rectools_runs(data):
    import pandas as pd
    from rectools.metrics import AvgRecPopularity, CatalogCoverage, MeanInvUserFreq

    reco, _ = rectools_frames(data)
    train = pd.DataFrame(data["train"], columns=["user_id", "item_id"])
    return {
        "Coverage": float(CatalogCoverage(k=10, normalize=True).calc(reco, data["names"])),
        "MIUF": float(MeanInvUserFreq(k=10).calc(reco, train)),
        "ARP": float(AvgRecPopularity(k=10).calc(reco, train)),
    }


def rectools_lists(data):
    import pandas as pd
    from rectools.metrics import (
        IntraListDiversity,
        PairwiseHammingDistanceCalculator,
        Serendipity,
    )

    reco, interactions = rectools_frames(data)
    train = pd.DataFrame(data["train"], columns=["user_id", "item_id"])
    features = pd.DataFrame.from_dict(data["features"], orient="index", dtype=float)
    diversity = IntraListDiversity(
        k=10, distance_calculator=PairwiseHammingDistanceCalculator(features)
    )
    return {
        "Serendipity": float(Serendipity(k=10).calc(reco, interactions, train, data["names"])),
        "ILD": float(diversity.calc(reco)),
    }


def rectools_seen(data):
    """Leave out what users had, as a model with filter_viewed=True does, and rank the rest."""
    seen = {tuple(pair) for pair in data["train"]}
    lists = {
        user: [item for item in items if (user, item) not in seen]
        for user, items in data["lists"].items()
    }
    from rectools.metrics import Recall

    return rectools({**data, "lists": lists}, Recall=Recall(k=5))


def rectools_metrics(*names, **options):
    """Return a function that computes metrics with k=10."""

    def found(data):
        from rectools import metrics

        return rectools(data, **{name: getattr(metrics, name)(k=10, **options) for name in names})

    return found


RECTOOLS = {
    "user, item": rectools_metrics("Recall"),
    "interactions": rectools_metrics("Recall"),
    "recommendations with `rank`": rectools_metrics("MRR"),
    "`Precision(k=10)`, `Recall(k=10)`, `HitRate(k=10)`": rectools_metrics(
        "Precision", "Recall", "HitRate"
    ),
    "`MAP(k=10)`, `MRR(k=10)`": rectools_metrics("MAP", "MRR"),
    "`NDCG(k=10, divide_by_achievable=True)`": rectools_metrics("NDCG", divide_by_achievable=True),
    "`NDCG(k=10)`": rectools_metrics("NDCG"),
    "the users of a mean: those with interactions": rectools_users,
    "the users of `MeanInvUserFreq` and the like: those with a list": rectools_shown_users,
    "`CatalogCoverage(k=10, normalize=True)`, `MeanInvUserFreq(k=10)`, `AvgRecPopularity(k=10)`": (
        rectools_runs
    ),
    "`Serendipity(k=10)`, `IntraListDiversity(k=10, ...)`": rectools_lists,
    "`prev_interactions=`, `catalog=`": rectools_seen,
}


# PyTerrier


def pt_frames(data):
    import pandas as pd

    def rows(table, name):
        return pd.DataFrame(
            [(q, d, value) for q, docs in table.items() for d, value in docs.items()],
            columns=["qid", "docno", name],
        )

    runs = [rows(data[name], "score") for name in ("complete", "b")]
    for run in runs:
        run["rank"] = run.groupby("qid")["score"].rank(ascending=False).astype(int) - 1
    topics = pd.DataFrame({"qid": list(data["qrels"]), "query": list(data["qrels"])})
    return topics, rows(data["qrels"], "label"), runs


def pt_experiment(data, measures, **options):
    import pyterrier

    topics, qrels, runs = pt_frames(data)
    return pyterrier.Experiment(runs, topics, qrels, measures, names=["a", "b"], **options)


def pt_means(data):
    return named(dict(zip("ab", pt_experiment(data, ["map"])["map"], strict=True)))


def pt_p(data, **options):
    found = pt_experiment(data, ["map"], baseline=0, **options)
    return {"mean": float(found["map"][1]), "p": float(found["map p-value"][1])}


def pt_corrected(data):
    topics, qrels, runs = pt_frames(data)
    third = runs[1].assign(score=-runs[1]["score"])
    third["rank"] = third.groupby("qid")["score"].rank(ascending=False).astype(int) - 1
    import pyterrier

    found = pyterrier.Experiment(
        [*runs, third], topics, qrels, ["map"], names=["a", "b", "c"], baseline=0, correction="holm"
    )
    return {
        "b": float(found["map p-value corrected"][1]),
        "c": float(found["map p-value corrected"][2]),
    }


PYTERRIER = {
    "topics with `qid`, results with `qid`, `docno`, `score`": pt_means,
    "qrels with `qid`, `docno`, `label`": pt_means,
    '`pt.Experiment([a, b], topics, qrels, ["map"], baseline=0)`': pt_p,
    '`correction="holm"`': pt_corrected,
}


# torchmetrics


def torchmetric(name, **options):
    """Return a function that computes a metric of retrieval."""

    def found(data):
        import torch
        from torchmetrics import retrieval

        rows = [
            (number, score, data["qrels"][topic].get(docno, 0))
            for number, (topic, scores) in enumerate(data["complete"].items())
            for docno, score in scores.items()
        ]
        indexes, scores, grades = zip(*rows, strict=True)
        if name != "RetrievalNormalizedDCG":
            grades = [int(grade > 0) for grade in grades]
        metric = getattr(retrieval, name)(**options)
        value = metric(
            torch.tensor(scores, dtype=torch.float64),
            torch.tensor(grades),
            indexes=torch.tensor(indexes),
        )
        return {"mean": float(value)}

    return found


TORCHMETRICS = {
    "`indexes=`": torchmetric("RetrievalMRR"),
    "`RetrievalNormalizedDCG(top_k=10)`": torchmetric("RetrievalNormalizedDCG", top_k=10),
    "`RetrievalMAP()`": torchmetric("RetrievalMAP"),
    "`RetrievalMRR()`": torchmetric("RetrievalMRR"),
    "`RetrievalPrecision(top_k=10)`": torchmetric("RetrievalPrecision", top_k=10),
    "`RetrievalRecall(top_k=10)`": torchmetric("RetrievalRecall", top_k=10),
    "`RetrievalHitRate(top_k=10)`": torchmetric("RetrievalHitRate", top_k=10),
    "`RetrievalRPrecision()`": torchmetric("RetrievalRPrecision"),
}


# sentence-transformers


def sentence_transformers(*names):
    """Return a function that gives values of the library's evaluator, without its prefix."""

    def found(data):
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.evaluation import InformationRetrievalEvaluator

        try:
            from sentence_transformers.sentence_transformer.modules import BoW
        except ImportError:  # version 5
            from sentence_transformers.models import BoW
        # A document has the word of a topic as often as the topic's score says.
        topics = list(data["complete"])
        words = {}
        for topic, scores in data["complete"].items():
            for docno, score in scores.items():
                words.setdefault(docno, []).extend([topic] * int(score))
        model = SentenceTransformer(
            modules=[BoW(vocab=topics)], device="cpu", similarity_fn_name="dot"
        )
        evaluator = InformationRetrievalEvaluator(
            {topic: topic for topic in topics},
            {docno: " ".join(found) for docno, found in words.items()},
            {
                topic: {docno for docno, grade in grades.items() if grade > 0}
                for topic, grades in data["qrels"].items()
            },
            write_csv=False,
        )
        values = {name.removeprefix("dot_"): value for name, value in evaluator(model).items()}
        return {name: float(values[name]) for name in names}

    return found


SENTENCE_TRANSFORMERS = {
    "`queries`, `corpus`, `relevant_docs`": sentence_transformers("ndcg@10"),
    "`ndcg@10`": sentence_transformers("ndcg@10"),
    "`map@100`": sentence_transformers("map@100"),
    "`mrr@10`": sentence_transformers("mrr@10"),
    "`accuracy@5`": sentence_transformers("accuracy@5"),
    "`precision@5`, `recall@5`": sentence_transformers("precision@5", "recall@5"),
}


# diffir


def diffir(data):
    from diffir.measure.qrels import QrelMeasure

    class Judged:
        def has_qrels(self):
            return True

        def qrels_dict(self):
            return data["qrels"]

    measure = QrelMeasure(metric="nDCG@10", topk=5)
    topics, differences, *_ = measure.query_differences(
        data["complete"], data["b"], dataset=Judged()
    )
    assert list(differences) == topics
    return {f"{place}: {topic}": differences[topic] for place, topic in enumerate(topics, 1)}


DIFFIR = {"`diffir a.run b.run --measure qrel --metric nDCG@10 --topk 5`": diffir}


SECTIONS = {
    "trec_eval": (TREC_EVAL, ["pytrec_eval-terrier"]),
    "pytrec_eval": (PYTREC_EVAL, ["pytrec_eval-terrier"]),
    "ir_measures": (IR_MEASURES, ["ir-measures"]),
    "ranx": (RANX, ["ranx"]),
    "RecTools": (RECTOOLS, ["rectools"]),
    "PyTerrier": (PYTERRIER, ["python-terrier"]),
    "torchmetrics": (TORCHMETRICS, ["torchmetrics"]),
    "Sentence Transformers": (SENTENCE_TRANSFORMERS, ["sentence-transformers"]),
    "diffir": (DIFFIR, ["diffir"]),
}
"""The headings of the page with their rows, and the packages whose versions are told."""


def said(section, data):
    """Return the versions of a section's tool, its values by row, and what failed by row."""
    rows, packages = SECTIONS[section]
    values, failures, versions = {}, {}, []
    for package in packages:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            return {"versions": [], "values": {}, "failures": {}}
    for row, compute in rows.items():
        try:
            values[row] = compute(data)
        except Exception as error:  # noqa: BLE001  the row is told with what it raised
            failures[row] = f"{type(error).__name__}: {error}"
    return {"versions": versions, "values": values, "failures": failures}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.stdout, out = sys.stderr, sys.stdout
    json.dump(said(sys.argv[1], json.load(sys.stdin)), out)
