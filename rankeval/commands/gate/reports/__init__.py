"""Reports that `rankeval gate` writes besides its output."""
