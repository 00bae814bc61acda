"""The command `rankeval plot`."""
