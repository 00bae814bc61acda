"""One record per file format: how its files are recognised, read and written."""
