"""`rankeval estimate`: means from few human judgments and many of a machine."""
