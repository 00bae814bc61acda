"""Helpers that know nothing of evaluation: frozen values, threads, processes, wording, stderr."""
