"""Fusion by ranx, in a process of its own: `python -m tests.support.ranx_fusion` answers cases.

numba would compile for minutes; NUMBA_DISABLE_JIT, which it reads when it is imported, spares that.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

LEARNED = {"mapfuse": "map_scores", "bayesfuse": "log_odds"}
"""What ranx's methods call what they have learned, where it is not `probs`."""


def answers(cases: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """ranx's answer to each case: the fused scores, and what was learned.

    A case has the method and the normalisation by ranx's names, runs, and parameters; one of a
    trained method also `qrels` and `others`, the runs of training, and its arguments `more`.
    """
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    ran = subprocess.run(
        [sys.executable, "-m", __spec__.name],
        input=json.dumps(cases),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return found


def _answer(case: dict[str, Any]) -> dict[str, Any]:
    import ranx

    given, learned = dict(case["parameters"]), []
    if "qrels" in case:
        train = getattr(import_module(f"ranx.fusion.{case['method']}"), f"{case['method']}_train")
        learned = train(
            ranx.Qrels(case["qrels"]), list(map(ranx.Run, case["others"])), *case["more"]
        )
        given[LEARNED.get(case["method"], "probs")] = learned
    found = ranx.fuse(list(map(ranx.Run, case["runs"])), case["norm"], case["method"], given)
    return {
        "fused": {t: {d: float(s) for d, s in found[t].items()} for t in found.keys()},  # noqa: SIM118  no mapping
        "learned": [one if isinstance(one, float) else one.tolist() for one in learned],
    }


if __name__ == "__main__":
    json.dump([_answer(case) for case in json.load(sys.stdin)], sys.stdout)
