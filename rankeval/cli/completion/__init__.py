"""Completion for shells: `protocol` talks to them, `words` and `values` find completions."""
