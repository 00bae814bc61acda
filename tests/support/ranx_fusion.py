"""Fusion by ranx, in a process of its own: `python -m tests.support.ranx_fusion` answers cases.

numba would compile for minutes; NUMBA_DISABLE_JIT, which it reads when it is imported, spares that.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any


def answers(cases: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """ranx's answer to each case: the fused scores.

    A case has the method and the normalisation by ranx's names, runs, and parameters.
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

    runs = list(map(ranx.Run, case["runs"]))
    found = ranx.fuse(runs, case["norm"], case["method"], dict(case["parameters"]))
    return {t: {d: float(s) for d, s in found[t].items()} for t in found.keys()}  # noqa: SIM118  no mapping


if __name__ == "__main__":
    json.dump([_answer(case) for case in json.load(sys.stdin)], sys.stdout)
