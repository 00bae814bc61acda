"""Every command, with any options on any files: an exit code and words, never a traceback."""

import io
import json
import os
import re
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, BinaryIO, TextIO

from rankeval.__main__ import run
from rankeval.choices import FILE_FORMATS
from rankeval.cli import COMMANDS
from rankeval.plots.kinds import KINDS
from tests.support.commands import built_commands

MEASURES = [
    *("AP", "nDCG@10", "P@5", "RR", "R@3", "NumRet", "NumRel", "RBP(p=0.8)", "ERR@5", "Bpref"),
    *("infAP", "alpha_nDCG@5", "StRecall@5", "statAP", "Judged@10", "AUC", "Compat(p=0.9)"),
    *("nDCG(dcg=exp2)@3", "AP(rel=2)", "official", "all_trec", "map", "ndcg_cut", "P.5,10"),
    *("ndcg_cut.5,10", "nDCG@0", "nDCG@", "AP(rel=nan)", "P@99999999999", f"RR@{10**30}", "AP("),
    *("nDGC", "@10", "RBP(p=1)", "P(judged_only=True)@5", "ERR_IA@3", "BPM@5", "TBG"),
    *("UMeasure", "GMAP", "SetF(beta=2)"),
]
CUTOFF_MEASURES = ["P", "nDCG", "AP", "R", "RR", "ERR"]
MANY = (20, 500, 2_000)
WORDS = [
    *("", " ", "0", "1", "-1", "0.5", "nan", "inf", "1e400", "x", "topic", "kind", "301", "q-3"),
    *("all", "refuse", "skip", "first", "best", "max", "sum", "trec", "csv", "json", "fast"),
    *("topic=qid,docno=docno,score=score", "docno=d", "=", "AP=0.1", "AP=5%", "nDCG@10=nan"),
    *("RR=-1", "=0.1", "AP", "[", "(a", "#", r"\d+$", "(d)", "\x1b[31mred", "a\nb", "::error::x"),
    *("=1+1", "[red]", "<b>", "\udcff", "\u202e", "é", "x" * 300, "../x", "%s", "{}", "{0}"),
]
INTEGERS = ["0", "1", "2", "3", "5", "10", "100", "-1", str(2**31), str(2**63), str(10**30), "x"]
NUMBERS = ["0", "1", "0.05", "0.5", "0.999", "2", "-1", "nan", "inf", "-inf", "1e-300", "1e400"]
LINK = "link.json"
"""A link to the first file that a command line names."""

OUTPUTS = ["out.txt", "out.tsv", "out.json", "out.tex", "out.svg", "-", "missing/out", "/dev/full"]
OUTPUTS.append(LINK)
CONVERTED = ["out.parquet", "out.arrow", "out.jsonl", "out.csv.gz", "out.run.xz", "out.tsv.zst"]
SEPARATE = ("trec_eval",)
REPORTS = ("check",)
"""Commands that print what is wrong with files as what they were asked for."""

READ_NO_FILES = ("measures",)
"""Commands whose arguments are no files; their plugins are none of the files that are there."""

DATA = ("convert", "fuse", "pool")
"""Commands that write what they read, whatever it holds."""

TREC_EVAL = [
    *("-q", "-c", "-n", "-m", "-l", "-M", "-J", "-N", "-R", "-T", "-D", "-h", "--version", "-Z"),
    *("-mall_trec", "-mP.5,10", "-mset_F.0.5", "-mprefs_simp", "-Rqrels_jg", "-Rprefs", "-l2"),
    *("--as", "9", "10", "official", "map", "ndcg_cut.5", "prefs_pair", "qrels", "trec_results"),
]
CODES = {0, 2}
CODES_OF_VERDICTS = {0, 1, 2, 3}
"""Of commands that judge, and may fail to write reports; 70 is a bug, whatever the command."""

VERDICTS = ("gate", "check")
CODES_OF_TREC_EVAL = {*range(10), 255}


OUTPUT_OPTIONS = ("-o", "--output", "--junit", "--json", "--data", "--comment", "--append")
SUITES = ["fast", "slow", "many", "fast", "slow", "many", "nightly", "", "x"]
GROUPS = ["easy", "hard", "news", "two", ""]
FOR_MACHINES = ("tsv", "csv", "json", "jsonl", "trec")
OWN_COMMAND = re.compile("::(error|warning|notice) title=rankeval gate")
ENVIRONMENT = {"GITHUB_ACTIONS": "true", "RANKEVAL_TRACEBACK": "1"}


class MisbehavedError(AssertionError):
    """A command did what no command should."""


def arguments(rng: Random, files: Sequence[str]) -> list[str]:
    """A command line on some of the files, mostly one that makes sense."""
    command = rng.choice(list(COMMANDS))
    if command in SEPARATE:
        options = rng.choices([*TREC_EVAL, *files], k=rng.randrange(4))
        return [command, *options, _named(rng, files, "qrels"), _named(rng, files, "run")]
    params = _params(command)
    words: list[str] = []
    chosen = rng.choices([p for p in params if p.param_type_name == "option"], k=rng.randrange(6))
    for param in chosen:
        words.append(rng.choice(param.opts))
        if not getattr(param, "is_flag", False):
            words.append(_value(rng, param, files))
    for param in params:
        if param.param_type_name == "argument":
            count = 1 if param.nargs == 1 else rng.choice((1, 1, 2, 3))
            words += [_argument(rng, param.name, files) for _ in range(count)]
    for _ in range(rng.choice((0, 0, 0, 0, 0, 0, 0, 1, 1, 3))):
        if words:
            _change_words(rng, words, files)
    return [command, *words]


def _change_words(rng: Random, words: list[str], files: Sequence[str]) -> None:
    """Drop, double, glue, cut or replace a word of a command line."""
    at, other = rng.randrange(len(words)), rng.randrange(len(words))
    match rng.randrange(5):
        case 0:
            del words[at]
        case 1:
            words.insert(at, rng.choice([words[other], *files]))
        case 2:
            words[at : at + 2] = ["=".join(words[at : at + 2])]
        case 3:
            words[at] = words[at][: rng.randint(0, len(words[at]))] + rng.choice([*"=,% \n@(x"])
        case _:
            words[at] = rng.choice([*WORDS, *INTEGERS, *NUMBERS, "--", "-", "-q", "--help"])


@cache
def _params(command: str) -> list[Any]:
    return list(built_commands()[command].params)


def _named(rng: Random, files: Sequence[str], kind: str) -> str:
    """A file of a kind, now and then of another, or none."""
    fitting = [name for name in files if name.startswith(kind)]
    if fitting and rng.random() < 0.95:
        return rng.choice(fitting)
    return rng.choice([*files, *files, "missing", ".", "-", "irds:none", ""])


def _argument(rng: Random, name: str, files: Sequence[str]) -> str:
    match name:
        case "kind" | "topic" | "text":
            topics = ["301", "301", "302", "q-3"]
            own = {"kind": [*KINDS], "topic": topics, "text": MEASURES}
            return rng.choice([*own[name], *WORDS])
        case "qrels":
            return _named(rng, files, "qrels")
        case "files" | "source":
            return _named(rng, files, rng.choice(("qrels", "run")))
        case "target":
            return rng.choice([*OUTPUTS, *CONVERTED])
    return _named(rng, files, "run")


def _value(rng: Random, param: Any, files: Sequence[str]) -> str:
    choices = getattr(param.type, "choices", None)
    if choices and rng.random() < 0.97:
        return rng.choice(list(choices))
    made = _MAKERS.get(param.name)
    if made is not None:
        return made(rng, files)
    if "INT" in str(param.type).upper():
        return rng.choice(INTEGERS)
    return rng.choice(NUMBERS if str(param.type) == "FLOAT" else WORDS)


def _measures(rng: Random, _: Sequence[str]) -> str:
    if rng.random() < 0.03:
        return " ".join(f"{rng.choice(CUTOFF_MEASURES)}@{i}" for i in range(1, rng.choice(MANY)))
    return " ".join(rng.choices(MEASURES, k=rng.choice((1, 1, 2))))


def _output(rng: Random, files: Sequence[str]) -> str:
    return rng.choice(OUTPUTS if rng.random() < 0.8 else files)


def _limit(rng: Random, _: Sequence[str]) -> str:
    named = rng.choice(["", "", "", " in ", " on "])
    measure = rng.choice(MEASURES) + named + (rng.choice(GROUPS) if named else "")
    return measure + rng.choice(["=0.1", "=5%", "=-1", "=", "=nan", "", "=1e9"])


def _rule(rng: Random, files: Sequence[str]) -> str:
    kinds = ["max-drop", "max-drop-from-golden", "min", "max", "max-topic-drop", "mix"]
    return f"{rng.choice(kinds)} {_limit(rng, files)}"


def _part(rng: Random, files: Sequence[str]) -> str:
    part = rng.choice(["costs", "groups", "weights", "train", "seen", "catalog", "features", "x"])
    return f"{part}={_named(rng, files, part.removesuffix('s'))}"


def _no_plugin(rng: Random, _: Sequence[str]) -> str:
    return rng.choice(["missing.py", "missing", ""])  # one that is there would be run


_MAKERS: dict[str, Callable[[Random, Sequence[str]], str]] = {
    "measures": _measures,
    **dict.fromkeys(("output", "junit", "json", "data", "comment", "append"), _output),
    **dict.fromkeys(("beside", "golden"), partial(_named, kind="run")),
    "run_costs": partial(_named, kind="costs"),
    **dict.fromkeys(("max_drop", "min", "max", "max_topic_drop", "max_drop_from_golden"), _limit),
    "rule": _rule,
    "suite": lambda rng, _: rng.choice(SUITES),
    "control": lambda rng, _: rng.choice(["old", "new", "x", ""]),
    "to": lambda rng, _: rng.choice([*FILE_FORMATS, "x"]),
    "group": partial(_named, kind="group"),
    "parts": _part,
    **dict.fromkeys(("config", "collections"), partial(_named, kind="suite")),
    "plugins": _no_plugin,
}


def behaves(words: Sequence[str], folder: Path, stdin: bytes = b"") -> None:
    """Run a command in a folder of its files; MisbehavedError tells what it should not do."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        code = _in(folder, words, stdin, out, err)
        out.seek(0)
        err.seek(0)
        stdout, stderr = out.read(), err.read().decode()
    if code not in _codes(words[:1]):
        raise MisbehavedError(f"exit code {code}: {stderr}")
    _no_control_characters("stderr", stderr)
    _no_workflow_commands(words, stdout, stderr)
    if "Traceback" in stderr:
        raise MisbehavedError(stderr)
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    if any(name.endswith(".tmp") for name in after):
        raise MisbehavedError(f"left behind {sorted(after)}")
    written = {name: data for name, data in after.items() if data != before.get(name)}
    _inputs_unchanged(words, before, written)
    if code == 2 and words[0] not in SEPARATE:
        _refused(words, stdout, stderr, written)
    if words[0] not in DATA:
        for name, data in {"stdout": stdout, **written}.items():
            _no_control_characters(name, data.decode())
        _well_formed(words, code, stdout, written)


def _codes(command: Sequence[str]) -> set[int]:
    if {*command} & {*SEPARATE}:
        return CODES_OF_TREC_EVAL
    return CODES_OF_VERDICTS if {*command} & {*VERDICTS} else CODES


def _inputs_unchanged(
    words: Sequence[str], before: Mapping[str, bytes], written: Mapping[str, bytes]
) -> None:
    """What was there before is written to only where it is an output and nothing else."""
    if words[0] in READ_NO_FILES:
        return
    suites = any(name.endswith(".toml") for name in before)
    for name in written.keys() & before.keys() - {LINK}:
        whole = re.compile(
            rf"(?<![\w.-]){re.escape(name)}(?![\w.-])"
        )  # qrels.json, not qrels.jsonl
        places = [i for i, word in enumerate(words) if whole.search(word)]
        outputs = [i for i in places if _is_output(words, i)]
        if len(outputs) < len(places) or not places or suites:
            raise MisbehavedError(f"wrote over its input {name}")


def _is_output(words: Sequence[str], at: int) -> bool:
    """Whether a word of a command line says where to write."""
    word, before = words[at], words[at - 1]
    if "--update-baseline" in words and ".json" in word:
        return True
    if words[0] == "convert" and not word.startswith("-") and at > 1:
        return True
    return before in OUTPUT_OPTIONS or word.startswith(OUTPUT_OPTIONS)


def _no_workflow_commands(words: Sequence[str], stdout: bytes, stderr: str) -> None:
    """No text from a file begins a line of a log as a command to GitHub's runner."""
    machines = {*SEPARATE, *DATA, *FOR_MACHINES} & {*words}
    told = stderr if machines else stderr + "\n" + stdout.decode()
    for line in told.splitlines():
        if line.strip().startswith(("::", "##[")) and not OWN_COMMAND.match(line):
            raise MisbehavedError(f"a command to the runner of GitHub Actions: {line[:500]!r}")


def _refused(
    words: Sequence[str], stdout: bytes, stderr: str, written: Mapping[str, bytes]
) -> None:
    """A command that could not do its work says why, and leaves nothing half done."""
    reports = (*REPORTS, "gate")  # which say of each suite why it cannot be judged
    if not stderr.startswith(("rankeval: ", "Usage: ")) and not (stdout and words[0] in reports):
        raise MisbehavedError(f"refused without a reason: {stderr[:500]}")
    if words[0] == "gate":  # whose reports say why
        return
    if stdout and words[0] not in REPORTS:
        raise MisbehavedError(f"refused, and yet on stdout: {stdout[:500]!r}")
    if written and not {"--junit", "--json", "--data"} & {
        *words
    }:  # of several reports, one may be impossible
        raise MisbehavedError(f"refused, and yet wrote {sorted(written)}: {stderr}")


def _in(folder: Path, words: Sequence[str], stdin: bytes, out: BinaryIO, err: BinaryIO) -> int:
    """Run a command in a folder, and put everything back."""
    streams = sys.stdin, sys.stdout, sys.stderr
    here, environment = Path.cwd(), dict(os.environ)
    os.environ.update(ENVIRONMENT)
    os.chdir(folder)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin)))
    sys.stdout, sys.stderr = _writer(out), _writer(err)
    try:
        return run(words)
    finally:
        sys.stdout.close()
        sys.stderr.close()
        sys.stdin, sys.stdout, sys.stderr = streams
        os.chdir(here)
        os.environ.clear()
        os.environ.update(environment)


def _writer(file: BinaryIO) -> TextIO:
    """Return a stream with a descriptor of its own, which a command may point elsewhere."""
    return open(os.dup(file.fileno()), "w", encoding="utf-8", buffering=1)  # noqa: PTH123  closed by the caller


def _no_control_characters(name: str, text: str) -> None:
    for line in text.split("\n"):
        if not line.replace("\t", "").isprintable():
            raise MisbehavedError(f"{name} has what a terminal obeys: {line[:500]!r}")


def _well_formed(
    words: Sequence[str], code: int, stdout: bytes, written: Mapping[str, bytes]
) -> None:
    """JSON and XML that was written can be read."""
    readers: dict[str, Callable[[str], object]] = {"json": json.loads, "junit": ET.fromstring}
    for option, read in readers.items():
        for at in (i for i, word in enumerate(words) if word == f"--{option}"):
            name = words[at + 1] if at + 1 < len(words) else ""
            if name in written and name not in words[at + 2 :]:
                read(written[name].decode())
    formats = [words[i + 1] for i, word in enumerate(words[:-1]) if word in ("-f", "--format")]
    if code != 2 and formats == ["json"] and not {"-o", "--output", *SEPARATE} & {*words}:
        json.loads(stdout, parse_constant=_no_constant)


def _no_constant(name: str) -> None:
    raise MisbehavedError(f"{name} in JSON")
