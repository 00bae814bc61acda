"""The sheets on which all kinds of plots are looked at."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")
from docs.studies.picture_grid import as_grey, measure, sheet, without_green_cones


def colour(*rgb):
    return np.array([[rgb]], np.uint8)


@pytest.mark.parametrize("seen", [as_grey, without_green_cones])
def test_black_grey_and_white_stay_as_they_are(seen):
    for level in (0, 128, 255):
        assert np.abs(seen(colour(*[level] * 3)).astype(int) - level).max() <= 2


def test_red_and_green_of_one_lightness_are_alike_without_green_cones():
    red, green, blue = colour(204, 102, 51), colour(128, 138, 47), colour(40, 90, 220)

    def distance(a, b):
        seen = [without_green_cones(pixels).astype(int) for pixels in (a, b)]
        return np.abs(seen[0] - seen[1]).max()

    assert distance(red, green) < 0.6 * np.abs(red.astype(int) - green.astype(int)).max()
    assert distance(red, blue) > 100


def test_a_sheet_holds_every_picture_once():
    pictures = [np.full((4 + i, 6, 3), 10 * i, np.uint8) for i in range(7)]

    whole = sheet(pictures, columns=3)

    for i in range(1, 7):
        assert (whole[..., 0] == 10 * i).sum() == (4 + i) * 6


def test_the_grid_is_measured_by_kind(monkeypatch, capsys):
    from docs.studies import picture_grid
    from tests.support.pictures import Case

    cases = [Case("ci", size, 8, long=True, n_topics=5) for size in ("column", "3.33x2")]
    monkeypatch.setattr(picture_grid, "every_case", lambda: iter(cases))

    measure(["ci"])

    _head, line = capsys.readouterr().out.splitlines()
    kind, pictures, _, _, faults, gap, panel, highest, _ = line.split()
    assert (kind, pictures, faults) == ("ci", "2", "0")
    assert float(gap) >= 0.0
    assert float(panel) >= 0.3
    assert float(highest) <= 9.0

    measure(["ci"], 1)

    _head, line = capsys.readouterr().out.splitlines()
    assert line.split()[:2] == ["ci", "1"]
