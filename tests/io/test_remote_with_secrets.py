"""An address that holds a password, a key or a token is refused, and shown nowhere."""

import pytest

import rankeval
from rankeval.errors import UsageError
from rankeval.io.remote import refuse_secrets
from tests.support.commands import run_command
from tests.support.files import BM25, QRELS

SECRETS = [
    "s3://AKIA:HUSH@bucket/run.txt",
    "s3://AKIA:HU/S+H@bucket/run.txt",
    "s3://b/k?secret_key=HUSH&region=eu",
    "https://h/x?X-Amz-Signature=HUSH",
    "https://h/x?sig=HUSH&sv=2",
]


@pytest.mark.parametrize("address", SECRETS)
def test_addresses_with_secrets_are_refused_without_showing_them(address):
    with pytest.raises(UsageError) as refused:
        refuse_secrets(address)

    assert "HUSH" not in f"{refused.value}{refused.value.args}"


@pytest.mark.parametrize(
    "address",
    [
        "s3://bucket/run@1.txt",
        "http://host:80/run@1.txt",
        "https://h/x?page=2&topic=301",
        "s3://name@bucket/run.txt",
    ],
)
def test_other_addresses_are_taken(address):
    refuse_secrets(address)


@pytest.mark.parametrize("address", SECRETS)
@pytest.mark.parametrize(
    "command", ["eval ADDRESS a.run", "eval q NAME=ADDRESS", "check ADDRESS", "fuse a.run ADDRESS"]
)
def test_no_command_takes_or_shows_a_secret(tmp_path, monkeypatch, command, address):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q").write_text(QRELS)
    (tmp_path / "a.run").write_text(BM25)

    done = run_command(command.replace("ADDRESS", address).split())

    assert done.code == 2
    assert "HUSH" not in done.stdout + done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"q", "a.run"}


def test_the_library_refuses_them_too():
    with pytest.raises(UsageError, match="holds a password, a key or a token"):
        rankeval.evaluate({"301": {"a": 1}}, "s3://AKIA:HUSH@bucket/run.txt", "AP")
