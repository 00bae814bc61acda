"""The command `rankeval pool`."""
