"""The document of measures, the schema rankeval-measures/1."""

from collections.abc import Sequence

from rankeval.documents.explanation import explained
from rankeval.documents.plain import Document, headed
from rankeval.support.numbers import finite
from rankeval.tasks.describe import Description
from rankeval.tasks.explain.explanation import Explanation

SCHEMA = "rankeval-measures/1"


def document(found: Sequence[tuple[Description, Explanation | None]]) -> Document:
    """Return the facts of measures, each with its example where there is one."""
    return headed(SCHEMA, {"measures": [described(one, example) for one, example in found]})


def described(one: Description, example: Explanation | None = None) -> Document:
    """Return the facts of one measure; a range without an end has None there."""
    written = one.documentation
    facts: Document = {
        "name": one.name,
        "usage": one.usage,
        "group": one.group,
        "family": one.family,
        "title": written.title,
        "range": [finite(end) for end in (one.low, one.high)],
        "better": "lower" if one.loss else "higher",
        "aggregate": one.aggregate,
        "tier": one.tier,
        "body": [
            {"kind": "formula" if block.is_formula else "text", "text": block.text}
            for block in written.body
        ],
        "needs": list(one.needs),
        "parameters": [
            {
                "name": p.name,
                "at": p.sign == "@",
                "meaning": p.meaning,
                "allowed": p.allowed,
                "required": p.default is None,
                "default": p.default,
            }
            for p in one.parameters
        ],
        "edge_cases": list(written.edge_cases),
        "differences": list(written.differences),
        "aliases": [{"name": s.name, "meaning": s.meaning or one.name} for s in one.synonyms],
        "source": written.source,
    }
    if example is not None:
        facts["example"] = explained(example)
    return facts
