"""All that may be a path in files of suites, also in files that are no valid TOML."""

import re
from contextlib import suppress
from pathlib import Path

from rankeval.io.formats.toml_tables import LARGEST, OWN_FILE, SHARED_FILE

_QUOTED = re.compile(r""""[^"\n]*"|'[^'\n]*'""")


def suite_words(path: str | None = None) -> list[str]:
    """Return the file of suites, and each quoted text in it as a path; never raise an error.

    Without a path these are all files that may hold suites, here and above. A report that says
    why a suite could not be read must not overwrite what the suite names.
    """
    here = Path.cwd()
    found = [folder / name for folder in (here, *here.parents) for name in (OWN_FILE, SHARED_FILE)]
    words = []
    for file in found if path is None else [Path(path)]:
        with suppress(OSError, ValueError), file.open("rb") as stream:
            text = stream.read(LARGEST).decode("utf-8", "surrogateescape")
            words += [str(file), *(str(file.parent / one[1:-1]) for one in _QUOTED.findall(text))]
    return words
