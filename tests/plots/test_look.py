"""Colours, names and fonts: what readers tell apart, by formulas of their own."""

from itertools import pairwise

import numpy as np
import pytest

from rankeval.plots import look

pytest.importorskip("matplotlib")

DEUTERANOPIA = np.array(
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]
)
"""Machado, Oliveira and Fernandes, IEEE TVCG 15(6), 2009, for linear RGB."""


def linear(colour):
    """Linear RGB of a colour, by the definition of sRGB."""
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def luminance(rgb):
    return float(np.clip(rgb, 0, 1) @ [0.2126, 0.7152, 0.0722])


def lightness(y):
    """L* of CIE 1976."""
    return 116 * np.cbrt(y) - 16 if y > 216 / 24389 else y * 24389 / 27


def contrast(one, other):
    """The contrast of WCAG 2."""
    low, high = sorted(luminance(linear(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("colours", "style"), [(look.LIGHT, "light"), (look.DARK, "dark")])
def test_colours_have_a_contrast_of_three_with_their_background(colours, style):
    signs = (look.BETTER, look.WORSE, look.NEUTRAL, look.MUTED[style])
    for colour in (*colours, *signs, look.INKS[style]):
        assert contrast(colour, look.PAPERS[style]) >= 3.0


@pytest.mark.parametrize("colours", [look.LIGHT, look.DARK])
@pytest.mark.parametrize("seen", [np.eye(3), DEUTERANOPIA], ids=["grey", "deuteranopia"])
def test_neighbours_differ_in_lightness(colours, seen):
    lights = [lightness(luminance(seen @ linear(colour))) for colour in colours]

    assert all(abs(a - b) >= 9.0 for a, b in pairwise([*lights, lights[0]]))


def test_no_two_of_many_runs_have_the_same_line_and_marker_in_colours_alike():
    with look.look():
        looks = [look.identity(i) for i in range(72)]

    for i, one in enumerate(looks):
        for other in looks[:i]:
            if one[1:] == other[1:]:
                lights = [lightness(luminance(linear(each[0]))) for each in (one, other)]
                assert abs(lights[0] - lights[1]) >= 9.0
