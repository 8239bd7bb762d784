"""What the reports of the standard studies say, as text that is committed and compared.

What enters: finished runs. What leaves: a folder a study with numbers.txt (every number of
report.json, one record a line), tables.txt (every table's CSV) and page.txt (the visible text of
the page); and what differs between two such folders.
"""

from tools.freezing.compare import Difference, compare, compare_all
from tools.freezing.frozen import Frozen, freeze, read_frozen, write_frozen
from tools.freezing.renames import read_renames

__all__ = [
    "Difference",
    "Frozen",
    "compare",
    "compare_all",
    "freeze",
    "read_frozen",
    "read_renames",
    "write_frozen",
]
