"""Numbers that may be undefined, and how comparisons print them: means, shares, p-values."""

import math

UNDEFINED = "-"


def finite(value: float) -> float | None:
    """Return the value as Python's own, or None if it is undefined or infinite."""
    return float(value) if math.isfinite(value) else None


def number(value: float | None, digits: int) -> str:
    """Write a number; a dash if it is undefined."""
    return UNDEFINED if value is None else f"{value:z.{digits}f}"


def signed(value: float | None, digits: int) -> str:
    """Write a difference with its sign."""
    return UNDEFINED if value is None else f"{value:+z.{digits}f}"


def percent(value: float | None) -> str:
    """Write a relative difference."""
    return UNDEFINED if value is None else f"{100 * value:+z.1f}%"


def p_value(value: float) -> str:
    """Write a p-value to four decimals."""
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


def p_words(value: float) -> str:
    """Write a p-value in a sentence."""
    return "p < 0.0001" if value < 0.0001 else f"p = {value:.4f}"


def interval(low: float | None, high: float | None, digits: int) -> str:
    """Write an interval of differences."""
    if low is None or high is None:
        return UNDEFINED
    return f"[{signed(low, digits)}, {signed(high, digits)}]"
