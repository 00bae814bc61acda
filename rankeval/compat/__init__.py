"""The interfaces of other libraries on rankeval: change the import, and keep the code."""
