"""The report: one HTML page of an evaluation, with everything in it and nothing fetched."""
