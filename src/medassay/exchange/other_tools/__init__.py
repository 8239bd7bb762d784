"""Other tools' files, into a study and out of it.

What enters: an open study, and the files of Potato, Label Studio, Inspect or mt-metrics-eval. What
leaves: judgements, scores and answers added to the study, each import with a list of what it left;
and tasks, logs and score files for these tools.
"""

from medassay.exchange.other_tools.give_logs import give_inspect
from medassay.exchange.other_tools.give_segments import give_mt_metrics_eval
from medassay.exchange.other_tools.give_tasks import TaskWishes, give_tasks
from medassay.exchange.other_tools.given import Given
from medassay.exchange.other_tools.take_logs import LogWishes, take_inspect
from medassay.exchange.other_tools.take_ratings import take_label_studio, take_potato
from medassay.exchange.other_tools.take_segments import take_mt_metrics_eval

__all__ = [
    "Given",
    "LogWishes",
    "TaskWishes",
    "give_inspect",
    "give_mt_metrics_eval",
    "give_tasks",
    "take_inspect",
    "take_label_studio",
    "take_mt_metrics_eval",
    "take_potato",
]
