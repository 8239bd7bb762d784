"""The environmental-health protocol's own spreadsheets, taken into a study.

What enters: a group's files as they keep them. What leaves: a study of the protocol, with a case
for each query, the system's rankings, confidence and summaries as its answers, and the experts'
ratings as judgements.
"""

from medassay.exchange.environmental_health.declared import (
    PanelImport,
    import_environmental_health,
)

__all__ = ["PanelImport", "import_environmental_health"]
