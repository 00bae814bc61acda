"""Measures of generated answers by their nuggets and citations, as TREC's RAG track takes them.

They are in the catalogue, so that saved scores can be compared, gated and drawn; `rankeval nuggets`
computes them, because rankings have neither.
"""

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import record
from rankeval.measures.arithmetic import share
from rankeval.measures.facts import Values
from rankeval.measures.precision import Beta

PARTIAL = 0.5
"""The worth of partial support, unless scores are strict."""

OKAY = 0.5
"""The weight of an okay nugget beside a vital one in weighted scores."""

ALLOWANCE = 100
"""Characters that an answer may have for each nugget, before precision falls."""

BETA = 3.0
"""The weight of recall in F since TREC 2004; it was 5 in TREC 2003."""


@record
class NuggetCounts:
    """The nuggets of answers, counted.

    ========= ===========================================================================
    number    of nuggets by importance: vital, okay and others, shape (T, 3)
    supported of these, fully, shape (T, 3)
    partly    of these, in part, shape (T, 3)
    length    characters of each answer without white space, shape (T,); NaN without text
    ========= ===========================================================================
    """

    number: Floats
    supported: Floats
    partly: Floats
    length: Floats


def _vital(good: Floats, number: Floats) -> Floats:
    return share(good[:, 0], number[:, 0])


def _all(good: Floats, number: Floats) -> Floats:
    return share(good.sum(axis=1), number.sum(axis=1))


def _weighted(good: Floats, number: Floats) -> Floats:
    return share(good[:, 0] + OKAY * good[:, 1], number[:, 0] + OKAY * number[:, 1])


def vital_score(counts: NuggetCounts) -> Values:
    """Vital nugget recall: share of the vital nuggets that an answer supports.

        vital_score = (s + p / 2) / V

    with V vital nuggets, s of them supported and p in part.

    Edge cases
        - No vital nugget: 0, and the topic counts.
        - A nugget with an unknown label counts as not supported, or as neither vital nor okay.

    Source
        Pradeep et al., "Initial Nugget Evaluation Results for the TREC 2024 RAG Track with the
        AutoNuggetizer Framework", 2024.
    """
    return _vital(counts.supported + PARTIAL * counts.partly, counts.number)


def strict_vital_score(counts: NuggetCounts) -> Values:
    """Strict vital nugget recall: share of the vital nuggets that an answer supports fully.

        strict_vital_score = s / V

    with V vital nuggets, s of them supported. The main score of TREC's RAG track of 2024.

    Edge cases
        - No vital nugget: 0, and the topic counts.

    Source
        Pradeep et al., "Initial Nugget Evaluation Results for the TREC 2024 RAG Track with the
        AutoNuggetizer Framework", 2024.
    """
    return _vital(counts.supported, counts.number)


def all_score(counts: NuggetCounts) -> Values:
    """Nugget recall: share of all nuggets that an answer supports.

        all_score = (s + p / 2) / N

    with N nuggets, s of them supported and p in part.

    Edge cases
        - No nugget: 0, and the topic counts.
        - A nugget that is neither vital nor okay is one of all.

    Source
        Pradeep et al., "Initial Nugget Evaluation Results for the TREC 2024 RAG Track with the
        AutoNuggetizer Framework", 2024.
    """
    return _all(counts.supported + PARTIAL * counts.partly, counts.number)


def strict_all_score(counts: NuggetCounts) -> Values:
    """Strict nugget recall: share of all nuggets that an answer supports fully.

        strict_all_score = s / N

    with N nuggets, s of them supported.

    Edge cases
        - No nugget: 0, and the topic counts.

    Source
        Pradeep et al., "Initial Nugget Evaluation Results for the TREC 2024 RAG Track with the
        AutoNuggetizer Framework", 2024.
    """
    return _all(counts.supported, counts.number)


def weighted_score(counts: NuggetCounts) -> Values:
    """Weighted nugget recall: okay nuggets count half of vital ones.

        weighted_score = (s + o / 2) / (V + O / 2)

    with V vital and O okay nuggets, of which s and o are supported, each partial support counting
    1/2.

    Edge cases
        - Neither vital nor okay nuggets: 0, and the topic counts.

    Source
        Pradeep et al., "Initial Nugget Evaluation Results for the TREC 2024 RAG Track with the
        AutoNuggetizer Framework", 2024.
    """
    return _weighted(counts.supported + PARTIAL * counts.partly, counts.number)


def strict_weighted_score(counts: NuggetCounts) -> Values:
    """Strict weighted nugget recall: only full support counts, okay nuggets half of vital ones.

        strict_weighted_score = (s + o / 2) / (V + O / 2)

    with V vital and O okay nuggets, of which s and o are supported fully.

    Edge cases
        - Neither vital nor okay nuggets: 0, and the topic counts.

    Source
        Pradeep et al., "Initial Nugget Evaluation Results for the TREC 2024 RAG Track with the
        AutoNuggetizer Framework", 2024.
    """
    return _weighted(counts.supported, counts.number)


def nugget_precision(counts: NuggetCounts) -> Values:
    """Nugget precision: share of an answer's length that its nuggets allow.

        nugget_precision = 1 - (l - a) / l        for l > a, else 1

    with l characters of the answer without white space, of which a = 100 n are allowed for n
    nuggets that are supported fully.

    Edge cases
        - An answer of no text: 0.
        - Answers that came without their text: undefined.

    Source
        Voorhees, "Overview of the TREC 2003 Question Answering Track", TREC 2003.
    """
    allowed = ALLOWANCE * counts.supported.sum(axis=1)
    length = counts.length
    over = 1 - np.divide(length - allowed, length, out=np.zeros_like(length), where=length > 0)
    found = np.where(length > allowed, over, np.where(length > 0, 1.0, 0.0))
    return np.where(np.isnan(length), np.nan, found)


def nugget_f_score(counts: NuggetCounts, *, beta: Beta = BETA) -> Values:
    """F of nuggets: precision by length, and strict recall of vital nuggets.

        nugget_f_score = (beta^2 + 1) P R / (beta^2 P + R)

    with P = nugget_precision, R = strict_vital_score and beta the weight of recall.

    Edge cases
        - P and R are 0: 0.
        - Answers that came without their text: undefined.

    Source
        Voorhees, "Overview of the TREC 2003 Question Answering Track", TREC 2003, with beta 5;
        Voorhees, "Overview of the TREC 2004 Question Answering Track", TREC 2004, with beta 3.
    """
    precision, recall = nugget_precision(counts), strict_vital_score(counts)
    return share((beta**2 + 1) * precision * recall, beta**2 * precision + recall) + 0 * precision


@record
class SupportCounts:
    """The sentences of answers and their citations, counted.

    ========= ============================================================================
    sentences number of sentences, but for those of whose citations none was judged, shape (T,)
    cited     of these, with a citation, shape (T,)
    citations number of judged citations, shape (T,)
    worth     their worth together: 1 for full support, 1/2 for partial, 0 for none
    best      the worth of the best citation of each sentence, together
    ========= ============================================================================
    """

    sentences: Floats
    cited: Floats
    citations: Floats
    worth: Floats
    best: Floats


def support_precision(counts: SupportCounts) -> Values:
    """Weighted precision of citations: how far the passages cited support their sentences.

        support_precision = (f + p / 2) / c

    with c judged citations, f of them giving full support to their sentence and p partial support.

    Edge cases
        - No judged citation: 0, and the topic counts.
        - TREC's RAG track judged the first citation of each sentence, in 2024 and in 2025; here all
          that are given count.

    Differences
        - TREC's track gives a run 0 in a topic that it did not answer; here the topic is not in its
          mean, and a warning names it.
        - open-rag-eval first takes the mean over the sentences that cite a passage, and then over
          passages; it says the same where no passage is cited twice.

    Source
        Thakur, Pradeep, Upadhyay, Campos, Craswell and Lin, "Support Evaluation for the TREC 2024
        RAG Track: Comparing Human versus LLM Judges", 2025; for 2025, the organisers' code,
        github.com/thakur-nandan/trec25-rag-support, which computes the same.
    """
    return share(counts.worth, counts.citations)


def support_recall(counts: SupportCounts) -> Values:
    """Weighted recall of citations: share of the sentences that a passage cited supports.

        support_recall = sum of w / n

    over n sentences, w of a sentence being 1 with full support, 1/2 with partial support and
    otherwise 0.

    Edge cases
        - A sentence without a citation: 0, and it counts.
        - Several judged citations of a sentence: the best counts. With the first one only, which
          is what TREC's RAG track judged, that is its weighted recall.
        - A sentence with citations of which none was judged is not one of the n, as in 2025.
        - An answer without sentences: 0.

    Differences
        - TREC's track gives a run 0 in a topic that it did not answer; here the topic is not in its
          mean, and a warning names it.
        - open-rag-eval takes the mean of several citations of a sentence.

    Source
        Thakur, Pradeep, Upadhyay, Campos, Craswell and Lin, "Support Evaluation for the TREC 2024
        RAG Track: Comparing Human versus LLM Judges", 2025; for 2025, the organisers' code,
        github.com/thakur-nandan/trec25-rag-support, which computes the same.
    """
    return share(counts.best, counts.sentences)


def sentence_coverage(counts: SupportCounts) -> Values:
    """Coverage of sentences: share of the sentences of an answer that cite anything.

        sentence_coverage = |sentences with a citation| / n

    of n sentences, whether what they cite supports them or not. With one judged citation for each
    sentence that cites, weighted recall is weighted precision times coverage.

    Edge cases
        - A sentence with citations of which none was judged is not one of the n.
        - An answer without sentences: 0.

    Source
        The two denominators of the track's precision and recall: Thakur, Pradeep, Upadhyay, Campos,
        Craswell and Lin, "Support Evaluation for the TREC 2024 RAG Track: Comparing Human versus
        LLM Judges", 2025. The organisers' code of 2025 does not compute it.
    """
    return share(counts.cited, counts.sentences)
