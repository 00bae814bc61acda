"""Agreement of judges as a document."""
