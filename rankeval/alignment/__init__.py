"""Order documents, match them with judgments, and put both into one columnar value."""
