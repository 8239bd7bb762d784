"""The figures and tables of the paper, from any study that has what they need.

What enters: `Results`. What leaves: a folder of Figures 1 to 3 and Tables 1 to 4 and S1, as PDF,
SVG and PNG, as CSV, Markdown and LaTeX, and a README with every caption. What a study cannot show
is named there with what it would need.
"""

from medassay.report.paper.item import Item
from medassay.report.paper.write import paper_items, write_paper

__all__ = ["Item", "paper_items", "write_paper"]
