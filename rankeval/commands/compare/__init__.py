"""The command `rankeval compare`."""
