"""Names that want to be more than names: of topics, documents, runs, groups and files."""

import json
from pathlib import Path

HOSTILE = [
    *("\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b]8;;http://example.org\x07link", "\x9b2J"),
    *("[bold red]x[/]", "[link=http://example.org]x[/link]", "<script>alert(1)</script>", "<!--"),
    *("![x](http://example.org/x.png)", "`x`", "a|b", "a\n| b | c |\n", "@everyone", "]]>", "&lt;"),
    *(r"\input{/etc/passwd}", r"\write18{ls}", "$x^2$", "50% & #1", "}{", "~^_"),
    *("=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1", '"=1'),
    *("x\n::error::y", "::error file=a::y", "##[error]y", "::stop-commands::z", "%0A::error::y"),
    *("a\nb", "a\tb", "a\rb", "\x00", "\x85", "\u2028", "\u202eevil", "zero\u200bwidth", " a ", ""),
    *("all", "all:x", "{0}", "%s", "%(x)s", "'; ls", "$(ls)", "x" * 300),
]
TOPICS = [text for text in HOSTILE if text]
FILES = "\x1b[31m\n::error::=1+1 <b>[red]`|\\input{x}$%&"
"""What every name of a file holds, between its first word and its suffix."""
QRELS, A, B = f"qrels{FILES}.json", f"=a{FILES}.jsonl", f"./-b{FILES}.jsonl"
ANSWERS, OTHER = f"nuggets{FILES}.jsonl", f"others{FILES}.jsonl"
NAMES = {"QRELS": QRELS, "A": A, "B": B, "ANSWERS": ANSWERS, "TOPIC": TOPICS[0]}


def write_inputs() -> None:
    """Write judgments of such topics and documents, runs with such tags, and nuggets."""
    documents = {text: i % 3 for i, text in enumerate(TOPICS)}
    Path(QRELS).write_text(json.dumps(dict.fromkeys(TOPICS, documents)))
    for path, sign, tag in (A, 1, "\x1b[31m=a\n::error::x"), (B, -1, "<b>|-b"):
        lines = [
            {"topic": topic, "docno": docno, "score": sign * i, "tag": tag}
            for topic in TOPICS
            for i, docno in enumerate([*TOPICS, "unjudged\n=1"])
        ]
        Path(path).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    groups = "".join(
        f"{topic}\t{topic}\n" for topic in TOPICS if topic.isprintable() and topic == topic.strip()
    )
    Path("groups.tsv").write_text(f"topic\tkind\n{groups}")
    labels = [{"importance": one, "assignment": "support"} for one in ("vital", TOPICS[0])]
    answers = [
        {"qid": topic, "nuggets": labels, "answer_text": topic, "run_id": "\x1b[31m=a\n::error::x"}
        for topic in TOPICS
    ]
    for path, some in ((ANSWERS, answers), (OTHER, answers[1:])):
        Path(path).write_text("".join(f"{json.dumps(answer)}\n" for answer in some))
