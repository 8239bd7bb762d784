"""The page of a monitor, which a quality lead keeps open, and its sentences."""

from medassay.report.monitor.page import monitor_page
from medassay.report.monitor.words import between, drift_words, headline, shown

__all__ = ["between", "drift_words", "headline", "monitor_page", "shown"]
