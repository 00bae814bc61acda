"""Simulations behind the error rates that the documentation states."""
