"""Compare runs over several collections: `rankeval compare --collections`."""
