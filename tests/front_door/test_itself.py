"""The generator is right: what it says of a table is there, and what it compares it would find."""

from functools import cache
from pathlib import Path

from tests.front_door.compared import compare
from tests.front_door.ideal import write_ideal
from tests.front_door.laid_out import Laid, laid_by_seed

SEEDS = range(200)


@cache
def drawn() -> tuple[Laid, ...]:
    return tuple(map(laid_by_seed, SEEDS))


def test_the_study_of_a_reader_without_fault_is_equal(tmp_path: Path) -> None:
    wrong = {}
    for laid in drawn():
        write_ideal(laid, tmp_path / str(laid.seed))
        differences = compare(laid, tmp_path / str(laid.seed))
        # The file that tells of a design, asked.csv, is the one thing that is not written.
        unsaid = [line for line in differences if line.startswith("not asked:")]
        if len(unsaid) != laid.plan.sampled or len(differences) > len(unsaid):
            wrong[laid.seed] = differences
    assert not wrong
