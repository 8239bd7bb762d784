"""What `python -m tools.measure_house` counts."""

import doctest

from tools import measure_house
from tools.measure_house import executable_lines, measures
from tools.trace_tau import stays_of_a_tau

MODULE = '''"""What a module is for."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Row"]


# A comment.
class Row:
    """A row."""

    name: str
    """What it is called."""

    def path(self) -> "Path":
        """Give it.

        At once.
        """
        return find(
            self.name,
        )
'''


def test_only_lines_that_do_something_are_executable() -> None:
    # class, name, def, return find(, self.name, and the closing bracket.
    assert executable_lines(MODULE) == 6


def test_its_examples_hold() -> None:
    ran = doctest.testmod(measure_house)
    assert ran.attempted
    assert not ran.failed


def test_a_table_counts_by_where_it_comes_from() -> None:
    assert measure_house.tables_by_hand("Table(1)") == 0


def test_the_house_is_measured() -> None:
    house = measures()
    assert house["lines of src"] > house["executable lines of src"] > house["files of src"] > 0
    found = "first-screen sentences found by four words, values between"
    assert house["first-screen sentences"] == house[found] > 0
    assert house["files of src"] <= 750
    assert house["modules with a single importer"] <= 200
    assert house["tables laid out by hand"] <= 5
    assert house["class names with three owners or more"] == 0
    assert house["sibling dependencies to cut"] == 0


def test_a_tau_comes_to_its_verdict_by_few_stays() -> None:
    stays, returns = stays_of_a_tau()
    assert stays[-1].startswith("validity/")
    assert len(stays) <= 12, stays
    assert returns <= 3
