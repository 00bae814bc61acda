"""Qrels and runs as data frames, read and ranked without rankeval."""

import pandas as pd


def qrels_frame(path):
    return pd.read_csv(
        path, sep=r"\s+", names=["topic", "iteration", "docno", "grade"], dtype={"topic": str}
    )


def run_frame(path):
    """The run in trec_eval's order: scores and then docnos descending, with ranks from 1."""
    run = pd.read_csv(
        path,
        sep=r"\s+",
        names=["topic", "q0", "docno", "given_rank", "score", "tag"],
        dtype={"topic": str, "docno": str},
    )
    run = run.sort_values(["topic", "score", "docno"], ascending=[True, False, False])
    run["rank"] = run.groupby("topic").cumcount() + 1
    return run


def judged_frame(qrels, run):
    """The run with the grade of each document; NaN for those without a judgment."""
    grades = qrels_frame(qrels)[["topic", "docno", "grade"]]
    return run_frame(run).merge(grades, on=["topic", "docno"], how="left")
