"""Lay out the lines of a format by the roles of its columns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rankeval.io.formats.form import Form
from rankeval.io.parsers.column_names import KEPT, names_subtopics, value_role
from rankeval.io.parsers.columns import Layout
from rankeval.io.parsers.plain_parser import decimal_number


def layout_by_roles(
    what: str,
    names: Sequence[str],
    roles: Mapping[str, int],
    *,
    split: Callable[[bytes], list[bytes]] | None = None,
    separator: bytes = b"",
    objects: bool = False,
) -> Layout:
    """Return the layout of lines with named fields; `roles` has the place of each role's field."""
    value_name = value_role(what, roles)
    return Layout(
        what=what,
        fields=tuple(names),
        value=roles.get(value_name),  # none where the folder's name says it
        value_name=value_name,
        tag=roles.get("tag"),
        more=False,
        comments=not objects,
        number=decimal_number,
        topic=roles["topic"],
        docno=roles["docno"],
        ranked=value_name == "rank",
        split=split,
        separator=separator,
        objects=objects,
        kept=tuple((role, roles[role]) for role in KEPT[what] if role in roles),
        stated=names_subtopics(names, roles),
    )


def with_ranks(layout: Layout, form: Form) -> Layout:
    """Return the layout with its rank column, if it has one and it is to be read."""
    return replace(layout, rank=dict(layout.kept).get("rank")) if form.ranks else layout
