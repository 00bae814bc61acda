"""Libraries in a wrong environment: settings of matplotlib, SOURCE_DATE_EPOCH, little memory."""

import os
import subprocess
import sys

import pytest

from tests.support.files import BM25, DENSE, QRELS

SETTINGS = {
    "wrong lines": b"this is : broken : [\nfont.size: abc\nbackend: nonsense\nlines.linewidth: 9\n",
    "no text": b"\xff\xfe\x00bad",
}


@pytest.fixture
def command(tmp_path):
    for name, text in ("q", QRELS), ("a.run", BM25), ("b.run", DENSE):
        (tmp_path / name).write_text(text)

    def run(*words, limit=None, **environment):
        rankeval = [sys.executable, "-m", "rankeval", *words]
        if limit is not None:
            rankeval = ["sh", "-c", f'ulimit -v {limit}; exec "$@"', "sh", *rankeval]
        return subprocess.run(
            rankeval,
            cwd=tmp_path,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return run


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_pictures_are_the_same_whatever_the_settings_of_matplotlib(
    command, tmp_path, settings, suffix
):
    words = ("plot", "pr", "q", "a.run", "-o")
    assert command(*words, f"usual.{suffix}").returncode == 0
    (tmp_path / "matplotlibrc").write_bytes(SETTINGS[settings])

    done = command(*words, f"found.{suffix}", MPLBACKEND="nonsense")

    assert (done.returncode, done.stderr) == (0, "")
    found, usual = (tmp_path / f"{name}.{suffix}" for name in ("found", "usual"))
    assert found.read_bytes() == usual.read_bytes()


@pytest.mark.parametrize("epoch", ["abc", "1e9", "", "9" * 17])
@pytest.mark.parametrize(
    "words", ["plot pr q a.run -o x.svg", "compare q a.run b.run", "report q a.run -o x.html"]
)
def test_an_impossible_epoch_is_refused_where_it_is_read(command, tmp_path, words, epoch):
    done = command(*words.split(), SOURCE_DATE_EPOCH=epoch)

    assert done.returncode == 2
    assert done.stderr.startswith(f'rankeval: SOURCE_DATE_EPOCH: cannot be "{epoch}"')
    assert not list(tmp_path.glob("x.*"))
    assert command("eval", "q", "a.run", SOURCE_DATE_EPOCH=epoch).returncode == 0
    assert command(*words.split(), SOURCE_DATE_EPOCH="1700000000").returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="ulimit -v limits nothing elsewhere")
@pytest.mark.parametrize("limit", [30_000, 60_000, 80_000, 110_000, 150_000, 180_000])
@pytest.mark.parametrize(
    "words", ["eval q a.run", "compare q a.run b.run", "plot pr q a.run -o x.png"]
)
def test_memory_that_is_used_up_at_an_import_is_told_as_such(command, words, limit):
    done = command(*words.split(), limit=limit)

    assert done.returncode in (0, 2), done.stderr
    if done.returncode:
        assert done.stderr.startswith("rankeval: there is not enough memory")
    assert done.returncode or limit > 80_000  # numpy alone takes more
