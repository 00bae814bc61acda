"""The collections of a suite: a suite for each, with the files of that collection."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rankeval.commands.collections.read_collections import (
    PLACEHOLDER,
    Collection,
    in_path,
    read_collections,
)
from rankeval.commands.gate.rules.all_kinds import kind_of
from rankeval.commands.gate.rules.rule import Rule, place_of
from rankeval.commands.gate.suites.suite import Files, Member, OpenedSuite, Suite
from rankeval.errors import InputError, UsageError


def opened_collections(suite: Suite) -> OpenedSuite:
    """Return a suite with its collections, each with its files and its rules.

    `baseline`, `golden` and `runs` of the suite are the names of systems in the file of
    collections, or paths in which {collection} means the name. A rule that names no collection
    holds in each. UsageError or InputError for a system without a run on some collection, for a
    rule on a collection that is not there, and for conventions that contradict each other.
    """
    collections = read_collections(suite.collections)
    given = suite.files()
    if suite.sequential is not None and PLACEHOLDER in suite.sequential:
        raise UsageError(
            "one sequence is kept for all collections", place=suite.place, expected="one path"
        )
    names = [collection.name for collection in collections]
    wholes = dict.fromkeys(one.part_of for one in collections if one.part_of)
    for rule in suite.rules:
        _check(rule, names, list(wholes))
    members = tuple(
        Member(one.name, one.part_of, _of_collection(suite, given, one, collections))
        for one in collections
    )
    over = tuple(rule for rule in suite.rules if rule.over_collections or rule.collection in wholes)
    return OpenedSuite(suite, members, over)


def _check(rule: Rule, names: Sequence[str], wholes: Sequence[str]) -> None:
    if rule.over_collections or rule.collection in wholes:
        apart = kind_of(rule).over is None
        if apart or rule.group:
            what = f"{rule.kind} rules" if apart else "groups"
            raise UsageError(
                f"'{rule}': {what} are judged on each collection alone",
                place=place_of(rule),
                expected=f"the rule without 'on {rule.collection}'",
            )
    elif rule.collection and rule.collection not in names:
        there = [*names, *wholes]
        close = difflib.get_close_matches(rule.collection, there, n=1)
        known = f"macro mean, worst collection, or one of {', '.join(there)}"
        raise UsageError(
            f"the rule '{rule}' names a collection that is not there",
            place=place_of(rule),
            expected=f"perhaps {close[0]}" if close else known,
        )


def _of_collection(
    suite: Suite, given: Files, collection: Collection, collections: Sequence[Collection]
) -> Suite:
    """Return the suite of one collection."""
    from rankeval.commands.gate.rules.measured_rules import (
        require_every_topic,  # --help needs no numpy
    )

    def path(text: str) -> str:
        if PLACEHOLDER in text:
            return in_path(text, collection.name)
        return _run(text, collection, collections, suite.place)

    own = {
        (rule.kind, rule.measure, rule.group)
        for rule in suite.rules
        if rule.collection == collection.name
    }
    rules = [
        replace(rule, collection=collection.name)
        for rule in suite.rules
        if rule.collection == collection.name
        or not (rule.collection or (rule.kind, rule.measure, rule.group) in own)
    ]
    single = replace(
        suite,
        collections=None,
        qrels=collection.qrels,
        baseline=path(given.baseline),
        golden=None if suite.golden is None else path(suite.golden),
        runs=tuple(map(path, given.runs)),
        group=None if suite.group is None else in_path(suite.group, collection.name),
        run_costs=None if suite.run_costs is None else in_path(suite.run_costs, collection.name),
        rules=tuple(rules),
        sequential=None,
        conventions=_joined(suite.conventions, collection.conventions, collection.place),
        files_read=_joined(suite.files_read, collection.files_read, collection.place),
    )
    require_every_topic(single.settings(), collection.place)
    return single


def _run(system: str, collection: Collection, collections: Sequence[Collection], place: str) -> str:
    """Return the run of a system on a collection."""
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
