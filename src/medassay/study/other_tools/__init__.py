"""Other tools' files, into a study and out of it.

What enters: an open study, and the files of Potato, Label Studio, Inspect or mt-metrics-eval. What
leaves: judgements, scores and answers added to the study, each import with a list of what it left;
and tasks, logs and score files for these tools.
"""

from medassay.study.other_tools.give_tasks import GivenTasks, TaskWishes, give_tasks
from medassay.study.other_tools.take_ratings import take_label_studio, take_potato

__all__ = [
    "GivenTasks",
    "TaskWishes",
    "give_tasks",
    "take_label_studio",
    "take_potato",
]
