"""The clinical framework's multiple-choice questions, guidelines and results, in and out.

What enters: files of questions, guidelines and results. What leaves: a study, or answers added to
one; and the framework's JSON report out of a run.
"""
