"""Scores of an open study's answers: in portions, on many processes, kept for later.

What enters: a study and its metrics. What leaves: a score table, and in `results/kept` every score
under the hash of what it was made from.
"""
