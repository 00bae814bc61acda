"""Rank the passages of corpus.py for the topics of topics.tsv with six retrieval systems.

    python examples/make_runs.py [DIRECTORY]   writes DIRECTORY/bm25.run, ... (default: runs/ here)

bm25    BM25 (k1 = 1.2, b = 0.75) over stems, stop words removed
qld     query likelihood with Dirichlet smoothing (mu = 300) over the same terms; log probabilities
tfidf   cosine of log TF-IDF vectors over unstemmed words, nothing removed
lsa     cosine in the space of the first 100 singular vectors of the stems' TF-IDF matrix
title   how many of the query's stems stand in the headings above the passage
rrf     reciprocal rank fusion (k = 60) of bm25, tfidf and lsa
"""

import argparse
import csv
import platform
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import corpus
import numpy as np
import scipy.linalg
import scipy.sparse as sp

HERE = Path(__file__).parent
DEPTH = 100

ENDING = re.compile(r"(?<=\w\w\w\w)(ations?|ings?|ies|ed|es?|y)$|(?<=\w\w[^\Ws])s$")

Analyzer = Callable[[str], list[str]]
Ranking = dict[str, float]


class Index(NamedTuple):
    """Term counts, one row per document, and the column of each term."""

    counts: sp.csr_array
    columns: Mapping[str, int]
    analyze: Analyzer


def words(text: str) -> list[str]:
    """Give the words and identifiers of a text in lower case."""
    return re.findall(r"\w+", text.lower())


STOP_WORDS = frozenset(
    words(
        "a about all an and any are as at be been between but by can could do does for from had has"
        " have how i if in into is it its may me my not of on one or other out over own same should"
        " so such than that the their them then there these they this those to two up was way were"
        " what when where whether which while who why will with would you your"
    )
)


def stems(text: str) -> list[str]:
    """Give the words that are not stop words without their endings."""
    return [ENDING.sub("", word) for word in words(text) if word not in STOP_WORDS]


def build_index(texts: Iterable[str], analyze: Analyzer) -> Index:
    """Count the terms of each text."""
    documents = [analyze(text) for text in texts]
    terms = sorted({term for document in documents for term in document})
    columns = {term: column for column, term in enumerate(terms)}
    rows = np.repeat(np.arange(len(documents)), [len(document) for document in documents])
    occurrences = np.array([columns[term] for document in documents for term in document])
    shape = (len(documents), len(terms))
    counts = sp.coo_array((np.ones(len(rows)), (rows, occurrences)), shape=shape)
    return Index(counts.tocsr(), columns, analyze)


def query_vector(index: Index, query: str) -> np.ndarray:
    """Count the query's terms; a term that no document has is left out."""
    columns = [index.columns[term] for term in index.analyze(query) if term in index.columns]
    return np.bincount(columns, minlength=len(index.columns)).astype(float)


def bm25(index: Index, query: str, k1: float = 1.2, b: float = 0.75) -> np.ndarray:
    """Score by BM25 with Lucene's form of the inverse document frequency."""
    query_counts = query_vector(index, query)
    terms = np.flatnonzero(query_counts)
    counts = index.counts[:, terms].toarray()
    lengths = index.counts.sum(axis=1)
    n_with_term = np.count_nonzero(counts, axis=0)
    idf = np.log1p((len(lengths) - n_with_term + 0.5) / (n_with_term + 0.5))
    saturation = counts + k1 * (1 - b + b * lengths / lengths.mean())[:, None]
    scores = (counts * (k1 + 1) / saturation) @ (idf * query_counts[terms])
    return np.where(scores > 0, scores, -np.inf)


def query_likelihood(index: Index, query: str, mu: float = 300) -> np.ndarray:
    """Score by the log probability of the query under each document's smoothed language model."""
    query_counts = query_vector(index, query)
    terms = np.flatnonzero(query_counts)
    counts = index.counts[:, terms].toarray()
    lengths = index.counts.sum(axis=1)
    background = index.counts.sum(axis=0)[terms] / index.counts.sum()
    smoothed = (counts + mu * background) / (lengths + mu)[:, None]
    return np.where(counts.any(axis=1), np.log(smoothed) @ query_counts[terms], -np.inf)


def tfidf_weights(index: Index, counts: np.ndarray) -> np.ndarray:
    """Weigh each count, with rows scaled to unit length."""
    n_documents = index.counts.shape[0]
    idf = np.log(n_documents / index.counts.astype(bool).sum(axis=0)) + 1
    return unit_rows(np.log1p(np.atleast_2d(counts)) * idf)


def unit_rows(matrix: np.ndarray) -> np.ndarray:
    """Scale rows to unit length; a row of zeros stays."""
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix / np.where(norms > 0, norms, 1)


def cosine_scorer(index: Index, dimensions: int | None = None) -> Callable[[str], np.ndarray]:
    """Score by the cosine of TF-IDF vectors, in the whole space or in a latent one.

    The cosine does not depend on the signs of the singular vectors, which differ between machines.
    """
    documents = tfidf_weights(index, index.counts.toarray())
    space: np.ndarray | None = None
    if dimensions is not None:
        space = scipy.linalg.svd(documents, full_matrices=False)[2][:dimensions].T

    def project(vectors: np.ndarray) -> np.ndarray:
        return vectors if space is None else unit_rows(vectors @ space)

    latent = project(documents)

    def score(query: str) -> np.ndarray:
        scores = latent @ project(tfidf_weights(index, query_vector(index, query)))[0]
        return np.where(scores > 0, scores, -np.inf)

    return score


def title_match(index: Index, query: str) -> np.ndarray:
    """Score by the number of different query terms in the title."""
    asked = query_vector(index, query) > 0
    scores = (index.counts[:, np.flatnonzero(asked)].toarray() > 0).sum(axis=1).astype(float)
    return np.where(scores > 0, scores, -np.inf)


def rank(docnos: list[str], scores: np.ndarray) -> Ranking:
    """Take the best documents; equal scores stay in the corpus's order.

    Rounding before the sort keeps the last bits, which differ between machines, out of the order.
    """
    rounded = np.round(scores, 9)
    best = np.argsort(-rounded, kind="stable")[:DEPTH]
    return {docnos[i]: float(rounded[i]) for i in best if np.isfinite(rounded[i])}


def fuse(docnos: list[str], rankings: Iterable[Ranking], k: int = 60) -> Ranking:
    """Add up the reciprocal ranks of each document."""
    scores = dict.fromkeys(docnos, 0.0)
    for ranking in rankings:
        for position, docno in enumerate(ranking, start=1):
            scores[docno] += 1 / (k + position)
    values = np.array(list(scores.values()))
    return rank(docnos, np.where(values > 0, values, -np.inf))


def read_topics(path: Path) -> dict[str, str]:
    """Read the query of each topic."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row["topic"]: row["query"] for row in csv.DictReader(file, delimiter="\t")}


def make_runs(documents: list[corpus.Passage], topics: Mapping[str, str]) -> dict[str, str]:
    """Give the text of each system's run file, by the system's name."""
    docnos = [passage.docno for passage in documents]
    texts = [f"{passage.title}\n{passage.text}" for passage in documents]
    by_stem = build_index(texts, stems)
    by_word = build_index(texts, words)
    by_title = build_index((passage.title for passage in documents), stems)
    scorers: dict[str, Callable[[str], np.ndarray]] = {
        "bm25": lambda query: bm25(by_stem, query),
        "qld": lambda query: query_likelihood(by_stem, query),
        "tfidf": cosine_scorer(by_word),
        "lsa": cosine_scorer(by_stem, dimensions=100),
        "title": lambda query: title_match(by_title, query),
    }
    runs = {
        tag: {topic: rank(docnos, score(query)) for topic, query in topics.items()}
        for tag, score in scorers.items()
    }
    runs["rrf"] = {
        topic: fuse(docnos, (runs[tag][topic] for tag in ("bm25", "tfidf", "lsa")))
        for topic in topics
    }
    decimals = {"title": 0, "rrf": 6}
    return {tag: format_run(tag, run, decimals.get(tag, 4)) for tag, run in runs.items()}


def format_run(tag: str, run: Mapping[str, Ranking], decimals: int) -> str:
    """Write rankings as lines of a TREC run file."""
    return "".join(
        f"{topic} Q0 {docno} {position} {score:.{decimals}f} {tag}\n"
        for topic, ranking in run.items()
        for position, (docno, score) in enumerate(ranking.items(), start=1)
    )


def main() -> None:
    """Write one run file per system."""
    parser = argparse.ArgumentParser(description="Rank the collection with every system.")
    parser.add_argument("directory", nargs="?", type=Path, default=HERE / "runs")
    directory = parser.parse_args().directory
    documents = corpus.passages()
    if corpus.digest(documents) != corpus.RECORDED_DIGEST:
        sys.exit(
            f"error: the reference of Python {platform.python_version()} is not the one that was"
            f" judged, so its passages would not match the qrels"
            f"\n  to fix: run this with Python {corpus.RECORDED_PYTHON}"
        )
    directory.mkdir(parents=True, exist_ok=True)
    for tag, text in make_runs(documents, read_topics(HERE / "topics.tsv")).items():
        (directory / f"{tag}.run").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
