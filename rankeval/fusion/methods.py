"""The table of all methods of fusion."""

from collections.abc import Mapping
from difflib import get_close_matches

from rankeval.base.wording import known_word
from rankeval.choices import METHOD_NAMES
from rankeval.errors import UsageError
from rankeval.fusion import fused_scores  # noqa: F401  they register
from rankeval.fusion.method_record import REGISTERED, FusionMethod


def methods() -> Mapping[str, FusionMethod]:
    """Return the methods by name, in the order of METHOD_NAMES."""
    return {name: REGISTERED[name] for name in METHOD_NAMES}


def method_named(name: str) -> FusionMethod:
    """Return the method of a name; UsageError if there is none."""
    found = methods().get(known_word(name, METHOD_NAMES))
    if found is None:
        near = get_close_matches(name.lower(), METHOD_NAMES, 3, 0.5)
        raise UsageError(
            f"there is no fusion method '{name}'",
            expected=f"one of {', '.join(METHOD_NAMES)}",
            remedy=f"perhaps {' or '.join(near)}" if near else "",
        )
    return found
