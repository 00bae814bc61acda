"""Usage, help and examples of a command."""

import shlex
import sys
from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand

from rankeval.cli.options.collection_options import without_arguments
from rankeval.cli.options.short_help import aligned, entries_of, entry_of, summary

SHORT = "rankeval.short help"
"""In a context's facts: True where help was asked for by -h."""

EVERYDAY = {
    "eval": "measure per-query output format sort measure-names group-runs unjudged quiet verbose",
    "compare": "measure all-pairs test details output format caption label quiet verbose",
    "diff": "measure top rows holes queries docs output format unjudged verbose",
    "gate": "max-drop min policy suite all-suites update-baseline append junit quiet verbose",
    "init": "max-drop suite install quiet verbose",
    "measures": "list full format output plugin",
    "explain": "measure rows queries docs output format digits unjudged like verbose",
    "judges": "measure grades unjudged-grade per-query output format digits depth like verbose",
    "estimate": "machine finite alpha measure output format digits depth verbose",
    "systems": "measure pool-depth run-groups output format digits depth unjudged like verbose",
    "topics": "measure baseline with per-query output format digits depth unjudged verbose",
    "nuggets": "per-query output format digits run-names plugin quiet verbose",
    "plot": "measure baseline output size top data",
    "report": "measure baseline output queries docs group run-costs test title verbose",
    "check": "format strict max-problems plugin",
    "convert": "to from kind depth collapse tag renumber duplicates on-error verbose",
    "fuse": "method weights norm tune measure depth output tag verbose",
    "pool": "depth budget judged output format verbose",
}
"""The options of every day of each command: those that README, the tutorial and the how-tos use."""

EXAMPLES = {
    "eval": (
        ("rankeval qrels.txt bm25.run dense.run.gz", "a general-purpose set of measures"),
        ('rankeval qrels.txt *.run -m "nDCG@10 AP(rel=2) P@5"', "the measures you name"),
        ("rankeval qrels.txt *.run -q -o topics.tsv", "every topic, to a file"),
        (
            "rankeval test.tsv als.run -m MIUF@10 --train train.tsv",
            "how novel a recommender's items are",
        ),
        ("zcat run.gz | rankeval qrels.txt - -f json", "a run from a pipe, as JSON"),
        ("rankeval eval --collections beir.toml -m nDCG@10", "systems on many collections"),
    ),
    "compare": (
        ('rankeval compare qrels.txt bm25.run dense.run -m "nDCG@10 AP"', "two runs"),
        (
            "rankeval compare qrels.txt *.run --all-pairs --test tukey -o table.tex",
            "a paper's table",
        ),
        ("rankeval compare qrels.txt bm25.run dense.run --power", "how many topics are needed"),
        ("rankeval compare --collections beir.toml", "mean ranks over many collections"),
    ),
    "diff": (
        ("rankeval diff qrels.txt a.run b.run --top 3", "the topics that differ most"),
        ("rankeval diff qrels.txt a.run b.run --holes", "if the unjudged were relevant"),
        (
            "rankeval diff qrels.txt a.run b.run --queries topics.tsv --docs docs.jsonl",
            "with queries and texts",
        ),
        ("rankeval diff qrels.txt a.run b.run --emit-pool 10", "what to judge next"),
    ),
    "gate": (
        (
            "rankeval gate qrels.txt base.json new.run --max-drop 'nDCG@10=2%'",
            "fail if the mean drops by more",
        ),
        ("rankeval gate --suite nightly --github", "files and rules of rankeval.toml"),
        ("rankeval gate --all-suites --junit gate.xml", "all suites, in one report"),
        ("rankeval gate --suite nightly --update-baseline", "accept the new values"),
    ),
    "judges": (
        ("rankeval judges people.qrels model.qrels", "agreement of two sets of judgments"),
        ("rankeval judges old.qrels new.qrels *.run -m AP", "and how they rank systems"),
    ),
    "init": (("rankeval init qrels.txt bm25.run", "with the run in production"),),
    "estimate": (
        (
            "rankeval estimate people.qrels *.run --machine model.qrels",
            "30 topics judged by people",
        ),
        (
            "rankeval estimate people.qrels *.run --machine model.qrels --finite",
            "of this collection's topics alone",
        ),
    ),
    "systems": (
        ("rankeval systems qrels.txt *.run", "how measures agree, and what runs add to the pool"),
        (
            "rankeval systems qrels.txt *.run --pool-depth 100 --run-groups teams.txt",
            "leave teams out",
        ),
    ),
    "topics": (
        ("rankeval topics qrels.txt *.run", "hard and easy topics"),
        (
            "rankeval topics qrels.txt *.run --baseline bm25 --with dense -m nDCG@10",
            "topics that carry a difference",
        ),
    ),
    "nuggets": (
        ("rankeval nuggets answers.jsonl", "vital, all and weighted scores"),
        ("rankeval nuggets gpt.jsonl llama.jsonl -q -o scores.tsv", "two runs, every topic"),
    ),
    "plot": (
        ("rankeval plot qrels.txt *.run", "differences from the first run, in the terminal"),
        ("rankeval plot pr qrels.txt a.run b.run", "precision by recall, in the terminal"),
        ("rankeval plot box qrels.txt *.run -m AP -o box.pdf", "a picture for a paper"),
        ("rankeval plot ranks --collections beir.toml", "systems on many collections"),
    ),
    "report": (
        ("rankeval report qrels.txt *.run -o report.html", "one HTML page to send"),
        (
            "rankeval report qrels.txt *.run --baseline bm25.run -m AP -o report.html",
            "another baseline",
        ),
        (
            "rankeval report qrels.txt *.run --queries topics.tsv --docs docs.tsv -o report.html",
            "with texts",
        ),
    ),
    "measures": (
        ("rankeval measures", "all measures, by group"),
        ("rankeval measures nDCG@10", "formula, parameters, sources, an example"),
        ("rankeval measures reciprocal rank", "search the names and descriptions"),
    ),
    "explain": (
        ("rankeval explain qrels.txt bm25.run 301", "nDCG@10, rank by rank"),
        ('rankeval explain qrels.txt bm25.run 301 -m "AP RR" --rows 5', "other measures"),
    ),
    "check": (
        ("rankeval check qrels.txt *.run", "describe judgments and runs"),
        ("rankeval check runs/*.run --strict", "exit with 1 for any oddity"),
    ),
    "convert": (
        ("rankeval convert bm25.run bm25.parquet", "formats by content and by suffix"),
        ("rankeval convert run.json - --to trec", "to standard output"),
        ("rankeval convert run.gz top.tsv.gz -M 100 --to msmarco", "100 documents per topic"),
    ),
    "fuse": (
        ("rankeval fuse bm25.run dense.run -o rrf.run", "reciprocal rank fusion"),
        (
            "rankeval fuse *.run --method wsum --weights 0.7,0.3 --norm z-score -o fused.run.gz",
            "a weighted sum of scores",
        ),
        (
            "rankeval fuse *.run --method wsum --tune qrels.txt -m nDCG@10 -o fused.run",
            "weights and normalisation by cross-validation",
        ),
    ),
    "pool": (
        ("rankeval pool *.run --depth 10 -o pool.qrels", "ten documents of each run"),
        ("rankeval pool *.run --order rrf --budget 50 --judged qrels.txt", "what to judge next"),
        ("rankeval pool *.run --depth 10 --covers new.run", "is the pool good for a new run"),
    ),
}


class Command(TyperCommand):
    """A command whose help is the same for every version of typer.

    The help shows the metavar and help of each argument, and the names, metavar and help of each
    option, in the group that `rich_help_panel` names. The help texts name the defaults.
    """

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002  nothing is cut
        """Return the whole first paragraph, for the list of commands."""
        return " ".join((self.help or "").partition("\n\n")[0].split())

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Let the words of all choices be written in any case."""
        super().__init__(*arguments, **named)
        for param in self.params:
            if hasattr(param.type, "case_sensitive"):
                param.type.case_sensitive = False

    # Contexts and formatters are click's, which newer typers include: no type names them.
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options and arguments."""
        params = self.get_params(ctx)
        ctx.meta[SHORT] = "-h" in args and "--help" not in args
        with without_arguments(args, params):
            return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words after the command's name in its usage line."""
        params = self.get_params(ctx)
        arguments = [p for p in params if p.param_type_name == "argument"]
        return [
            "[OPTIONS]",
            *(f"{p.metavar}..." if p.nargs < 0 else f"{p.metavar}" for p in arguments),
        ]

    def invoke(self, ctx: Any) -> Any:
        """Run the command, and show how far it is where that takes long."""
        if ctx.params.get("quiet") or not sys.stderr.isatty():
            return super().invoke(ctx)
        from rankeval.cli.options.work_progress import work_shown

        with work_shown():
            return super().invoke(ctx)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the whole help, or for -h the part that is needed every day."""
        if not (ctx.meta.get(SHORT) and self.name in EVERYDAY):
            super().format_help(ctx, formatter)
            return
        self.format_usage(ctx, formatter)
        with formatter.indentation():
            formatter.write_paragraph()
            formatter.write_text(self.get_short_help_str())
        for param in self.get_params(ctx):
            heading, *lines = (getattr(param, "help", None) or "").splitlines() or [""]
            if param.param_type_name == "argument" and lines:  # a word in each line
                with formatter.section(heading.rstrip(".")):
                    for line in lines:
                        formatter.write(f"  {line}\n")
        options = entries_of(EVERYDAY[f"{self.name}"], self.get_params(ctx))
        entries = [(aligned(names), text) for names, text in options]
        room = max(len(names) for names, _ in entries) + 2
        with formatter.section("Options of every day"):
            for names, text in entries:
                said = summary(text, formatter.width - room - 2)
                formatter.write(f"  {names:{room}}{said}\n")
        self._write_examples(formatter, "Example", EXAMPLES[self.name][:1])
        formatter.write(f"\nAll options: '{ctx.command_path} --help'.\n")

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  click's signature
        """Write the examples, each with its description below it."""
        if self.name in EXAMPLES:
            self._write_examples(formatter, "Examples", EXAMPLES[self.name])

    def _write_examples(
        self, formatter: Any, heading: str, examples: Iterable[tuple[str, str]]
    ) -> None:
        with formatter.section(heading):
            for line, purpose in examples:
                for text in (*_continued(line, formatter.width - 2), f"    {purpose}"):
                    formatter.write(f"  {text}\n")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options in their groups."""
        for group, entries in parameters_by_panel(self.get_params(ctx)).items():
            with formatter.section(group):
                formatter.write_dl([(aligned(names), text) for names, text in entries])


def parameters_by_panel(params: Iterable[Any]) -> dict[str, list[tuple[str, str]]]:
    """Return the arguments and options with their help texts, by heading; leave out hidden ones."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for param in params:
        if param.param_type_name == "argument":
            groups.setdefault("Arguments", []).append((f"{param.metavar}", param.help or ""))
        elif not getattr(param, "hidden", False):
            heading = getattr(param, "rich_help_panel", None) or "Other options"
            groups.setdefault(heading, []).append(entry_of(param))
    other = groups.pop("Other options", [])
    return {**groups, "Other options": other} if other else groups


def command_line() -> str:
    """Return the command line of this process, quoted for a shell."""
    return shlex.join(["rankeval", *sys.argv[1:]])


def _continued(line: str, width: int) -> list[str]:
    """Break a command line between words, with a backslash at the end of each part but the last."""
    lines = [""]
    for word in shlex.split(line, posix=False):
        if lines[-1] and len(lines[-1]) + len(word) + 3 > width:
            lines[-1] += " \\"
            lines.append("  ")
        lines[-1] += word if not lines[-1].strip() else f" {word}"
    return lines
