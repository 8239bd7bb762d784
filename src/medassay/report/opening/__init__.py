"""The first screen of a report: what was found as a title, one figure, a few words, the facts.

What enters: `Results`. What leaves: an `Opening`. Which figure, the study's design says: ratings,
a pipeline's measures, a shared task's ranks, a panel's queries, criteria, pairs, or what an
analysis declares (`Declaration.opens`).
"""

from medassay.report.opening.choose import Opening, opening_of, overview_of

__all__ = ["Opening", "opening_of", "overview_of"]
