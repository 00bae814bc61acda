"""The command `rankeval topics`."""
