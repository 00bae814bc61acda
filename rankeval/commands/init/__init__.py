"""`rankeval init`: set up a gate from the files at hand."""
