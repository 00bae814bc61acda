"""Build labels, such as subtopics and strata, from lines of qrels."""

from collections.abc import Sequence

import numpy as np

from rankeval.judgments import Labels
from rankeval.support.arrays import Grades, Integers
from rankeval.support.digest import short_digest


def labelled(
    topics: Sequence[bytes],
    docnos: Sequence[bytes],
    names: Sequence[bytes],
    *,
    topic: Integers,
    docno: Integers,
    name: Integers,
    grade: Grades,
    stated: bool = False,
) -> Labels:
    """Build labels from lines that each name a topic, a docno and a label."""
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
        digest=short_digest(
            sorted(
                b"%b %b %b %b\n" % (topics[t], names[n], docnos[d], f"{g:.17g}".encode())
                for t, n, d, g in zip(
                    topic.tolist(),
                    name[order].tolist(),
                    docno.tolist(),
                    grade.tolist(),
                    strict=True,
                )
            )
        ),
        names=tuple(sorted(names)),
        stated=stated,
    )
