"""The ir_metadata header, which says how a run was made: YAML in lines of comments.

Source: Breuer, Keller and Schaer, "ir_metadata: An Extensible Metadata Schema for IR Experiments",
SIGIR 2022.
"""

import re

from rankeval.errors import InputError
from rankeval.io.formats.file_format import Beginning

LARGEST = 1 << 16
"""Most bytes of a header; a longer one is no description of a run."""

START = b"ir_metadata.start"
_HEADER = re.compile(
    rb"^[ \t]*#[ \t]*ir_metadata\.start\s*\n(.*?)^[ \t]*#[ \t]*ir_metadata\.end[ \t\r]*\n",
    re.MULTILINE | re.DOTALL,
)


def header_of(begun: Beginning, place: str) -> bytes:
    """Return the lines of the header, from the one with the start to the one with the end.

    They come before the first line of data. b"" if there is no start; InputError if there is one
    and no end within LARGEST bytes.
    """
    text = b"".join(begun.head)[: min(begun.start, LARGEST)]
    if found := _HEADER.search(text):
        return found[0]
    if START in text:
        raise InputError(
            "the ir_metadata header has no end",
            place=place,
            expected=f"a line '# ir_metadata.end' within {LARGEST >> 10} KB, before the first line "
            "of data",
        )
    return b""
