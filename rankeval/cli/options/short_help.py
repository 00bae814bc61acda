"""The help of one screen that `-h` prints: how options and their texts are written."""

import re
from typing import Any


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


def entry_of(param: Any) -> tuple[str, str]:
    """Return an option's names, the one-letter name first, and metavar, and its help text."""
    value = f" {param.metavar}" if param.metavar else ""
    return f"{', '.join(sorted(param.opts, key=len))}{value}", getattr(param, "help", None) or ""


def aligned(names: str) -> str:
    """Return names of an option with the long ones aligned, a short one before them or not."""
    return f"    {names}" if names.startswith("--") else names
