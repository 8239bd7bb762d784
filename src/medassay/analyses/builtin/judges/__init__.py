"""What are a model's labels worth beside those of people?"""

from medassay.analyses.builtin.judges.tables import judge_tables
from medassay.analyses.declaration import Declaration, analysis
from medassay.study.certificates.record import JudgeResult

__all__ = ["judge_tables", "judges"]


@analysis(
    Declaration(
        id="judges",
        title="The model judges",
        question="May a model that rates stand in for a person, on this rubric and these cases?",
        section="judges",
        part="judges-tested",
        infers=True,
        reader="methodologist",
        place=1,
        tables=judge_tables,
        notes=lambda tested, _: [line for judge in tested for line in judge.said],
    )
)
def judges(tested: tuple[JudgeResult, ...]) -> tuple[JudgeResult, ...]:
    """Give each judge with every test that it was put through."""
    return tested
