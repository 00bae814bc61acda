import pytest

from benchmarks.studentized_range import cases, main, of_scipy, of_student, timed


def test_the_values_asked_for_are_spread_over_means_and_degrees():
    asked = cases(1000)

    assert len(asked) == len(set(asked)) == 1000
    assert {n_means for _, n_means, _ in asked} == {3, 5, 10, 20, 30}


def test_scipys_range_of_two_means_is_that_of_students_t():
    assert of_scipy(3.0, 2, 20) == pytest.approx(of_student(3.0, 20), abs=1e-9)


def test_a_time_is_that_of_one_value():
    values, milliseconds = timed(lambda q, _n_means, _degrees: q, cases(100))

    assert values.min() >= 0.5
    assert 0 < milliseconds < 100


@pytest.mark.slow
def test_the_figures_are_printed(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["studentized_range", "--values", "25"])

    main()

    assert capsys.readouterr().out.startswith("25 p-values")
