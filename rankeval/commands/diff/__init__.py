"""The command `rankeval diff`."""
