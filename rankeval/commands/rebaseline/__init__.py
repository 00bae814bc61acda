"""`rankeval rebaseline`: evaluate the runs in production again after a change of judgments."""
