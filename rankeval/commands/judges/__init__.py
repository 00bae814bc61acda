"""Compare sets of judgments with each other, and what they do to the ranking of systems."""
