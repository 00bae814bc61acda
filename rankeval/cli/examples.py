"""Examples at the end of each command's help: command lines, and their purpose.

`trec_eval` has none, because its help is trec_eval's own.
"""

EXAMPLES = {
    "eval": (
        ("rankeval qrels.txt bm25.run dense.run.gz", "a general-purpose set of measures"),
        ('rankeval qrels.txt *.run -m "nDCG@10 AP(rel=2) P@5"', "the measures you name"),
        ("rankeval qrels.txt *.run -q -o topics.tsv", "every topic, to a file"),
        (
            "rankeval test.tsv als.run -m MIUF@10 --train train.tsv",
            "how novel a recommender's items are",
        ),
        ("rankeval qrels.txt logs/ -m nDCG@10", "a run in parts: all files of a folder"),
        ("zcat run.gz | rankeval qrels.txt - -f json", "a run from a pipe, as JSON"),
        ("rankeval eval --collections beir.toml -m nDCG@10", "systems on many collections"),
    ),
    "compare": (
        ('rankeval compare qrels.txt bm25.run dense.run -m "nDCG@10 AP"', "two runs"),
        (
            "rankeval compare qrels.txt *.run --all-pairs --test tukey -o table.tex",
            "a paper's table",
        ),
        ("rankeval compare qrels.txt bm25.run dense.run --power", "how many topics are needed"),
        ("rankeval compare --collections beir.toml", "mean ranks over many collections"),
    ),
    "diff": (
        ("rankeval diff qrels.txt a.run b.run --top 3", "the topics that differ most"),
        ("rankeval diff qrels.txt a.run b.run --holes", "if the unjudged were relevant"),
        ("rankeval diff qrels.txt a.run b.run --emit-pool 10", "what to judge next"),
    ),
    "gate": (
        (
            "rankeval gate qrels.txt base.json new.run --max-drop 'nDCG@10=2%'",
            "fail if the mean drops by more",
        ),
        ("rankeval gate --suite nightly --github", "files and rules of rankeval.toml"),
        ("rankeval gate --suite nightly --html gate.html", "a page for people"),
        ("rankeval gate --all-suites --junit gate.xml", "all suites, in one report"),
        ("rankeval gate --all-suites --dry-run", "check files and rules, and score nothing"),
        ("rankeval gate --suite nightly --update-baseline", "accept the new values"),
    ),
    "trend": (
        ("rankeval trend history.jsonl", "what gate --append kept, by suite, and what fell"),
        (
            "rankeval trend history.jsonl --suite nightly -m nDCG@10 --last 30",
            "one measure of one suite",
        ),
        ("rankeval trend history.jsonl -o trend.svg", "a picture"),
        ("rankeval trend history.jsonl -q -o nights.tsv", "every night, to a file"),
    ),
    "judges": (
        ("rankeval judges people.qrels model.qrels", "agreement of two sets of judgments"),
        ("rankeval judges old.qrels new.qrels *.run -m AP", "and how they rank systems"),
    ),
    "systems": (
        ("rankeval systems qrels.txt *.run", "how measures agree, and what runs add to the pool"),
        (
            "rankeval systems qrels.txt *.run --pool-depth 100 --run-groups teams.txt",
            "leave teams out",
        ),
    ),
    "topics": (
        ("rankeval topics qrels.txt *.run", "hard and easy topics"),
        (
            "rankeval topics qrels.txt *.run --baseline bm25 --with dense -m nDCG@10",
            "topics that carry a difference",
        ),
    ),
    "reproduce": (
        (
            "rankeval reproduce qrels.txt --original a.run b.run --replicated c.run d.run",
            "baseline and advanced run of both",
        ),
        (
            "rankeval reproduce q.txt --original a.run b.run --replicated c.run d.run --plot a.pdf",
            "RBO and tau Union by cutoff, as a picture",
        ),
    ),
    "nuggets": (
        ("rankeval nuggets answers.jsonl", "vital, all and weighted scores"),
        ("rankeval nuggets gpt.jsonl llama.jsonl -q -o scores.tsv", "two runs, every topic"),
    ),
    "plot": (
        ("rankeval plot pr qrels.txt a.run b.run", "precision by recall, in the terminal"),
        ("rankeval plot box qrels.txt *.run -m AP -o box.pdf", "a picture for a paper"),
        ("rankeval plot ranks --collections beir.toml", "systems on many collections"),
    ),
    "report": (
        ("rankeval report qrels.txt *.run -o report.html", "one HTML page to send"),
        (
            "rankeval report qrels.txt *.run --baseline bm25.run -m AP -o report.html",
            "another baseline",
        ),
        ("rankeval report qrels.txt *.run --test tukey -o report.html", "another test"),
    ),
    "measures": (
        ("rankeval measures", "all measures, by group"),
        ("rankeval measures nDCG@10", "formula, parameters, sources, an example"),
        ("rankeval measures reciprocal rank", "search the names and descriptions"),
    ),
    "explain": (
        ("rankeval explain qrels.txt bm25.run 301", "nDCG@10, rank by rank"),
        ('rankeval explain qrels.txt bm25.run 301 -m "AP RR" --rows 5', "other measures"),
    ),
    "merge": (
        ("rankeval merge part-*.json -o whole.json", "parts of the topics, evaluated one by one"),
        (
            "rankeval merge a.json b.json --qrels qrels.txt",
            "judgments of all parts, for the digest",
        ),
    ),
    "check": (
        ("rankeval check qrels.txt *.run", "describe judgments and runs"),
        ("rankeval check runs/*.run --strict", "exit with 1 for any oddity"),
    ),
    "convert": (
        ("rankeval convert bm25.run bm25.parquet", "formats by content and by suffix"),
        ("rankeval convert run.json - --to trec", "to standard output"),
        ("rankeval convert run.gz top.tsv.gz -M 100 --to msmarco", "100 documents per topic"),
    ),
    "fuse": (
        ("rankeval fuse bm25.run dense.run -o rrf.run", "reciprocal rank fusion"),
        (
            "rankeval fuse *.run --method wsum --weights 0.7,0.3 --norm z-score -o fused.run.gz",
            "a weighted sum of scores",
        ),
        ("rankeval fuse *.run --method posfuse --train-qrels train.qrels", "a trained method"),
        (
            "rankeval fuse *.run --method wsum --tune qrels.txt -m nDCG@10 -o fused.run",
            "weights and normalisation by cross-validation",
        ),
    ),
    "pool": (
        ("rankeval pool *.run --depth 10 -o pool.qrels", "ten documents of each run"),
        ("rankeval pool *.run --order rrf --budget 50 --judged qrels.txt", "what to judge next"),
        ("rankeval pool *.run --depth 10 --covers new.run", "is the pool good for a new run"),
    ),
}
