"""Two judges held side by side, on the answers that both labelled."""

from collections.abc import Mapping, Sequence

from medassay.analyses.judge import require_judge
from medassay.exhibits import Table, shown, table_of
from medassay.exhibits.columns import Shown, counted, estimated
from medassay.judgements import preference_units, units
from medassay.study.folder import Study
from medassay.validity import JudgePair, judge_pair

__all__ = ["beside_tables", "judges_beside"]


def judges_beside(study: Study, judge: str, other: str) -> list[JudgePair]:
    """Hold a judge beside another on every dimension, and on preferences, where both spoke.

    Args:
        study: The study.
        judge: One model rater.
        other: Another: the one of before.

    Raises:
        UnknownName: No such model rater.
    """
    for name in (judge, other):
        require_judge(study, name)
    models = study.judges.raters
    preferred = study.preferences_of_all
    compared = sorted(set(preferred.frame["dimension"]))
    read = [units(study.everyone, dimension.id) for dimension in study.rubric.dimensions]
    read += [preference_units(preferred, dimension) for dimension in compared]
    pairs = (judge_pair(read_units, judge, other, models, study.clusters) for read_units in read)
    return [pair for pair in pairs if pair is not None]


def beside_tables(pairs: Sequence[JudgePair], titles: Mapping[str, str]) -> list[Table]:
    """Show how far two judges say the same, and who says it more often as most people do."""
    if not pairs:
        return []
    first, other = pairs[0].judge, pairs[0].other
    alike = table_of(
        pairs,
        (
            shown("Question", lambda pair: titles.get(pair.dimension, pair.dimension), file="of"),
            counted("Answers", "answers"),
            _of("Say the same", "alike"),
            _of(f"{first} as most people", "right"),
            _of(f"{other} as most people", "other_right"),
            _of(f"{first} less {other}", "lead"),
        ),
        id="judges-beside",
        title=f"{first} beside {other}",
        caption="Answers that both labelled; shares with 95 % intervals over cases. What a judge "
        "says counts for something only where people said it too.",
    )
    differing = table_of(
        [(pair, cell) for pair in pairs for cell in pair.said if cell.label != cell.other],
        (
            shown(
                "Question", lambda row: titles.get(row[0].dimension, row[0].dimension), file="of"
            ),
            shown(first, lambda row: row[1].label, file="label"),
            shown(other, lambda row: row[1].other, file="other"),
            counted("Answers", lambda row: row[1].answers, file="answers"),
        ),
        id="judges-part",
        title="Where they part",
        caption="What each said of the answers on which they say different things.",
        empty="They part nowhere.",
    )
    return [alike, differing]


def _of(heading: str, name: str) -> Shown[JudgePair]:
    return estimated(
        heading, f"{name}.value", file=name, interval=f"{name}.interval", why_not=f"{name}.reason"
    )
