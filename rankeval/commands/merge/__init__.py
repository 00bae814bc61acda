"""The command `rankeval merge`."""
