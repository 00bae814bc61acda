"""The words of every command, in one table: what a test of all commands runs.

Capitals stand for files, which `words_of` names: QRELS, the runs A and B, ANSWERS with nuggets,
and TOPIC for a topic of them.
"""

from tests.support.files import ANSWERS, BM25, DENSE, QRELS

WORDS = {
    "eval": "QRELS A B -q",
    "compare": "QRELS A B",
    "diff": "QRELS A B",
    "gate": "QRELS A B --max-drop AP=1",
    "explain": "QRELS A TOPIC",
    "check": "QRELS A B",
    "plot": "box QRELS A B",
    "report": "QRELS A B -o -",
    "measures": "AP",
    "convert": "A - --to jsonl",
    "trec_eval": "QRELS A",
    "topics": "QRELS A B",
    "fuse": "A B",
    "pool": "A B --depth 2",
    "judges": "QRELS QRELS A B",
    "systems": "QRELS A B",
    "nuggets": "ANSWERS",
    "estimate": "QRELS A B --machine QRELS",
    "init": "QRELS A new.run --requirement rankeval-ir",
}
"""Words after which each command ends with 0 for the files of `written`."""

FILES = {"QRELS": "qrels.txt", "A": "bm25.txt", "B": "dense.txt", "ANSWERS": "answers.jsonl"}
PROGRAMS = ("tsv", "csv", "json", "jsonl")
TABLES = ("table", *PROGRAMS, "markdown", "latex", "html")
FORMATS = {
    **dict.fromkeys(("compare", "diff", "gate", "explain", "topics"), TABLES),
    **dict.fromkeys(("judges", "systems", "nuggets", "estimate"), TABLES),
    "eval": (*TABLES, "trec"),
    "pool": ("trec", "tsv", "jsonl"),
    "check": ("table", "json", "markdown", "html"),
    "measures": ("table", "json", "markdown", "html"),
}
"""The formats of every command that has -f."""


def words_of(command, **names):
    """The command and its words, with the names of files, by what stands for them."""
    names = {"TOPIC": "301", **FILES, **names}
    return [command, *(names.get(word, word) for word in WORDS[command].split())]


def written(shell):
    """Write the files that the words name."""
    shell.write(qrels=QRELS, bm25=BM25, dense=DENSE)
    shell.path("answers.jsonl").write_text(ANSWERS)
    return shell
