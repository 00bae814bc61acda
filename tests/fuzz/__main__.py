"""Feed broken files to both readers, and to every command, for as long as it is asked.

    python -m tests.fuzz --seconds 600 --seed 1

An input depends on the seed and its number alone. Each is run in a worker process whose memory
and time are limited, so that a crash, a hang and a bomb are found, too. What fails is kept in
tests/fuzz/corpus/found and tried again first of all, here and by the test suite.
"""

import argparse
import faulthandler
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random

from rankeval.io import blocks
from tests.fuzz import commands, mutation, readers

CORPUS = Path(__file__).with_name("corpus")
SEEDS, FOUND = CORPUS / "seeds", CORPUS / "found"
WORKER = [sys.executable, "-m", "tests.fuzz"]
COMMAND = "arguments.json"
SHARE_OF_COMMANDS = 0.2
PATIENCE = 180
"""Seconds that one input may take; most take a hundredth of one, imports on a busy machine many."""

MEMORY = 16 << 30
"""Of address space, which threads reserve far more of than they use."""
MOST_FAILURES = 10


def main() -> int:
    """Fuzz for some seconds and tell how many inputs held; 1 if any did not."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long")
    parser.add_argument("--seed", type=int, default=None, help="of the inputs; else any")
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--sanitize", action="store_true", help="with a kernel that checks itself")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        return work(given.worker, given.seed, given.first, given.seconds)
    seed = int.from_bytes(os.urandom(4)) if given.seed is None else given.seed
    with tempfile.TemporaryDirectory() as folder:
        if given.sanitize:
            os.environ |= sanitized(Path(folder, "libsanitized.so"))
        return watch(Path(folder), seed, given.first, time.monotonic() + given.seconds)


def sanitized(library: Path) -> dict[str, str]:
    """Compile kernel.c with what looks for wrong reads and writes; return what the workers need."""
    source = Path(blocks.__file__).with_name("kernel.c")
    checks = [
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
        "-fno-omit-frame-pointer",
    ]
    options = ["-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", *checks]
    subprocess.run(["cc", *options, "-o", library, source], check=True)
    names = [  # Arrow throws exceptions, which the sanitizer has to know from the start
        subprocess.run(["cc", f"-print-file-name={name}"], check=True, stdout=subprocess.PIPE)
        for name in ("libasan.so", "libstdc++.so.6")
    ]
    preloaded = b" ".join(done.stdout.strip() for done in names).decode()
    return {
        blocks.SWITCH: str(library),
        "LD_PRELOAD": preloaded,
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",
        "PYTHONMALLOC": "malloc",  # so that bytes behind a block are watched as well
    }


def watch(folder: Path, seed: int, first: int, end: float) -> int:
    """Run workers, one after the other as they die, until the time is over."""
    failures, number, counts = 0, first, {"readers": 0, "commands": 0}
    print(f"seed {seed}", flush=True)
    while (left := end - time.monotonic()) > 0 and failures < MOST_FAILURES:
        words = [f"--worker={folder}", f"--seed={seed}", f"--first={number}", f"--seconds={left}"]
        with subprocess.Popen(
            [*WORKER, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as worker:
            assert worker.stdout is not None
            assert worker.stderr is not None
            for line in worker.stdout:
                number, target = int(line.split()[0]) + 1, line.split()[1]
                counts[target] += 1
            told = worker.stderr.read()
        if worker.returncode:
            failures += 1
            kept = keep(folder / "case")
            print(f"input {number - 1} of seed {seed} failed, kept as {kept}\n{told}", flush=True)
    total = sum(counts.values())
    listed = ", ".join(f"{count:,} for {target}" for target, count in counts.items())
    print(f"{total:,} inputs ({listed}), {failures} failures", flush=True)
    return 1 if failures else 0


def work(folder: Path, seed: int, first: int, seconds: float) -> int:
    """Try one input after the other; the one under way stands in `folder`/case."""
    if "LD_PRELOAD" not in os.environ:  # sanitizers reserve terabytes
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("error")
    end, number = time.monotonic() + seconds, first
    while time.monotonic() < end:
        case = folder / "case"
        case.mkdir(exist_ok=True)
        for path in case.iterdir():
            path.unlink()
        rng = Random(f"{seed}:{number}")
        target = "commands" if rng.random() < SHARE_OF_COMMANDS else "readers"
        print(number, target, flush=True)
        (command_case if target == "commands" else reader_case)(rng, case)
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        try:
            tried(case)
        except Exception:  # noqa: BLE001  whatever it is, it is what is looked for
            traceback.print_exc()
            return 1
        finally:
            faulthandler.cancel_dump_traceback_later()
        number += 1
    return 0


def reader_case(rng: Random, case: Path) -> None:
    """One run or one file of judgments, mutated."""
    files = [path for path in seeds() if path.name.startswith(("run", "qrels"))]
    seed, other = rng.choice(files), rng.choice(files)
    (case / seed.name).write_bytes(mutation.wrapped(rng, seed.read_bytes(), other.read_bytes()))


def command_case(rng: Random, case: Path) -> None:
    """A command line, and files of which one or two are mutated."""
    files = {path.name: path.read_bytes() for path in seeds()}
    for name in rng.sample(sorted(files), rng.choice((0, 1, 1, 2))):
        files[name] = mutation.wrapped(rng, files[name], files[rng.choice(sorted(files))])
    words = commands.arguments(rng, sorted(files))
    needed = {word for word in words if word in files}
    if any(name.startswith("suite") for name in needed):
        needed = set(files)
    for name in needed:
        (case / name).write_bytes(files[name])
    (case / COMMAND).write_text(json.dumps(words))


def tried(case: Path) -> None:
    """Try the input in a folder: a command line with its files, or files to be read."""
    if not (case / COMMAND).exists():
        for path in sorted(case.iterdir()):
            readers.agree(path, path.name.partition(".")[0])
        return
    with tempfile.TemporaryDirectory() as copied:
        folder = Path(copied) / "files"  # which the command may write to
        shutil.copytree(case, folder)
        (folder / COMMAND).unlink()
        words = json.loads((case / COMMAND).read_text())
        stdin = next((case / name for name in words if os.path.isfile(case / name)), None)  # noqa: PTH113  a long name
        data = stdin.read_bytes() if stdin and "-" in words else b""
        if stdin:
            (folder / commands.LINK).symlink_to(stdin.name)
        commands.behaves(words, folder, data)


def seeds() -> Iterator[Path]:
    """Good files, which inputs are made of."""
    yield from sorted(SEEDS.iterdir())


def keep(case: Path) -> Path:
    """Keep an input that failed under a name that its content gives."""
    hashed = hashlib.sha256()
    for path in sorted(case.iterdir()):
        hashed.update(path.name.encode() + path.read_bytes())
    kept = FOUND / hashed.hexdigest()[:12]
    shutil.copytree(case, kept, dirs_exist_ok=True)
    return kept


if __name__ == "__main__":
    sys.exit(main())
