"""Tiny models with random weights, saved in the very form that published ones have."""
