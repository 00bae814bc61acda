"""Where bytes come from and go to: paths, addresses, compression, locks."""
