"""A retrieval evaluator of Sentence Transformers, with the measures and results of rankeval.

It needs sentence-transformers 5 or newer, and takes the place of that library's own
`InformationRetrievalEvaluator`: called with a model, or given to a trainer as `evaluator`.

>>> from rankeval.compat.sentence_transformers import Evaluator  # doctest: +SKIP
>>> evaluator = Evaluator(queries, corpus, qrels, "nDCG@10 AP", name="dev")  # doctest: +SKIP
>>> evaluator(model)  # doctest: +SKIP
{'dev_nDCG@10': 0.7103, 'dev_AP': 0.6521}
>>> evaluator.results["dev", "AP"].interval()  # doctest: +SKIP
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

import rankeval

try:
    from sentence_transformers.base.evaluation import SentenceEvaluator
except ImportError:  # version 5
    from sentence_transformers.evaluation import SentenceEvaluator

SIMILARITIES = 1 << 24
"""Similarities of queries and documents that are held at once."""

UNNAMED = "model"
"""The run of an evaluator without a name."""


class Evaluator(SentenceEvaluator):  # type: ignore[misc]  # its types are not installed
    """Rank a corpus for each judged query by a model's similarity, and evaluate the ranking.

    ========== =====================================================================
    queries    {topic: query}; those without judgments are left out
    corpus     {docno: document}
    qrels      all that `rankeval.evaluate` takes, such as {topic: {docno: grade}}
    measures   the names of measures, or objects; the first is the primary metric
    settings   the conventions; or its fields as keywords, such as topics="both"
    groups     of queries, for values in each: a path, or {topic: group}
    weights    of queries, for averaged measures: a path, or {topic: weight}
    bounds     add the values that judging the unjudged documents could lead to
    k          documents that are kept for each query
    name       of the run in `results`, and the prefix of the metrics
    batch_size texts that the model encodes at once
    chunk_size documents whose embeddings are held at once
    ========== =====================================================================

    `truncate_dim` and `show_progress_bar` are handed on to the model. A judged topic without a
    query scores 0, as a topic that a run lacks does, and is left out with `topics="both"`.
    Equal scores at rank k are cut as trec_eval orders them: the larger docno stays.

    A call returns {metric: value} and keeps `results`, which have the values of each query
    (`.per_topic`), intervals (`.interval()`), groups, bounds and warnings. With an `output_path`
    they are saved there as JSON, too, under a name with the epoch and the steps.

    Raises RankevalError for what cannot be evaluated.
    """

    def __init__(
        self,
        queries: Mapping[str, Any],
        corpus: Mapping[str, Any],
        qrels: rankeval.options.QrelsLike,
        measures: rankeval.options.MeasuresLike | None = None,
        settings: rankeval.options.Settings | None = None,
        *,
        groups: Any = None,
        weights: Any = None,
        bounds: bool = False,
        k: int = 1000,
        name: str = "",
        batch_size: int = 32,
        chunk_size: int = 50_000,
        truncate_dim: int | None = None,
        show_progress_bar: bool = False,
        **conventions: Any,
    ) -> None:
        super().__init__()
        for what, number in (("k", k), ("batch_size", batch_size), ("chunk_size", chunk_size)):
            if number < 1:
                raise rankeval.UsageError(f"{what} is {number}", expected="1 or more")
        self.qrels = qrels if isinstance(qrels, rankeval.Qrels) else rankeval.Qrels(qrels)
        checked = rankeval.Evaluator(self.qrels, measures, settings, **conventions)
        self.measures, self.settings = checked.measures, checked.settings
        self._asked = {"groups": groups, "weights": weights, "bounds": bounds}
        judged = {*map(str, self.qrels)}
        self.queries = {
            str(topic): query for topic, query in queries.items() if str(topic) in judged
        }
        if not self.queries:
            raise rankeval.UsageError("no query is judged", expected="{topic: query} of the qrels")
        if not corpus:
            raise rankeval.UsageError("the corpus is empty", expected="{docno: document}")
        # In the order that equal scores have, which the first of them at rank k is kept by.
        self.corpus = dict(sorted(((str(d), text) for d, text in corpus.items()), reverse=True))
        self.k, self.name, self.chunk_size = k, name, chunk_size
        self._encoding = {
            "batch_size": batch_size,
            "show_progress_bar": show_progress_bar,
            "convert_to_tensor": True,
            "truncate_dim": truncate_dim,
        }
        first = rankeval.parse_measure(self.measures[0])
        self.greater_is_better = not first.definition.loss
        self.primary_metric = f"{name}_{self.measures[0]}" if name else self.measures[0]

    def __call__(
        self, model: Any, output_path: str | None = None, epoch: int = -1, steps: int = -1
    ) -> dict[str, float]:
        """Evaluate a model, keep the `results`, and return {metric: value}."""
        with torch.no_grad():
            run = rankeval.Run(self._ranked(model), name=self.name or UNNAMED)
        self.results = results = rankeval.evaluate(
            self.qrels, run, self.measures, self.settings, **self._asked
        )
        if output_path is not None:
            Path(output_path).mkdir(parents=True, exist_ok=True)
            place = f"rankeval_{run.name}_epoch{epoch}_steps{steps}.json"
            results.save(Path(output_path) / place.replace("/", "_"))
        found = {measure: float(score) for measure, score in results[run.name].items()}
        metrics: dict[str, float] = self.prefix_name_to_metrics(found, self.name)
        self.store_metrics_in_model_card_data(model, metrics, epoch, steps)
        return metrics

    @property
    def description(self) -> str:
        """The name in model cards."""
        return "Information Retrieval by rankeval"

    def get_config_dict(self) -> dict[str, Any]:
        """Return the description of the evaluator for the model card."""
        return {"measures": " ".join(self.measures), "k": self.k}

    def _ranked(self, model: Any) -> dict[str, dict[str, float]]:
        """Return the k best documents of each query with their similarity."""
        rows = max(1, SIMILARITIES // self.chunk_size)
        queries = [
            model.encode_query(texts, **self._encoding)
            for texts in _chunks([*self.queries.values()], rows)
        ]
        best: list[Any] = [None] * len(queries)
        start = 0
        for texts in _chunks([*self.corpus.values()], self.chunk_size):
            documents = model.encode_document(texts, **self._encoding)
            for part, embedded in enumerate(queries):
                scores = model.similarity(embedded, documents)
                places = torch.arange(start, start + len(texts), device=scores.device)
                found = scores, places.expand(len(scores), -1)
                best[part] = _best(found, best[part], self.k)
            start += len(texts)
        docnos, topics = [*self.corpus], iter(self.queries)
        ranked = {}
        for scores, places in best:
            for values, chosen in zip(scores.tolist(), places.tolist(), strict=True):
                names = map(docnos.__getitem__, chosen)
                ranked[next(topics)] = dict(zip(names, values, strict=True))
        return ranked


def _best(found: tuple[Any, Any], before: tuple[Any, Any] | None, k: int) -> tuple[Any, Any]:
    """Return the k best scores of each row and their places, in the order of places.

    Of equal scores at rank k, the first places are kept, so that chunks do not matter.
    """
    scores, places = found
    if before is not None:
        scores = torch.cat([before[0], scores], dim=1)
        places = torch.cat([before[1], places], dim=1)
    if scores.shape[1] <= k:
        return scores, places
    values, columns = scores.topk(k, dim=1)
    tied = (scores >= values[:, -1:]).sum(dim=1) > k
    if tied.any():
        columns[tied] = scores[tied].sort(dim=1, descending=True, stable=True).indices[:, :k]
    columns = columns.sort(dim=1).values
    return scores.gather(1, columns), places.gather(1, columns)


def _chunks(texts: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(texts), size):
        yield texts[start : start + size]
