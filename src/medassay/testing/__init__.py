"""Checks for what other packages bring: each holds a stranger's to what ours are held to.

What enters: an analysis or a format, and a study to try it on; the name of a metric, a coefficient
or a consensus method; a protocol or a rubric, by its name or as a file. What leaves: what a report
would show of it, or what it gave, in a sentence; or an `AssertionError` that says what is wrong.
They need no test runner, and work in any. The tests of medassay hold its own to the same rules: the
modules whose names end in `contract`.
"""

from medassay.testing.of_analysis import check_analysis
from medassay.testing.of_coefficient import check_coefficient
from medassay.testing.of_consensus import check_consensus_method
from medassay.testing.of_format import check_format
from medassay.testing.of_metric import check_metric
from medassay.testing.of_protocol import check_protocol, check_rubric

__all__ = [
    "check_analysis",
    "check_coefficient",
    "check_consensus_method",
    "check_format",
    "check_metric",
    "check_protocol",
    "check_rubric",
]
