"""Documents as YAML."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from rankeval.errors import UsageError
from rankeval.output.document_form import Document


def document(value: Document) -> Iterator[str]:
    """Yield one document, its keys in their order; each text is in a line of its own."""
    try:
        yaml: Any = import_module("yaml")
    except ImportError as error:
        raise UsageError(
            "YAML needs PyYAML, which is not installed",
            remedy="pip install 'rankeval-ir[yaml]', or write JSON, which YAML parsers read, too",
        ) from error
    # Lists that are repeated are written again, not referred to.
    dumper = type("Dumper", (yaml.SafeDumper,), {"ignore_aliases": lambda *_: True})
    dumper.add_representer(str, _text)  # type: ignore[attr-defined]  # SafeDumper's
    yield yaml.dump(value, Dumper=dumper, sort_keys=False, width=2**31)


def _text(dumper: Any, text: str) -> Any:
    """Put text in double quotes that a workflow's runner would obey, or that does not print."""
    obeyed = "##[" in text or text.startswith("::")
    style = '"' if obeyed or not text.isprintable() else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)
