"""The command `rankeval report`."""
