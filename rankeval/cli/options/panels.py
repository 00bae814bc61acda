"""The headings of the options in a command's help."""

RULES = "Rules"
MEASURES = "Measures"
RANKINGS = "Topics and rankings"
STATISTICS = "Statistics"
OUTPUT = "Output"
READING = "Reading files"
OTHER = "Other options"
