"""Run trec_eval: its flags, its output byte for byte, and its exit statuses."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rankeval.base.endings import tell
from rankeval.base.frozen import frozen
from rankeval.trec_eval import catalogue
from rankeval.trec_eval.catalogue import Requested
from rankeval.trec_eval.evaluated_topics import Evaluated, chosen_topics, cleared, stopped_by
from rankeval.trec_eval.flags import Options, Wording, parse, two_files
from rankeval.trec_eval.judgment_files import Judgments, read_qrels_file
from rankeval.trec_eval.tool_measures import Totals
from rankeval.trec_eval.tool_output import PrintedColumn, summary_lines, topic_lines
from rankeval.trec_eval.tool_ranking import read_run
from rankeval.trec_eval.tool_version import (
    BAD_INPUT,
    BAD_TOPIC,
    NAMED,
    NINE,
    TEN,
    Failure,
    Version,
    shown,
)

if TYPE_CHECKING:
    from rankeval.trec_eval.tool_groups import ZScores

ENVIRONMENT = "RANKEVAL_TREC_EVAL"
RUN_FORMAT = b"trec_results"


def _reader(rel_format: bytes) -> Callable[[bytes, Version], Judgments] | None:
    """Return the reader of a format of judgments, or None; rarely used ones are imported here."""
    match rel_format:
        case b"qrels":
            return read_qrels_file
        case b"qrels_jg":
            from rankeval.trec_eval.tool_groups import read_groups_file

            return read_groups_file
        case b"prefs" | b"qrels_prefs":
            from rankeval.trec_eval import judged_preferences as preferences

            wide = rel_format == b"prefs"
            return preferences.read_prefs_file if wide else preferences.read_qrels_prefs_file
        case _:
            return None


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


def version_of(options: Options, program: str) -> Version:
    """Return the version to imitate."""
    if options.imitate is not None:
        return NAMED[options.imitate.decode()]
    if os.path.basename(program) == "trec_eval9":  # noqa: PTH119 - a name, not a path
        return NINE
    return NAMED.get(os.environ.get(ENVIRONMENT, ""), TEN)


def _run(words: Sequence[bytes], program: str, output: list[bytes]) -> None:
    options = parse(words)
    version = version_of(options, program)
    if options.version:
        tell(f"trec_eval version {version.number}\n")
        return
    requested = catalogue.requested(options.measures or (b"official",), version)
    if options.help:
        from rankeval.trec_eval.help_text import full

        output.append(full(options, requested, version))
    else:
        _evaluate(options, requested, version, output)


def _evaluate(
    options: Options, requested: Sequence[Requested], version: Version, output: list[bytes]
) -> None:
    """Read, evaluate and print; the lines of topics before one that fails are printed as well."""
    judgments_file, run_file = two_files(options)
    judgments = _judgments(judgments_file, options, version)
    if options.run_format != RUN_FORMAT:
        raise _unknown("results", options.run_format)
    ranking = read_run(run_file, judgments.qrels, judgments.ties, options.depth, version)
    zscores = None
    if options.zscores is not None:
        from rankeval.trec_eval.tool_groups import read_zscores

        zscores = read_zscores(options.zscores, version)
    parsed = _parsed(requested, version)

    evaluated = chosen_topics(judgments, ranking, options, version)
    for request in requested:
        if options.rel_format not in request.entry.formats:
            raise _cannot_calculate(request.entry.name)
    needs_ranking = next((r.entry.name for r in requested if r.entry.compute), None)
    n_usable, stop = stopped_by(
        evaluated, judgments, ranking, options, version, needs_ranking=needs_ranking
    )
    if stop is not None:
        evaluated = evaluated.first(n_usable)
    if not len(evaluated.index):
        raise stop or AssertionError
    totals = Totals(
        averaged=evaluated.n_all if options.complete else len(evaluated.index),
        evaluated=len(evaluated.index),
        relevant=judgments.n_positive if options.complete else None,
        tag=ranking.alignment.last_tag,
    )
    view = judgments.view(evaluated.judged, evaluated.index, options, version)
    columns = [_column(one, view, evaluated, zscores, totals) for one in parsed]
    if options.per_topic:
        topics = evaluated.judged.topics
        output.append(topic_lines(columns, topics, zscores=zscores is not None))
    if stop is not None:
        raise stop
    if options.summary:
        output.append(summary_lines(columns, zscores=zscores is not None))


@frozen
class _ParsedMeasure:
    """A measure with one value of its parameters, and the name to print."""

    requested: Requested
    wording: Wording[object]


def _parsed(requested: Sequence[Requested], version: Version) -> list[_ParsedMeasure]:
    """Read the parameters of all measures; Failure for impossible ones."""
    return [
        _ParsedMeasure(request, wording)
        for request in requested
        for wording in request.entry.read(request.entry.name, request.text, version)
    ]


def _judgments(path: bytes, options: Options, version: Version) -> Judgments:
    read = _reader(options.rel_format)
    if read is None:
        raise _unknown("rel_info", options.rel_format)
    return read(path, version)


def _unknown(kind: str, name: bytes) -> Failure:
    return Failure(BAD_INPUT, f"trec_eval: Cannot find {kind} format '{shown(name)}'")


def _cannot_calculate(measure: bytes) -> Failure:
    return Failure(BAD_TOPIC, f"trec_eval: Can't calculate measure '{shown(measure)}'")


def _column(
    one: _ParsedMeasure,
    view: object,
    evaluated: Evaluated,
    zscores: "ZScores | None",
    totals: Totals,
) -> PrintedColumn:
    entry, wording = one.requested.entry, one.wording
    values = (
        np.zeros(len(evaluated.index))
        if entry.compute is None
        else entry.compute(view, wording.parameters)
    )
    values = cleared(wording.name, values, evaluated.lacking)
    summary: float | bytes | None
    if isinstance(values, list):
        summary = None
    else:
        if zscores is not None and entry.compute is not None:
            values = zscores.standardized(values, evaluated.judged.topics, wording.name)
        summary = entry.summary(values, totals)
    return PrintedColumn(wording.name, entry.integer, entry.per_topic, values, summary)
