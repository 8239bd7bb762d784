"""A run of a study: planned by its inputs and choices, found again, written, and shared out.

What enters: an open study. What leaves: a run's name and folder, its manifest and its log; scores
that runs keep for one another.
"""
