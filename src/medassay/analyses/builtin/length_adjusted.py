"""Would the scores by criteria be others if long answers had to pay for their length?"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from medassay.analyses.builtin.criteria import answer_scores
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Design, Rules
from medassay.annotations import DesignName, SystemName, Words, record
from medassay.answers import Answers
from medassay.cases import Cases
from medassay.exhibits import PROPORTION, Names, Table, shown, table_of
from medassay.exhibits.columns import counted, estimated, how, system_column
from medassay.judgements import Rubric
from medassay.stats import Interval, clipped_mean

if TYPE_CHECKING:
    import polars as pl

    from medassay.study.config.protocol import LengthRule

_NOTHING: Final = "no answer has a score and a known length"


@record(infers=True)
class AdjustedScore:
    """A system's score by criteria under one penalty for length.

    Attributes:
        penalty: The penalty's name.
        system: The system.
        score: The mean over cases of the adjusted scores, clipped to 0 and 1 after averaging; None
            where no answer has a score and a known length.
        interval: Over cases or clusters; None where it is undefined.
        as_it_is: The mean without the penalty.
        characters: Characters of an answer, on average.
        cases: Cases with a score.
        reason: Why there is no score or no interval; empty where both are there.
    """

    penalty: DesignName
    system: SystemName
    score: float | None
    interval: Interval | None
    as_it_is: float | None
    characters: float | None
    cases: int
    reason: Words


@record(infers=True)
class AdjustedForLength:
    """Scores by criteria, adjusted for length.

    Attributes:
        scores: Each system under each penalty.
        center: The length that changes nothing, in characters.
        empty_gains: What an empty answer gains under each penalty.
    """

    scores: tuple[AdjustedScore, ...]
    center: float
    empty_gains: dict[DesignName, float]


def adjusted_score(score: float, characters: int, rule: "LengthRule", penalty: float) -> float:
    """How good is an answer if long ones pay for their length?

    score - penalty x (characters - center) / per; not clipped. Characters are Unicode code points.

    Source: the variant of HealthBench's public program of 2026 (`calculate_length_adjusted_score`);
    the paper has none.

    Example:
        >>> from medassay.study.config.protocol import LengthRule
        >>> rule = LengthRule(center=2000, per=500, penalties={"its test": 0.022})
        >>> round(adjusted_score(0.8, 2500, rule, 0.022), 3)
        0.778
        >>> round(adjusted_score(0.0, 0, rule, 0.022), 3)  # an empty answer
        0.088
    """
    return score - penalty * (characters - rule.center) / rule.per


def _tables(adjusted: AdjustedForLength, names: Names) -> list[Table]:
    return [
        table_of(
            ((row.penalty, row) for row in adjusted.scores),
            (
                system_column(names),
                estimated("Adjusted", "score"),
                shown("As it is", "as_it_is", PROPORTION, why_not="reason"),
                shown("Characters", "characters", "{:,.0f}".format, why_not="reason"),
                counted("Cases", "cases"),
            ),
            id="length-adjusted",
            title="Scores by criteria, adjusted for length",
            caption=f"Each answer pays for characters beyond {adjusted.center:,.0f}, and gains by "
            f"those under it. {how(row.interval for row in adjusted.scores)}",
            grouped_by="penalty",
            stands="file",
        )
    ]


def _notes(adjusted: AdjustedForLength, _: Names) -> Sequence[str]:
    gains = ", ".join(f"{PROPORTION(gain)} ({name})" for name, gain in adjusted.empty_gains.items())
    text = (
        "The table of scores adjusted for length is in the files. That adjustment has no bound: an "
        f"answer that says nothing gains {gains}. Read it beside the scores as they are."
    )
    return [text]


@analysis(
    Declaration(
        id="length_adjusted",
        title="Scores adjusted for length",
        question="Would the scores by criteria change if long answers paid for their length?",
        section="ratings",
        infers=True,
        reader="methodologist",
        place=30,
        tables=_tables,
        notes=_notes,
    )
)
def length_adjusted(
    rubric: Rubric, columns: Columns, cases: Cases, answers: Answers, design: Design, rules: Rules
) -> AdjustedForLength | None:
    """Adjust the scores by criteria as the protocol says, under each of its penalties."""
    import polars as pl

    rule = rules.length
    of_criteria = {
        dimension.id for dimension in rubric.dimensions if dimension.about == "criterion"
    }
    column = next(
        (held for held in columns.score_columns.columns if held.dimension in of_criteria), None
    )
    if rule is None or column is None:
        return None
    parts = columns.score_columns.table.select(column.name).filter(pl.col("about") != "")
    whole = answer_scores(parts, cases).filter(pl.col("missing") == 0).join(
        _lengths(answers), on=["system", "case", "sample"]
    )  # fmt: skip
    return AdjustedForLength(
        scores=tuple(
            _score(whole.filter(system=system), system, name, rule, design.clusters)
            for name in rule.penalties
            for system in design.systems
        ),
        center=rule.center,
        empty_gains={
            name: adjusted_score(0, 0, rule, penalty) for name, penalty in rule.penalties.items()
        },
    )


def _lengths(answers: Answers) -> "pl.DataFrame":
    import polars as pl

    lengths = [
        (*answer.key, len(answer.text or ""))
        for answer in answers
        if answer.held  # nobody knows how long the others are
    ]
    schema = {
        "system": pl.String(), "case": pl.String(), "sample": pl.Int64(), "characters": pl.Int64(),
    }  # fmt: skip
    return pl.DataFrame(lengths, schema=schema, orient="row")


def _score(
    rows: "pl.DataFrame",
    system: str,
    name: str,
    rule: "LengthRule",
    clusters: Mapping[str, str],
) -> AdjustedScore:
    import polars as pl

    penalty = rule.penalties[name]
    per_case = (
        rows.with_columns(
            adjusted=pl.col("low") - penalty * (pl.col("characters") - rule.center) / rule.per
        )
        .group_by("case")
        .agg(pl.col("adjusted", "low", "characters").mean())
        .sort("case")
    )
    labels = [clusters.get(case, case) for case in per_case["case"]] if clusters else None
    estimate = clipped_mean(per_case["adjusted"].to_numpy(), labels)
    as_it_is = clipped_mean(per_case["low"].to_numpy(), labels)
    return AdjustedScore(
        penalty=name,
        system=system,
        score=estimate.mean,
        interval=estimate.interval,
        as_it_is=as_it_is.mean,
        characters=float(per_case["characters"].to_numpy().mean()) if estimate.n else None,
        cases=estimate.n,
        reason=estimate.undefined if estimate.n else _NOTHING,
    )
