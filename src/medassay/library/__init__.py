"""Studies and their runs as objects of Python, for scripts and notebooks.

What enters: the folder of a study. What leaves: its tables as frames of polars, its findings as
sentences, its figures as SVG, and the folder of a run as the command line writes it.
"""

from medassay.library.completed import CompletedRun
from medassay.library.opened import OpenedStudy, open_study
from medassay.library.run import Done, run_and_report

__all__ = ["CompletedRun", "Done", "OpenedStudy", "open_study", "run_and_report"]
