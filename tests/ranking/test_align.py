"""Runs aligned with judgments: order, ties and links, whatever way the lines come in."""

import gzip
import io
import sys
import tracemalloc
import weakref
from random import Random

import numpy as np
import pyarrow as pa
import pytest

from rankeval.errors import InputError
from rankeval.io import arrow_parser, blocks, lines_parser, names
from rankeval.io.formats import Form
from rankeval.measures import parse_measure
from rankeval.ranking.align import Alignment, Rules, align
from rankeval.ranking.qrels import Qrels, from_mapping
from tests.support.compiled import without_kernel
from tests.support.read_sizes import fast
from tests.support.samples import collection

FAST = {"sizes": fast()}


def lines_of(run, tag="tag"):
    return [
        f"{topic} Q0 {docno} 0 {score} {tag}\n".encode()
        for topic, documents in run.items()
        for docno, score in documents.items()
    ]


@pytest.fixture
def aligned(tmp_path):
    """Align a run that is given as text or lines with judgments that are given as dictionaries."""

    def aligned(judged, text, rules: Rules = Rules(), **how) -> Alignment:  # noqa: B008
        path = tmp_path / "run"
        path.write_bytes(text if isinstance(text, bytes) else b"".join(text))
        qrels = judged if isinstance(judged, Qrels) else from_mapping(judged)
        return align(qrels, str(path), rules, **how)

    return aligned


def everything(alignment: Alignment) -> list[object]:
    judged = alignment.judged
    arrays = [judged.retrieved, judged.offsets, judged.rank, judged.grade, judged.judgment]
    arrays += [judged.score, judged.tie_first, judged.tie_last]
    rest = [alignment.last_tag, alignment.without, alignment.duplicates]
    return [judged.topics, *(array.tobytes() for array in arrays), *rest, alignment.lines]


def ranks(alignment: Alignment, qrels: Qrels) -> dict[str, int]:
    """The rank of each judged document of the first topic."""
    names = [qrels.docnos.names[i].decode() for i in qrels.docno.tolist()]
    rows = zip(alignment.judged.judgment.tolist(), alignment.judged.rank.tolist(), strict=True)
    return {names[judgment]: rank for judgment, rank in rows}


@pytest.mark.parametrize("how", [{}, FAST, {"sizes": fast(block_bytes=100), "jobs": 2}])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_document_gets_the_rank_that_trec_eval_gives_it(aligned, how, seed):
    """The reciprocal rank tells a document's rank when no other document is relevant."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    random = Random(seed)
    docnos = [
        random.choice("aAbBzZ09-_é文") + random.choice(["", "0", "1", "a"]) for _ in range(40)
    ]
    scores = {docno: random.randint(-8, 8) / 4 for docno in docnos}
    judged = {f"only {docno}".replace(" ", "-"): {docno: 1} for docno in scores}
    run = dict.fromkeys(judged, scores)
    lines = lines_of(run)
    random.shuffle(lines)
    expected = pytrec_eval.RelevanceEvaluator(judged, {"recip_rank"}).evaluate(run)

    judgments = aligned(judged, lines, **how).judged

    assert [topic.decode() for topic in judgments.topics] == sorted(
        judged, key=lambda topic: topic.encode()
    )
    assert judgments.rank.tolist() == [
        round(1 / expected[topic.decode()]["recip_rank"]) for topic in judgments.topics
    ]


@pytest.mark.parametrize("how", [{}, {"sizes": fast(block_bytes=500), "jobs": 2}])
@pytest.mark.parametrize("pair", [collection(5), collection(6)], ids=["5", "6"])
def test_measures_of_an_aligned_file_are_those_of_trec_eval(aligned, how, pair):
    """Ties, unsorted and interleaved lines, negative grades, topics that one side lacks."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels = {topic.replace(" ", "-"): judged for topic, judged in pair[0].items()}
    run = {topic.replace(" ", "-"): scores for topic, scores in pair[1].items()}
    qrels = {  # trec_eval cannot read a topic whose grades are all negative
        topic: judged for topic, judged in qrels.items() if max(judged.values()) >= 0
    }
    lines = lines_of(run)
    Random(7).shuffle(lines)
    names = {"map": "AP", "recip_rank": "RR", "ndcg": "nDCG", "Rprec": "Rprec", "P_5": "P@5"}
    counts = {"num_ret": "NumRet", "num_rel": "NumRel", "num_rel_ret": "NumRelRet"}
    expected = pytrec_eval.RelevanceEvaluator(
        qrels, {"map", "recip_rank", "ndcg", "Rprec", "P.5", *counts}
    ).evaluate(run)

    alignment = aligned(qrels, lines, **how)

    both = [topic.decode() in run for topic in alignment.judged.topics]
    topics = [topic.decode() for topic in alignment.judged.topics if topic.decode() in run]
    for name, ours in {**names, **counts}.items():
        values = parse_measure(ours).values(alignment.judged)[both]
        np.testing.assert_allclose(
            values, [expected[topic][name] for topic in topics], atol=1e-12, err_msg=name
        )
    assert set(alignment.without) == {t.encode() for t in run if t not in qrels}
    assert (alignment.judged.retrieved == 0).tolist() == [not there for there in both]


@pytest.mark.parametrize("how", [{}, FAST])
@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("a 3 b 2 c 1", "abc"),
        ("a 1 b 3 c 2", "bca"),
        ("a 1 b 1 c 1", "cba"),
        ("a 1 a10 1 z 1 A 1 Z 1 9 1", ["z", "a10", "a", "Z", "A", "9"]),
        ("a 0 b -0.0 c 0.0", "cba"),
        ("a 0.30000000000000004 b 0.3", "ab"),
        ("a 16777217 b 16777216", "ab"),
        ("a 2e-320 b 1e-320 c 0", "abc"),
        ("a -1 b -2 c -1.5", "acb"),
        ("a 1e3 b 999 c 1001", "cab"),
    ],
)
def test_scores_descend_and_ties_go_by_docno_descending(aligned, how, text, order):
    words = text.split()
    qrels = from_mapping({"1": dict.fromkeys(words[::2], 1)})
    rows = zip(words[::2], words[1::2], strict=True)

    alignment = aligned(
        qrels, [f"1 0 {d} {i} {s} t\n".encode() for i, (d, s) in enumerate(rows)], **how
    )

    assert ranks(alignment, qrels) == {docno: i + 1 for i, docno in enumerate(order)}


@pytest.mark.parametrize("how", [{}, FAST])
@pytest.mark.parametrize(
    ("ties", "order"), [("docno", "dcba"), ("docno-ascending", "abcd"), ("input", "badc")]
)
def test_ties_may_be_broken_in_other_ways(aligned, how, ties, order):
    qrels = from_mapping({"1": dict.fromkeys("abcd", 1)})
    lines = [f"1 0 {docno} 0 1 t\n".encode() for docno in "badc"]

    alignment = aligned(qrels, [b"1 0 last 0 0 t\n", *lines], Rules(ties=ties), **how)

    assert ranks(alignment, qrels) == {docno: i + 1 for i, docno in enumerate(order)}
    assert alignment.judged.tie_first.tolist() == [1] * 4
    assert alignment.judged.tie_last.tolist() == [4] * 4


WITH_RANKS = {"layout": Form("run", ranks=True)}


@pytest.mark.parametrize("how", [{}, FAST, {"sizes": fast(block_bytes=30), "jobs": 2}])
def test_the_rank_column_may_break_ties_and_docno_breaks_what_is_left(aligned, how):
    qrels = from_mapping({"1": dict.fromkeys("abcd", 1), "2": {"a": 1, "b": 1}})
    lines = ["1 0 a 3 1 t", "1 0 b 1.5 1 t", "2 0 a 1 5 t", "1 0 c 3 1 t", "1 0 d 9 2 t"]
    text = "".join(f"{line}\n" for line in [*lines, "2 0 b 0 5 t"]).encode()

    alignment = aligned(qrels, text, Rules(ties="rank"), **WITH_RANKS, **how)

    assert alignment.judged.rank.tolist() == [1, 2, 3, 4, 1, 2]
    names = [qrels.docnos.names[i] for i in qrels.docno[alignment.judged.judgment].tolist()]
    assert names == [b"d", b"b", b"c", b"a", b"b", b"a"]


@pytest.mark.parametrize("how", [{}, FAST])
@pytest.mark.parametrize("rank", ["one", "nan", "1_0"])
def test_a_rank_that_is_no_number_is_refused_where_ranks_count(aligned, how, rank):
    lines = [b"1 0 a 1 2 t\n", f"1 0 b {rank} 1 t\n".encode()]

    assert aligned({"1": {"a": 1}}, lines, **how)
    with pytest.raises(InputError, match=r"rank .* is not a finite number") as caught:
        aligned({"1": {"a": 1}}, lines, Rules(ties="rank"), **WITH_RANKS, **how)

    assert caught.value.place.endswith("run:2")


@pytest.mark.parametrize("how", [{}, FAST])
@pytest.mark.parametrize(("ties", "order"), [("best", "caxedb_"), ("worst", "xedb_ac")])
def test_better_grades_may_come_first_or_last_among_equal_scores(aligned, how, ties, order):
    """The unjudged x, the nonrelevant e, d and _ and the junk b are alike: docno decides."""
    grades = {"a": 1, "b": -1, "c": 2, "d": 0, "e": 0, "_": 0}
    qrels = from_mapping({"1": grades})
    lines = [f"1 0 {docno} 0 1 t\n".encode() for docno in "bxaecd_"]

    alignment = aligned(qrels, lines, Rules(ties=ties), **how)

    found = sorted(grades, key=ranks(alignment, qrels).get)
    assert [order.index(docno) + 1 for docno in found] == alignment.judged.rank.tolist()


@pytest.mark.parametrize("how", [{}, FAST, {"sizes": fast(block_bytes=20)}])
def test_a_document_named_as_its_topic_may_be_left_out(aligned, how):
    qrels = from_mapping({"1": {"1": 1, "a": 1}, "2": {"1": 1, "2": 1}, "3": {"a": 1}})
    lines = ["1 0 1 0 9 t", "1 0 a 0 8 t", "2 0 2 0 7 t", "3 0 b 0 2 t", "3 0 a 0 1 t"]

    alignment = aligned(
        qrels, "".join(f"{line}\n" for line in lines).encode(), Rules(no_self=True), **how
    )

    assert alignment.judged.retrieved.tolist() == [1, 0, 2]
    assert alignment.judged.rank.tolist() == [1, 2]


@pytest.mark.parametrize("how", [{}, FAST, {"sizes": fast(block_bytes=20)}])
def test_rows_tell_their_group_of_equal_scores_and_their_judgment(aligned, how):
    qrels = from_mapping({"2": {"x": 3, "b": 1, "e": -1}, "1": {"c": 0, "a": 2, "missing": 1}})
    text = (
        b"1 0 a 1 5 t\n1 0 b 2 5 t\n1 0 c 3 5 t\n1 0 d 4 1 t\n"
        b"2 0 e 1 1 t\n2 0 b 2 2 t\n2 0 c 2 2 t\n2 0 x 3 9 t\n2 0 y 4 1 t\n"
    )

    judged = aligned(qrels, text, **how).judged

    assert judged.retrieved.tolist() == [4, 5]
    assert judged.offsets.tolist() == [0, 2, 5]
    assert judged.rank.tolist() == [1, 3, 1, 3, 5]  # c, a; x, b, e
    assert judged.grade.tolist() == [0, 2, 3, 1, -1]
    assert judged.score.tolist() == [5, 5, 9, 2, 1]
    assert judged.tie_first.tolist() == [1, 1, 1, 2, 4]
    assert judged.tie_last.tolist() == [3, 3, 1, 3, 5]
    assert judged.tie_rank.tolist() == [2, 2, 1, 2.5, 4.5]
    assert qrels.grade[judged.judgment].tolist() == judged.grade.tolist()
    assert np.searchsorted(qrels.offsets, judged.judgment, "right").tolist() == [1, 1, 2, 2, 2]
    assert judged.judged_grade.tolist() == [2, 1, 0, 3, 1, -1]
    assert judged.highest_grade == 3


@pytest.mark.slow
def test_no_bit_depends_on_where_blocks_end_or_on_threads(aligned):
    """One line per block, a topic over many blocks, a border in a line, at its end, in a topic."""
    qrels = from_mapping({"1": {"a": 1, "c": 2}, "2": {"b": 1}, "3": {"c": 0}, "4": {"x": 1}})
    run = {"1": dict(zip("abcde", [3, 3, 3, 2, 2.5], strict=True)), "2": {"b": 1}}
    run |= {"5": {"a": 1, "b": 2}, "3": {"c": 1, "d": 1, "a": 1}}
    lines = lines_of(run)
    whole = everything(aligned(qrels, lines))

    for size in range(1, sum(map(len, lines)) + 2):
        for jobs in (1, 2):
            found = aligned(qrels, lines, sizes=fast(block_bytes=size), jobs=jobs)
            assert everything(found) == whole, (size, jobs)


@pytest.mark.parametrize(
    "topics",
    ["121", "1121112", "123321", "1222223331", "1212121212", "9199", "111112111", "1231"],
)
def test_a_topic_that_comes_back_is_ranked_with_all_its_lines(aligned, topics):
    judged = {"1": {"d0": 1, "d3": 2, "d8": 1, "d9": 3}, "2": {"d1": 1, "d2": 1}, "3": {"d4": 1}}
    lines = [f"{t} 0 d{i} 0 {i % 3} tag{i}\n".encode() for i, t in enumerate(topics)]
    run = {}
    for i, topic in enumerate(topics):
        run.setdefault(topic, {})[f"d{i}"] = i % 3
    gathered = everything(aligned(judged, lines_of(run)))

    for size in (1, 20, 25, 45, 70, 1000):
        for jobs in (1, 2):
            found = everything(aligned(judged, lines, sizes=fast(block_bytes=size), jobs=jobs))
            assert found[:9] == gathered[:9]  # all but the tag and the line numbers of duplicates


@pytest.mark.parametrize("how", [{}, FAST, {"sizes": fast(block_bytes=30)}])
def test_duplicates_are_told_with_both_lines(aligned, how):
    text = (
        b"# made by hand\n1 0 a 1 5 t\n1 0 b 2 4 t\n\n1 0 a 3 3 t\n2 0 a 1 1 t\n3 0 a 1 1 t\n"
        b"3 0 a 2 1 t\n3 0 a 3 1 t\n"
    )

    found = aligned({"1": {"a": 1}}, text, **how).duplicates

    assert [(d.topic, d.docno, d.first_line, d.line) for d in found] == [
        (b"1", b"a", 2, 5),
        (b"3", b"a", 7, 8),
        (b"3", b"a", 7, 9),
    ]


def test_equal_hashes_are_no_duplicates_and_no_matches(aligned, monkeypatch):
    """Topics are longer than eight bytes: different ones of fewer have different hashes."""
    run = {f"topic-no-{t}": {f"d{i}": i for i in range(9)} for t in range(3)}
    judged = {"topic-no-0": {"d1": 1, "d7": 2}, "topic-no-2": {"d0": 1, "elsewhere": 1}}
    lines = lines_of(run)
    lines.insert(5, b"topic-no-0 0 d2 0 5 tag\n")
    plain = aligned(judged, lines)

    for constant in (0, 2**64 - 1, 1 << 40):
        monkeypatch.setattr(
            names, "hashes", lambda texts, c=constant: np.full(len(texts.starts), c, "u8")
        )
        with without_kernel():
            assert everything(aligned(judged, lines, sizes=fast())) == everything(plain)
    assert [(d.docno, d.line) for d in plain.duplicates] == [(b"d2", 6)]


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("at_once", [1, 20, 1 << 17])
@pytest.mark.parametrize("few", [0, 1 << 15])
def test_scattered_topics_are_ranked_in_pieces(aligned, monkeypatch, few, at_once, jobs):
    """Few are the stretches of a block whose topics, or ties whose docnos, become Python's own."""
    run = {f"t{t % 7}{t}": {f"d{i}": i % 3 for i in range(t + 2)} for t in range(30)}
    judged = {topic: {f"d{i}": 1 for i in range(0, 9, 2)} for topic in list(run)[3:]}
    lines = [*lines_of(run), *lines_of({"t00": {"d1": 9}}), b"# made by hand\n"]
    Random(3).shuffle(lines)
    plain = everything(aligned(judged, lines))
    monkeypatch.setattr(names, "MANY", few)

    for size in 300, 1 << 20:
        found = aligned(
            judged, lines, sizes=fast(block_bytes=size, ranked_lines=at_once), jobs=jobs
        )
        assert everything(found) == plain
    assert [duplicate.docno for duplicate in found.duplicates] == [b"d1"]


def test_topics_of_few_lines_are_counted_whole_where_a_block_has_many(aligned, monkeypatch):
    run = {f"t{t}": {f"d{i}": -i for i in range(3)} for t in range(90)}
    monkeypatch.setattr(names, "MANY", 1)

    with without_kernel():
        judged = {topic: {"d1": 1} for topic in run}
        found = aligned(judged, lines_of(run), sizes=fast(block_bytes=300))

    assert found.judged.retrieved.tolist() == [3] * 90


@pytest.fixture
def as_stdin(monkeypatch):
    """Put bytes on standard input, as the operating system or as a notebook would."""

    def put(data: bytes, *, buffered: bool) -> None:
        raw = io.BytesIO(data)
        stream = io.BufferedReader(raw) if buffered else raw
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))

    return put


@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize("how", [{}, {"sizes": fast(block_bytes=64), "jobs": 2}])
@pytest.mark.parametrize("compress", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_standard_input_is_read_in_one_pass(aligned, as_stdin, buffered, how, compress):
    judged = from_mapping({"1": {"a": 1, "c": 1}, "2": {"b": 1}})
    lines = lines_of({"1": {"a": 1, "b": 1}, "2": {f"d{i}": -i for i in range(50)} | {"b": 0}})
    lines.append(b"1 0 c 0 7 tag\n")  # comes back, and cannot be read again
    plain = everything(aligned(judged, lines))
    as_stdin(compress(b"".join(lines)), buffered=buffered)

    assert everything(align(judged, "-", **how)) == plain
    assert not sys.stdin.buffer.closed


def megabytes(size: int) -> bytes:
    """A run of many topics of 100 lines each."""
    topics = size * 1_000_000 // 3000
    documents = [b"doc-%06d %d %d" % (i * 7919 % 1_000_000, i, 100 - i) for i in range(100)]
    return b"".join(
        b"%06d 0 %b tag\n" % (topic, document) for topic in range(topics) for document in documents
    )


def peak_memory(qrels: Qrels, path, monkeypatch) -> tuple[int, int, int]:
    """The most Columns alive at once, and the most memory that Arrow and Python held."""
    alive = weakref.WeakSet()
    columns, arrow_bytes = [], []
    parser, name = arrow_parser, "parse"
    if blocks.library():
        parser, name = lines_parser, "parse_at_once"
    parse = getattr(parser, name)

    def counting(*arguments):
        parsed = parse(*arguments)
        alive.add(parsed)
        columns.append(len(alive))
        arrow_bytes.append(pa.total_allocated_bytes())
        return parsed

    with monkeypatch.context() as patched:
        patched.setattr(parser, name, counting)
        tracemalloc.start()
        try:
            align(qrels, str(path), sizes=fast(block_bytes=1 << 18), jobs=2)
            return max(columns), max(arrow_bytes), tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


def test_memory_does_not_grow_with_the_file(tmp_path, monkeypatch):
    qrels = from_mapping({f"{topic:06}": {"doc-000000": 1} for topic in range(1000)})
    path = tmp_path / "run"
    path.write_bytes(megabytes(4))
    columns, arrow_bytes, other_bytes = peak_memory(qrels, path, monkeypatch)
    path.write_bytes(megabytes(16))
    more_columns, more_arrow_bytes, more_other_bytes = peak_memory(qrels, path, monkeypatch)

    # A peak differs by some blocks with what two threads happen to hold at once, and by the
    # names of the added topics; it must not hold a tenth of the 12 MB that were added.
    assert max(columns, more_columns) <= 6  # of 16 and of 64 blocks, in two threads
    assert more_arrow_bytes - arrow_bytes < 1_200_000
    assert more_other_bytes - other_bytes < 1_200_000
