"""Whether experts gave their own confidence before they saw the system's."""

from medassay.analyses.results.summary import LabelOrder
from medassay.study.folder import Study

__all__ = ["label_order"]


def label_order(study: Study) -> LabelOrder | None:
    """Hold the positions of the confidence question against those of questions after the reveal.

    None where the protocol has no rule of confidence, or no question shows the system's label.
    """
    rule = study.config.confidence
    revealed = {dimension.id for dimension in study.rubric.dimensions if dimension.after_reveal}
    if rule is None or not revealed:
        return None
    asked: dict[tuple[str, str, str], int | None] = {}
    shown: dict[tuple[str, str, str], list[int]] = {}
    for row in study.judgements.current().iter_rows(named=True):
        key = (row["rater"], row["system"], row["case"])
        if row["dimension"] == rule.dimension:
            asked[key] = row["position"]
        elif row["dimension"] in revealed and row["position"] is not None:
            shown.setdefault(key, []).append(row["position"])
    known = {key: at for key, at in asked.items() if at is not None and key in shown}
    before = sum(at < min(shown[key]) for key, at in known.items())
    after = sum(at > min(shown[key]) for key, at in known.items())
    return LabelOrder(before=before, after=after, unknown=len(asked) - before - after)
