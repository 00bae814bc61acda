"""Lists of cutoffs, such as 1,5,10."""

from rankeval.errors import UsageError


def cutoffs_of(text: str) -> list[int]:
    """Read the cutoffs of --cutoffs, in ascending order; UsageError for anything else."""
    try:
        cutoffs = sorted({int(word) for word in text.split(",")})
    except ValueError:
        cutoffs = []
    if not cutoffs or cutoffs[0] < 1:
        raise UsageError(
            f"the cutoffs '{text}' are not possible",
            place="--cutoffs",
            expected="whole numbers of at least 1, such as 1,5,10,100",
        )
    return cutoffs
