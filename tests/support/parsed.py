"""What a parser found, as values that can be compared."""

from rankeval.io.columns import Columns


def columns(parsed: Columns) -> tuple[object, ...]:
    """Every field of the columns, numbers by their bits."""
    return (
        tuple(parsed.topics),
        parsed.starts.tolist(),
        parsed.docnos.tolist(),
        parsed.values.tobytes(),
        list(parsed.lines),
        parsed.tags,
        parsed.last_tag,
        {role: names.tolist() for role, names in parsed.kept.items()},
        None if parsed.ranks is None else parsed.ranks.tobytes(),
    )
