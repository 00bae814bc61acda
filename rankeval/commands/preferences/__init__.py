"""The command `rankeval preferences`."""
