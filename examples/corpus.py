"""The collection's documents: passages of the Python reference that ships inside CPython.

    python examples/corpus.py            every passage, one JSON object per line
    python examples/corpus.py try.3 for.2   these passages, as text
    python examples/corpus.py --tsv      every passage in a line of docs.tsv, white space collapsed

`pydoc_data.topics` holds some 80 topics of prose (what `help("try")` prints). Each is cut at its
headings, then into passages of about a thousand characters that never part an example from the
sentence that introduces it. A method or command that is described as an entry of its own is a
passage of its own. Topics quote each other at length; a passage is kept once, under the shortest
topic that has it.
"""

import argparse
import hashlib
import itertools
import json
import platform
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pydoc_data.topics import topics as reference
from typing import NamedTuple

RECORDED_PYTHON = "3.11.7"
RECORDED_DIGEST = "82fe6270c76b20ba15b941b475eebe8220f9dcd39e663efa137aed8919d8c928"

FULL = 1000  # characters after which the next paragraph starts a new passage
SHORT = 160  # characters below which a passage is joined to the one before it
UNDERLINE = re.compile(r"([*=\-~^])\1{2,}")
NO_TERM = re.compile(r"[*+>|-]|\d+\.|(is|are|was) ")
FOOTNOTES = "-[ Footnotes ]-"
NOTE = re.compile(r"\[\d+\] ")
REMARK = re.compile(r"(See also|Note|Changed in version|New in version|Deprecated)\b")


class Passage(NamedTuple):
    """One document: its docno, the headings above it and its text."""

    docno: str
    title: str
    text: str


class Section(NamedTuple):
    """The text under one heading, and the headings that lead to it."""

    title: str
    text: str


def sections(topic: str) -> Iterator[Section]:
    """Cut a topic at its underlined headings."""
    lines = topic.split("\n")
    starts = [
        i
        for i, (line, below) in enumerate(itertools.pairwise(lines))
        if line.strip() and UNDERLINE.fullmatch(below) and len(below) == len(line)
    ]
    levels: list[str] = []
    path: list[str] = []
    for start, end in itertools.pairwise([*starts, len(lines)]):
        mark = lines[start + 1][0]
        depth = levels.index(mark) if mark in levels else len(levels)
        levels = [*levels[:depth], mark]
        path = [*path[:depth], lines[start]]
        yield Section(" > ".join(path), "\n".join(lines[start + 2 : end]).strip("\n"))


def is_indented(block: str) -> bool:
    """Whether the block continues the one above it: an example, or an entry's description."""
    return block.startswith(" ")


def is_entry(block: str, below: str) -> bool:
    """Whether the block is a term of a definition list, such as a method's signature."""
    lines = block.split("\n")
    terms = list(itertools.takewhile(lambda line: not is_indented(line), lines))
    return (
        bool(terms)
        and not NO_TERM.match(block)
        and terms[0][-1] not in ".:,"
        and (len(terms) == 1 or all("(" in term for term in terms))
        and is_indented(below if len(terms) == len(lines) else lines[-1])
    )


def cut(text: str) -> list[str]:
    """Cut a section's text into passages."""
    blocks = [block for block in re.split(r"\n\s*\n", text) if block not in ("", FOOTNOTES)]
    groups: list[list[str]] = []
    in_entry = False
    for block, below in itertools.pairwise([*blocks, ""]):
        size = sum(map(len, groups[-1])) if groups else 0
        entry = is_entry(block, below)
        belongs = is_indented(block) or (REMARK.match(block) and size < FULL)
        overflows = size + len(block) > FULL and not is_indented(block)
        if not groups or entry or overflows or NOTE.match(block) or (in_entry and not belongs):
            groups.append([])
            in_entry = entry
        groups[-1].append(block)
    return [passage for group in joined(groups) for passage in cut_entry(group)]


def cut_entry(group: list[str]) -> list[str]:
    """Cut a long entry, such as a class with its methods, as a section is cut."""
    head, *below = group
    description = list(itertools.takewhile(is_indented, below))
    if sum(map(len, group)) <= 2 * FULL or not is_entry(head, "".join(description[:1])):
        return ["\n\n".join(group)]
    first, *others = cut(textwrap.dedent("\n\n".join(description)))
    remarks = below[len(description) :]
    return [f"{head}\n\n{first}", *others, *(["\n\n".join(remarks)] if remarks else [])]


def joined(groups: list[list[str]]) -> Iterator[list[str]]:
    """Join a passage too short to stand alone to the one before it."""
    pending: list[str] = []
    for group in groups:
        stands_alone = sum(map(len, group)) >= SHORT or is_entry(group[0], "".join(group[1:2]))
        if pending and stands_alone:
            yield pending
            pending = []
        pending = [*pending, *group]
    if pending:
        yield pending


def passages() -> list[Passage]:
    """Give every passage once, sorted by topic and then in reading order."""
    seen: set[str] = set()
    kept: list[Passage] = []
    for topic in sorted(reference, key=lambda name: (len(reference[name]), name)):
        number = 0
        for section in sections(reference[topic]):
            for text in cut(section.text):
                content = re.sub(r"\[\d+\]|\s+", " ", text)
                if content.strip() and content not in seen:
                    seen.add(content)
                    number += 1
                    kept.append(Passage(f"{topic}.{number}", section.title, text))
    return sorted(kept, key=lambda passage: passage.docno.rpartition(".")[0])


def digest(documents: Iterable[Passage]) -> str:
    """SHA-256 over every docno, title and text: equal digests mean an equal corpus."""
    return hashlib.sha256("\0".join(itertools.chain(*documents)).encode()).hexdigest()


def main() -> None:
    """Print passages."""
    parser = argparse.ArgumentParser(description="Print passages of the collection.")
    parser.add_argument("docno", nargs="*", help="print these as text (default: all, as JSON)")
    parser.add_argument("--tsv", action="store_true", help="print all as lines of docs.tsv")
    arguments = parser.parse_args()
    wanted = arguments.docno
    documents = passages()
    if arguments.tsv:
        print("docno\ttitle\ttext")
        for passage in documents:
            print("\t".join(" ".join(field.split()) for field in passage))
    elif not wanted:
        for passage in documents:
            print(json.dumps(passage._asdict(), ensure_ascii=False))
    by_docno = {passage.docno: passage for passage in documents}
    for docno in wanted:
        if docno not in by_docno:
            sys.exit(
                f"{docno}: no such passage in the topics of Python {platform.python_version()}"
            )
        print(f"{docno}  {by_docno[docno].title}\n\n{by_docno[docno].text}\n")


if __name__ == "__main__":
    main()
