"""The table of families says what their modules declare."""

from pathlib import Path

import pytest

import rankeval.measures
from rankeval.measures import aliases, definitions
from rankeval.measures.declare.families import NAMES
from tests.test_imports import imported


def test_every_module_of_measures_is_a_family():
    modules = {file.stem for file in Path(rankeval.measures.__file__).parent.glob("*.py")}

    assert set(NAMES) == modules - {"__init__"} | {"recommenders"}


@pytest.mark.parametrize("family", NAMES)
def test_a_family_declares_the_names_of_the_table_in_their_order(family):
    own = [definition for definition in definitions().values() if definition.family == family]

    assert NAMES[family].split() == [n for d in own for n in (d.name, *(a.name for a in d.aliases))]


def test_every_name_of_rankeval_is_in_the_table():
    own = {name for name, definition in definitions().items() if definition.is_own}
    other = {name for name, (definition, _) in aliases().items() if definition.is_own}

    assert own | other == {name for names in NAMES.values() for name in names.split()}


def test_families_with_a_central_measure_come_first():
    tier = {
        family: min(d.tier for d in definitions().values() if d.family == family)
        for family in NAMES
    }

    assert list(NAMES) == sorted(NAMES, key=lambda family: (tier[family], family))


@pytest.mark.parametrize(
    "code",
    [
        "rankeval.evaluate({'1': {'a': 1}}, {'1': {'a': 1}}, 'AP nDCG@10 map ndcg_cut_5 P10 RR')",
        "rankeval.nDCG @ 10, rankeval.AP(rel=2)",
        "pickle.loads(pickle.dumps(rankeval.AP))",
    ],
)
def test_a_measure_imports_no_family_but_its_own(code):
    found = imported(f"import pickle, rankeval\n{code}", whole=True)

    assert "rankeval.measures.average_precision" in found
    assert not found & {f"rankeval.measures.{f}" for f in ("diversity", "ntcir", "intents", "cwl")}


def test_a_pickled_measure_is_loaded_where_no_measure_was_used_before():
    code = (
        "import pickle, rankeval\n"
        "data = pickle.dumps(rankeval.parse_measure('alpha_nDCG@5'))\n"
        "import subprocess, sys\n"
        "code = f'import pickle; assert str(pickle.loads({data!r})) == \"alpha_nDCG@5\"'\n"
        "subprocess.run([sys.executable, '-c', code], check=True)"
    )

    assert "rankeval.measures.diversity" in imported(code, whole=True)


def test_a_plugin_cannot_take_a_name_that_was_not_used_before():
    code = (
        "import rankeval\n"
        "try:\n"
        "    rankeval.measure('ALPHA_NDCG')(lambda judged: 0)\n"
        "except rankeval.MeasureError as error:\n"
        "    assert 'alpha_nDCG' in str(error), error\n"
        "else:\n"
        "    raise AssertionError"
    )

    assert "rankeval" in imported(code)
