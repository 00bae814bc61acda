"""A run or judgments in several files, as a value in the place of a path."""

import os
from collections.abc import Sequence

from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.io.parts import BETWEEN


@frozen
class FileParts:
    """Files that are one run, or one set of judgments, in parts: `FileParts(["a.run", "b.run"])`.

    It takes the place of a path, and its text is `a.run + b.run`. A part may itself be a folder or
    a glob. UsageError for no part, and for standard input.
    """

    paths: Sequence[str | os.PathLike[str]]

    def __post_init__(self) -> None:
        if isinstance(self.paths, str | os.PathLike) or not self.paths:
            raise UsageError(
                "there is no list of parts", expected='such as FileParts(["a.run", "b.run"])'
            )
        for path in self._names:
            if path in ("-", "") or path.startswith("irds:") or BETWEEN in path:
                raise UsageError(
                    f"'{path}' cannot be a part",
                    expected=f"files, folders or globs, without '{BETWEEN}' in their names",
                )

    def __fspath__(self) -> str:
        return BETWEEN.join(self._names)

    @property
    def _names(self) -> list[str]:
        return [os.fspath(path) for path in self.paths]
