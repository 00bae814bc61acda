import subprocess
import sys

import pytest

import rankeval.stats


def loaded_by(statement):
    """Return the names of modules that a fresh interpreter has after the statement."""
    code = f"import sys; {statement}; print('\\n'.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_the_statistics_imports_neither_scipy_nor_pandas():
    loaded = loaded_by("import rankeval.stats")

    assert not loaded & {"scipy", "pandas", "pyarrow", "matplotlib"}


@pytest.mark.parametrize("test", ["t", "randomization", "bootstrap", "wilcoxon", "sign"])
def test_a_paired_test_imports_no_more_of_scipy_than_its_functions(test):
    loaded = loaded_by(
        f"from rankeval.stats import paired_test; paired_test([.1, .2], test='{test}')"
    )

    assert "scipy.stats" not in loaded


def test_public_names_exist_and_are_sorted():
    assert sorted(rankeval.stats.__all__) == rankeval.stats.__all__
    assert all(hasattr(rankeval.stats, name) for name in rankeval.stats.__all__)
