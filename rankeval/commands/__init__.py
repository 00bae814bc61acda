"""The commands: a folder for each, with what it does, how its result looks, and its options."""
