"""Score runs: settings, measures, aggregation and results."""
