"""Make one run of several: methods of fusion, tuned with judgments."""
