"""Whether two numbers may stand side by side: what differs between their signatures."""

from typing import NamedTuple

VERSION = "rankeval"
JUDGMENTS = "qrels"
UNSET = "not set"


class Change(NamedTuple):
    """One convention that differs; "not set" where a side does not state it."""

    name: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.name}: {self.before} before, {self.after} now"


def changes(before: str, after: str) -> tuple[Change, ...]:
    """Name what differs between two signatures.

    Versions that differ in their last number only do not count: they are to give the same
    numbers. The judgments come last, as everything else is likelier to be mended by an option.
    """
    old, new = _conventions(before), _conventions(after)
    return tuple(
        Change("rankeval's version" if name == VERSION else name, was, now)
        for name in dict.fromkeys([*old, *new])
        if (was := old.get(name, UNSET)) != (now := new.get(name, UNSET))
        and not (name == VERSION and _series(was) == _series(now))
    )


def measure_of(signature: str) -> str:
    """The canonical name of the measure, "" where the signature has none."""
    return _conventions(signature).get("measure", "")


def judgments_of_signature(signature: str) -> str:
    """The digest of the judgments, "" where the signature has none."""
    return _conventions(signature).get(JUDGMENTS, "")


def _conventions(signature: str) -> dict[str, str]:
    version, *parts = signature.split("|")
    found = {VERSION: version.partition(":")[2]}
    if parts:
        found["measure"] = parts[0]
    for part in parts[1:]:
        name, _, value = part.partition(":")
        found[name] = value
    return found


def _series(version: str) -> str:
    return ".".join(version.split(".")[:2])
