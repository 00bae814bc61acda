"""Evaluate a log on local[2]: on_spark.py (rankeval|metrics) QRELS RUN."""

import json
import sys
import time

from pyspark.sql import DataFrame, SparkSession, functions

MEASURES = "GAUC nDCG@10"
DEPTH = 10


def by_rankeval(qrels: DataFrame, run: DataFrame) -> float:
    """The mean of nDCG@10, after GAUC has been computed, too."""
    from rankeval import spark

    return spark.evaluate(qrels, run, MEASURES).runs[0]["nDCG@10"].mean


def by_ranking_metrics(qrels: DataFrame, run: DataFrame) -> float:
    """The same of Spark's own class, on the documents of each user, collected and sorted.

    It has no GAUC, and knows no grades: a document is relevant or not.
    """
    from pyspark.mllib.evaluation import RankingMetrics  # takes a while

    ranked = run.groupBy("user_id").agg(
        functions.sort_array(
            functions.collect_list(functions.struct("score", "item_id")), asc=False
        ).alias("found")
    )
    relevant = functions.when(functions.col("grade") > 0, functions.col("item_id"))
    judged = qrels.groupBy("user_id").agg(functions.collect_list(relevant).alias("judged"))
    pairs = judged.join(ranked, "user_id", "left").select(
        functions.coalesce("found.item_id", functions.array()).alias("found"), "judged"
    )
    return RankingMetrics(pairs.rdd.map(tuple)).ndcgAt(DEPTH)


def main() -> None:
    """Print the seconds in the session, and the mean."""
    name, qrels, run = sys.argv[1:]
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "6g")
        .config("spark.sql.shuffle.partitions", "16")
        .getOrCreate()
    )
    work = {"rankeval": by_rankeval, "metrics": by_ranking_metrics}[name]
    started = time.perf_counter()
    value = work(session.read.parquet(qrels), session.read.parquet(run))
    print(json.dumps({"seconds": time.perf_counter() - started, "value": value}))


if __name__ == "__main__":
    main()
