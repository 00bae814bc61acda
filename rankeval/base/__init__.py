"""Helpers that know nothing of evaluation: frozen values, threads, wording, stderr."""
