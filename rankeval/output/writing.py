"""Write text to a terminal, a pipe or a file."""

import codecs
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import TextIO, TypeVar, cast

from rankeval.base.frozen import replace
from rankeval.endings import harmless, in_workflow
from rankeval.errors import InputError
from rankeval.io.atomic import atomic_text, write_errors
from rankeval.io.files import StrPath
from rankeval.output.output_formats import OUTPUT_FORMATS, Printer
from rankeval.output.style import Style

STDOUT = "-"
RAW = ""
"""The format of commands for the log of a workflow."""
UNQUOTED = (RAW, "tsv", "csv", "trec")
"""Formats that cannot hide a command for the log of a workflow."""
Result = TypeVar("Result")


def write_result(
    printer: Printer[Result],
    result: Result,
    form: str,
    output: StrPath | None = None,
    style: Style | None = None,
) -> None:
    """Print any result as its printer does, to a file, or to standard output for None and "-".

    A file is written whole or not at all, see `rankeval.io.atomic`. Raises InputError when
    writing is impossible, and leaves the BrokenPipeError of a closed pipe to the caller.
    """
    write_pieces(partial(printer.text, result, form), output, style, form=form)


def write_pieces(
    printed: Callable[[Style], Iterable[str]],
    output: StrPath | None = None,
    style: Style | None = None,
    *,
    form: str = "table",
) -> None:
    """Print the text that a function returns for a style, as `write_result` does.

    In the log of a workflow, no line of the text is a command; TSV and CSV are left as they are.
    """
    style = style or Style()
    if output is None or os.fspath(output) == STDOUT:
        _print(printed, style, form)
        return
    pieces = printed(style)
    with atomic_text(output) as stream:
        stream.writelines(pieces)


def _print(printed: Callable[[Style], Iterable[str]], style: Style, form: str) -> None:
    stream = cast("TextIO | None", sys.stdout)
    if stream is None:  # the shell's `>&-`
        raise InputError("it is closed", place="standard output", remedy="write to a file with -o")
    encoding = _encoding(stream)
    pieces = printed(for_terminal(style, stream))
    if form not in UNQUOTED and (style.log or in_workflow()):
        text, of = "".join(pieces), OUTPUT_FORMATS[form].of
        in_json = r"#\u0023["  # no line of JSON begins with ::
        pieces = [harmless(text) if of == "blocks" else text.replace("##[", in_json)]
    elif not stream.isatty():
        # All of it before the first word: a failure on the way must not leave half of a report.
        pieces = ["".join(pieces)]
    for piece in pieces:
        # What the terminal cannot show, and bytes of a path that are no text, appear as \xe9, like
        # all else that does not print.
        text = piece.encode(encoding, "backslashreplace").decode(encoding)
        with write_errors("standard output"):
            stream.write(text)
            stream.flush()


def prints_unicode(stream: TextIO | None) -> bool:
    """Return True if a stream takes every character; one that the shell closed does."""
    return _encoding(stream).startswith("utf")


def _encoding(stream: TextIO | None) -> str:
    return codecs.lookup(getattr(stream, "encoding", None) or "utf-8").name


def for_terminal(style: Style, stream: TextIO) -> Style:
    """Return the style with its open choices taken from the terminal, which may show colours."""
    # Windows sets no TERM, and its older console prints escape codes as they are.
    term = os.environ.get("TERM", "terminal" if "WT_SESSION" in os.environ else "dumb")
    colour = style.colour
    if colour is None:
        colour = stream.isatty() and term != "dumb" and not os.environ.get("NO_COLOR")
    unicode = colour and prints_unicode(stream) if style.unicode is None else style.unicode
    width = style.width
    if width is None and stream.isatty():
        width = shutil.get_terminal_size().columns
    return replace(style, colour=colour, unicode=unicode, width=width)
