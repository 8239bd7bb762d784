"""Did the experts give their own confidence before they saw the system's?"""

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Rules
from medassay.annotations import record
from medassay.exhibits import Names
from medassay.judgements import Judgements, Rubric
from medassay.text import count_of


@record(infers=False)
class LabelOrder:
    """When experts gave their confidence: before or after they saw the system's.

    Attributes:
        unknown: Ratings of which the order of the questions was not stored.
    """

    before: int
    after: int
    unknown: int


def _notes(order: LabelOrder, _names: Names) -> list[str]:
    """Say whether experts gave their confidence before they saw the system's."""
    total = order.before + order.after + order.unknown
    if not total:
        return []
    if order.before == total:
        text = (
            f"{'All ' * (total > 1)}{count_of(total, 'rating')} of confidence "
            f"{'was' if total == 1 else 'were'} given before the system's level was shown: "
            "the order of the questions is stored with each rating."
        )
    elif order.unknown == total:
        text = (
            "The order of the questions was not stored: nothing shows that experts gave their "
            "confidence before they saw the system's."
        )
    else:
        text = (
            f"Of {count_of(total, 'rating')} of confidence {order.before} "
            f"{'was' if order.before == 1 else 'were'} given before the system's level was shown, "
            f"{order.after} after it, and of {order.unknown} the order was not stored."
        )
    return [text]


@analysis(
    Declaration(
        id="label_order",
        title="Which confidence came first",
        question="Did the experts give their own confidence before they saw the system's?",
        section="ratings",
        infers=False,
        reader="methodologist",
        place=12,
        shown_in="described",
        notes=_notes,
    )
)
def label_order(rules: Rules, rubric: Rubric, judgements: Judgements) -> LabelOrder | None:
    """Hold the positions of the confidence question against those of questions after the reveal.

    None where the protocol has no rule of confidence, or no question shows the system's label.
    """
    rule = rules.confidence
    revealed = {dimension.id for dimension in rubric.dimensions if dimension.after_reveal}
    if rule is None or not revealed:
        return None
    asked: dict[tuple[str, str, str], int | None] = {}
    shown: dict[tuple[str, str, str], list[int]] = {}
    for row in judgements.current().iter_rows(named=True):
        key = (row["rater"], row["system"], row["case"])
        if row["dimension"] == rule.dimension:
            asked[key] = row["position"]
        elif row["dimension"] in revealed and row["position"] is not None:
            shown.setdefault(key, []).append(row["position"])
    known = {key: at for key, at in asked.items() if at is not None and key in shown}
    before = sum(at < min(shown[key]) for key, at in known.items())
    after = sum(at > min(shown[key]) for key, at in known.items())
    return LabelOrder(before=before, after=after, unknown=len(asked) - before - after)
