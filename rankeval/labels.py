"""Labels: what each judgment was made for or sampled from, such as subtopics and strata."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from rankeval.frozen import frozen
from rankeval.judgments import Grades, Integers


@frozen(eq=False)
class Labels:
    """Names that belong to judgments, such as the subtopics a document was judged for.

    L labels of the M judgments of a whole qrels file, those of a judgment together.

    ============= =============== ===========================================================
    offsets       (M+1,) int64    judgment m has the labels offsets[m] to offsets[m+1]
    number        (L,) int64      which name it is: one number per topic and name, increasing
                                  from topic to topic
    topic         (S,) int64      the topic that each number belongs to
    grade         (L,)            the grade that the judgment has for the name
    docno_order   (M,) int64      sorts the judgments of a topic as the bytes of docnos do
    judged_topic  (M,) int64      the topic of each judgment
    digest        text            twelve hexadecimal digits
    names         some bytes      the distinct names, in the order of their bytes
    stated        true or false   they were given as labels, not found in a column
    ============= =============== ===========================================================
    """

    offsets: Integers
    number: Integers
    topic: Integers
    grade: Grades
    docno_order: Integers
    judged_topic: Integers
    digest: str
    names: tuple[bytes, ...] = ()
    stated: bool = False

    def __len__(self) -> int:
        """How many numbers there are: names, counted for each topic."""
        return len(self.topic)

    @cached_property
    def judgment(self) -> Integers:
        """The judgment that each label belongs to, shape (L,)."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def of(self, judgments: Integers) -> tuple[Integers, Integers]:
        """The labels of some judgments: the index of the judgment among them, and the label."""
        sizes = np.diff(self.offsets)[judgments]
        owner = np.repeat(np.arange(len(judgments)), sizes)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return owner, self.offsets[judgments][owner] + within


def labelled(
    topics: Sequence[bytes],
    docnos: Sequence[bytes],
    names: Sequence[bytes],
    *,
    topic: Integers,
    docno: Integers,
    name: Integers,
    grade: Grades,
) -> Labels:
    """Put lines together, sorted by topic and docno, that name a topic, a docno and a label."""
    by_name = np.argsort(np.array(sorted(range(len(names)), key=names.__getitem__)))
    key = topic * len(names) + by_name[name]
    order = np.lexsort((key, docno, topic))
    topic, docno, grade, key = topic[order], docno[order], grade[order], key[order]
    distinct, number = np.unique(key, return_inverse=True)
    new = np.ones(len(topic), dtype=bool)
    new[1:] = (np.diff(topic) != 0) | (np.diff(docno) != 0)
    by_docno = np.argsort(np.array(sorted(range(len(docnos)), key=docnos.__getitem__)))
    return Labels(
        offsets=np.append(np.flatnonzero(new), len(new)),
        number=number,
        topic=distinct // len(names),
        grade=grade,
        docno_order=by_docno[docno[new]],
        judged_topic=topic[new],
        digest=_digest(
            b"%b %b %b %b\n" % (topics[t], names[n], docnos[d], f"{g:.17g}".encode())
            for t, n, d, g in zip(
                topic.tolist(),
                name[order].tolist(),
                docno.tolist(),
                grade.tolist(),
                strict=True,
            )
        ),
        names=tuple(sorted(names)),
    )


def _digest(lines: Iterable[bytes]) -> str:
    import hashlib  # not every command needs the digest

    return hashlib.sha256(b"".join(sorted(lines))).hexdigest()[:12]
