"""Every number, table and sentence of the standard studies' reports is the one that was frozen."""

from pathlib import Path

import pytest
from tools.freezing import compare, freeze, read_frozen
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

FROZEN = Path(__file__).with_name("frozen")
MOST = 40


def test_every_standard_study_is_frozen() -> None:
    assert sorted(one.name for one in FROZEN.iterdir()) == sorted(STANDARD)


@pytest.mark.parametrize("study", STANDARD)
def test_the_report_says_what_it_said(study: str, standard_run: SharedRuns) -> None:
    now = freeze(standard_run(study).folder)
    found = [str(one) for one in compare(study, read_frozen(FROZEN / study), now)]
    more = [f"... and {len(found) - MOST} more"] if len(found) > MOST else []
    assert not found, "\n".join(
        [*found[:MOST], *more, "If all of this is meant: make freeze, and say why in the commit."]
    )
