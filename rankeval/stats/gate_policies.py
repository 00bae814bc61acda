"""Policies: the conditions under which a gate opens."""

from collections.abc import Sequence

from rankeval.choices import GatePolicy
from rankeval.stats.verdicts import GateVerdict, Verdict


def gate_passes(verdict: GateVerdict, policy: GatePolicy | str) -> bool:
    """Return True if a gate with this policy opens for one verdict.

    ===========  =========================  =======  =======  ============
    policy       asks                       worse    not      cannot tell
                                                     worse
    ===========  =========================  =======  =======  ============
    observed     is the drop <= the limit?  closed   open     as observed
    significant  is it not shown worse?     closed   open     open
    beyond       is it not shown to have    as       open     as shown
                 lost more than the limit?  shown
    noninferior  is it shown not worse?     closed   open     closed
    ===========  =========================  =======  =======  ============

    Edge case: without any topic every policy keeps the gate closed.
    """
    if verdict.n_topics == 0:
        return False
    opens = {
        GatePolicy.OBSERVED: not verdict.exceeds,
        GatePolicy.SIGNIFICANT: verdict.verdict is not Verdict.WORSE,
        GatePolicy.BEYOND: not verdict.beyond,
        GatePolicy.NONINFERIOR: verdict.verdict is Verdict.NOT_WORSE,
    }
    return opens[GatePolicy(policy)]


def gate_exit_code(verdicts: Sequence[GateVerdict], policy: GatePolicy | str) -> int:
    """Return 0 if the gate opens for every verdict, else 1; no verdict at all is 1."""
    return 0 if verdicts and all(gate_passes(one, policy) for one in verdicts) else 1
