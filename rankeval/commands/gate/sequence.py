"""Sequences of gates that keep one alpha over all their looks, such as a gate every night."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.choices import Bound, Family, GateTest
from rankeval.commands.gate.decision import Decision
from rankeval.errors import InputError, UsageError
from rankeval.io.sources.atomic import atomic_text
from rankeval.stats import GateVerdict, Verdict
from rankeval.stats.checked_arrays import NOISE
from rankeval.stats.confidence_bounds import Drop
from rankeval.stats.judging import called
from rankeval.stats.night_bets import N_STAKES, NightBets, losses_beyond

SCHEMA = "rankeval-gate-sequence/1"
LARGEST = 1 << 26
"""Bytes that a state file may have."""
MOST_NIGHTS = 10**9

NO_STATE = "is not the state of a sequence of gates"
SHOWN = 30
"""Characters of a wrong value that an error shows."""


@frozen
class RuleBets:
    """The bets on one rule for one candidate.

    ============ =========================================================================
    run          name of the candidate
    rule         the rule, with its collection where several are judged apart
    baseline     mean of the baseline on the last night; None without topics
    digest       digest of what the topics lost on the last night, to know a repeated job
    no_drop      bets against "no drop"
    within_limit bets against "a drop of at most the limit"
    ============ =========================================================================
    """

    run: str
    rule: str
    baseline: float | None = None
    digest: str = ""
    no_drop: NightBets = NightBets()
    within_limit: NightBets = NightBets()

    def after(self, drop: Drop, factor: float, baseline: float | None) -> "RuleBets":
        """Return the bets after a night; those before it, if nothing has changed since.

        Evidence against another baseline is forgotten. To forget what speaks for a loss costs no
        part of alpha: the capital only shrinks.
        """
        losses = losses_beyond(drop, 0.0), losses_beyond(drop, factor)
        digest = hashlib.sha256(np.concatenate(losses).tobytes()).hexdigest()[:16]
        if digest == self.digest:
            return self
        bets = self.no_drop, self.within_limit
        if self.baseline is None or baseline is None or abs(self.baseline - baseline) > NOISE:
            bets = forgotten(bets[0]), forgotten(bets[1])
        if losses[0].size:
            bets = bets[0].after(losses[0]), bets[1].after(losses[1])
        return RuleBets(self.run, self.rule, baseline, digest, *bets)

    def settled(self, alpha: float) -> "RuleBets":
        """Return the bets of a night within the limit, on which an earlier drop is made good."""
        return replace(
            self,
            no_drop=forgotten(self.no_drop, alpha),
            within_limit=forgotten(self.within_limit, alpha),
        )

    def document(self) -> dict[str, Any]:
        """Return the bets as they are written."""
        found: dict[str, Any] = {
            "run": self.run,
            "rule": self.rule,
            "baseline": self.baseline,
            "digest": self.digest,
        }
        for key in ("no_drop", "within_limit"):
            bets = getattr(self, key)
            found[key] = {
                "nights": bets.nights,
                "p_value": bets.p_value,
                "kept": bets.kept,
                "at_stake": list(bets.at_stake),
            }
        return found


def forgotten(bets: NightBets, alpha: float = 1.0) -> NightBets:
    """Return bets with the first capital, if they have shown a loss at alpha; else the same."""
    return NightBets() if bets.p_value < alpha else bets


@frozen
class GateSequence:
    """The state that is saved from one run of a gate to the next.

    ====== =============================================================================
    alpha  significance level of all looks together
    looks  number of nights on which a value was another one than on the night before
    rules  the bets on each rule for each candidate
    ====== =============================================================================
    """

    alpha: float
    looks: int = 0
    rules: tuple[RuleBets, ...] = ()

    def decision_of_look(self, decision: Decision) -> Decision:
        """Return the decision of a look: alpha is that of all rules and candidates together.

        UsageError for a test other than by bets, which no evidence over nights is known for.
        """
        if decision.test not in (GateTest.BOUND, GateTest.BETTING):
            raise UsageError(
                f"a sequence of gates is judged by bets over its nights, not by {decision.test}",
                place=f"test='{decision.test}'",
                expected="bound or betting with sequence=",
                remedy="drop test=, or judge every night alone, without sequence=",
            )
        whole = Family.CANDIDATES if decision.family is Family.RULES else decision.family
        test = decision.test if decision.bound is Bound.BETTING else GateTest.BETTING
        return replace(decision, family=whole, test=test)

    def continued(self, names: Sequence[str]) -> dict[str, str]:
        """Return by which name of the state each candidate continues, if under another one.

        Candidates with new names continue, in their order, those that are missing, if there are as
        many of both.
        """
        there = dict.fromkeys(one.run for one in self.rules)
        new = [name for name in names if name not in there]
        gone = [name for name in there if name not in names]
        return dict(zip(new, gone, strict=True)) if len(new) == len(gone) else {}

    def document(self) -> dict[str, Any]:
        """Return the state as it is written, and as reports have it."""
        return {
            "alpha": self.alpha,
            "looks": self.looks,
            "rules": [one.document() for one in self.rules],
        }


class NightLook:
    """One look of a sequence, which judges rules by the bets so far and those of this night."""

    def __init__(self, sequence: GateSequence, renamed: Mapping[str, str]) -> None:
        self.sequence = sequence
        names = {old: new for new, old in renamed.items()}
        self.before = {
            (run := names.get(one.run, one.run), one.rule): replace(one, run=run)
            for one in sequence.rules
        }
        self.now: dict[tuple[str, str], RuleBets] = {}

    def judged(
        self, found: GateVerdict, run: str, rule: str, drop: Drop | None, factor: float
    ) -> GateVerdict:
        """Return a verdict by the evidence of all nights; "not worse" is still of this night."""
        key = run, rule
        bets = self.before.get(key, RuleBets(run, rule))
        if drop is not None:
            bets = bets.after(drop, factor, found.baseline_mean)
        if not found.exceeds:
            bets = bets.settled(self.sequence.alpha)
        self.now[key] = bets
        p_value, p_beyond = bets.no_drop.p_value, bets.within_limit.p_value
        return replace(
            found,
            verdict=called(
                exceeds=found.exceeds,
                p_value=p_value,
                within=found.verdict is Verdict.NOT_WORSE,
                alpha=found.alpha,
            ),
            test=replace(found.test, test=Bound.BETTING, statistic=None, p_value=p_value, note=""),
            p_value=p_value,
            p_beyond_limit=p_beyond,
            beyond=p_beyond < found.alpha,
            nights=bets.no_drop.nights,
        )

    def state(self) -> GateSequence:
        """Return the state for the next look; values that did not change are no new look."""
        changed = any(
            key not in self.before or bets.digest != self.before[key].digest
            for key, bets in self.now.items()
        )
        rules = tuple((self.before | self.now).values())
        return replace(self.sequence, looks=self.sequence.looks + changed, rules=rules)


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
    if not isinstance(state, dict) or state.get("schema") != SCHEMA:
        raise _no_state(NO_STATE, path)
    found = GateSequence(
        alpha=_checked(state, "alpha", path, _is_risk, "a number between 0 and 1"),
        looks=_checked(state, "looks", path, _is_count, f"a whole number up to {MOST_NIGHTS:,}"),
        rules=tuple(
            _rule_bets(one, path)
            for one in _checked(state, "rules", path, _is_list, "bets for each rule")
        ),
    )
    if found.alpha != alpha:
        raise InputError(
            f"has the alpha {found.alpha:g}, but this gate has {alpha:g}",
            place=path,
            remedy=f"add alpha={found.alpha:g}, or name a new file to begin a sequence",
        )
    return found


def _rule_bets(saved: object, path: str) -> RuleBets:
    """Return the bets that a state has for a rule; InputError names a wrong value."""
    if not isinstance(saved, dict):
        raise _no_state(f'{NO_STATE}: "rules" has {_shown(saved)}', path, "bets for each rule")
    return RuleBets(
        run=_checked(saved, "run", path, _is_text, "text"),
        rule=_checked(saved, "rule", path, _is_text, "text"),
        baseline=_checked(saved, "baseline", path, _is_mean, "a number or null"),
        digest=_checked(saved, "digest", path, _is_text, "text"),
        no_drop=_night_bets(saved, "no_drop", path),
        within_limit=_night_bets(saved, "within_limit", path),
    )


def _night_bets(saved: dict[str, Any], key: str, path: str) -> NightBets:
    wanted = f"nights, and the logarithms of the capital that is kept and on {N_STAKES} stakes"
    found = _checked(saved, key, path, lambda one: isinstance(one, dict), wanted)
    nights = _checked(found, "nights", path, _is_count, f"a whole number up to {MOST_NIGHTS:,}")
    kept = _checked(found, "kept", path, _is_number, wanted)
    stakes = _checked(found, "at_stake", path, _is_list, wanted)
    if len(stakes) != (N_STAKES if nights else 0) or not all(map(_is_number, stakes)):
        raise _no_state(f'{NO_STATE}: "at_stake" is {_shown(stakes)}', path, wanted)
    return NightBets(nights, float(kept), tuple(map(float, stakes)))


def _checked(
    state: dict[str, Any], key: str, path: str, right: Callable[[Any], bool], expected: str
) -> Any:
    """Return a value of a state; InputError names a wrong one."""
    if key not in state:
        raise _no_state(f'{NO_STATE}: it has no "{key}"', path)
    if not right(state[key]):
        raise _no_state(f'{NO_STATE}: "{key}" is {_shown(state[key])}', path, expected)
    return state[key]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _is_mean(value: object) -> bool:
    return value is None or _is_number(value)


def _is_risk(value: object) -> bool:
    return isinstance(value, float) and 0 < value < 1


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_NIGHTS


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


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
        stream.write(json.dumps({"schema": SCHEMA, **state.document()}, indent=1) + "\n")
