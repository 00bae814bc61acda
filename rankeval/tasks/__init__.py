"""Compare, gate, explain, diff, describe, convert and check: what commands do."""
