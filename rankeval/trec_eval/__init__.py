"""trec_eval's flags, names, layout and quirks; its arithmetic is that of rankeval.measures."""
