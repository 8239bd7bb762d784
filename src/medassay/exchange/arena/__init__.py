"""Arenas and MT-Bench: which of two systems somebody preferred, and what a judge scored."""
