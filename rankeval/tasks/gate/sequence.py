"""A gate that runs again and again on one line of candidates, and keeps its alpha over all runs."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from rankeval.errors import InputError
from rankeval.evaluation.results import RunResult
from rankeval.io.atomic import atomic_text
from rankeval.stats.sequences import alpha_of_look
from rankeval.support.frozen import frozen
from rankeval.tasks.gate.decision import Decision
from rankeval.tasks.gate.measures import MeasuredRule

SCHEMA = "rankeval-gate-sequence/1"
LARGEST = 1 << 16
"""Bytes of a file of state."""


@frozen
class GateSequence:
    """What is kept from one run of the gate to the next.

    ====== =============================================================================
    alpha  of all looks together
    looks  how many different candidates were looked at
    digest of what the last look saw: values and rules; the same again is no new look
    ====== =============================================================================
    """

    alpha: float
    looks: int = 0
    digest: str = ""

    def looking(
        self, before: RunResult, after: Sequence[RunResult], rules: Sequence[MeasuredRule]
    ) -> "GateSequence":
        """The state with tonight's look."""
        seen = hashlib.sha256()
        for rule in rules:
            seen.update(f"{rule.rule.kind} {rule.name} {rule.rule.limit} ".encode())
            seen.update(f"{rule.rule.relative}\n".encode())
        for run in (before, *after):
            seen.update("\n".join(run.topics).encode("utf-8", "surrogateescape"))
            for score in run.scores:
                seen.update(score.measure.encode("utf-8", "surrogateescape"))
                seen.update(score.values.tobytes())
        digest = seen.hexdigest()[:16]
        if digest == self.digest:
            return self
        return replace(self, looks=self.looks + 1, digest=digest)

    def deciding(self, decision: Decision) -> Decision:
        """The decision at the level of this look."""
        return replace(decision, alpha=alpha_of_look(self.alpha, self.looks))


def read_sequence(path: str, alpha: float) -> GateSequence:
    """Read the state; a file that is not there begins a sequence."""
    file = Path(path)
    try:
        with file.open("rb") as stream:
            text = stream.read(LARGEST)
    except FileNotFoundError:
        return GateSequence(alpha)
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror}", place=path) from error
    try:
        kept = json.loads(text)
        known = kept["schema"] == SCHEMA
        found = GateSequence(float(kept["alpha"]), int(kept["looks"]), str(kept["digest"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        known, found = False, GateSequence(alpha)
    if not known or found.looks < 1:
        raise InputError(
            "is no state of a sequence of gates",
            place=path,
            expected=f'JSON that gate --sequential wrote, "schema": "{SCHEMA}"',
            remedy="name another file, which is then begun",
        )
    if found.alpha != alpha:
        raise InputError(
            f"was begun with alpha {found.alpha:g}, which is now {alpha:g}",
            place=path,
            remedy=f"add --alpha {found.alpha:g}, or begin another file",
        )
    return found


def write_sequence(state: GateSequence, path: str) -> None:
    """Keep the state for the next run; the file is whole at any time."""
    with atomic_text(path) as stream:
        stream.write(json.dumps({"schema": SCHEMA, **asdict(state)}) + "\n")
