"""The commands: a folder for each, with its task, the look of its result, and its options."""
