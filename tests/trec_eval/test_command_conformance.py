"""The cases of the conformance packs: the bytes and exit statuses of the C program."""

import json
import os
from pathlib import Path

import pytest

from tests.support.trec_eval_running import trec_eval

BESIDE = Path(__file__).parents[3] / "shared" / "conformance"
PACKS = Path(os.environ.get("RANKEVAL_CONFORMANCE", BESIDE))
FILES = {
    "10": ("trec_eval", "cases.json", ()),
    "9": ("trec_eval", "cases9.json", ("--as", "9")),
    "9 only": ("trec_eval9", "cases.json", ("--as", "9")),
}


def cases():
    for pack, (folder, name, words) in FILES.items():
        path = PACKS / folder / name
        if not path.exists():
            reason = f"no {folder}/{name} beside the repository or in $RANKEVAL_CONFORMANCE"
            yield pytest.param(None, None, (), marks=pytest.mark.skip(reason), id=pack)
            continue
        for case in json.loads(path.read_text())["cases"]:
            yield pytest.param(path.parent, case, words, id=f"{pack}: {case['name']}")


@pytest.mark.parametrize(("folder", "case", "words"), list(cases()))
def test_the_bytes_are_those_of_the_c_program(folder, case, words, monkeypatch):
    monkeypatch.chdir(folder)
    stdin = Path(case["stdin"]).read_bytes() if case.get("stdin") else b""

    done = trec_eval(*words, *case["args"], stdin=stdin)

    assert done.status == case["exit"]
    if case["expected"]:
        assert done.out == Path(case["expected"]).read_bytes()
    if case["stderr"]:
        assert done.err.strip()
