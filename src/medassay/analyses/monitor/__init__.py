"""A log of answers beside a study: has what is asked, answered or scored drifted, and since when?

What enters: a study, which is the baseline, and logs, day after day. What leaves: the state of a
monitor in a folder, a file a day, and what it comes to so far.
"""

from medassay.analyses.monitor.watch import DAYS, Course, Monitored, NextAnswer, next_csv, watch_log

__all__ = ["DAYS", "Course", "Monitored", "NextAnswer", "next_csv", "watch_log"]
