"""Tests of rankeval, as a package: baycomp installs a `tests` too, which would hide a folder."""
