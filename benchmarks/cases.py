"""What is compared: for each case the same work, as a command for each tool."""

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which

PEERS = Path(__file__).parent / "peers"
MEASURES = "AP nDCG@10 RR"
TREC_EVAL_MEASURES = ("-m", "map", "-m", "ndcg_cut.10", "-m", "recip_rank")
PYTREC_EVAL_MEASURES = ("map", "ndcg_cut_10", "recip_rank")

Commands = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Case:
    """One comparison: the data it needs, and the commands by the name of the tool.

    Without commands it is the one from Python, `in_memory`.
    """

    name: str
    title: str
    data: tuple[str, ...] = ()
    commands: Callable[[Path, str | None], Commands] | None = None


def rankeval(*arguments: str) -> list[str]:
    """The command that stands beside this Python, as a user would call it."""
    return [str(Path(sys.executable).with_name("rankeval")), "--quiet", *arguments]


def _one_run(
    folder: Path, run: str, trec_eval: str | None, qrels: str = "passages.qrels"
) -> Commands:
    judgments, ranking = str(folder / qrels), str(folder / run)
    commands: dict[str, Sequence[str]] = {
        "rankeval": rankeval(judgments, ranking, "-m", MEASURES),
        "pytrec_eval": [
            sys.executable,
            str(PEERS / "pytrec_eval_files.py"),
            judgments,
            ranking,
            *PYTREC_EVAL_MEASURES,
        ],
    }
    if trec_eval:
        commands["trec_eval"] = [trec_eval, "-c", *TREC_EVAL_MEASURES, judgments, ranking]
        drop_in = [*rankeval()[:1], "trec_eval"]
        commands["rankeval trec_eval"] = [*drop_in, "-c", *TREC_EVAL_MEASURES, judgments, ranking]
    return commands


def _passages(folder: Path, trec_eval: str | None) -> Commands:
    floor = [sys.executable, str(PEERS / "arrow_csv.py"), str(folder / "passages.run")]
    commands = _one_run(folder, "passages.run", trec_eval)
    without = {"rankeval without a compiler": plain_python(commands["rankeval"])}
    return {**commands, **without, "pyarrow.csv alone": floor}


def plain_python(command: Sequence[str]) -> list[str]:
    """Return the same command without the compiled reader."""
    return ["env", "RANKEVAL_KERNEL=0", *command]


def _pooled(folder: Path, trec_eval: str | None) -> Commands:
    qrels = str(folder / "pooled.qrels")
    commands: dict[str, Sequence[str]] = {}
    for name, told in (
        ("", ""),
        (".interleaved", ", topics interleaved"),
        (".shards", ", in shards"),
    ):
        run = str(folder / f"pooled{name}.run")
        commands[f"rankeval{told}"] = rankeval(qrels, run, "-m", MEASURES)
        if trec_eval:
            commands[f"trec_eval{told}"] = [trec_eval, "-c", *TREC_EVAL_MEASURES, qrels, run]
    commands["rankeval without a compiler"] = plain_python(commands["rankeval"])
    qrels, runs = str(folder / "thirty.qrels"), sorted(map(str, folder.glob("thirty.*.run")))
    commands["rankeval, 30 runs"] = rankeval(qrels, *runs, "-m", MEASURES)
    if trec_eval:
        of_each = [trec_eval, "-c", *TREC_EVAL_MEASURES, qrels]
        commands["trec_eval, 30 runs"] = _in_a_loop(of_each, runs)
    return commands


def _track(folder: Path, trec_eval: str | None) -> Commands:
    qrels, runs = str(folder / "track.qrels"), sorted(map(str, folder.glob("track.*.run")))
    commands: dict[str, Sequence[str]] = {"rankeval": rankeval(qrels, *runs)}
    if trec_eval:
        commands["trec_eval"] = _in_a_loop([trec_eval, qrels], runs)
    return commands


def _in_a_loop(command: Sequence[str], runs: Sequence[str]) -> Sequence[str]:
    loop = " ".join(map(shlex.quote, runs))
    return ["sh", "-ec", f'for run in {loop}; do {shlex.join(command)} "$run"; done']


def _small(folder: Path, trec_eval: str | None) -> Commands:
    commands = dict(_one_run(folder, "small.run", trec_eval, "small.qrels"))
    ir_measures = which("ir_measures", path=str(Path(sys.executable).parent))
    if ir_measures:
        files = [str(folder / "small.qrels"), str(folder / "small.run")]
        commands["ir_measures"] = [ir_measures, *files, *MEASURES.split()]
    commands["import numpy"] = [sys.executable, "-c", "import numpy"]
    return commands


def _start(folder: Path, _trec_eval: str | None) -> Commands:
    """Small commands, whose time is mostly their start, beside the imports that they need."""
    qrels, run = str(folder / "small.qrels"), str(folder / "small.run")
    program, one_thread = rankeval()[:1], ["env", "OPENBLAS_NUM_THREADS=1", sys.executable, "-c"]
    return {
        "import numpy, typer": [*one_thread, "import numpy, typer"],
        "import numpy": [*one_thread, "import numpy"],
        "rankeval": [*program, qrels, run],
        "rankeval --version": [*program, "--version"],
        "rankeval -h": [*program, "-h"],
        "rankeval gate --help": [*program, "gate", "--help"],
        "rankeval trec_eval": [*program, "trec_eval", qrels, run],
        "rankeval compare": [*program, "compare", qrels, f"a={run}", f"b={run}"],
        "rankeval gate": [*program, "gate", qrels, f"a={run}", f"b={run}", "--max-drop", "AP=0"],
    }


def _measures(folder: Path, _trec_eval: str | None) -> Commands:
    files = (str(folder / "passages.qrels"), str(folder / "passages.run"))
    every = (folder / "measures.txt").read_text().split()
    return {
        "rankeval": rankeval(*files, "-m", "NumRet"),
        f"rankeval, {len(every)} measures": rankeval(*files, "-m", " ".join(every)),
    }


def _compressed(folder: Path, trec_eval: str | None) -> Commands:
    qrels, run = str(folder / "passages.qrels"), str(folder / "passages.run")
    commands: dict[str, Sequence[str]] = {
        "rankeval": rankeval(qrels, run, "-m", MEASURES),
        "rankeval, gzip": rankeval(qrels, f"{run}.gz", "-m", MEASURES),
        "rankeval, zstd": rankeval(qrels, f"{run}.zst", "-m", MEASURES),
        "gzip -dc alone": ["gzip", "-dc", f"{run}.gz"],
    }
    if trec_eval:
        with_trec_eval = shlex.join([trec_eval, "-c", *TREC_EVAL_MEASURES, qrels])
        unpacked = shlex.quote(str(folder / "unpacked.run"))
        script = f"gzip -dc {shlex.quote(run)}.gz > {unpacked} && {with_trec_eval} {unpacked}"
        commands["trec_eval, gzip"] = ["sh", "-ec", script]
    return commands


def _objects(folder: Path, _trec_eval: str | None) -> Commands:
    qrels, run = str(folder / "passages.qrels"), str(folder / "passages.run")
    objects = (str(folder / "passages.qrels.jsonl"), str(folder / "passages.jsonl"))
    return {
        "rankeval": rankeval(qrels, run, "-m", MEASURES),
        "rankeval, JSON Lines": rankeval(*objects, "-m", MEASURES),
    }


def _variants(folder: Path, _trec_eval: str | None) -> Commands:
    names = ("passages", "unsorted", "tied", "interleaved")
    qrels = str(folder / "passages.qrels")
    return {
        "rankeval" if name == "passages" else f"rankeval, {name}": rankeval(
            qrels, str(folder / f"{name}.run"), "-m", MEASURES
        )
        for name in names
    }


def _growth(folder: Path, _trec_eval: str | None) -> Commands:
    return {
        "rankeval" if millions == 1 else f"rankeval, {millions} M lines": rankeval(
            str(folder / "growth.1.qrels"), str(folder / f"growth.{millions}.run"), "-m", MEASURES
        )
        for millions in (1, 4, 16, 64)
    }


def _parts(folder: Path, trec_eval: str | None) -> Commands:
    qrels, log = str(folder / "log.qrels"), str(folder / "log")
    measures = ("-m", "GAUC nDCG@10")
    commands: dict[str, Sequence[str]] = {
        "rankeval": rankeval(qrels, log, *measures),
        "rankeval --jobs 1": rankeval(qrels, log, *measures, "--jobs", "1"),
        "pyarrow.dataset alone": [sys.executable, str(PEERS / "arrow_dataset.py"), qrels, log],
    }
    if trec_eval:
        lines = [str(folder / name) for name in ("log.qrels.txt", "log.run")]
        commands["trec_eval"] = [trec_eval, "-c", "-m", "ndcg_cut.10", *lines]
    return commands


def _fusion(folder: Path, _trec_eval: str | None) -> Commands:
    runs, ordered, scattered = (
        sorted(map(str, folder.glob(f"fusion.[0-9].{kind}")))
        for kind in ("run", "ordered", "scattered")
    )
    half = len(runs) // 2

    def fused(given: list[str]) -> list[str]:
        return [*rankeval()[:1], "fuse", *given, "--quiet", "-o", str(folder / "fused.trec")]

    return {
        "rankeval": rankeval(str(folder / "fusion.qrels"), *runs, "-m", "nDCG@10 AP"),
        "rankeval fuse": fused(runs),
        "the same, one run scattered": fused([scattered[0], *runs[1:]]),
        "the same, half of the runs in other orders": fused([*ordered[:half], *runs[half:]]),
        "the same, all runs in other orders": fused(ordered),
        "the same, all runs scattered": fused(scattered),
    }


CASES = {
    case.name: case
    for case in (
        Case("passages", "1: 6,980 topics x 1,000 documents", ("passages",), _passages),
        Case(
            "measures",
            "1b: every measure, over the run of case 1",
            ("passages", "measures"),
            _measures,
        ),
        Case("track", "2: 100 runs x 50 topics x 1,000 documents", ("track",), _track),
        Case("small", "3: 50 topics x 100 documents", ("small",), _small),
        Case("start", "3b: the start of small commands", ("small",), _start),
        Case(
            "compressed",
            "4: the run of case 1, compressed",
            ("passages", "compressed"),
            _compressed,
        ),
        Case("variants", "5: the run of case 1, disordered", ("passages", "variants"), _variants),
        Case("memory", "6: from Python, 500 topics x 1,000 documents"),
        Case("growth", "7: runs of 1 to 64 million lines", ("growing",), _growth),
        Case(
            "parts",
            "9: 20 million rows of Parquet, 2 million judgments (trec_eval: nDCG@10 of lines)",
            ("parts", "parts_as_lines"),
            _parts,
        ),
        Case(
            "fusion",
            "10: six runs of a million lines, fused",
            ("fusion", "fusion_orders"),
            _fusion,
        ),
        Case(
            "pooled", "11: 1,000 topics x 1,000 documents, 300,000 judgments", ("pooled",), _pooled
        ),
        Case("objects", "8: the run of case 1 in JSON Lines", ("passages", "objects"), _objects),
    )
}
