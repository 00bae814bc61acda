"""Conventions: the topics that count, the order of documents, and relevance."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from rankeval.base.frozen import frozen
from rankeval.choices import FusedTieRule, OrderRule, TieRule, Tool, TopicRule, listed
from rankeval.cli.options.option_groups import Stated, stated
from rankeval.cli.options.panels import MEASURES, RANKINGS

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.evaluation.settings import Settings


@frozen
class Conventions:
    """The options behind `rankeval.options.Settings`."""

    like: Annotated[
        Tool | None,
        MEASURES(
            "--like TOOL",
            f"Follow another tool's conventions: {listed(Tool)}. Other options override them.",
        ),
    ] = None
    min_grade: Annotated[
        float | None,
        MEASURES(
            "--min-grade -l GRADE",
            "Lowest relevant grade, for measures that do not set rel= themselves.",
        ),
    ] = None
    topics: Annotated[
        TopicRule | None,
        RANKINGS(
            "--topics RULE",
            "Topics to evaluate. judged (default): every judged topic, with 0 where the run "
            "lacks it; both: only judged topics that the run has.",
        ),
    ] = None
    skip_no_relevant: Annotated[
        bool, RANKINGS("--skip-no-relevant", "Leave out topics that have no relevant document.")
    ] = False
    depth: Annotated[
        int | None,
        RANKINGS("--depth -M K", "Keep only the first K documents of each topic.", common=True),
    ] = None
    judged_only: Annotated[
        bool, RANKINGS("--judged-only -J", "Drop unjudged documents from the rankings first.")
    ] = False
    drop_self: Annotated[
        bool,
        RANKINGS(
            "--drop-self",
            "Drop documents named like their topic first: queries that are documents themselves "
            "(Quora, ArguAna) retrieve themselves.",
        ),
    ] = False
    ties: Annotated[
        TieRule | None,
        RANKINGS(
            "--ties RULE",
            "Order of equal scores. docno (default): docno descending, as in trec_eval; "
            "input: as in the file; rank: by the rank column; best, worst: by grade; "
            "expected: the mean over all orders.",
        ),
    ] = None
    order: Annotated[
        OrderRule | None,
        RANKINGS("--order COLUMN", "Column that orders the documents: score (default) or rank."),
    ] = None

    def stated(self) -> Stated:
        """Return the options that were given, named as in `rankeval.options.Settings`."""
        return stated(asdict(self))

    def settings(self, **more: object) -> "Settings":
        """Return the conventions; options not given are as the tool or rankeval has them."""
        from rankeval.evaluation.settings import Settings

        return Settings.like_tool(**self.stated(), **stated(more))


TiesOfRuns = Annotated[
    FusedTieRule,
    RANKINGS(
        "--ties RULE",
        "Order of equal scores in the runs, before ranks are taken. docno (default): docno "
        "descending, as in trec_eval; input: as in the file; rank: by the rank column.",
    ),
]
