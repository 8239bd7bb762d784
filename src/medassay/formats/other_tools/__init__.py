"""The files of other evaluation and annotation tools, in and out.

What enters: files as Potato, Label Studio, Inspect and mt-metrics-eval write them. What leaves:
ratings and scores in plain records, each with the place where it stood, and the count of everything
that is not carried over; and files that these tools read.
"""

from medassay.formats.other_tools.label_studio import read_label_studio
from medassay.formats.other_tools.label_studio_write import (
    label_studio_annotations,
    label_studio_config,
    label_studio_tasks,
)
from medassay.formats.other_tools.potato import read_potato
from medassay.formats.other_tools.potato_write import (
    potato_annotations,
    potato_config,
    potato_items,
)
from medassay.formats.other_tools.tool_ratings import COMMENTS, ToolRating, ToolRatings, ToolTask

__all__ = [
    "COMMENTS",
    "ToolRating",
    "ToolRatings",
    "ToolTask",
    "label_studio_annotations",
    "label_studio_config",
    "label_studio_tasks",
    "potato_annotations",
    "potato_config",
    "potato_items",
    "read_label_studio",
    "read_potato",
]
