"""The command `rankeval nuggets`."""
