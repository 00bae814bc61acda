"""Make one HTML page of an evaluation: a verdict, tables, tests, pictures, topics and settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import chain
from typing import Any, Unpack

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import replace
from rankeval.base.threads import counted, usable_threads
from rankeval.base.wording import count, decoded, finite, signed
from rankeval.commands.compare.show import interval, method_words
from rankeval.commands.compare.task import Comparison, Pair
from rankeval.commands.report.page import Cell, MeasureSection, Report, ReportPicture, require_page
from rankeval.errors import RankevalError, UsageError, printable, visible
from rankeval.evaluation.aggregation import Aggregation, GroupsLike
from rankeval.evaluation.evaluate import Evaluating, evaluate, values_of
from rankeval.evaluation.prepared import (
    grades_of,
    judgments_of,
    require_one_order,
    require_topics,
)
from rankeval.evaluation.results import Results, notice_lines, with_first
from rankeval.evaluation.run_names import members, own_or
from rankeval.evaluation.settings import conventions_in_words
from rankeval.evaluation.show import conventions_sentence, seeds_sentence
from rankeval.evaluation.shown_texts import ShownTexts, TextsLike, texts_of
from rankeval.io.small_tables import RunCostsLike, run_costs_of
from rankeval.io.texts import Text
from rankeval.measures import MeasuresLike, measure_names, parse_measure, parse_measures
from rankeval.output.style import USUAL_DECIMALS
from rankeval.plots.kinds import KINDS, Form
from rankeval.plots.look import Appearance
from rankeval.plots.pictures import figure, save
from rankeval.plots.rows import forest_of
from rankeval.plots.selection import arranged, ends_of_mean, plot_data
from rankeval.plots.selection import measures as measures_of_kind
from rankeval.ranking.align import top_documents
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunsLike, RunSource, refuse_stdin_twice, run_sources

USUAL = "nDCG@10 AP RR R@100"
"""Measures of a report where none is named."""

MOST_RANKED = 250
"""The most topics whose rankings are on the page: those on which the runs differ most."""


@checked
def report(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike | None = None,
    *,
    baseline: str | None = None,
    alpha: float = 0.05,
    groups: GroupsLike | None = None,
    queries: TextsLike | None = None,
    docs: TextsLike | None = None,
    rows: int = 10,
    title: str = "",
    run_costs: RunCostsLike | None = None,
    command: str = "",
    **evaluating: Unpack[Evaluating],
) -> Report:
    """Evaluate runs for one HTML page: tables, tests, pictures, topics and settings.

    =========== ===========================================================================
    qrels       judgments, as `evaluate` takes them
    runs        a run, several, or {name: run}
    measures    nDCG@10, AP, RR and R@100 by default; the pictures show the first
    baseline    name of the run that others are compared with; the first by default
    alpha       as in `compare`
    groups      of topics, to filter by: a path, or {topic: group}
    queries, docs, text    texts of topics and documents, as in `explain`
    rows        documents to show of each ranking
    title       heading; by default it counts the runs
    run_costs   what each run costs: {run: cost}, or a file with a header
    command     the command that makes the page again, to be shown at its end
    evaluating  keywords of `evaluate`: settings or its fields, costs, run_names, jobs
    =========== ===========================================================================

    The page needs no network and no other file. UsageError without jinja2 or matplotlib, for a
    measure that is not a mean over topics, and for ties that give documents no fixed ranks.

    >>> from rankeval import report
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> page = report(qrels, {"bm25": bm25, "dense": dense}, "RR AP", title="Two runs")
    >>> page.save("report.html")
    """
    require_page("report.html")
    settings, costs, run_names, jobs = values_of(**evaluating)
    require_one_order(settings)
    threads, form = usable_threads(jobs), settings.run_form()
    spent = None if run_costs is None else run_costs_of(run_costs)
    texts, of_groups = partial(texts_of, queries, docs), Aggregation(None, None, groups)
    parsed = parse_measures(measure_names(USUAL if measures is None else measures))
    require_topics(parsed)
    names = list(dict.fromkeys(str(one.measure) for one in parsed))
    # Every run is read once, and evaluated for the page and for its pictures.
    listed, own = run_sources(runs, form.columns)
    refuse_stdin_twice(qrels, *listed)
    run_names = own_or(run_names, own)
    given = [run if run.given is None else run.given for run in listed]
    systems = [
        [RunSource.of(run).again(form, jobs=threads) for run in members(system)] for system in given
    ]
    once = [of[0] if len(of) == 1 else one for one, of in zip(given, systems, strict=True)]
    judgments = judgments_of(qrels, names, settings)
    wanted = [*dict.fromkeys([*names, *chain(*drawn_measures(names[0]).values())])]
    every = evaluate(
        judgments, once, wanted, settings, costs=costs, run_names=run_names, jobs=threads
    )
    order = with_first([run.name for run in every.runs], baseline)
    every = replace(every, runs=tuple(every.runs[place] for place in order))
    results = _with(every, names)
    compared = results.compare(alpha=alpha) if len(results.runs) > 1 else None
    topics = [*dict.fromkeys(topic for run in results.runs for topic in run.topics)]
    sections = [_section(results, topics, i, compared, alpha) for i in range(len(names))]
    depth, rules = min(rows, settings.depth or rows), settings.rules()
    firsts = [systems[place][0] for place in order]
    tops = [top_documents(judgments, run, depth, rules, form, jobs=threads) for run in firsts]
    name_of = {decoded(topic): topic for topic in judgments.topics}
    named = [name_of[topic] for topic in topics]
    data, missing = explorer_data(results, sections, topics, judgments, tops, texts)
    data |= {"groups": [*map(visible, of_groups.labels(named))] or None, "depth": rows}
    of_curves = [s.measure for s in every.runs[0].scores if s.measure not in names]
    warnings = (
        *notice_lines(every.runs, USUAL_DECIMALS, of_curves),
        *(compared.warnings if compared else ()),
        *missing,
    )
    doubt = [f"{count(len(warnings), 'warning')} below may affect this."] if warnings else []
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
            *(f"Documents are those of {r.seeds[0].path}." for r in results.runs if r.seeds),
        ),
    )


def _with(results: Results, measures: Collection[str]) -> Results:
    """Return the results with some measures, which are named canonically or as given."""
    named = [{score.measure, score.as_given} for score in results.runs[0].scores]
    kept = [i for i, names in enumerate(named) if not names.isdisjoint(measures)]
    runs = (replace(run, scores=tuple(run.scores[i] for i in kept)) for run in results.runs)
    return replace(results, runs=tuple(runs))


def _section(
    results: Results, topics: Sequence[str], i: int, compared: Comparison | None, alpha: float
) -> MeasureSection:
    scores = [run.scores[i] for run in results.runs]
    first = scores[0]
    if first.rule == "sum":
        raise UsageError(
            f"{first.measure} is a sum over topics, and reports show means",
            remedy=f"leave {first.measure} out",
        )
    every = compared.pairs if compared else ()
    pairs = {pair.run: pair for pair in every if pair.measure == first.measure}
    losses = np.array([s.aggregate if s.loss else -s.aggregate for s in scores])
    order = tuple(np.argsort(losses, kind="stable").tolist())  # undefined values come last
    place = {topic: column for column, topic in enumerate(topics)}
    values, cells = np.full((len(scores), len(topics)), np.nan), []
    for row, run, score in zip(values, results.runs, scores, strict=True):
        row[[place[topic] for topic in run.topics]] = score.values
        value, deviation = finite(score.aggregate), finite(score.deviation)
        ends, is_best = ends_of_mean(score, 1.0 - alpha), value == scores[order[0]].aggregate
        cells.append(Cell(value, *ends, deviation, is_best, pairs.get(run.name)))
    return MeasureSection(first.measure, first.loss, first.signature, tuple(cells), order, values)


MOST_NAMED = 5
"""The most runs that a sentence names."""


def verdict(results: Results, section: MeasureSection, alpha: float) -> Iterator[str]:
    """Yield sentences on the first measure of a report; the baseline is the first of the runs."""
    names = [run.name for run in results.runs]
    best = [name for name, cell in zip(names, section.cells, strict=True) if cell.best]
    if not best:
        yield f"No run has a value of {section.name}."
        return
    leader, cell = best[0], section.cells[section.order[0]]
    value = f"{section.name} {cell.value:.4f}{' (less is better)' if section.loss else ''}"
    if len(names) == 1:
        yield f"{leader}: {value}."
        return
    if len(best) > 1:
        yield f"{_named(best)} share the best value: {value}."
    elif cell.pair is None:
        yield f"{leader}, the baseline, leads: {value}."
    else:
        yield f"{leader} leads: {value}, {_difference(cell.pair)} over {names[0]}."
    pairs = _with(results, [section.name]).compare(leader, alpha=alpha).pairs
    # The test of the leader and the baseline is that of the table.
    tested = {names[0]: cell.pair} if cell.pair else {}
    close = [pair for pair in pairs if not tested.get(pair.run, pair).is_shown(alpha)]
    close.sort(key=lambda pair: abs(pair.summary.difference or 0.0))
    if not close:
        yield f"{leader} differs significantly from every other run."
        return
    said = [
        pair.run if pair.run == names[0] else f"{pair.run} ({_difference(pair, -1)})"
        for pair in close[:MOST_NAMED]
    ]
    more = [f"{len(close) - MOST_NAMED:,} more"] if len(close) > MOST_NAMED else []
    yield f"{leader} does not differ significantly from {_named([*said, *more])}."


def _difference(pair: Pair, sign: int = 1) -> str:
    """Return the difference of a pair with its interval; those of the other run with sign -1."""
    ends = [None if end is None else sign * end for end in (pair.low, pair.high)[::sign]]
    difference = pair.summary.difference
    shown = signed(None if difference is None else sign * difference, USUAL_DECIMALS)
    return f"{shown} {interval(ends[0], ends[1], USUAL_DECIMALS)}".removesuffix(" -")


def _named(names: Sequence[str]) -> str:
    """Return names as a list in words: "a", "a and b", "a, b and c"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


PICTURES = ("forest", "box", "topics", "pr", "cutoff", "judged")

MOST_PANELS = {"forest": 1, "topics": 5}
"""Panels that are drawn: of the first measure, and topic by topic of the best runs."""


def drawn_measures(first: str) -> dict[str, list[str]]:
    """Return the measures that each picture needs; `first` is the report's first measure."""
    varied = first if parse_measure(first).definition.at == "cutoff" else None
    return {
        kind: measures_of_kind(kind, varied if kind == "cutoff" else None)
        if KINDS[kind].over
        else [first]
        for kind in PICTURES
    }


def pictures(
    results: Results, first: str, compared: Comparison | None, order: Sequence[int]
) -> Iterator[ReportPicture]:
    """Yield the pictures that the results allow; `order` are the places of the runs, best first.

    There is none of a measure that no run has a value of.
    """
    if np.isnan(results.runs[order[0]][first].aggregate):
        return
    best_first, needed = [results.runs[place].name for place in order], drawn_measures(first)
    for kind in counted(PICTURES, "pictures", len(PICTURES)):
        try:
            of_kind = _with(results, needed[kind])
            is_forest = kind == "forest" and compared is not None
            found: Sequence[Form] = forest_of(compared) if is_forest else plot_data(kind, of_kind)
        except RankevalError:  # one run, or no topic on which all runs have a value
            continue
        panels = arranged(found, best_first)[: MOST_PANELS.get(kind)]
        words = KINDS[kind].words + ("" if KINDS[kind].over else f": {first}")
        title = f"{words[0].upper()}{words[1:]}"
        svg = save(figure(panels, appearance=Appearance(remedy="")), "picture.svg").decode()
        yield ReportPicture(kind, title, inline(svg, title, kind), panels[0].table())


def inline(svg: str, title: str, kind: str) -> str:
    """Return a picture as an element without styles, whose ids begin with the kind.

    Styles become attributes, which a policy without 'unsafe-inline' allows. Black takes the colour
    of the page's text, and white that of its ground, by the page's own style.
    """
    head, _, body = svg[svg.index("<svg") :].partition(">")
    body = re.sub(r"<(metadata|style)\b[^>]*>.*?</\1>", "", body, flags=re.DOTALL)
    body = re.sub(r' style="([^"]*)"', _attributes, body)
    body = re.sub(r'( id="|url\(#|href="#)', rf"\g<1>{kind}-", body)
    box = " ".join(re.findall(r'viewBox="[^"]*"', head))
    root = f'<svg {box} role="img" aria-label="{escape(title)}" fill="currentColor" '
    return f'{root}stroke-linejoin="round" stroke-linecap="butt">{body}'


def _attributes(found: re.Match[str]) -> str:
    return re.sub(r"\s*([\w-]+):\s*([^;]*);?", r' \1="\2"', found[1])


def most_different(values: Floats) -> list[int]:
    """Return the places of the topics with the largest span between best and worst, in order.

    `values` has a row for each run. A topic without two values has no span.
    """
    highest = np.where(np.isnan(values), -np.inf, values).max(axis=0)
    lowest = np.where(np.isnan(values), np.inf, values).min(axis=0)
    order = np.argsort(-np.maximum(highest - lowest, -1.0), kind="stable")
    return np.sort(order[:MOST_RANKED]).tolist()


def explorer_data(
    results: Results,
    sections: Sequence[MeasureSection],
    topics: Sequence[str],
    qrels: Qrels,
    tops: Sequence[Mapping[bytes, Sequence[bytes]]],
    texts: Callable[[Mapping[str, Iterable[str]]], ShownTexts],
) -> tuple[dict[str, Any], Sequence[str]]:
    """Return the data that the script needs to show the topics, and warnings of missing texts.

    `tops` has the first documents of each run by topic.

    ======== =================================================================================
    runs     names, the baseline first
    measures name, whether less is better, the order of the runs, and values by topic and run
    topics   names
    queries  of the topics; null without queries
    rankings of each topic: docnos, their grades (null for unjudged ones) and texts, and by run the
             places of its first documents in them; null for topics that are not among the most
             different ones
    ======== =================================================================================
    """
    ranked = [topics[i] for i in most_different(sections[0].values)]
    named = {decoded(topic): topic for topic in qrels.topics}
    of_topics = {topic: [top.get(named[topic], ()) for top in tops] for topic in ranked}
    places = {
        topic: {docno: i for i, docno in enumerate(dict.fromkeys(chain.from_iterable(firsts)))}
        for topic, firsts in of_topics.items()
    }
    shown = texts({topic: [*map(decoded, places.get(topic, ()))] for topic in topics})

    def ranking(topic: str) -> dict[str, Any]:
        grades, place = grades_of(qrels, named[topic]), places[topic]
        docnos = [*map(decoded, place)]
        facts: dict[str, Any] = {
            "docnos": [*map(visible, docnos)],
            "grades": [grades[docno][1] if docno in grades else None for docno in place],
            "ranked": [[place[docno] for docno in firsts] for firsts in of_topics[topic]],
        }
        if shown.documents is not None:
            facts["texts"] = [_text(shown.documents.get((topic, docno))) for docno in docnos]
        return facts

    def measure(section: MeasureSection) -> dict[str, Any]:
        values = [[_short(value) for value in row] for row in section.values.T.tolist()]
        named = {"name": section.name, "loss": section.loss, "order": section.order}
        return {**named, "values": values}

    queries = None
    if shown.queries is not None:
        queries = [printable(shown.queries.get(topic, "")) for topic in topics]
    data = {
        "runs": [visible(run.name) for run in results.runs],
        "measures": [*map(measure, sections)],
        "topics": [*map(visible, topics)],
        "queries": queries,
        "rankings": [ranking(topic) if topic in places else None for topic in topics],
    }
    return data, shown.notices()


def _short(value: float) -> float | None:
    """Return a value as the page prints it; None where it is undefined."""
    return None if np.isnan(value) else round(value, USUAL_DECIMALS) + 0.0


def _text(text: Text | None) -> list[str] | None:
    """Return the title and the text; None if they are missing."""
    return None if text is None else [*map(printable, text)]
