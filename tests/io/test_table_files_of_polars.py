"""Files that Polars writes, and its frames, mean what the same rows mean elsewhere."""

import pytest

import rankeval

pl = pytest.importorskip("polars")

QRELS = {"1": {"clueweb09-en0000-00-00001": 2, "b": 0}, "2": {"c": 1}}
RUN = {"1": {"b": 2.5, "clueweb09-en0000-00-00001": 1.5, "x": 1.0}, "2": {"c": 9.0, "b": 8.0}}
MEASURES = "AP nDCG@3 NumRet"


def frame(mapping, value):
    rows = [(t, d, float(v)) for t, documents in mapping.items() for d, v in documents.items()]
    return pl.DataFrame(rows, ["qid", "docid", value], orient="row")


def as_categories(data):
    names = data["docid"].unique().to_list()
    return data.with_columns(
        pl.col("qid").cast(pl.Categorical), pl.col("docid").cast(pl.Enum(names))
    )


KINDS = {
    "text": lambda data: data,
    "categories": as_categories,
    "decimals": lambda data: data.with_columns(pl.col(data.columns[2]).cast(pl.Decimal(30, 20))),
    "chunks": lambda data: pl.concat([data[:2], data[2:]], rechunk=False),
}
WRITERS = {
    "ipc": lambda data, path: data.write_ipc(path),
    "ipc stream": lambda data, path: data.write_ipc_stream(path),
    "old ipc": lambda data, path: data.write_ipc(path, compat_level=pl.CompatLevel.oldest()),
    "zstd ipc": lambda data, path: data.write_ipc(path, compression="zstd"),
    "parquet": lambda data, path: data.write_parquet(path),
    "small groups": lambda data, path: data.write_parquet(path, row_group_size=2),
    "csv": lambda data, path: data.write_csv(path),
    "ndjson": lambda data, path: data.write_ndjson(path),
}


def values(results):
    return [(score.measure, list(score.values)) for score in results.runs[0].scores]


@pytest.fixture(scope="module")
def expected():
    return values(rankeval.evaluate(QRELS, RUN, MEASURES))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("writer", WRITERS)
def test_what_polars_writes_is_read(tmp_path, writer, kind, expected):
    if writer in ("csv", "ndjson") and kind != "text":
        pytest.skip("text is text there")
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    WRITERS[writer](KINDS[kind](frame(QRELS, "relevance")), qrels)
    WRITERS[writer](KINDS[kind](frame(RUN, "score")), run)

    assert values(rankeval.evaluate(qrels, run, MEASURES)) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_of_polars_is_taken(kind, expected):
    qrels, run = (
        KINDS[kind](frame(data, name)) for data, name in ((QRELS, "relevance"), (RUN, "score"))
    )

    assert values(rankeval.evaluate(qrels, run, MEASURES)) == expected
