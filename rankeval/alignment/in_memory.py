"""Tables, columns and rows in memory, and runs of ranx: recognised, and taken as parsed lines."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np

from rankeval.io.column_names import find_roles
from rankeval.io.columns import Columns
from rankeval.io.file_objects import ReadableFile, begun, path_of
from rankeval.io.form import Form
from rankeval.io.rows import columns_of_lists, columns_of_rows
from rankeval.support.arrays import NDArray


@runtime_checkable
class DataTable(Protocol):
    """A table that gives its columns through Arrow's stream interface: pandas, Polars, pyarrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


Columnwise = Mapping[str, Sequence[Any]] | Mapping[str, NDArray[Any]]
"""Columns of equal lengths by their names, such as topic, docno and score."""


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


def is_lazy(table: object) -> bool:
    """Return True for a LazyFrame of Polars, and for a dataset or a scanner of Arrow."""
    module, _, rest = type(table).__module__.partition(".")
    if module == "polars":
        return hasattr(table, "collect_schema") and hasattr(table, "collect")
    return module == "pyarrow" and rest.startswith("_dataset") and hasattr(table, "to_table")


def file_to_read(file: ReadableFile, form: Form) -> tuple[str, Form]:
    """Return the path of an open file, or its name and the form that holds its beginning."""
    path = path_of(file)
    if path is not None:
        return path, form
    name, beginning = begun(file)
    return name, replace(form, begun=beginning)


def parts_in_memory(given: Any, form: Form) -> tuple[Columns, ...] | None:
    """Return tables, {column: values} and rows as parsed lines; None for anything else."""
    table = as_table(given, form.what, form.columns, form.fixed)
    if table is None:
        is_rows = isinstance(given, Iterable) and not isinstance(given, Mapping | np.ndarray)
        return (columns_of_rows(given, form),) if is_rows else None
    if isinstance(table, Mapping) and not all(isinstance(v, np.ndarray) for v in table.values()):
        lists = {str(name): _listed(values) for name, values in table.items()}
        return (columns_of_lists(lists, form),)
    from rankeval.io import tables

    asked = Form(
        form.what, columns=form.columns, ranks=form.ranks, label=form.label, fixed=form.fixed
    )
    return tuple(tables.columns_in_memory(table, asked))


def _listed(values: Any) -> list[Any]:
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
    if is_lazy(given):
        return cast("DataTable", given)
    if hasattr(given, "__dataframe__") and not isinstance(given, DataTable):
        from pyarrow.interchange import from_dataframe

        return cast("DataTable", from_dataframe(given))
    if isinstance(given, np.ndarray) and given.dtype.names:
        return {name: given[name] for name in given.dtype.names}
    return given if isinstance(given, DataTable) else None


def _are_columns(
    given: Mapping[Any, Any], what: str, columns: Mapping[str, str], fixed: Collection[str]
) -> bool:
    values = given.values()
    if all(isinstance(v, np.ndarray) and v.ndim and v.dtype.names is None for v in values):
        return True
    # The first value of most dictionaries ends this: documents have numbers, topics dictionaries.
    if not all(
        isinstance(v, Sequence) or (hasattr(v, "__array__") and getattr(v, "ndim", 1))
        for v in values
    ):
        return False
    if any(isinstance(v, Mapping | str | bytes) for v in values):
        return False
    names = [name for name in given if isinstance(name, str)]
    return find_roles(names, what, columns, fixed) is not None
