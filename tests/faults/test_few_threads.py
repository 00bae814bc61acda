"""A limit on the number of threads: files are read in those that can be had."""

import os
import resource
import subprocess
import sys

import pytest

from tests.support.processes import environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limit of Linux")

NOBODY = 54_321
"""A user of whom no process runs: the limit counts all of a user's."""


@pytest.mark.parametrize("processes", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("jobs", ["1", "4"])
@pytest.mark.parametrize("last", ["1 tag", "1e0 tag", "1 tag\n# the end"], ids=repr)
def test_a_large_run_is_read_where_few_threads_can_be_had(tmp_path, processes, jobs, last):
    """As under `ulimit -u`, which holds for whoever is not the superuser."""

    def without_threads() -> None:
        if os.geteuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))

    def ran_there(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            preexec_fn=without_threads,
            env=environment(OPENBLAS_NUM_THREADS="1"),
            check=False,
        )

    tmp_path.chmod(0o755)
    (tmp_path / "qrels.txt").write_text("1 0 d0000001 1\n2 0 d0000002 1\n")
    topic = "".join(f"{{}} Q0 d{i:07} {i + 1} {70_000 - i} tag\n" for i in range(70_000))
    text = "".join(topic.replace("{}", t) for t in ("1", "2"))
    (tmp_path / "run.txt").write_text(text.removesuffix("1 tag\n") + last + "\n")
    try:
        probe = ran_there("-c", "import rankeval").returncode
    except PermissionError:  # of a Python below the superuser's home
        probe = 1
    if probe:
        pytest.skip("another user cannot start this Python")

    words = ("-m", "rankeval", "eval", "qrels.txt", "run.txt", "-m", "RR", "-f", "trec", "--quiet")
    done = ran_there(*words, "--jobs", jobs)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split()[-1] == "0.4167"
