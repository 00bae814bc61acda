"""The names of formats, apart from what reads them: --help needs no more."""

NAMES = ("trec", "msmarco", "beir", "csv", "tsv", "json", "jsonl", "parquet", "arrow")
