"""Make one HTML page of an evaluation: a verdict, tables, tests, pictures, topics and settings."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from itertools import chain
from typing import Any, Unpack

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.threads import counted, usable_threads
from rankeval.base.wording import count, decoded, finite, visible
from rankeval.choices import TextForm
from rankeval.commands.compare.show import method_words
from rankeval.commands.compare.task import Comparison, Pair
from rankeval.commands.report.page import Cell, MeasureSection, Report, ReportPicture, require_page
from rankeval.errors import RankevalError, UsageError, printable
from rankeval.evaluation.aggregation import GroupsLike, aggregation
from rankeval.evaluation.comparable_runs import RunsOrResults, runs_or_results
from rankeval.evaluation.conventions import conventions_in_words
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.prepared import judgments_of, require_topics
from rankeval.evaluation.rankings import ONE_ORDER, Rankings
from rankeval.evaluation.results import Results, in_order, with_first
from rankeval.evaluation.run_names import BY_TAG, RunNames, members
from rankeval.evaluation.saved_results import results_of
from rankeval.evaluation.settings import Settings, SettingsFields, settings_from
from rankeval.evaluation.shown_texts import ShownText, TextsLike, TextSources
from rankeval.evaluation.shown_values import conventions_sentence, notice_lines, seeds_sentence
from rankeval.io.formats.named_values import RunCostsLike, run_costs_of
from rankeval.measures import MeasuresLike, measure_names, parse_measure, parse_measures
from rankeval.output.style import USUAL_DECIMALS
from rankeval.plots.kinds import KINDS, Form
from rankeval.plots.look import Appearance
from rankeval.plots.pictures import figure, save
from rankeval.plots.rows import forest_of
from rankeval.plots.selection import (
    arranged,
    drawable_results,
    ends_of_mean,
    measures,
    plot_data,
    with_measures,
    without_measures,
)
from rankeval.ranking.items import CostsLike
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.rank import top_documents
from rankeval.ranking.run_source import RunSource, refuse_stdin_twice

USUAL = "nDCG@10 AP RR R@100"
"""Measures of a report where none is named."""


@checked
def report(
    qrels: QrelsLike,
    runs: RunsOrResults,
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    baseline: str | None = None,
    alpha: float = 0.05,
    groups: GroupsLike | None = None,
    queries: TextsLike | None = None,
    docs: TextsLike | None = None,
    text: TextForm = "window",
    rows: int = 10,
    max_topics: int = 250,
    title: str = "",
    run_costs: RunCostsLike | None = None,
    command: str = "",
    costs: CostsLike | None = None,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    **conventions: Unpack[SettingsFields],
) -> Report:
    """Evaluate runs for one HTML page: tables, tests, pictures, topics and settings.

    =========== ===========================================================================
    qrels       judgments, as `evaluate` takes them
    runs        a run, several, or {name: run}; runs may be results with values by topic,
                which hold no rankings to show
    measures    nDCG@10, AP, RR and R@100 by default; the pictures show the first
    baseline    name of the run that others are compared with; the first by default
    alpha       as in `compare`
    groups      of topics, to filter by: a path, or {topic: group}
    queries, docs, text    texts of topics and documents, as in `explain`
    rows        documents to show of each ranking
    max_topics  topics to show rankings of: those on which the runs differ most
    title       heading; by default it counts the runs
    run_costs   what each run costs: {run: cost}, or a file with a header
    command     the command that makes the page again, to be shown at its end
    settings, costs, run_names, jobs    as in `evaluate`
    =========== ===========================================================================

    The page needs no network and no other file. UsageError without jinja2 or matplotlib, and for a
    measure that is not a mean over topics.

    >>> from rankeval import report
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> page = report(qrels, {"bm25": bm25, "dense": dense}, "RR AP", title="Two runs")
    >>> page.save("report.html")
    """
    require_page("report.html")
    settings = settings_from(settings, conventions)
    spent = None if run_costs is None else run_costs_of(run_costs)
    texts, of_groups = TextSources(queries, docs, text), aggregation(None, None, groups)
    threads = usable_threads(jobs)
    how = {"costs": costs, "jobs": threads}
    given = (qrels, runs, measures, settings, run_names, baseline)
    judgments, every, sources, names = _read(*given, how)
    results = with_measures(every, names)
    compared = results.compare(alpha=alpha) if len(results.runs) > 1 else None
    topics = [*dict.fromkeys(topic for run in results.runs for topic in run.topics)]
    sections = [_section(results, topics, i, compared, alpha) for i in range(len(names))]
    rankings = Rankings(judgments, ())
    named = [rankings.topic_of[topic] for topic in topics]
    tops = []
    if settings.ties in ONE_ORDER:
        depth, form = min(rows, settings.depth or rows), settings.run_form()
        first = partial(top_documents, judgments, top=depth, rules=settings.rules(), form=form)
        tops = [first(run, jobs=threads) for run in sources]
    ranked = most_different(sections[0].values, max_topics) if tops else []
    data, missing = explorer_data(
        [run.name for run in results.runs],
        sections,
        topics,
        rankings,
        tops,
        [topics[i] for i in ranked],
        texts,
    )
    data |= {
        "groups": [*map(visible, of_groups.labels(named))] or None,
        "depth": rows,
        "unranked": "Without one order of equal scores, there are no rankings to show."
        if sources
        else "Saved results have no rankings to show.",
    }
    of_curves = [s.measure for s in every.runs[0].scores if s.measure not in names]
    warnings = (
        *without_measures(notice_lines(every.runs, USUAL_DECIMALS, of_curves), of_curves),
        *(compared.warnings if compared else ()),
        *of_groups.warnings(named),
        *missing,
    )
    doubt = [f"{count(len(warnings), 'warning')} below may affect this."] if warnings else []
    seeded = [run for run in results.runs if run.seeds and tops]
    return Report(
        results=results,
        method=method_words(compared) if compared else "",
        sections=tuple(sections),
        pictures=tuple(pictures(every, names[0], compared, sections[0].order)),
        data=data,
        verdict=(*verdict(results, sections[0], alpha), *doubt),
        warnings=warnings,
        title=title,
        alpha=alpha,
        costs=spent,
        command=command,
        conventions=(
            *conventions_sentence(conventions_in_words(results.settings)),
            *seeds_sentence(results.runs),
            *(f"Documents are those of {run.seeds[0].path}." for run in seeded),
        ),
    )


def _read(
    qrels: QrelsLike,
    runs: RunsOrResults,
    measures: MeasuresLike | None,
    settings: Settings,
    run_names: RunNames,
    baseline: str | None,
    how: Mapping[str, Any],
) -> tuple[Qrels, Results, list[RunSource], list[str]]:
    """Return judgments, results, what to read rankings from, and the measures of the page.

    The baseline comes first. Every run is read once, and evaluated for the page and for curves.
    Where some runs are saved results, their measures are those by default, and there are no curves
    and no rankings.
    """
    listed, given = runs_or_results(runs, settings.run_form().columns)
    run_names = run_names if given is None else replace(run_names, given=given)
    refuse_stdin_twice(qrels, *listed)
    loaded = [results_of(run) for run in listed]
    saved = [run for run in loaded if isinstance(run, Results)]
    held = [score.measure for one in saved for score in one.runs[0].scores if score.rule == "mean"]
    parsed = parse_measures(
        measure_names((" ".join(held) or USUAL) if measures is None else measures)
    )
    require_topics(parsed)
    names = list(dict.fromkeys(str(one.measure) for one in parsed))
    judgments = judgments_of(qrels, names, settings)
    score: Callable[..., Results] = partial(evaluate, settings=settings, **how)
    if saved:
        sources = []
        every = drawable_results(judgments, loaded, names, settings, score, run_names=run_names)
    else:
        form = settings.run_form()
        systems = [
            [RunSource.of(run).again(form, jobs=how["jobs"]) for run in members(system)]
            for system in loaded
        ]
        sources = [of[0] for of in systems]
        once = [of[0] if len(of) == 1 else one for one, of in zip(loaded, systems, strict=True)]
        curves = () if settings.ties == "expected" else curve_measures(names[0])
        wanted = list(dict.fromkeys([*names, *curves]))
        every = score(judgments, once, wanted, run_names=run_names)
    order = with_first([run.name for run in every.runs], baseline)
    every = replace(every, runs=tuple(every.runs[place] for place in order))
    return judgments, every, [sources[place] for place in order if sources], names


def _section(
    results: Results, topics: Sequence[str], i: int, compared: Comparison | None, alpha: float
) -> MeasureSection:
    scores = [run.scores[i] for run in results.runs]
    first, runs = scores[0], results.runs
    if first.rule == "sum":
        raise UsageError(
            f"{first.measure} is a sum over topics, and reports show means",
            remedy=f"leave {first.measure} out",
        )
    every = compared.pairs if compared else ()
    pairs = {pair.run: pair for pair in every if pair.measure == first.measure}
    known = [score.aggregate for score in scores if not np.isnan(score.aggregate)]
    best = (min if first.loss else max)(known, default=np.nan)
    place = {topic: column for column, topic in enumerate(topics)}
    values, cells = np.full((len(scores), len(topics)), np.nan), []
    for row, run, score in zip(values, runs, scores, strict=True):
        row[[place[topic] for topic in run.topics]] = score.values
        value, deviation = finite(score.aggregate), finite(score.deviation)
        ends, is_best = ends_of_mean(score, 1.0 - alpha), bool(score.aggregate == best)
        cells.append(Cell(value, *ends, deviation, is_best, pairs.get(run.name)))
    place_of = {id(run): i for i, run in enumerate(runs)}
    order = tuple(place_of[id(run)] for run in in_order(runs, first.measure))
    return MeasureSection(first.measure, first.loss, first.signature, tuple(cells), order, values)


MOST_NAMED = 5
"""The most runs that a sentence names."""


def verdict(results: Results, section: MeasureSection, alpha: float) -> Iterator[str]:
    """Yield sentences on the first measure of a report; the baseline is the first of the runs."""
    names = [run.name for run in results.runs]
    best = [place for place, cell in enumerate(section.cells) if cell.best]
    if not best:
        yield f"No run has a value of {section.name}."
        return
    leader, cell = names[best[0]], section.cells[best[0]]
    value = f"{section.name} {cell.value:.4f}{' (less is better)' if section.loss else ''}"
    if len(names) == 1:
        yield f"{leader}: {value}{_ends(cell.low, cell.high, '')}."
        return
    if len(best) > 1:
        yield f"{_named([names[place] for place in best])} share the best value: {value}."
    elif cell.pair is None:
        yield f"{leader}, the baseline, leads: {value}."
    else:
        yield f"{leader} leads: {value}{_lead(cell.pair, ', ', 1)} over {names[0]}."
    pairs = with_measures(results, [section.name]).compare(leader, alpha=alpha).pairs
    # The test of the leader and the baseline is that of the table.
    tested = {names[0]: cell.pair} if cell.pair else {}
    close = [pair for pair in pairs if not tested.get(pair.run, pair).is_shown(alpha)]
    close.sort(key=lambda pair: abs(pair.summary.difference or 0.0))
    if not close:
        yield f"{leader} differs significantly from every other run."
        return
    said = [
        pair.run if pair.run == names[0] else f"{pair.run} ({_lead(pair, '', -1)})"
        for pair in close[:MOST_NAMED]
    ]
    more = [f"{len(close) - MOST_NAMED:,} more"] if len(close) > MOST_NAMED else []
    yield f"{leader} does not differ significantly from {_named([*said, *more])}."


def _lead(pair: Pair, start: str, sign: int) -> str:
    """Return the difference of a pair with its interval; those of the other run with sign -1."""
    difference = pair.summary.difference
    if difference is None:
        return f"{start}undefined"
    low, high = (None if end is None else sign * end for end in (pair.low, pair.high)[::sign])
    return f"{start}{sign * difference:+z.4f}{_ends(low, high)}"


def _ends(low: float | None, high: float | None, sign: str = "+") -> str:
    """Return the ends in brackets after a blank; "" without them."""
    if low is None or high is None:
        return ""
    return f" [{low:{sign}z.4f}, {high:{sign}z.4f}]"


def _named(names: Sequence[str]) -> str:
    """Return names as a list in words: "a", "a and b", "a, b and c"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


PICTURES = ("forest", "box", "topics", "pr", "cutoff", "judged")

TOP = 5
"""Runs whose differences are drawn topic by topic: the best."""


def curve_measures(first: str) -> list[str]:
    """Return the measures of the curves; `first` is the report's first measure."""
    return [name for kind in PICTURES if KINDS[kind].over for name in _needed(kind, first)]


def _needed(kind: str, first: str) -> list[str]:
    if not KINDS[kind].over:
        return [first]
    has_cutoff = parse_measure(first).definition.at == "cutoff"
    return measures(kind, first if kind == "cutoff" and has_cutoff else None)


def pictures(
    results: Results, first: str, compared: Comparison | None, order: Sequence[int]
) -> Iterator[ReportPicture]:
    """Yield the pictures that the results allow, of the first measure and of `curve_measures`.

    `order` are the places of the runs, the best first.
    """
    best_first = [results.runs[place].name for place in order]
    for kind in counted(PICTURES, "pictures", len(PICTURES)):
        panels = arranged(_panels(kind, results, first, compared), best_first)
        panels = panels[: TOP if kind == "topics" else None]
        if panels:
            words = KINDS[kind].words + ("" if KINDS[kind].over else f": {first}")
            title = f"{words[0].upper()}{words[1:]}"
            drawn = figure(kind, panels, appearance=Appearance(remedy=""))
            svg = inline(save(drawn, "picture.svg").decode(), title, kind)
            yield ReportPicture(kind, title, svg, panels[0].table())


def _panels(
    kind: str, results: Results, first: str, compared: Comparison | None
) -> tuple[Form, ...]:
    """Return the panels of a kind; none for one run, or where no run has a value."""
    of_kind = with_measures(results, _needed(kind, first))
    if all(np.isnan(score.aggregate) for run in of_kind.runs for score in run.scores):
        return ()
    if kind == "forest":
        return forest_of(compared)[:1] if compared else ()
    try:
        return plot_data(kind, of_kind)
    except RankevalError:  # one run, or no topic on which all runs have a value
        return ()


def inline(svg: str, title: str, kind: str) -> str:
    """Return a picture as an element without styles, whose ids begin with the kind.

    Styles become attributes, which a policy without 'unsafe-inline' allows. Black takes the colour
    of the page's text, and white that of its ground, by the page's own style.
    """
    head, _, body = svg[svg.index("<svg") :].partition(">")
    box = re.search(r'viewBox="[^"]*"', head)
    body = re.sub(r"<(metadata|style|title|desc)\b[^>]*>.*?</\1>", _kept, body, flags=re.DOTALL)
    body = re.sub(r' style="([^"]*)"', _attributes, body)
    body = re.sub(r'( id="|url\(#|href="#)', rf"\g<1>{kind}-", body)
    # Nothing is a command in the log of a workflow that prints the page.
    body = body.replace("::", "&#58;:").replace("##[", "#&#35;[")
    root = (
        f'<svg {box[0] if box else ""} role="img" aria-label="{escape(title)}" fill="currentColor" '
    )
    return f'{root}stroke-linejoin="round" stroke-linecap="butt">{body}'


def _kept(found: re.Match[str]) -> str:
    """Keep the words on hover, which follow the start of a group."""
    return found[0] if found[1] == "title" and found.string[found.start() - 1] == ">" else ""


def _attributes(found: re.Match[str]) -> str:
    pairs = (declaration.partition(":") for declaration in found[1].split(";"))
    stated = {name.strip(): value.strip() for name, _, value in pairs if name.strip()}
    return "".join(f' {name}="{value}"' for name, value in stated.items())


DECIMALS = 4


def most_different(values: Floats, most: int) -> list[int]:
    """Return the places of the topics with the largest span between best and worst, in order.

    `values` has a row for each run. A topic without two values has no span.
    """
    highest = np.where(np.isnan(values), -np.inf, values).max(axis=0)
    lowest = np.where(np.isnan(values), np.inf, values).min(axis=0)
    order = np.argsort(-np.maximum(highest - lowest, -1.0), kind="stable")
    return np.sort(order[:most]).tolist()


def explorer_data(
    runs: Sequence[str],
    sections: Sequence[MeasureSection],
    topics: Sequence[str],
    judged: Rankings,
    tops: Sequence[Mapping[bytes, Sequence[bytes]]],
    ranked: Sequence[str],
    texts: TextSources,
) -> tuple[dict[str, Any], Sequence[str]]:
    """Return the data that the script needs to show the topics, and warnings of missing texts.

    `tops` has the first documents of each run by topic; those of the topics in `ranked` are shown.

    ======== =================================================================================
    runs     names, the baseline first
    measures name, whether less is better, the order of the runs, and values by topic and run
    topics   names
    queries  of the topics; null without queries
    rankings of each topic: docnos, whose common beginning is written once, their grades (null for
             unjudged ones) and texts, and by run the places of its first documents in them; null
             for topics that are not among `ranked`
    ======== =================================================================================
    """
    of_topics = {topic: [top.get(judged.topic_of[topic], ()) for top in tops] for topic in ranked}
    places = {
        topic: {docno: i for i, docno in enumerate(dict.fromkeys(chain.from_iterable(firsts)))}
        for topic, firsts in of_topics.items()
    }
    shown = texts.of({topic: [*map(decoded, places.get(topic, ()))] for topic in topics})

    def ranking(topic: str) -> dict[str, Any]:
        grades, place = judged.grades(judged.topic_of[topic]), places[topic]
        docnos = [*map(decoded, place)]
        names = [*map(visible, docnos)]
        prefix = os.path.commonprefix(names)  # noqa: RUF071  of names, not of paths
        facts: dict[str, Any] = {
            "prefix": prefix,
            "docnos": [name[len(prefix) :] for name in names],
            "grades": [_whole(grades[docno][1]) if docno in grades else None for docno in place],
            "ranked": [[place[docno] for docno in firsts] for firsts in of_topics[topic]],
        }
        if shown.has_docs:
            facts["texts"] = [_text(shown.document(topic, docno)) for docno in docnos]
        return facts

    def measure(section: MeasureSection) -> dict[str, Any]:
        values = [[_short(value) for value in row] for row in section.values.T.tolist()]
        named = {"name": section.name, "loss": section.loss, "order": section.order}
        return {**named, "values": values}

    queries = [printable(shown.query(topic)) for topic in topics]
    data = {
        "runs": [*map(visible, runs)],
        "measures": [*map(measure, sections)],
        "topics": [*map(visible, topics)],
        "queries": queries if shown.has_queries else None,
        "rankings": [ranking(topic) if topic in places else None for topic in topics],
    }
    return data, shown.notices()


def _short(value: float) -> float | None:
    """Return a value as the page prints it; None where it is undefined."""
    return None if np.isnan(value) else round(value, DECIMALS) + 0.0


def _whole(grade: float) -> float:
    return int(grade) if grade.is_integer() else grade


def _text(shown: ShownText | None) -> list[str] | None:
    """Return a title, and the pieces of a text, of which every second is bold; None if missing."""
    if shown is None or shown.missing:
        return None
    return [printable(shown.title), *_pieces(shown)]


def _pieces(shown: ShownText) -> Iterator[str]:
    bold = False
    for piece, is_bold in shown.pieces():
        if is_bold != bold:
            yield ""
        yield printable(piece)
        bold = not is_bold
