"""How hard are the cases, which tell systems apart best, and which look mislabelled?"""

from medassay.analyses.builtin.case_difficulty.compute import difficulty_of
from medassay.analyses.builtin.case_difficulty.picture import difficulty_pictures
from medassay.analyses.builtin.case_difficulty.tables import difficulty_tables
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Randomness
from medassay.judgements import Judgements, Rubric
from medassay.marks import record
from medassay.validity import Difficulty

__all__ = ["CaseDifficulties", "case_difficulty"]


@record(infers=True)
class CaseDifficulties:
    """The cases by each dimension whose higher scores are the better ones."""

    dimensions: tuple[Difficulty, ...]


@analysis(
    Declaration(
        id="case_difficulty",
        title="How hard the cases are",
        question="Which cases are hard, which tell systems apart best, and which look mislabelled?",
        section="difficulty",
        infers=True,
        reader="organiser",
        place=1,
        tables=lambda difficulties, names: difficulty_tables(difficulties.dimensions, names),
        pictures=lambda difficulties, names: difficulty_pictures(difficulties.dimensions, names),
    )
)
def case_difficulty(
    rubric: Rubric, judgements: Judgements, columns: Columns, randomness: Randomness
) -> CaseDifficulties | None:
    """Hold the means and the spread of the cases against what the scale alone would make."""
    difficulties = difficulty_of(rubric, judgements, columns, randomness)
    return CaseDifficulties(difficulties) if difficulties else None
