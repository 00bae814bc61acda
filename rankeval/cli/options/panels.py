"""The groups that a command's help shows its options in."""

MEASURES = "Measures"
RANKINGS = "Topics and rankings"
STATISTICS = "Statistics"
OUTPUT = "Output"
READING = "Reading files"
OTHER = "Other options"
