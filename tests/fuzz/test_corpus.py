"""What the fuzzer found before stays mended."""

from random import Random

import pytest

from tests.fuzz import __main__ as fuzz
from tests.fuzz import readers

GOOD = [path for path in fuzz.seeds() if path.name.startswith(("run", "qrels"))]
FAILED_ONCE = sorted(fuzz.FOUND.glob("*"))


@pytest.mark.parametrize("path", GOOD, ids=[path.name for path in GOOD])
def test_all_readers_agree_on_good_files(path):
    readers.agree(path, path.name.partition(".")[0])


@pytest.mark.parametrize("case", FAILED_ONCE, ids=[case.name for case in FAILED_ONCE])
def test_what_failed_once_holds(case):
    fuzz.tried(case)


@pytest.mark.slow
@pytest.mark.parametrize("make", [fuzz.reader_case, fuzz.command_case])
def test_a_few_new_inputs_hold(make, tmp_path):
    for number in range(40):
        case = tmp_path / str(number)
        case.mkdir()
        make(Random(number), case)
        fuzz.tried(case)
