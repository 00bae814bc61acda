"""The command `rankeval check`."""
