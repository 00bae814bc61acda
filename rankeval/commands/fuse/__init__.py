"""Make one run of several: methods of fusion, trained and tuned with judgments."""
