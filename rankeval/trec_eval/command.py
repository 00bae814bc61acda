"""Run trec_eval: its flags, its output byte for byte, and its exit statuses."""

import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.frozen import replace
from rankeval.endings import tell
from rankeval.measures.arithmetic import log
from rankeval.measures.other_names import SETS
from rankeval.ranking import RankedJudgments
from rankeval.trec_eval.files import Judgments, read_judgments, read_run, read_zscores
from rankeval.trec_eval.flags import (
    BAD_INPUT,
    BAD_TOPIC,
    NO_TOPIC,
    USAGE,
    USAGE_TEXT,
    Failure,
    help_text,
    parse,
    shown,
)
from rankeval.trec_eval.measures import MEASURES, Evaluation, known, requested
from rankeval.trec_eval.tabulated import POOLED, UNJUDGED

ENVIRONMENT = "RANKEVAL_TREC_EVAL"

FLOOR = 0.00001
"""Smaller values enter a geometric mean as this."""


def main(argv: Sequence[str], *, program: str) -> int:
    """Run trec_eval on the words of a command line, and return its exit status.

    Version 9 is imitated with --as 9, under the program name trec_eval9, or with
    RANKEVAL_TREC_EVAL=9 in the environment. The flag overrides the name, and the name overrides
    the environment.
    """
    output: list[bytes] = []
    status = 0
    try:
        options = parse([os.fsencode(word) for word in argv])
        wanted = os.environ.get(ENVIRONMENT, "").encode()
        if os.path.basename(program) == "trec_eval9":  # noqa: PTH119 - a name, not a path
            wanted = b"9"
        version = 9 if (options.imitate or wanted) == b"9" else 10
        if options.version:
            tell(f"trec_eval version {'9.0.7' if version == 9 else '10.0-rc3'}\n")  # as 9.0.8 says
        else:
            with np.errstate(all="ignore"):
                _run(options, version, output)
    except Failure as failure:
        status = failure.status
        tell(f"{failure.message}\n")
    sys.stdout.buffer.write(b"".join(output))
    sys.stdout.buffer.flush()
    return status


def _run(options: Any, version: int, output: list[bytes]) -> None:
    """Do what the flags say; the lines of topics before one that fails are printed as well."""
    asked = requested(options.measures or (b"official",), version)
    if options.help:
        output.append(help_text(known(version), SETS))
        return
    if len(options.files) != 2:
        raise Failure(USAGE, USAGE_TEXT)
    judgments = read_judgments(options.files[0], options.rel_format, version)
    if options.run_format != b"trec_results":
        name = shown(options.run_format)
        raise Failure(BAD_INPUT, f"trec_eval: Cannot find results format '{name}'")
    how = judgments.ties, options.depth, version
    alignment, twice = read_run(options.files[1], judgments.qrels, *how)
    score = None if options.zscores is None else read_zscores(options.zscores, version)
    wordings = [(name, *one) for name, text in asked.items() for one in _read(name, text, version)]
    judged = alignment.judged.select(_chosen(alignment.judged, options, version))
    for name in asked:
        if MEASURES[name].kind not in ("", options.rel_format.removeprefix(b"qrels_").decode()):
            raise _cannot_calculate(name)
    needs_ranking = next((name for name in asked if MEASURES[name].compute), "")
    evaluation, stop = _evaluation(judged, judgments, twice, options, version, needs_ranking)
    topics = judged.topics[: len(evaluation.missing)]
    n = len(judgments.qrels.topics) if options.complete else len(topics)
    totals = {"tag": alignment.last_tag, "topics": n}
    if options.complete:
        totals["relevant"] = judgments.n_positive
    of_topics, of_all = _lines(evaluation, topics, wordings, score, totals)
    if options.per_topic:
        output += of_topics
    if stop is not None:
        raise stop
    if not options.no_summary:
        output += of_all


def _lines(
    evaluation: Evaluation,
    topics: Sequence[bytes],
    wordings: Iterable[tuple[str, bytes, Any]],
    score: Callable[[bytes, bytes, float], float] | None,
    totals: Mapping[str, Any],
) -> tuple[Iterable[bytes], list[bytes]]:
    """Return the lines of topics, all measures of one topic together, and those of all topics."""
    of_topics: list[list[bytes]] = []
    of_all: list[bytes] = []
    for name, printed, parameter in wordings:
        summary, head, form = MEASURES[name].summary, b"%-22b" % printed, b"%6.4f"
        values = _values(evaluation, name, printed, parameter)
        if summary in ("tag", "none"):
            form = b"%b"
        elif score is not None:
            head = b"Z" + head
            if summary != "topics":
                each = zip(topics, values, strict=True)
                values = np.array([score(topic, printed, value) for topic, value in each])
        elif summary in ("sum", "relevant", "topics"):
            form = b"%d"
        if summary not in ("tag", "topics", "geometric"):
            each = zip(topics, values, strict=True)
            of_topics.append([_line(head, topic, form, value) for topic, value in each])
        if summary in totals:
            of_all.append(_line(head, b"all", form, totals[summary]))
        elif summary != "none":
            total = _total(summary, values, totals["topics"])
            of_all.append(_line(head, b"all", form, total))
    return chain.from_iterable(zip(*of_topics, strict=True)), of_all


def _chosen(judged: RankedJudgments, options: Any, version: int) -> Booleans:
    """Mark the topics to evaluate by the version's rules and the flags; Failure for none."""
    chosen = np.ones(len(judged), dtype=bool)
    if options.only_topic is not None:
        chosen &= np.array([topic == options.only_topic for topic in judged.topics])
    if version == 9:
        chosen &= judged.retrieved > 0
    if not chosen.any():
        raise Failure(NO_TOPIC, "trec_eval: No queries with both results and relevance info")
    return chosen


def _evaluation(
    judged: RankedJudgments,
    judgments: Judgments,
    twice: Mapping[bytes, bytes],
    options: Any,
    version: int,
    needs_ranking: str,
) -> tuple[Evaluation, Failure | None]:
    """Return the topics before the first that cannot be evaluated, and why that one cannot."""
    missing = judged.retrieved == 0
    # Version 10 retrieves a placeholder, which nobody judges, for a topic that the run lacks.
    judged = replace(judged, retrieved=np.maximum(judged.retrieved, 1)).truncated(options.depth)
    preferences: Sequence[Any] = ()
    if options.rel_format.endswith(b"prefs"):
        from rankeval.trec_eval.preferences import preferences_of  # rarely used

        preferences = preferences_of(judged, judgments.group_of)
    unusable = np.zeros(len(judged), dtype=bool)
    if needs_ranking:
        unusable = _unusable(judgments, judged.topics, preferences, twice)
    end = int(np.argmax(np.append(unusable | (missing & (not options.complete)), True)))
    stop = None
    if end < len(judged):
        topic = judged.topics[end]
        stop = _cannot_calculate(needs_ranking, _duplicates(topic, judgments, twice))
        if missing[end] and not options.complete:
            problem = f"trec_eval: result qid '{shown(topic)}' not found in qrels"
            stop = Failure(BAD_TOPIC, problem)
        if not end:
            raise stop
    judged, groups = judged.select(np.arange(len(judged)) < end), None
    if options.rel_format == b"qrels_jg":
        from rankeval.trec_eval.preferences import by_group  # rarely used

        judged, groups = by_group(judged)
    judged = judged.condensed if options.judged_only else judged
    rest = preferences[:end], groups, missing[:end]
    return Evaluation(judged, options.level, options.collection_size, version, *rest), stop


def _unusable(
    judgments: Judgments,
    topics: Sequence[bytes],
    preferences: Sequence[Any],
    twice: Mapping[bytes, bytes],
) -> Booleans:
    """Mark the topics that cannot be evaluated.

    A topic whose levels are all -1 is refused only if it is the first to be evaluated. trec_eval
    crashes if all levels are -2 or less; such a topic is refused here.
    """
    unusable = np.array([topic in twice or topic in judgments.repeated for topic in topics])
    if preferences:
        return unusable | np.array([topic is None for topic in preferences])
    qrels = judgments.qrels
    if qrels.subtopics is None:
        highest = np.maximum.reduceat(qrels.grade, qrels.offsets[:-1])[qrels.codes_of(topics)]
        unusable |= highest <= POOLED
        unusable[0] |= highest[0] == UNJUDGED
    return unusable


def _duplicates(topic: bytes, judgments: Judgments, twice: Mapping[bytes, bytes]) -> str:
    """Return trec_eval's line on a topic's first document by name that is there twice, or ""."""
    if topic in twice:
        place = "form_res_qrels" if judgments.ties == "docno" else "form_prefs_counts"
        return f"trec_eval.{place}: duplicate docs {shown(twice[topic])}\n"
    if topic in judgments.repeated:
        return f"trec_eval.form_res_rels: duplicate docs {shown(judgments.repeated[topic])}\n"
    return ""


def _cannot_calculate(measure: str, said: str = "") -> Failure:
    return Failure(BAD_TOPIC, f"{said}trec_eval: Can't calculate measure '{measure}'")


def _values(evaluation: Evaluation, name: str, printed: bytes, parameter: Any) -> Any:
    """Return the values of topics: an array, or texts."""
    entry, missing = MEASURES[name], evaluation.missing
    if entry.compute is None:
        return np.zeros(len(missing))
    values = entry.compute(evaluation, name, parameter)
    # What the placeholder gave is cleared by the name printed, which parameters change.
    if isinstance(values, list):
        cleared = (missing & (printed == b"relstring")).tolist()
        return [b"''" if gone else text for text, gone in zip(values, cleared, strict=True)]
    if evaluation.groups is not None:
        values = np.bincount(evaluation.groups, values) / np.bincount(evaluation.groups)
    if entry.summary == "geometric":
        values = log(np.maximum(values, FLOOR))
    if printed in (b"num_ret", b"utility", b"rbp_resid") or printed.startswith(b"unj"):
        values = np.where(missing, 0.0, values)
    return values


def _total(summary: str, values: Floats, n: int) -> float:
    """Return the value of all topics, of which there are n for means."""
    # One by one in the order of topics, beginning with 0.
    total = 0.0 + float(np.add.accumulate(values)[-1])
    if summary in ("sum", "relevant"):
        return total
    if summary == "mean":
        return total / n
    # Topics without a value count as the floor.
    return float(np.exp((total + (n - len(values)) * math.log(FLOOR)) / n))


def _line(head: bytes, topic: bytes, form: bytes, value: Any) -> bytes:
    is_nan = form == b"%6.4f" and math.isnan(value)
    return b"%b\t%b\t%b\n" % (head, topic, b"  -nan" if is_nan else form % value)


def _read(name: str, text: bytes | None, version: int) -> list[tuple[bytes, Any]]:
    """Return the names to print for a measure, and the parameter of each."""
    try:
        found = MEASURES[name].read(text, name, version)
    except ValueError:
        problem = f"trec_eval: Cannot initialize measure '{name}'"
        raise Failure(BAD_INPUT, problem) from None
    return [(name.encode() + added, parameter) for added, parameter in found]
