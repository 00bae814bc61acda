"""The collections of a suite: a suite for each, with the files of that collection."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rankeval.commands.gate.suites.suite import Files, Suite
from rankeval.errors import InputError, UsageError

if TYPE_CHECKING:
    from rankeval.commands.collections.read_collections import Collection


def expanded(suite: Suite) -> tuple[Suite, ...]:
    """Return the suites of a suite's collections, each with its files; itself without any.

    `baseline`, `golden` and `runs` are the names of systems in the file of collections, or paths in
    which {collection} means the name. UsageError or InputError for a system without a run on some
    collection, and for conventions that contradict each other.
    """
    if suite.collections is None:
        return (suite,)
    from rankeval.commands.collections.read_collections import (
        read_collections,  # most suites have none
    )

    collections = read_collections(suite.collections)
    given = suite.files()
    return tuple(_of_collection(suite, given, one, collections) for one in collections)


def _of_collection(
    suite: Suite, given: Files, collection: Collection, collections: Sequence[Collection]
) -> Suite:
    """Return the suite of one collection."""
    from rankeval.commands.collections.read_collections import PLACEHOLDER, in_path

    def path(text: str) -> str:
        if PLACEHOLDER in text:
            return in_path(text, collection.name)
        return _run(text, collection, collections, suite.place)

    runs = tuple(map(path, given.runs))
    names = (suite.named.get(run, run) for run in given.runs)
    return replace(
        suite,
        name=f"{suite.name}/{collection.name}" if suite.name else collection.name,
        collections=None,
        qrels=collection.qrels,
        baseline=path(given.baseline),
        baseline_name=suite.baseline_name or given.baseline,
        golden=None if suite.golden is None else path(suite.golden),
        runs=runs,
        named=dict(zip(runs, names, strict=True)),
        group=None if suite.group is None else in_path(suite.group, collection.name),
        conventions=_joined(suite.conventions, collection.conventions, collection.place),
        files_read=_joined(suite.files_read, collection.files_read, collection.place),
    )


def _run(system: str, collection: Collection, collections: Sequence[Collection], place: str) -> str:
    """Return the run of a system on a collection."""
    from rankeval.commands.collections.read_collections import PLACEHOLDER

    if system in collection.runs:
        return collection.runs[system]
    known = list(dict.fromkeys(name for each in collections for name in each.runs))
    if system not in known:
        close = difflib.get_close_matches(system, known, n=1)
        raise UsageError(
            f"no system is called '{system}'",
            place=place,
            expected=f"perhaps {close[0]}"
            if close
            else f"one of {', '.join(known)}, or a path with {PLACEHOLDER}",
        )
    raise InputError(
        f"{system} has no run here, and a gate leaves no collection out",
        place=collection.place,
        expected=f'runs = {{ {system} = "FILE" }}',
    )


def _joined(of_suite: Mapping[str, Any], own: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return the settings of both; UsageError where they contradict each other."""
    for key in of_suite.keys() & own.keys():
        if of_suite[key] != own[key]:
            name = key.replace("_", "-")
            raise UsageError(
                f"{name} is {own[key]!r}, and {of_suite[key]!r} in the suite or among the options",
                place=place,
                remedy="set it in one place",
            )
    return {**of_suite, **own}
