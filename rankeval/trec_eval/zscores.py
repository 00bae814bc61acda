"""Standard scores (-Z): the distance of a value from a mean in standard deviations."""

from bisect import bisect_left

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.trec_eval.c_numbers import real
from rankeval.trec_eval.tool_files import cannot_read, malformed, read_text
from rankeval.trec_eval.tool_version import BAD_ZSCORES, Version

UNKNOWN = -1000000.0
"""The score of a value without a mean in the file, or off the mean at a deviation of 0."""

N_FIELDS = 4

Key = tuple[bytes, bytes]


@frozen
class ZScores:
    """Mean and standard deviation by topic and measure, sorted by both."""

    keys: tuple[Key, ...]
    moments: tuple[tuple[float, float], ...]

    def standardized(self, values: Floats, topics: tuple[bytes, ...], measure: bytes) -> Floats:
        """Return the standard scores of a measure's values."""
        return np.array(
            [
                self._score(topic, measure, value)
                for topic, value in zip(topics, values.tolist(), strict=True)
            ]
        )

    def _score(self, topic: bytes, measure: bytes, value: float) -> float:
        at = self._find(topic, measure)
        if at is None:
            return UNKNOWN
        mean, deviation = self.moments[at]
        if deviation == 0:
            return 0.0 if value == mean else UNKNOWN
        return (value - mean) / deviation

    def _find(self, topic: bytes, measure: bytes) -> int | None:
        """Return the index of a topic and measure, or None.

        trec_eval reads one line too far: after the measures of a topic it may find the first one
        of the next topic.
        """
        at = bisect_left(self.keys, (topic, measure))
        if at < len(self.keys) and self.keys[at] == (topic, measure):
            return at
        follows = 0 < at < len(self.keys) and self.keys[at - 1][0] == topic
        return at if follows and self.keys[at][1] == measure else None


def read_zscores(path: bytes, version: Version) -> ZScores:
    """Read lines of topic, measure, mean and deviation; Failure for a wrong file."""
    reader = version.zscores_reader
    text = read_text(path)
    if text is None:
        raise cannot_read(path, reader, "zscores", BAD_ZSCORES)
    moments: dict[Key, tuple[float, float]] = {}
    for number, line in enumerate(text.split(b"\n")[:-1], 1):
        fields = line.split()
        if len(fields) != N_FIELDS:
            raise malformed(path, reader, number, BAD_ZSCORES)
        moments.setdefault((fields[0], fields[1]), (real(fields[2]), real(fields[3])))
    keys = tuple(sorted(moments))
    return ZScores(keys, tuple(moments[key] for key in keys))
