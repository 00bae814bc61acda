"""`rankeval trend`: how measures went from night to night, and where one fell for good."""

from typing import Annotated

import typer

import rankeval
from rankeval.base.endings import tell
from rankeval.base.frozen import frozen
from rankeval.base.wording import count
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import output_options as pictures
from rankeval.cli.options import panels
from rankeval.cli.options import statistics_options as statistics
from rankeval.cli.options.given_command import command_line
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import PageOutput
from rankeval.cli.options.running_options import WarningOptions
from rankeval.errors import UsageError, printable
from rankeval.io.formats.toml_tables import find_tables


@frozen
class TrendOutput(PageOutput):
    """The options of `trend`, which also writes pictures."""

    output: Annotated[
        str | None,
        panels.OUTPUT(
            "--output",
            "-o",
            "FILE",
            "Write to FILE, completely or not at all; a page if it ends in .html, a picture if it "
            "ends in .png, .svg, .pdf or .pgf.",
        ),
        files.WRITTEN,
    ] = None


@grouped
def trend(
    history: Annotated[
        list[str],
        typer.Argument(
            metavar="HISTORY",
            help="Files that 'rankeval gate --append' wrote. A line that several have counts once.",
        ),
        files.READ,
    ],
    *,
    measures: Annotated[
        list[str] | None,
        measuring.option('Measures to show: -m "nDCG@10 AP". Repeatable. Default: all.'),
    ] = None,
    plugins: measuring.Plugins = None,
    suite: Annotated[
        list[str] | None,
        panels.NIGHTS("--suite", "NAME", "Suite to show. Repeatable. Default: all."),
    ] = None,
    since: Annotated[
        str | None,
        panels.NIGHTS("--since", "DAY", "First day to show, in UTC: 2026-11-01."),
    ] = None,
    last: Annotated[
        int | None,
        panels.NIGHTS("--last", "N", "Show the last N nights of each suite.", min=1),
    ] = None,
    config: Annotated[
        str | None,
        panels.NIGHTS(
            "--config",
            "FILE",
            "File of suites, whose runs have names and aliases. Default: the nearest "
            "rankeval.toml or pyproject.toml, here or further up.",
        ),
        files.READ,
    ] = None,
    join: Annotated[
        list[str] | None,
        panels.NIGHTS(
            "--join", "OLD=NEW", "Take the run that was called OLD for NEW's. Repeatable."
        ),
    ] = None,
    per_night: Annotated[
        bool,
        panels.OUTPUT(
            "--per-night", "-q", "Show the means of every night. TSV and CSV then hold these only."
        ),
    ] = False,
    bisect: Annotated[
        str | None,
        panels.NIGHTS(
            "--bisect",
            "SUITE",
            "Print a script that finds, with git bisect, the commit at which a measure of SUITE "
            "fell for good, instead of the history.",
        ),
    ] = None,
    repair: Annotated[
        bool,
        panels.NIGHTS(
            "--repair",
            "First move damaged lines of each HISTORY to HISTORY.dropped, in the same folder.",
        ),
    ] = False,
    false_alarm_every: Annotated[
        int | None,
        panels.STATISTICS(
            "--false-alarm-every",
            "NIGHTS",
            "Mean number of nights until a false alarm in some series, or more; 1000.",
            min=1,
        ),
    ] = None,
    seed: statistics.Seed = None,
    size: pictures.Size = None,
    output: TrendOutput,
    running: WarningOptions,
) -> None:
    """Show the history of gates by suite, and the commit after which a measure fell for good.

    A change is noticed by bets on the nights (e-detectors), which are valid by a look every
    night, with a false alarm every --false-alarm-every nights or more seldom in all suites and
    measures together. It is located afterwards, with an interval of nights.
    """
    from rankeval.commands.trend.show import printer_with_page

    measuring.load_plugins(plugins)
    named = None if output.form else output.file
    picture = named if named is not None and pictures.is_picture(named) else None
    pictures.require_drawable(picture, size)
    printer = printer_with_page(output.file, command_line())
    page = None if picture or bisect is not None else output.page(printer, per_topic=per_night)
    if repair:
        for path in dict.fromkeys(history):
            tell(f"rankeval: {_repaired(path)}\n")
    found = rankeval.trend(
        history,
        measures,
        suites=suite or ([bisect] if bisect is not None else None),
        since=since,
        last=last,
        config=config or find_tables(),
        join=dict(_pair(text, "--join", "OLD=NEW") for text in join or ()),
        false_alarm_every=1000 if false_alarm_every is None else false_alarm_every,
        seed=seed or 0,
    )
    if bisect is not None:
        from rankeval.commands.trend.show import write_script

        running.warn(found.warnings)
        write_script(found, bisect, output.output)
    elif page:
        running.write(page, found, found.warnings)
    else:
        from rankeval import plots

        plots.write_picture("trend", plots.trend_data(found), str(picture), size=size or "page")
        running.warn(found.warnings)


def _pair(text: str, option: str, expected: str) -> tuple[str, str]:
    """Return the two names of an option."""
    old, _, new = text.partition("=")
    if not (old and new):
        raise UsageError(f"'{text}' is no pair of names", place=option, expected=expected)
    return old, new


def _repaired(path: str) -> str:
    """Move the damaged lines of a history to FILE.dropped, and say which."""
    from rankeval.io.formats.history_lines import repair_history, spans

    done = repair_history(path)
    if not done.numbers:
        return printable(f"{path}: no line is damaged, and nothing was changed")
    lines = f"{'line' if len(done.numbers) == 1 else 'lines'} {spans(done.numbers)}"
    return printable(
        f"{path}: moved {count(len(done.numbers), 'damaged line')} to {done.dropped} ({lines}), "
        f"and kept {count(done.kept, 'line')}"
    )
