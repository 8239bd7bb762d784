"""The files of other evaluation and annotation tools, in and out.

What enters: files as Potato, Label Studio, Inspect and mt-metrics-eval write them. What leaves:
ratings and scores in plain records, each with the place where it stood, and the count of everything
that is not carried over; and files that these tools read.
"""

from medassay.formats.other_tools.inspect_log import (
    InspectLog,
    InspectSample,
    InspectScore,
    read_inspect,
)
from medassay.formats.other_tools.inspect_write import (
    LoggedSample,
    LoggedScore,
    inspect_log,
    inspect_ratings,
)
from medassay.formats.other_tools.label_studio import read_label_studio
from medassay.formats.other_tools.label_studio_write import (
    label_studio_annotations,
    label_studio_config,
    label_studio_tasks,
)
from medassay.formats.other_tools.mt_metrics_eval import (
    NO_TEXT,
    SegmentFiles,
    SegmentScores,
    read_mt_metrics_eval,
    write_lines,
    write_score_file,
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
    "NO_TEXT",
    "InspectLog",
    "InspectSample",
    "InspectScore",
    "LoggedSample",
    "LoggedScore",
    "SegmentFiles",
    "SegmentScores",
    "ToolRating",
    "ToolRatings",
    "ToolTask",
    "inspect_log",
    "inspect_ratings",
    "label_studio_annotations",
    "label_studio_config",
    "label_studio_tasks",
    "potato_annotations",
    "potato_config",
    "potato_items",
    "read_inspect",
    "read_label_studio",
    "read_mt_metrics_eval",
    "read_potato",
    "write_lines",
    "write_score_file",
]
