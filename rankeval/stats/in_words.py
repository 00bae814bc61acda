"""P-values and levels of confidence as text."""

import math

SMALL = 0.0001
"""P-values below it are printed as such, unless alpha is as small."""
MOST_DIGITS = 17
"""With this many digits, different doubles have different texts."""


def p_value(value: float, alpha: float | None = None) -> str:
    """Write a p-value to four decimals, or with as many as show on which side of alpha it is.

    >>> p_value(0.04999, 0.05), p_value(3e-8, 0.05), p_value(3e-8, 6e-6)
    ('0.04999', '<0.0001', '3e-08')
    """
    if value < SMALL and (alpha is None or alpha > SMALL):
        return f"<{SMALL:.4f}"
    form, fewest = ("g", 2) if value < SMALL else ("f", 4)
    for digits in range(fewest, MOST_DIGITS):
        shown = f"{value:.{digits}{form}}"
        if alpha is None or (float(shown) < alpha) == (value < alpha):
            return shown
    return repr(value)


def p_words(value: float, alpha: float | None = None) -> str:
    """Write a p-value in a sentence, as `p_value` does.

    >>> p_words(0.04999, 0.05), p_words(3e-8), p_words(3e-8, 6e-6)
    ('p = 0.04999', 'p < 0.0001', 'p = 3e-08')
    """
    shown = p_value(value, alpha)
    return f"p < {shown[1:]}" if shown.startswith("<") else f"p = {shown}"


def confidence(risk: float) -> str:
    """Write the confidence level 1 - risk in percent, with two digits of the risk or more.

    >>> confidence(0.05), confidence(0.02466), confidence(6.2e-6)
    ('95%', '97.53%', '99.99938%')
    """
    places = max(2, 1 - math.floor(math.log10(100 * risk)))
    return f"{100 - 100 * risk:.{places}f}".rstrip("0").rstrip(".") + "%"
