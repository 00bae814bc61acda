"""DataFrames of runs and judgments, brought into columns that all workers know."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from rankeval.base.frozen import frozen
from rankeval.errors import InputError
from rankeval.io.formats import trec
from rankeval.io.parsers.column_names import names_subtopics, roles_of, value_role

NUMBERS = ("score", "grade", "rank")
"""Columns of numbers; all others hold names."""

LABELS = ("subtopic", "iteration", "stratum")
"""Columns that label judgments; that of subtopics is one of iterations whose name says so."""

IS_JUDGMENT = "is_judgment"
"""True in rows of judgments, in a frame that also has those of a run."""


LEFT_OUT = "left_out"
"""The numbers of wrong lines by kind, as JSON, in rows that hold nothing else; null in others."""


@frozen(eq=False)
class Rows:
    """Rows of a run or of judgments: topic, docno, the value, and further columns by role.

    ===== ================================================================================
    what  "run" or "qrels"
    name  the rows in messages
    frame the DataFrame, names as bytes and numbers as doubles; LEFT_OUT where lines were parsed
    tags  the column of run tags of the original DataFrame; None without one
    ===== ================================================================================
    """

    what: str
    name: str
    frame: Any
    tags: Any = None

    @property
    def roles(self) -> Sequence[str]:
        """The names of the columns."""
        columns: Sequence[str] = self.frame.columns
        return columns


def is_frame(one: object) -> bool:
    """Return True for a DataFrame of Spark, also of Spark Connect, or rows of one."""
    return isinstance(one, Rows) or any(
        kind.__module__.startswith("pyspark.sql") for kind in type(one).__mro__
    )


def rows_of(
    frame: Any, what: str, given: Mapping[str, str], name: str, *, ranks: bool = False
) -> Rows:
    """Take the columns of a DataFrame by their roles; InputError where these are not there."""
    if isinstance(frame, Rows):
        return frame
    from pyspark.sql import functions

    names = list(frame.columns)
    roles = roles_of(names, what, given, name)
    value = value_role(what, roles)
    fields = {role: frame.schema.fields[at] for role, at in roles.items()}
    taken = {role: _column(functions, names[at]) for role, at in roles.items()}
    chosen = [
        _named(functions, taken["topic"], fields["topic"], "topic", name),
        _named(functions, taken["docno"], fields["docno"], "docno", name),
        _number(functions, taken[value], fields[value], value, name),
    ]
    if ranks and value != "rank" and "rank" in taken:
        chosen.append(_number(functions, taken["rank"], fields["rank"], "rank", name))
    for role in ("iteration", trec.STRATUM) if what == "qrels" else ():
        if role in taken:
            label = "subtopic" if names_subtopics(names, {role: roles[role]}) else role
            kind = fields[role].dataType.simpleString()
            chosen.append(_as_bytes(functions, taken[role], kind).alias(label))
    tags = None
    if "tag" in taken:
        kind = fields["tag"].dataType.simpleString()
        tags = frame.select(_as_bytes(functions, taken["tag"], kind).alias("tag"))
    return Rows(what, name, frame.select(*chosen), tags)


def beside(run: Rows, qrels: Rows) -> Any:
    """Return the rows of both in one DataFrame, marked by IS_JUDGMENT."""
    from pyspark.sql import functions

    def marked(rows: Rows, *, judged: bool) -> Any:
        return rows.frame.withColumn(IS_JUDGMENT, functions.lit(judged))

    return marked(run, judged=False).unionByName(
        marked(qrels, judged=True), allowMissingColumns=True
    )


def _column(functions: Any, name: str) -> Any:
    return functions.col("`" + name.replace("`", "``") + "`")


def _named(functions: Any, column: Any, field: Any, role: str, name: str) -> Any:
    kind = field.dataType.simpleString()
    if not (kind.startswith(("string", "char", "varchar", "binary")) or _is_integer(kind)):
        _refuse(field, role, name, "text or integers")
    return _as_bytes(functions, column, kind).alias(role)


def _as_bytes(functions: Any, column: Any, kind: str) -> Any:
    if kind != "binary":
        column = column.cast("string").cast("binary")
    return functions.coalesce(column, functions.lit(b""))


def _number(functions: Any, column: Any, field: Any, role: str, name: str) -> Any:
    kind = field.dataType.simpleString()
    if kind.startswith("decimal"):
        column = column.cast("string")  # its own conversion may be off by a last bit
    elif not (_is_integer(kind) or kind in ("float", "double")):
        _refuse(field, role, name, "numbers")
    return functions.coalesce(column.cast("double"), functions.lit(float("nan"))).alias(role)


def _is_integer(kind: str) -> bool:
    return kind in ("tinyint", "smallint", "int", "bigint")


def _refuse(field: Any, role: str, name: str, expected: str) -> NoReturn:
    raise InputError(
        f"column {field.name!r} is of the type {field.dataType.simpleString()}",
        place=name,
        expected=f"{expected} as {role}",
        remedy=f"cast it, or name another column with columns={{{role!r}: NAME}}",
    )
