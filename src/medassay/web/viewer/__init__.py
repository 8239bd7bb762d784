"""A study to look at in the browser: answers side by side, and a metric tried on one of them.

What enters: a study as its `[privacy]` lets it be seen, and its last run. What leaves: pages.
Nothing is written, and nothing is asked of another machine.
"""

from medassay.web.viewer.app import Key, view_app
from medassay.web.viewer.viewed import Viewed, page_of

__all__ = ["Key", "Viewed", "page_of", "view_app"]
