"""Secrets of addresses, with file:// in the place of s3://, whose files need none."""

import re
from itertools import product

import pytest

import rankeval
from rankeval.errors import InputError, masked
from rankeval.io.sources import remote
from rankeval.io.sources.addresses import with_secrets, without_secrets
from tests.support.commands import run_command
from tests.support.files import BM25, DENSE, QRELS

SECRET = "HUSH"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("s3://AKIA:HUSH@bucket/run.txt", "s3://hidden@bucket/run.txt"),
        ("s3://AKIA:HU/S+H@bucket/run.txt", "s3://hidden@bucket/run.txt"),
        ("s3://HUSH@bucket/run.txt", "s3://hidden@bucket/run.txt"),
        ("s3://b/k?secret_key=HUSH&region=eu", "s3://b/k?secret_key=hidden&region=eu"),
        ("https://h/x?X-Amz-Signature=HUSH", "https://h/x?X-Amz-Signature=hidden"),
        ("https://h/x?sig=HUSH&sv=2", "https://h/x?sig=hidden&sv=2"),
        ("s3://a:HUSH@b/1 + s3://a:HUSH@b/2", "s3://hidden@b/1 + s3://hidden@b/2"),
        ("NAME=s3://a:HUSH@b/1", "NAME=s3://hidden@b/1"),
        ("s3://bucket/run@1.txt", "s3://bucket/run@1.txt"),
        ("http://host:80/run@1.txt", "http://host:80/run@1.txt"),
        ("https://h/x?page=2&topic=301", "https://h/x?page=2&topic=301"),
        ("run.txt?token=HUSH", "run.txt?token=HUSH"),
    ],
)
def test_what_is_a_secret_in_an_address(address, shown):
    assert masked(address) == shown
    assert masked(shown) == shown
    assert re.sub(r"hidden\d+", "hidden", without_secrets(address)) == shown


def test_secrets_are_given_back_to_the_files_of_a_folder_as_well():
    real = "s3://AKIA:HU/SH@bucket/runs?secret_key=HUSH&region=eu"
    shown = without_secrets(real)

    assert with_secrets(shown) == real
    of_file = shown.replace("/runs", "/runs/part-0")
    assert with_secrets(of_file) == real.replace("/runs", "/runs/part-0")
    assert with_secrets("s3://other/runs") == "s3://other/runs"


def test_addresses_that_differ_in_their_secrets_only_stay_apart():
    first, second = "s3://a:ONE@same/k", "s3://a:TWO@same/k"
    shown = without_secrets(first), without_secrets(second)

    assert len(set(shown)) == 2
    assert [with_secrets(one) for one in shown] == [first, second]


def test_errors_have_no_secrets_and_keep_their_lines():
    address = without_secrets("s3://AKIA:HUSH@bucket/k?token=HUSH")
    error = InputError("not there", place=f"{address}:12", remedy="see s3://a:HUSH@b/k")

    assert SECRET not in f"{error}{error.args}{error.place}{error.remedy}"
    assert "token=hidden:12: not there" in str(error)


@pytest.fixture
def bucket(tmp_path, monkeypatch):
    """Addresses with secrets, of which only the place of the file counts, and where they came."""
    for name, text in ("q", QRELS), ("a.run", BM25), ("b.run", DENSE):
        (tmp_path / name).write_text(text)
    asked = []

    def from_address(address, open_it=remote._from_address.__wrapped__):
        asked.append(address)
        return open_it(re.sub("://[^/]*@", "://", address).partition("?")[0])

    monkeypatch.setattr(remote, "_from_address", from_address)
    monkeypatch.chdir(tmp_path)
    begin = tmp_path.as_uri().replace("://", f"://AKIA{SECRET}:{SECRET}@")
    names = {
        name: f"{begin}/{name}?secret_key={SECRET}" for name in ("q", "a.run", "b.run", "none")
    }
    (tmp_path / "rankeval.toml").write_text(
        f'[suite.s]\nqrels = "{names["q"]}"\nbaseline = "{names["a.run"]}"\n'
        f'runs = ["{names["b.run"]}"]\nrules = {{ max-drop = {{AP = "1"}}}}\n'
    )
    yield names
    assert all(SECRET in address for address in asked)


COMMANDS = {
    "eval": "eval q a.run b.run --run-names path --signature",
    "eval of one run": "eval q a.run -q -o OUT.json",
    "eval of a file that is not there": "eval q none",
    "eval skips": "eval q a.run none --on-run-error skip",
    "weights": "eval q a.run --weights none",
    "compare": "compare q a.run b.run -o OUT.html",
    "gate": "gate q a.run b.run --max-drop AP=1 --junit OUT.xml --comment OUT.md",
    "a suite": "gate --suite s --json OUT.json --append OUT.jsonl",
    "diff": "diff q a.run b.run",
    "explain": "explain q a.run 301",
    "check": "check q a.run",
    "fuse": "fuse a.run b.run -o OUT.run",
    "pool": "pool a.run b.run --depth 2",
    "judges": "judges q q a.run b.run",
    "systems": "systems q a.run b.run",
    "topics": "topics q a.run b.run",
    "report": "report q a.run b.run -o OUT.html",
    "plot": "plot pr q a.run b.run -o OUT.svg",
    "trec_eval": "trec_eval q a.run",
}
FORMATS = ("table", "json", "latex", "markdown")
PRINTED = ("eval", "diff", "explain", "check", "judges", "systems", "topics")


@pytest.mark.parametrize(
    ("command", "form"),
    [(command, None) for command in COMMANDS] + [*product(PRINTED, ("json", "markdown"))],
)
def test_no_command_shows_a_secret(bucket, tmp_path, command, form):
    words = [bucket.get(word, word) for word in COMMANDS[command].split()]
    if form is not None and command != "check":
        words += ["-f", form]
    kept = set(tmp_path.iterdir())

    done = run_command(words)

    assert done.code in (0, 1, 2)
    assert (
        command in ("weights", "trec_eval")
        or "not there" in command
        or done.code < 2
        or (command == "eval skips")
    )
    assert SECRET not in done.stdout + done.stderr
    for file in set(tmp_path.iterdir()) - kept:
        assert SECRET.encode() not in file.read_bytes(), file


def test_results_of_the_library_have_no_secret(bucket):
    results = rankeval.evaluate(bucket["q"], bucket["a.run"], "AP")

    assert SECRET not in repr(results) + results.to_markdown()
    with pytest.raises(InputError) as told:
        rankeval.evaluate(bucket["q"], bucket["none"], "AP")
    assert SECRET not in str(told.value)
