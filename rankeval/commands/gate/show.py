"""The sentence about an outcome, which all reports share, and how gates are printed."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from rankeval.base.frozen import replace
from rankeval.base.wording import count, number, signed
from rankeval.commands.gate.report import GateFailure, GateReport, JudgedSuite, RuleOutcome
from rankeval.commands.gate.rules import OF_TOPICS
from rankeval.errors import visible
from rankeval.evaluation.results import RunResult, notice_lines
from rankeval.evaluation.saved_results import is_results_path, production_of
from rankeval.evaluation.show import conventions_sentence, topics_of
from rankeval.evaluation.shown_texts import topic_title
from rankeval.output.declared_columns import Row
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.output_formats import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Cell, Column, Emphasis, Table, numbers
from rankeval.output.text import drawn
from rankeval.stats import GateVerdict
from rankeval.stats.choices import Bound
from rankeval.stats.in_words import confidence

SCHEMA = "rankeval-gate/1"
FEW = 10
"""Topics that differ, below which an interval by t is optimistic; so many plan nothing."""
NAMED, WORST = 3, 5
"""Topics that a sentence names, and the worst ones that are named below the rules."""


def sentence(outcome: RuleOutcome, digits: int) -> str:
    """Return the outcome of a rule: measure, means, change, limit, interval, and doubts."""
    measure, means, *more = cells(outcome, digits)
    return ", ".join([f"{measure} {means}", *filter(None, more)])


def cells(outcome: RuleOutcome, digits: int) -> list[str]:
    """Return the parts of the sentence: measure, means, change, limit, interval with doubts."""
    old, new = outcome.baseline, outcome.candidate
    change = "" if old is None or new is None else _change(outcome, new - old, digits)
    doubts = "; ".join([*_interval(outcome, digits), *_doubts(outcome)])
    means = f"{number(old, digits)} -> {number(new, digits)}"
    return [outcome.rule.measured, means, change, _limit(outcome), doubts]


def _change(outcome: RuleOutcome, change: float, digits: int) -> str:
    """Return a change of the mean, in the units of the rule's limit."""
    if outcome.rule.relative and outcome.baseline:
        return f"{change / abs(outcome.baseline):+z.1%}"
    return signed(change, digits)


def _limit(outcome: RuleOutcome) -> str:
    """Return the limit; that of a drop or a gain as a change."""
    rule = outcome.rule
    if not rule.kind.startswith(("max-drop", "min-gain")):
        return f"{rule.kind} {rule.amount}"
    sign = "+" if (rule.kind == "min-gain") != outcome.loss else "-"
    golden = rule.kind.removeprefix("max-drop").removeprefix("min-gain").replace("-", " ")
    return f"limit {sign if rule.limit else ''}{rule.amount}{golden}"


def _interval(outcome: RuleOutcome, digits: int) -> Iterator[str]:
    """Yield the interval of the change, or why there is none where topics differ."""
    found = outcome.verdict
    if found is None or not found.n_changed:
        return
    low, high = found.interval
    if low is None or high is None:
        yield f"no CI: {found.n_changed} of {count(found.n_topics, 'topic')} differ"
        return
    ends = (low, high) if outcome.loss else (-high, -low)
    said = [_change(outcome, end, digits) for end in ends]
    yield f"{confidence(found.alpha)} CI {' to '.join(said)}"
    if found.bound is Bound.STUDENT_T and found.n_changed < FEW:
        yield f"t is optimistic where {count(found.n_changed, 'topic')} differ (--bound betting)"


def _doubts(outcome: RuleOutcome) -> Iterator[str]:
    """Yield the reasons to doubt an outcome, and the topics that break a rule about topics."""
    found = outcome.verdict
    if outcome.inconclusive and found is not None:
        needed, topics = found.topics_needed or 0, count(found.n_topics, "topic")
        said = f"too close to the limit for {topics}"
        if needed > found.n_topics or found.n_topics < FEW:
            said = f"{topics} are few"  # and fewer than ten do not tell how topics are spread
            said += f" (about {needed:,} needed)" if found.n_topics >= FEW else ""
        yield f"inconclusive: {said}"
    if outcome.rule.kind in OF_TOPICS and outcome.topics:
        shown = [one.topic for one in outcome.topics[:NAMED]]
        yield f"{count(outcome.n_worse, 'topic')}: {_and_more(shown, outcome.n_worse)}"
    for topics_, side in ((outcome.lost, "baseline"), (outcome.gained, "candidate")):
        if topics_:
            named = _and_more(topics_[:NAMED], len(topics_))
            yield f"only the {side} has a value for {count(len(topics_), 'topic')}: {named}"
    if outcome.tied:
        yield "tied: another order of equal scores could change this"


def _and_more(shown: Sequence[str], total: int) -> str:
    more = total - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def headline(report: GateReport) -> str:
    """Return the verdict in one line, or why there is none."""
    if len(report.suites) == 1:
        return headline_of(report.suites[0])
    failed = [one.name for one in report.judged if not one.passed]
    unjudged = [one.name for one in report.suites if isinstance(one, GateFailure)]
    suites = count(len(report.suites), "suite")
    said = [f"failed {len(failed)} of {suites}: {', '.join(failed)}"] if failed else []
    said += [f"cannot judge {', '.join(unjudged)}"] if unjudged else []
    return "; ".join(said) or f"passed {suites}"


def headline_of(suite: JudgedSuite | GateFailure) -> str:
    """Return the verdict on a suite in one line, or why there is none."""
    name = f"{suite.name}: " if suite.name else ""
    if isinstance(suite, GateFailure):
        return f"{name}cannot be judged: {suite.lines[0]}"
    runs, over = suite.candidates, len(suite.baseline.topics)
    topics = topics_of(over, suite.qrels.topics)
    against = f"vs. baseline {suite.baseline.name}, {topics}"
    if len(runs) == 1:
        return f"{name}{_verdict(suite.outcomes)}: {runs[0].name} {against}"
    failed = {outcome.run for outcome in suite.failed}
    verdict = f"failed {len(failed)} of {len(runs)}" if failed else f"passed {len(runs)}"
    return f"{name}{verdict} candidates {against}"


def _verdict(outcomes: Sequence[RuleOutcome]) -> str:
    """Return the verdict on a candidate, from all of its outcomes."""
    failed, rules = sum(not one.passed for one in outcomes), len(outcomes)
    if failed:
        return f"failed {failed} of {rules} rules" if rules > 1 else "failed"
    if not any(one.n_differing for one in outcomes):
        return "passed: identical to the baseline"
    return f"passed {rules} rules" if rules > 1 else "passed"


def blocks(report: GateReport, style: Style) -> Iterator[Block]:
    """Yield the verdict, a table of rules, and the lines below; of several suites, of each.

    Of those that pass, and of identical candidates, the verdict is enough.
    """
    if len(report.suites) > 1:
        yield headline(report)
    for suite in report.suites:
        yield headline_of(suite)
        if isinstance(suite, GateFailure):
            yield from suite.lines[1:]
        elif len(report.suites) == 1 or not suite.passed:
            rows = [row for run in suite.candidates for row in _rows(suite, run, style.decimals)]
            heads = ["", *(["run"] if len(suite.candidates) > 1 else []), "measure"]
            right = numbers(["means", "change"])
            columns = [*map(Column, heads), *right, Column("limit"), Column("interval", 16)]
            if rows:
                yield Table("", columns, rows)
            yield from below(suite)


def _rows(suite: JudgedSuite, run: RunResult, digits: int) -> Iterator[list[Cell | str]]:
    """Yield a row for each rule, those that fail first."""
    outcomes = failed_first([one for one in suite.outcomes if one.run == run.name])
    name = [run.name] if len(suite.candidates) > 1 else []
    if name and "identical" in _verdict(outcomes):
        yield ["passed", *name, "identical to the baseline", *[""] * 4]
    for one in outcomes if "identical" not in _verdict(outcomes) else ():
        word = Cell("passed") if one.passed else Cell("failed", Emphasis.ALARM)
        parts = [part.removeprefix("limit ") for part in cells(one, digits)]  # as the head says
        yield [word, *name, *parts[:-1], Cell(parts[-1], prose=True)]  # a sentence, not a name


def failed_first(outcomes: Sequence[RuleOutcome]) -> list[RuleOutcome]:
    """Return outcomes, those that fail first."""
    return sorted(outcomes, key=lambda outcome: outcome.passed)


def below(suite: JudgedSuite) -> Iterator[str]:
    """Yield the worst topics of the first rule that fails, what to type next, and conventions."""
    worst = next((one for one in suite.failed if one.topics), None)
    if worst is not None:
        named = [topic_title(drop.topic, suite.queries) for drop in worst.topics[:WORST]]
        yield f"worst topics: {', '.join(named)}"
        if command := _next_command(suite, worst):
            yield f"next: {command}"
    conventions = [words for run in suite.runs for words in run.conventions]
    yield from conventions_sentence(conventions)


def _next_command(suite: JudgedSuite, worst: RuleOutcome) -> str:
    """Return the command that shows why a topic became worse; "" for runs that are no files."""
    path = next(run.path for run in suite.candidates if run.name == worst.run)
    candidate = production_of(path) if is_results_path(path) else path
    if not suite.qrels.path or candidate in ("", "-") or "{seed}" in candidate:
        return ""
    both = suite.production not in ("", candidate)
    runs = ["diff", suite.qrels.path, suite.production] if both else ["explain", suite.qrels.path]
    words = [*runs, candidate, worst.topics[0].topic, "-m", worst.rule.measure]
    return shlex.join(["rankeval", *words])


def document(report: GateReport, content: Style) -> Document:
    """Return everything that a gate found, suite by suite, or the error that kept it from it.

    ========= ============ =========================================================================
    passed    bool         True if every suite passed
    exit_code int          the worst of a suite: 1 if a rule fails, 2 without a verdict
    summary   str          the outcome in one line
    suites    list[_suite] one object for each suite
    ========= ============ =========================================================================
    """
    facts = {**fields_of(report, "passed", "exit_code"), "summary": headline(report)}
    suites = [_suite(one, content) for one in report.suites]
    return headed(SCHEMA, plain({**facts, "suites": suites}))


def _suite(suite: JudgedSuite | GateFailure, content: Style) -> Document:
    """Return what was found in a suite: all keys but `error`, or only that behind the first four.

    ========== ================================================== ==================================
    name       str                                                "" for none
    passed     bool                                               True if every rule is kept
    exit_code  int                                                1 if a rule fails, 2 on errors
    summary    str                                                the outcome in one line
    baseline   NotRequired[dict[Literal["name", "path"], str]]    the run of the baseline
    candidates NotRequired[list[_candidate]]                      the candidates
    topics     NotRequired[int]                                   number of topics
    production NotRequired[str]                                   path of the production run, which
                                                                  a saved baseline names; "" if it
                                                                  is not there
    golden     NotRequired[str]                                   the golden baseline; "" for none
    qrels      NotRequired[QrelsFacts]                            the judgments
    decision   NotRequired[Decision]                              the way to decide
    rules      NotRequired[list[_outcome]]                        one for each candidate and rule
    below      NotRequired[list[str]]                             worst topics, the next command to
                                                                  type, conventions: a sentence each
    warnings   NotRequired[list[str]]                             a sentence each
    error      NotRequired[dict[Literal["kind", "message"], str]] why it could not be judged
    ========== ================================================== ==================================
    """
    facts = {**fields_of(suite, "name", "passed", "exit_code"), "summary": headline_of(suite)}
    if isinstance(suite, GateFailure):
        return {**facts, "error": error(suite)}
    return {
        **facts,
        "baseline": fields_of(suite.baseline, "name", "path"),
        "candidates": [_candidate(run) for run in suite.candidates],
        "topics": len(suite.baseline.topics),
        **fields_of(suite, "production", "golden"),
        "qrels": plain(replace(suite.qrels, by_topic=None)),
        "decision": asdict(suite.decision),
        "rules": [_outcome(outcome, content) for outcome in suite.outcomes],
        "below": [*below(suite)],
        "warnings": [*notice_lines(suite.runs)],
    }


def _candidate(run: RunResult) -> Document:
    """Return what is known of a candidate.

    ======= ========= ==============================================================================
    name    str       name of the run
    path    str       its path; "" for a run in memory
    missing list[str] judged topics that it lacks
    ======= ========= ==============================================================================
    """
    return fields_of(run, "name", "path", "missing")


def error(failure: GateFailure) -> Document:
    """Return why a suite could not be judged, for programs."""
    return {"kind": failure.kind, "message": failure.problem}


def _outcome(outcome: RuleOutcome, content: Style) -> Document:
    """Return what is known of a rule and a candidate.

    ============== ======================== ========================================================
    **rule         Rule
    place          Never
    **outcome      RuleOutcome
    kind           Literal[*KINDS]          kind of rule
    rule           str                      the rule, as on the command line
    message        str                      the outcome in one sentence
    seeds          list[float | None]       of a system of several runs, the mean of each
    baseline_seeds list[float | None]       likewise of the baseline
    verdict        NotRequired[VerdictText] for rules with a test
    statistics     NotRequired[_statistics] the evidence for it
    ============== ======================== ========================================================
    """
    facts = asdict(outcome)
    found, rule = outcome.verdict, facts.pop("rule")
    del facts["verdict"]
    verdict = {"verdict": found.verdict, "statistics": _statistics(found)} if found else {}
    del rule["limit"], rule["place"]  # in its own units the limit is that of the outcome
    message = {"rule": str(outcome.rule), "message": sentence(outcome, content.decimals)}
    return {**message, **rule, **facts, **verdict}


def _statistics(verdict: GateVerdict) -> Document:
    """Return the evidence for a verdict.

    ========= =========== ==========================================================================
    **verdict GateVerdict
    verdict   Never
    ========= =========== ==========================================================================
    """
    facts = asdict(verdict)
    del facts["verdict"]
    return facts


def rows(report: GateReport, _style: Style) -> Iterator[Row]:
    """Yield a row for each rule and candidate."""
    facts = ("passed", "baseline", "candidate", "drop", "limit")
    tested = ("verdict", "low", "high", "p_value")
    yield ["suite", "run", "rule", "measure", *facts, *tested]
    for suite in report.judged:
        for one in suite.outcomes:
            values = [getattr(one, name) for name in facts]
            found = [getattr(one.verdict, name, None) for name in tested]
            yield [suite.name, one.run, str(one.rule), one.rule.measure, *values, *found]


def _table(report: GateReport, style: Style) -> Iterator[str]:
    """Print the blocks without folding sentences, so that a command can be copied."""
    for block in blocks(report, style):
        yield from [f"{visible(block)}\n"] if isinstance(block, str) else drawn(block, style)


PRINTER = Printer[GateReport](
    document=document, rows=rows, blocks=blocks, drawings={"table": _table}
)
