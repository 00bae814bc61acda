"""What the fuzzer found before stays mended, and it finds what is wrong."""

from random import Random

import pytest

from rankeval.io.parsers import arrow_parser, kernel_parser
from tests.fuzz import __main__ as fuzz
from tests.fuzz import commands, readers
from tests.support.compiled import needs_kernel

GOOD = [path for path in fuzz.seeds() if path.name.startswith(("run", "qrels"))]
FAILED_ONCE = sorted(fuzz.FOUND.glob("*"))


@pytest.mark.parametrize("path", GOOD, ids=[path.name for path in GOOD])
def test_all_readers_agree_on_good_files(path):
    readers.agree(path, path.name.partition(".")[0])


@pytest.mark.parametrize("case", FAILED_ONCE, ids=[case.name for case in FAILED_ONCE])
def test_what_failed_once_holds(case):
    fuzz.tried(case)


def test_an_input_that_is_overwritten_is_found(tmp_path, monkeypatch):
    for name, text in (("qrels.trec", "301 0 a 1\n"), ("run.trec", "301 Q0 a 1 1 t\n")):
        (tmp_path / name).write_text(text)
    monkeypatch.setattr("rankeval.cli.options.option_groups.refuse_overwriting", lambda **_: None)

    with pytest.raises(commands.MisbehavedError, match="wrote over its input run"):
        commands.behaves(
            ["eval", "qrels.trec", "run.trec", "-o", "run.trec", "-f", "tsv"], tmp_path
        )


@pytest.mark.slow
@pytest.mark.parametrize("make", [fuzz.reader_case, fuzz.command_case])
def test_a_few_new_inputs_hold(make, tmp_path):
    for number in range(40):
        case = tmp_path / str(number)
        case.mkdir()
        make(Random(number), case)
        fuzz.tried(case)


@pytest.mark.parametrize(
    "parser",
    [arrow_parser, pytest.param(kernel_parser, marks=needs_kernel)],
    ids=["arrow", "kernel"],
)
def test_a_reader_that_loses_a_bit_is_found(monkeypatch, parser):
    parse = parser.parse

    def inexact(*given):
        found = parse(*given)
        if found is not None:
            object.__setattr__(found, "values", found.values + 2.0**-40)
        return found

    monkeypatch.setattr(parser, "parse", inexact)

    with pytest.raises(readers.DisagreementError, match="but: "):
        readers.agree(fuzz.SEEDS / "run.trec", "run")
