"""Convert files between formats."""
