"""Values by topic and document that are a mapping, and can be saved: runs and judgments."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from rankeval.base.checked import checked
from rankeval.base.doors import OF_RUNS_AND_QRELS, Hinting, HintingClass
from rankeval.base.frozen import ByDocument
from rankeval.io.parsers.columns import Layout, PlainDocnos
from rankeval.io.python_values import columns_of

if TYPE_CHECKING:
    from pandas import DataFrame


class ByTopicAndDocument(Hinting, Mapping[str, ByDocument[float]], metaclass=HintingClass):
    """{topic: {docno: number}}: values are equal when their topics, documents and numbers are."""

    LAYOUT: ClassVar[Layout]
    OTHER_WORDS = OF_RUNS_AND_QRELS

    @property
    def _tag(self) -> str:
        """The tag of every line; "" for none."""
        return ""

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return plain dictionaries, which can be changed: {topic: {docno: number}}."""
        return {topic: dict(values) for topic, values in self.items()}

    def to_frame(self) -> DataFrame:
        """Return a pandas DataFrame with a row for each document: topic, docno, and its number."""
        import pandas as pd  # slow to import

        rows = [(topic, *pair) for topic, values in self.items() for pair in values.items()]
        return pd.DataFrame(rows, columns=["topic", "docno", self.LAYOUT.value_name])

    @checked
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file, whole or not at all, in the format and compression of its suffix.

        InputError for names that the format cannot hold, UsageError for another suffix.
        """
        from rankeval.io.formats.formats import format_named
        from rankeval.io.write import (
            fit,  # evaluations write nothing
            format_for,
            write,
        )

        path, what = os.fspath(path), self.LAYOUT.what
        name = format_for(path, None)
        columns = columns_of(self, self.LAYOUT)
        if tag := self._tag.encode("utf-8", "surrogateescape"):
            tags = [tag] * len(columns)
            columns = replace(columns, kept={**columns.kept, "tag": PlainDocnos(tags)})
        fitted, _ = fit(columns, what, format_named(name), path)
        write(path, name, what, iter([fitted]))
