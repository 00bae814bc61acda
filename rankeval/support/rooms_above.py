"""Functions of rooms above that rooms below need and may not import.

`rankeval/__init__.py`, which stands above all rooms, fills this table. `import rankeval` waits for
this module, so that it imports nothing.
"""

ABOVE: dict[str, object] = {}
"""By name, functions that import and return a module of a room above."""
