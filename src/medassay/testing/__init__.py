"""Checks for what other packages bring: each holds a stranger's to what ours are held to.

What enters: an analysis, and a study to try it on. What leaves: what a report would show of it, or
an `AssertionError` that says what is wrong. They need no test runner, and work in any.
"""

from medassay.testing.of_analysis import check_analysis

__all__ = ["check_analysis"]
