"""Texts of topics and documents: their formats, the search for some of them, and its index."""
