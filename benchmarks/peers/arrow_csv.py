"""The floor: pyarrow reads the three columns that matter, and nothing else is done."""

import sys

import pyarrow as pa
from pyarrow import csv

csv.read_csv(
    sys.argv[1],
    read_options=csv.ReadOptions(column_names=list("abcdef")),
    parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
    convert_options=csv.ConvertOptions(
        include_columns=["a", "c", "e"],
        column_types={"a": pa.binary(), "c": pa.binary(), "e": pa.float64()},
    ),
)
