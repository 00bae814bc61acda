"""Reports that `rankeval compare` writes besides its output."""
