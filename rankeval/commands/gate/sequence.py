"""Sequences of gates that keep one alpha over all their runs, such as a gate every night."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import Any

from rankeval.base.arrays import short_digest
from rankeval.base.frozen import frozen
from rankeval.choices import Family
from rankeval.commands.gate.decision import Decision
from rankeval.commands.gate.rules.rule import Rule
from rankeval.errors import InputError
from rankeval.evaluation.results import RunResult
from rankeval.io.sources.atomic import atomic_text
from rankeval.stats.judging import MOST_LOOKS, alpha_of_look

SCHEMA = "rankeval-gate-sequence/1"
LARGEST = 1 << 16
"""Bytes that a state file may have."""

NO_STATE = "is not the state of a sequence of gates"
EXPECTED = {
    "alpha": "a number between 0 and 1",
    "looks": f"a whole number from 1 to {MOST_LOOKS:,}",
    "digest": "text",
}
SHOWN = 30
"""Characters of a wrong value that an error shows."""


Looked = tuple[RunResult, Sequence[RunResult], Sequence[tuple[Rule, str]]]
"""A baseline, candidates, and their rules with the canonical names of measures."""


@frozen
class GateSequence:
    """The state that is saved from one run of a gate to the next.

    ====== =============================================================================
    alpha  significance level of all looks together
    looks  number of different candidates that the gate has judged
    digest digest of the values and rules of the last look; an equal digest is not a new look
    ====== =============================================================================
    """

    alpha: float
    looks: int = 0
    digest: str = ""

    def with_look(self, looked: Sequence[Looked], decision: Decision) -> "GateSequence":
        """Return the state after a look at these values and rules, by collection.

        Another test of the same values is another look: it is one more chance to be wrong.
        """
        digest = short_digest(
            chain([_choices(decision)], chain.from_iterable(_facts(*one) for one in looked))
        )
        if digest == self.digest:
            return self
        return replace(self, looks=self.looks + 1, digest=digest)

    def decision_of_look(self, decision: Decision, n_candidates: int) -> Decision:
        """Return the decision with the share of alpha that each candidate of this look has.

        So verdicts on all candidates keep alpha, also those that rest on bounds, which no
        correction of p-values is for; families of all candidates need none beside it.
        """
        shared = alpha_of_look(self.alpha, self.looks) / n_candidates
        family = Family.RULES if decision.family is Family.CANDIDATES else decision.family
        return replace(decision, alpha=shared, family=family)


def _choices(decision: Decision) -> bytes:
    """Return the choices that make another verdict of the same values."""
    chosen = (decision.test, decision.bound, decision.correction, decision.seed)
    return f"{' '.join(map(str, chosen))}\n".encode()


def _facts(
    before: RunResult, after: Sequence[RunResult], rules: Sequence[tuple[Rule, str]]
) -> Iterator[bytes]:
    """Yield what tells two looks apart: the rules, and the values of every topic."""
    for rule, measure in rules:
        where = f" {rule.group}" if rule.group else ""
        named = f" on {rule.collection}" if rule.collection else ""
        facts = f"{rule.kind} {measure} {rule.limit} {rule.relative}{named}{where}\n"
        yield facts.encode("utf-8", "surrogateescape")
    for run in (before, *after):
        yield "\n".join(run.topics).encode("utf-8", "surrogateescape")
        for score in run.scores:
            yield score.measure.encode("utf-8", "surrogateescape")
            yield score.values.tobytes()


def read_sequence(path: str, alpha: float) -> GateSequence:
    """Read the state; without a file, begin a new sequence."""
    file = Path(path)
    try:
        with file.open("rb") as stream:
            text = stream.read(LARGEST)
    except FileNotFoundError:
        return GateSequence(alpha)
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror}", place=path) from error
    try:
        state = json.loads(text)
    except (ValueError, RecursionError):
        state = None
    if (
        not isinstance(state, dict)
        or state.get("schema") != SCHEMA
        or not EXPECTED.keys() <= state.keys()
    ):
        raise _no_state(NO_STATE, path)
    found = GateSequence(
        alpha=_checked(state, "alpha", path, lambda one: isinstance(one, float) and 0 < one < 1),
        looks=_checked(state, "looks", path, lambda one: _is_whole(one) and 1 <= one <= MOST_LOOKS),
        digest=_checked(state, "digest", path, lambda one: isinstance(one, str)),
    )
    if found.alpha != alpha:
        raise InputError(
            f"has the alpha {found.alpha:g}, but this gate has {alpha:g}",
            place=path,
            remedy=f"add alpha={found.alpha:g}, or name a new file to begin a sequence",
        )
    return found


def _checked(state: dict[str, Any], key: str, path: str, right: Callable[[Any], bool]) -> Any:
    """Return a value of a state; InputError names a wrong one."""
    if not right(state[key]):
        wrong = f'{NO_STATE}: "{key}" is {_shown(state[key])}'
        raise _no_state(wrong, path, expected=EXPECTED[key])
    return state[key]


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _shown(value: object) -> str:
    """Return a value as JSON, in a few characters."""
    text = json.dumps(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _no_state(problem: str, path: str, expected: str = "") -> InputError:
    return InputError(
        problem,
        place=path,
        expected=expected or f'JSON that gate --sequential wrote, "schema": "{SCHEMA}"',
        remedy="restore the file, or name a new one to begin a sequence",
    )


def write_sequence(state: GateSequence, path: str) -> None:
    """Write the state for the next run; readers never see a half-written file.

    The next one must not read the old state meanwhile: `rankeval.io.sources.locks.locked` holds the
    file from reading it to writing it.
    """
    with atomic_text(path) as stream:
        stream.write(json.dumps({"schema": SCHEMA, **asdict(state)}) + "\n")
