"""Conventions: the topics that count, the order of documents, and relevance."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from rankeval.base.frozen import frozen
from rankeval.choices import OrderRule, TieRule, Tool, TopicRule, UnjudgedRule, listed
from rankeval.cli.options.option_groups import Stated, stated
from rankeval.cli.options.panels import MEASURES, RANKINGS
from rankeval.errors import UsageError

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.evaluation.settings import Settings


@frozen
class Conventions:
    """The options behind `rankeval.Settings`."""

    like: Annotated[
        Tool | None,
        typer.Option(
            "--like",
            metavar="TOOL",
            help=f"Follow another tool's conventions: {listed(Tool)}. Other options override them.",
            rich_help_panel=MEASURES,
        ),
    ] = None
    min_grade: Annotated[
        float | None,
        typer.Option(
            "--min-grade",
            "-l",
            metavar="GRADE",
            help="Lowest relevant grade, for measures that do not set rel= themselves.",
            rich_help_panel=MEASURES,
        ),
    ] = None
    collection_size: Annotated[
        int | None,
        typer.Option(
            "--collection-size",
            "-N",
            metavar="N",
            help="Number of documents in the collection, for SetUtility.",
            rich_help_panel=MEASURES,
        ),
    ] = None
    topics: Annotated[
        TopicRule | None,
        typer.Option(
            "--topics",
            metavar="RULE",
            help="Topics to evaluate. judged (default): every judged topic, with 0 where the run "
            "lacks it; both: only judged topics that the run has.",
            rich_help_panel=RANKINGS,
        ),
    ] = None
    complete: Annotated[
        bool,
        typer.Option(
            "--complete",
            "-c",
            help="Count every judged topic, as trec_eval -c does. This is the default.",
            rich_help_panel=RANKINGS,
        ),
    ] = False
    require_coverage: Annotated[
        bool,
        typer.Option(
            "--require-coverage",
            help="Refuse a run that lacks a judged topic.",
            rich_help_panel=RANKINGS,
        ),
    ] = False
    skip_no_relevant: Annotated[
        bool,
        typer.Option(
            "--skip-no-relevant",
            help="Leave out topics that have no relevant document.",
            rich_help_panel=RANKINGS,
        ),
    ] = False
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            "-M",
            metavar="K",
            help="Evaluate only the first K documents of each topic.",
            rich_help_panel=RANKINGS,
        ),
    ] = None
    judged_only: Annotated[
        bool,
        typer.Option(
            "--judged-only",
            "-J",
            help="Drop unjudged documents from the rankings first.",
            rich_help_panel=RANKINGS,
        ),
    ] = False
    unjudged: Annotated[
        UnjudgedRule | None,
        typer.Option(
            "--unjudged",
            metavar="RULE",
            help="Unjudged documents. nonrelevant (default): count them as nonrelevant; remove: "
            "drop them first, as -J does.",
            rich_help_panel=RANKINGS,
        ),
    ] = None
    ties: Annotated[
        TieRule | None,
        typer.Option(
            "--ties",
            metavar="RULE",
            help="Order of equal scores. docno (default): docno descending, as in trec_eval; "
            "input: as in the file; rank: by the rank column; best, worst: by grade; "
            "expected: the mean over all orders.",
            rich_help_panel=RANKINGS,
        ),
    ] = None
    order: Annotated[
        OrderRule | None,
        typer.Option(
            "--order",
            metavar="COLUMN",
            help="Column that orders the documents: score (default) or rank.",
            rich_help_panel=RANKINGS,
        ),
    ] = None

    def stated(self) -> Stated:
        """Return the options that were given, named as in `rankeval.Settings`."""
        given = asdict(self)
        if given.pop("complete"):
            if self.topics == "both":
                raise UsageError(
                    "--complete contradicts --topics both",
                    remedy="give one of the two",
                )
            given["topics"] = "judged"
        return stated(given)

    def settings(self, **more: object) -> "Settings":
        """Return the conventions; options not given are as the tool or rankeval has them."""
        from rankeval.evaluation.settings import Settings

        return Settings.like_tool(**self.stated(), **stated(more))
