"""A figure with the words that stand around it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Picture"]


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One figure.

    Attributes:
        title: A few words; kept in the file.
        figure: What was drawn.
        caption: Sentences that can stand alone; where there are some, the page shows the figure.
        analysis: The id of the analysis that drew it; the report fills it in.
    """

    title: str
    figure: "Figure"
    caption: str = ""
    analysis: str = ""
