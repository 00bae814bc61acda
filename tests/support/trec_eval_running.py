"""Runs the command in this process, and gives what a shell would see of it."""

import io
from dataclasses import dataclass
from unittest import mock

from rankeval.trec_eval.command import main


@dataclass(frozen=True)
class Done:
    status: int
    out: bytes
    err: str


def trec_eval(*words, stdin=b"", program="trec_eval"):
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    source = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    err = io.StringIO()
    with mock.patch.multiple("sys", stdout=out, stdin=source, stderr=err):
        status = main([str(word) for word in words], program=program)
    return Done(status, out.buffer.getvalue(), err.getvalue())


def values(done):
    """{(measure, topic): printed value}."""
    lines = [line.split("\t") for line in done.out.decode().splitlines()]
    return {(name.rstrip(), topic): value for name, topic, value in lines}
