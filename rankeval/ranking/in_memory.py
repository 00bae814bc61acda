"""Values in memory: tables, columns, rows, and mappings of topics and documents."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, runtime_checkable

import numpy as np

from rankeval.base.arrays import NDArray
from rankeval.base.checked import checked
from rankeval.base.frozen import ByDocument, replace
from rankeval.errors import UsageError
from rankeval.io.column_names import roles_found
from rankeval.io.columns import Columns, Layout
from rankeval.io.files import StrPath
from rankeval.io.formats import FORMATS, Form
from rankeval.io.names import Names
from rankeval.io.python_values import columns_of, columns_of_lists, columns_of_rows
from rankeval.io.read import begun, path_of
from rankeval.other_words import Hinting

if TYPE_CHECKING:  # slow to import
    from pandas import DataFrame


@runtime_checkable
class DataTable(Protocol):
    """A table that gives its columns through Arrow's stream interface: pandas, Polars, pyarrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


@runtime_checkable
class LazyTable(Protocol):
    """A LazyFrame of Polars."""

    def collect_schema(self) -> Any:
        """Return the names and types of the columns."""


@runtime_checkable
class ArrowDataset(Protocol):
    """A dataset or a scanner of Arrow."""

    def to_table(self) -> Any:
        """Read the table."""


@runtime_checkable
class ForeignTable(Protocol):
    """A table of another library; one whose rows cannot be had is refused where it is read."""

    columns: Any


AnyTable = DataTable | LazyTable | ArrowDataset | ForeignTable

Columnwise = Mapping[str, Sequence[Any]] | Mapping[str, NDArray[Any]]
"""Columns of equal lengths by their names, such as topic, docno and score."""


@runtime_checkable
class TaggedRun(Protocol):
    """A run of ranx: it has a name, and `to_dict` gives its scores."""

    name: Any

    def to_dict(self) -> Any:
        """Return {topic: {docno: score}}."""


Rows = Iterable[Any]
"""Rows of topic, docno and score or grade: tuples, or named tuples that are read by field."""


NO_NAMES: Mapping[str, str] = {}


def is_ranx(run: object) -> bool:
    """Return True for a Run or Qrels of ranx, which is not imported for that."""
    return type(run).__module__.partition(".")[0] == "ranx" and hasattr(run, "to_dict")


def collected(table: Any) -> Any:
    """Return the rows of a LazyFrame, or of a dataset or a scanner of Arrow, and what ranx holds.

    Anything else is returned as it is.
    """
    if is_ranx(table):
        return table.to_dict()
    if type(table).__module__.startswith(("polars.", "pyarrow._dataset")):
        read = getattr(table, "collect", None) or getattr(table, "to_table", None)
        return table if read is None else read()
    return table


def file_to_read(given: Any, form: Form) -> tuple[str, Form] | None:
    """Return the path of a file and the form to read it with; None for what is no file.

    An open file that is not at its beginning has a name, and the form holds its first lines.
    """
    if isinstance(given, str | os.PathLike):
        return os.fspath(given), form
    if not hasattr(given, "read"):
        return None
    if (path := path_of(given)) is not None:
        return path, form
    name, beginning = begun(given)
    return name, replace(form, begun=beginning)


def parts_in_memory(given: Any, form: Form) -> tuple[Columns, ...] | None:
    """Return tables, {column: values} and rows as parsed lines; None for anything else."""
    table = as_table(given, form.what, form.columns, form.fixed)
    if table is None:
        is_rows = isinstance(given, Iterable) and not isinstance(given, Mapping | np.ndarray)
        return (columns_of_rows(given, form),) if is_rows else None
    if isinstance(table, Mapping) and not all(isinstance(v, np.ndarray) for v in table.values()):
        lists = {str(name): listed_values(values) for name, values in table.items()}
        return (columns_of_lists(lists, form),)
    from rankeval.io import table_files

    asked = replace(form, name=None, keep=False, begun=None, passing=None)
    return tuple(table_files.columns_in_memory(table, asked))


def listed_values(values: Any) -> list[Any]:
    """Return a column as a list of Python's own values."""
    as_list = getattr(values, "tolist", None) or getattr(values, "to_pylist", None)
    return list(values) if as_list is None else list(as_list())


def as_table(
    given: Any,
    what: str = "run",
    columns: Mapping[str, str] = NO_NAMES,
    fixed: Collection[str] = (),
) -> DataTable | Columnwise | None:
    """Return a table, or {column: values}, for anything else None.

    A dictionary of arrays is one whatever its names; one of lists has names that tell its columns.
    """
    if isinstance(given, Mapping):
        return given if given and _are_columns(given, what, columns, fixed) else None
    given = collected(given)
    if type(given).__module__.startswith("pyspark.sql"):
        raise UsageError(
            f"{what} is a DataFrame of Spark, of which all rows would be collected here",
            remedy="call rankeval.spark.evaluate(qrels, run, measures), or collect it: "
            "frame.toArrow()",
        )
    if isinstance(given, np.ndarray) and given.dtype.names:
        return {name: given[name] for name in given.dtype.names}
    return given if hasattr(given, "__arrow_c_stream__") else None  # a protocol takes 0.005 ms


def names_of_columns(table: Any) -> list[str]:
    """Return the names of a table's columns."""
    if isinstance(table, Mapping):
        return [name for name in table if isinstance(name, str)]
    table = collected(table)
    names: Any = getattr(table, "column_names", getattr(table, "columns", ()))
    return [str(name) for name in names]


def _are_columns(
    given: Mapping[Any, Any], what: str, columns: Mapping[str, str], fixed: Collection[str]
) -> bool:
    """Return True for {column: values}, which the names show, or scores or grades among them."""
    values = given.values()
    # The first value of most dictionaries ends this: documents have numbers, topics dictionaries.
    if not all(
        isinstance(v, Sequence) or (hasattr(v, "__array__") and getattr(v, "ndim", 1))
        for v in values
    ):
        return False
    if any(isinstance(v, Mapping | str | bytes) for v in values):
        return False
    names = names_of_columns(given)
    if any(len(roles_found(names, what, asked, fixed)) > 1 for asked in (columns, NO_NAMES)):
        return True
    return all(isinstance(v, np.ndarray) for v in values) and any(
        v.dtype.kind == "f" for v in values
    )


GRADE: Mapping[str, bytes] = {"grade": b"1"}
"""An interaction is one whatever its grade, which a file may lack."""


class ByTopicAndDocument(Hinting, Mapping[str, ByDocument[float]]):
    """{topic: {docno: number}}: values are equal when their topics, documents and numbers are."""

    LAYOUT: ClassVar[Layout]

    if not TYPE_CHECKING:

        @classmethod
        def from_dict(cls, *given: Any, **named: Any) -> Self:
            """Do what the class does itself: it takes dictionaries, tables and files."""
            return cls(*given, **named)

        from_dataframe = from_df = from_file = from_parquet = load = from_dict

        @classmethod
        def from_ir_datasets(cls, name: str, **named: Any) -> Self:
            """Do what `irds:NAME` does."""
            return cls(f"irds:{name}", **named)

    @property
    def _tag(self) -> str:
        """The tag of every line; "" for none."""
        return ""

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return plain dictionaries, which can be changed: {topic: {docno: number}}."""
        return {topic: dict(values) for topic, values in self.items()}

    def to_frame(self) -> DataFrame:
        """Return a pandas DataFrame with a row for each document: topic, docno, and its number."""
        import pandas as pd

        rows = [(topic, *pair) for topic, values in self.items() for pair in values.items()]
        return pd.DataFrame(rows, columns=["topic", "docno", self.LAYOUT.value_name])

    @checked
    def save(self, path: StrPath) -> None:
        """Write a file, whole or not at all, in the format and compression of its suffix.

        InputError for names that the format cannot hold, UsageError for another suffix.
        """
        from rankeval.io.write import fit, format_for, write  # evaluations write nothing

        path, what = os.fspath(path), self.LAYOUT.what
        name = format_for(path, None)
        columns = columns_of(self, self.LAYOUT)
        if tag := self._tag.encode("utf-8", "surrogateescape"):
            tags = [tag] * len(columns)
            columns = replace(columns, kept={**columns.kept, "tag": Names.from_names(tags)})
        fitted, _ = fit(columns, what, FORMATS[name], path)
        write(path, name, what, iter([fitted]))
