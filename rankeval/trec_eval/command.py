"""Run trec_eval: its flags, its output byte for byte, and its exit statuses."""

import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.endings import tell
from rankeval.measures.other_names import SETS
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import Alignment
from rankeval.trec_eval.files import (
    Judgments,
    read_judgments,
    read_run,
    read_zscores,
)
from rankeval.trec_eval.flags import (
    BAD_INPUT,
    BAD_TOPIC,
    NAMED,
    NINE,
    NO_TOPIC,
    TEN,
    USAGE,
    USAGE_TEXT,
    Failure,
    Options,
    Version,
    help_text,
    parse,
    shown,
)
from rankeval.trec_eval.measures import (
    Entry,
    Evaluation,
    Groups,
    known,
    requested,
    summarized,
)
from rankeval.trec_eval.tabulated import POOLED, UNJUDGED

ENVIRONMENT = "RANKEVAL_TREC_EVAL"
RUN_FORMAT = b"trec_results"


def main(argv: Sequence[str], *, program: str) -> int:
    """Run trec_eval on the words of a command line, and return its exit status.

    Version 9 is imitated with --as 9, under the program name trec_eval9, or with
    RANKEVAL_TREC_EVAL=9 in the environment. The flag overrides the name, and the name overrides
    the environment.
    """
    output: list[bytes] = []
    status = 0
    try:
        with np.errstate(all="ignore"):
            _run([os.fsencode(word) for word in argv], program, output)
    except Failure as failure:
        status = failure.status
        tell(f"{failure.message}\n")
    sys.stdout.buffer.write(b"".join(output))
    sys.stdout.buffer.flush()
    return status


def _version(options: Options, program: str) -> Version:
    """Return the version to imitate."""
    if options.imitate is not None:
        return NAMED[options.imitate]
    if os.path.basename(program) == "trec_eval9":  # noqa: PTH119 - a name, not a path
        return NINE
    return NAMED.get(os.environ.get(ENVIRONMENT, "").encode(), TEN)


def _run(words: Sequence[bytes], program: str, output: list[bytes]) -> None:
    options = parse(words)
    version = _version(options, program)
    if options.version:
        tell(f"trec_eval version {version.number}\n")
        return
    asked = requested(options.measures or (b"official",), version)
    if options.help:
        output.append(help_text(known(version), SETS))
    else:
        _evaluate(options, asked, version, output)


def _evaluate(
    options: Options,
    asked: Sequence[tuple[Entry, bytes | None]],
    version: Version,
    output: list[bytes],
) -> None:
    """Read, evaluate and print; the lines of topics before one that fails are printed as well."""
    judgments, alignment, twice = _read(options, version)
    score = None if options.zscores is None else read_zscores(options.zscores, version)
    wordings = [
        (entry, *one) for entry, text in asked for one in entry.read(entry.name, text, version)
    ]
    index = _chosen_topics(alignment.judged, options, version)
    lacking = alignment.judged.retrieved[index] == 0
    judged = _rankings(alignment.judged, index, options)
    for entry, _ in asked:
        if options.rel_format not in entry.formats:
            raise _cannot_calculate(entry.name)
    preferences = _preferences(judgments, judged, index)
    needs_ranking = next((entry.name for entry, _ in asked if entry.compute), None)
    unusable = _unusable(judgments, judged.topics, index, preferences, twice)
    n_usable, unusable_at = len(index), int(np.argmax(np.append(unusable, True)))
    missing_at = int(np.argmax(np.append(lacking & (not options.complete), True)))
    stop = None
    if needs_ranking is not None and unusable_at < missing_at:
        said = _duplicates(judged.topics[unusable_at], judgments, twice)
        n_usable, stop = unusable_at, _cannot_calculate(needs_ranking, said)
    elif missing_at < n_usable:
        problem = f"trec_eval: result qid '{shown(judged.topics[missing_at])}' not found in qrels"
        n_usable, stop = missing_at, Failure(BAD_TOPIC, problem)
    if stop is not None and not n_usable:
        raise stop
    judged, lacking = judged.select(np.arange(len(index)) < n_usable), lacking[:n_usable]
    averaged = len(judgments.qrels.topics) if options.complete else n_usable
    relevant = judgments.n_positive if options.complete else None
    summary = partial(summarized, averaged=averaged, relevant=relevant, tag=alignment.last_tag)
    view = preferences[:n_usable] or _view(judged, options, version)
    columns = [_column(*one, view, judged.topics, lacking, score, summary) for one in wordings]
    if options.per_topic:
        output += _topic_lines(columns, judged.topics)
    if stop is not None:
        raise stop
    if not options.no_summary:
        output += _summary_lines(columns)


def _read(options: Options, version: Version) -> tuple[Judgments, Alignment, Mapping[bytes, bytes]]:
    if len(options.files) != 2:
        raise Failure(USAGE, USAGE_TEXT)
    judgments_file, run_file = options.files
    judgments = read_judgments(judgments_file, options.rel_format, version)
    if options.run_format != RUN_FORMAT:
        name = shown(options.run_format)
        raise Failure(BAD_INPUT, f"trec_eval: Cannot find results format '{name}'")
    how = judgments.ties, options.depth, version
    return judgments, *read_run(run_file, judgments.qrels, *how)


def _chosen_topics(judged: RankedJudgments, options: Options, version: Version) -> Integers:
    """Return the topics by the version's rules and the flags; Failure if none is left."""
    chosen = np.ones(len(judged), dtype=bool)
    if options.only_topic is not None:
        chosen &= np.array([topic == options.only_topic for topic in judged.topics])
    if version.topics == "both":
        chosen &= judged.retrieved > 0
    if not chosen.any():
        raise Failure(NO_TOPIC, "trec_eval: No queries with both results and relevance info")
    return np.flatnonzero(chosen)


def _rankings(judged: RankedJudgments, index: Integers, options: Options) -> RankedJudgments:
    """Return the rankings of some topics, cut at -M.

    Version 10 retrieves a placeholder, which nobody judges, for a topic that the run lacks.
    """
    rankings = judged.select(np.isin(np.arange(len(judged)), index))
    rankings = replace(rankings, retrieved=np.maximum(rankings.retrieved, 1))
    return rankings.truncated(options.depth)


def _cleared(name: bytes, values: Floats | list[bytes], lacking: Booleans) -> Floats | list[bytes]:
    """Clear values that the placeholder gave to lacking topics; names with parameters differ."""
    if isinstance(values, list):
        if name != b"relstring":
            return values
        return [b"''" if gone else v for v, gone in zip(values, lacking.tolist(), strict=True)]
    if name in (b"num_ret", b"utility", b"rbp_resid") or name.startswith(b"unj"):
        return np.where(lacking, 0.0, values)
    return values


def _preferences(judgments: Judgments, judged: RankedJudgments, index: Integers) -> list[Any]:
    """Return the preferences of each topic, None for those that contradict each other."""
    if judgments.groups is None:
        return []
    from rankeval.trec_eval.preferences import preferences_of  # rarely used

    names, docno = judgments.qrels.docnos.names, judgments.qrels.docno.tolist()
    groups = [judgments.groups[code] for code in index.tolist()]
    return preferences_of(judged, groups, lambda one: names[docno[one]])


def _view(judged: RankedJudgments, options: Options, version: Version) -> Evaluation | Groups:
    """Return what measures of judgments are computed from."""
    topic = None
    if options.rel_format == b"qrels_jg":
        from rankeval.trec_eval.preferences import by_group  # rarely used

        judged, topic = by_group(judged)
    judged = judged.condensed if options.judged_only else judged
    view = Evaluation(judged, options.level, options.collection_size, version)
    return view if topic is None else Groups(view, topic)


def _unusable(
    judgments: Judgments,
    topics: Sequence[bytes],
    index: Integers,
    preferences: list[Any],
    twice: Mapping[bytes, bytes],
) -> Booleans:
    """Mark the topics that cannot be evaluated.

    A topic whose levels are all -1 is refused only if it is the first to be evaluated. trec_eval
    crashes if all levels are -2 or less; such a topic is refused here.
    """
    unusable = np.array([topic in twice or topic in judgments.repeated for topic in topics])
    if preferences:
        return unusable | np.array([topic is None for topic in preferences])
    if judgments.qrels.subtopics is None:
        qrels = judgments.qrels
        highest = np.maximum.reduceat(qrels.grade, qrels.offsets[:-1])[index]
        unusable |= highest <= POOLED
        unusable[0] |= highest[0] == UNJUDGED
    return unusable


def _duplicates(topic: bytes, judgments: Judgments, twice: Mapping[bytes, bytes]) -> str:
    """Return trec_eval's line on a topic's first document by name that is there twice, or ""."""
    if topic in twice:
        place = "form_res_qrels" if judgments.groups is None else "form_prefs_counts"
        return f"trec_eval.{place}: duplicate docs {shown(twice[topic])}\n"
    if topic in judgments.repeated:
        return f"trec_eval.form_res_rels: duplicate docs {shown(judgments.repeated[topic])}\n"
    return ""


def _cannot_calculate(measure: bytes, said: str = "") -> Failure:
    return Failure(BAD_TOPIC, f"{said}trec_eval: Can't calculate measure '{shown(measure)}'")


class Column(NamedTuple):
    """A measure to print.

    ========= ============================================================================
    head      its name in 22 columns
    form      how a number or a text is printed
    per_topic True to print it for each topic
    values    a number or a text for each topic
    summary   value of all topics; None for no line
    ========= ============================================================================
    """

    head: bytes
    form: bytes
    per_topic: bool
    values: Sequence[float | bytes]
    summary: float | bytes | None


def _column(
    entry: Entry,
    name: bytes,
    parameters: Any,
    view: Any,
    topics: Sequence[bytes],
    lacking: Booleans,
    score: Callable[[bytes, bytes, float], float] | None,
    summary: Callable[[Entry, Floats], float | bytes | None],
) -> Column:
    head = b"%-22b" % name
    values: Floats | list[bytes] = np.zeros(len(topics))
    if entry.compute is not None:
        values = entry.compute(view, entry.name.decode(), parameters)
        values = _cleared(name, values, lacking)
    if isinstance(values, list):
        return Column(head, b"%b", entry.per_topic, values, None)
    if score is not None and entry.compute is not None:
        of_topics = zip(topics, values.tolist(), strict=True)
        values = np.array([score(topic, name, value) for topic, value in of_topics])
    total = summary(entry, values)
    form = b"%b" if isinstance(total, bytes) else b"%d" if entry.integer else b"%6.4f"
    if score is not None and not isinstance(total, bytes):
        head, form = b"Z" + head, b"%6.4f"
    return Column(head, form, entry.per_topic, values.tolist(), total)


def _topic_lines(columns: Sequence[Column], topics: Sequence[bytes]) -> Iterator[bytes]:
    """Return the lines of every topic, all measures of one topic together."""
    every: list[list[bytes]] = [
        [
            b"%b\t%b\t%b\n" % (column.head, topic, _text(column.form, value))
            for topic, value in zip(topics, column.values, strict=True)
        ]
        for column in columns
        if column.per_topic
    ]
    return chain.from_iterable(zip(*every, strict=True))


def _summary_lines(columns: Sequence[Column]) -> Iterator[bytes]:
    """Yield the lines that summarize all topics."""
    for column in columns:
        if column.summary is not None:
            yield b"%b\tall\t%b\n" % (column.head, _text(column.form, column.summary))


def _text(form: bytes, value: float | bytes) -> bytes:
    if isinstance(value, float) and math.isnan(value):
        return b"  -nan" if math.copysign(1, value) < 0 else b"   nan"
    return form % value
