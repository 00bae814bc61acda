"""The help of one screen that `-h` prints: the options of every day, and an example."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

OLD_NAMES = frozenset({"--names", "--max-drift"})
"""Names that options had; they work, and no help shows them."""

EVERYDAY = {
    "eval": "measure per-query output format sort measure-names group-runs unjudged quiet verbose",
    "compare": "measure all-pairs test details output format caption label quiet verbose",
    "diff": "measure top rows holes emit-pool output format depth unjudged verbose",
    "gate": "max-drop min policy suite all-suites update-baseline append html quiet verbose",
    "trend": "measure suite last since per-night output format size digits verbose",
    "measures": "list full format output plugin",
    "explain": "measure rows output format digits depth unjudged like run-names verbose",
    "judges": "measure grades unjudged-grade per-query output format digits depth like verbose",
    "systems": "measure pool-depth run-groups output format digits depth unjudged like verbose",
    "topics": "measure baseline with per-query output format digits depth unjudged verbose",
    "reproduce": "original replicated other-qrels measure cutoffs plot output format verbose",
    "nuggets": "per-query output format digits run-names plugin quiet verbose",
    "plot": "measure baseline output size data cutoffs run-costs collections depth unjudged",
    "report": "measure baseline output test rows run-costs depth unjudged run-names verbose",
    "merge": "qrels per-query output format digits plugin quiet verbose",
    "check": "format strict max-problems plugin",
    "convert": "to from kind depth collapse tag renumber duplicates on-error verbose",
    "fuse": "method weights norm tune measure train-qrels depth output tag verbose",
    "pool": "depth budget order judged covers overlap output format digits verbose",
}
"""The options of every day of each command: those that README, the tutorial and the how-tos use."""


def summary(text: str, width: int) -> str:
    """Return the first sentence of a help text and the words of a choice, as far as a line goes."""
    text = " ".join(text.split())
    sentence, _, more = re.sub(r"[.;](\s|$)", "\n", text, count=1).partition("\n")
    subject, _, words = sentence.partition(": ")
    if re.match(r"[\w-]+ \(default\): ", more):
        words = ", ".join(re.findall(r"(?:^|; )([\w, -]+?)(?: \(default\))?: ", more))
    if words and len(f"{subject}: {words}") <= width:
        return f"{subject}: {words}"
    kept: list[str] = []
    for word in words.replace(" (default)", "").split(", "):
        if " " in word or len(f"{subject}: {', '.join([*kept, word])} …") > width:
            break
        kept.append(word)
    if words and kept:
        return f"{subject}: {', '.join(kept)} …"
    if len(subject) <= width:
        return subject
    clause = subject[: width + len(", ")].rpartition(", ")[0]
    return clause or f"{subject[: width - 1].rpartition(' ')[0]} …"


def shown_names(param: Any) -> list[str]:
    """Return the names of an option that help shows, the one-letter name first."""
    return sorted((name for name in param.opts if name not in OLD_NAMES), key=len)


def everyday(command: str, params: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Yield the options of every day of a command, each with its help text."""
    by_name = {name: param for param in params for name in param.opts}
    for name in (f"--{word}" for word in EVERYDAY[command].split()):
        yield entry_of(by_name[name])


def entry_of(param: Any) -> tuple[str, str]:
    """Return an option's names and metavar, and its help text."""
    value = f" {param.metavar}" if param.metavar else ""
    return f"{', '.join(shown_names(param))}{value}", getattr(param, "help", None) or ""


def aligned(names: str) -> str:
    """Return names of an option with the long ones aligned, a short one before them or not."""
    return f"    {names}" if names.startswith("--") else names
