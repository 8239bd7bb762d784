"""A made-up study with the margins and the agreement of a published one.

The notes and the human labels of the ArchEHR-QA study are under a data use agreement. What enters
here is a seed and the published tables; what leaves is a study of the same size (28 systems, 100
cases, 26 raters, three an answer) whose label totals, majority counts and agreement are those of
the published Tables 2 and 3, and whose texts, systems and raters are invented. It is marked
synthetic, so every page and figure says so.
"""

from medassay.study.synthetic.write import synthetic_files

__all__ = ["synthetic_files"]
