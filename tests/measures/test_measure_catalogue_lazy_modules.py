"""A measure imports its own module when it is first used, and no other."""

import pytest

from tests.test_imports import imported


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
    assert not found & {f"rankeval.measures.{f}" for f in ("diversity", "ntcir", "cwl", "plugins")}


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
