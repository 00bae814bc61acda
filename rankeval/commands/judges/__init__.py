"""Compare sets of judgments with each other, and the rankings of systems by each."""
