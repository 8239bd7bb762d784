"""Agreement so far: aggregates over all answers, nothing of any system or rater."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from medassay.agreement import agree, alpha_of
from medassay.campaign.room.clock import Clock
from medassay.campaign.room.kept import Kept
from medassay.campaign.room.logbook import log_look
from medassay.campaign.room.rating import Rating
from medassay.campaign.room.voices import voices_by_item
from medassay.judgements import Judgements

__all__ = ["AgreementSoFar", "agreement_so_far"]

_TWO: Final = 2
_NO_SYSTEM: Final = "all"


@dataclass(frozen=True, slots=True)
class AgreementSoFar:
    """How raters agree on one dimension.

    Attributes:
        title: The dimension's title.
        units: How many answers, or parts of answers, two raters or more gave a label.
        same: Share of pairs of labels of one answer that are the same, from 0 to 1; None where
            there is no pair, or where numbers are given.
        alpha: Krippendorff's alpha by the dimension's scale; None where it says nothing: too few
            labels, or one label only. Not for pairs, where it would depend on the order of ids.
    """

    title: str
    units: int
    same: float | None
    alpha: float | None


def agreement_so_far(
    kept: Kept, rating: Rating, clock: Clock, who: str
) -> Sequence[AgreementSoFar]:
    """Say how raters agree by now; the look is logged with what it showed.

    All raters and systems are taken together. There is no interval: this is for noticing that a
    question is read in two ways, and not for a result. Only labels that count in the study are
    read.

    Args:
        kept: What the room keeps.
        rating: The raters' side.
        clock: Tells the time.
        who: Who looks.
    """
    with rating.folding, kept.database.reading() as connection:
        voices = voices_by_item(kept, connection)
    rubric = kept.design.rubric
    rows: dict[str, list[dict[str, object]]] = {}
    for item, mine in voices.items():
        for each in mine:
            for (dimension, about), given in each.given.items():
                if given.reason or rubric.dimension(dimension).kinds:
                    continue
                answer = {"label": given.label} if given.label else {"number": given.number}
                rows.setdefault(dimension, []).append(
                    {
                        "rater": each.rater, "system": _NO_SYSTEM, "case": str(item),
                        "dimension": dimension, "about": about, **answer,
                    }
                )  # fmt: skip
    by_dimension = [
        _of(kept, dimension.id, rows.get(dimension.id, []))
        for dimension in rubric.dimensions
        if not dimension.kinds
    ]
    new = "; ".join(
        f"{each.title}: {each.units}"
        + ("" if each.same is None else f", {each.same:.3f} the same")
        + ("" if each.alpha is None else f", alpha {each.alpha:.3f}")
        for each in by_dimension
    )
    log_look(kept.database, clock, who, "look at agreement", new)
    return by_dimension


def _of(kept: Kept, name: str, rows: list[dict[str, object]]) -> AgreementSoFar:
    dimension = kept.design.rubric.dimension(name)
    title = dimension.title or name
    counts: dict[tuple[object, object], int] = {}
    for row in rows:
        key = row["case"], row["about"]
        counts[key] = counts.get(key, 0) + 1
    units = sum(count >= _TWO for count in counts.values())
    if not units:
        return AgreementSoFar(title, 0, None, None)
    judgements = Judgements.from_rows(rows, kept.design.rubric)
    wanted = [] if dimension.number else ["mean_pairwise"]
    if kept.design.settings.kind == "answers":
        wanted.append(alpha_of(dimension))
    values = {
        agreed.coefficient: agreed.value
        for agreed in agree(judgements, coefficient_names=wanted)
        if agreed.mapping == "full"
    }
    return AgreementSoFar(
        title, units, values.get("mean_pairwise"), values.get(alpha_of(dimension))
    )
