"""What the functions share that users call from Python.

What enters: arguments as somebody typed them, and results. What leaves: one clear error where an
argument cannot be used, in place of a traceback from deep inside; and a result in a few lines.
"""

from medassay.surface.brief import Brief, brief
from medassay.surface.checked import Draws, Level, SeedNumber, checked, refuse_others
from medassay.surface.framed import frame_html, frame_words

__all__ = [
    "Brief",
    "Draws",
    "Level",
    "SeedNumber",
    "brief",
    "checked",
    "frame_html",
    "frame_words",
    "refuse_others",
]
