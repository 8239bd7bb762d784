"""The pitfalls that a template warns raters of, measured in what they did."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.rater_template.record import LEVELS, Pitfall
from medassay.judgements import Judgements
from medassay.validity import RaterDiagnostic

__all__ = ["pitfalls_of"]

_PITFALLS: Final = {
    "severity": "Leniency",
    "central tendency": "Leniency",
    "anchoring": "Anchoring",
    "drift": "Fatigue",
    "speed": "Fatigue",
    "identical run": "Fatigue",
    "favouring": "Model bias",
}
_ORDER: Final = ("Leniency", "Halo", "Anchoring", "Fatigue", "Model bias")
_TWO: Final = 2
_ALIKE: Final = "share of answers whose aspects all have one label"


def pitfalls_of(
    judgements: Judgements, dimension: str, diagnostics: Sequence[RaterDiagnostic]
) -> list[Pitfall]:
    """Say of each rater what the template warns of; the effects are those of the rater cards."""
    pitfalls = [
        Pitfall(
            pitfall=_PITFALLS[diagnostic.kind],
            rater=diagnostic.rater,
            measure=f"{diagnostic.kind}: {diagnostic.meaning}",
            about=diagnostic.about,
            value=diagnostic.effect,
            interval=diagnostic.interval,
            n=diagnostic.n,
            reason=diagnostic.reason,
        )
        for diagnostic in diagnostics
        if diagnostic.dimension == dimension and diagnostic.kind in _PITFALLS
    ]
    judged = judgements.counted
    main = judged.filter(judged["label"].is_not_null())
    for rater in sorted(main["rater"].unique()):
        own = main.filter(main["rater"] == rater)
        pitfalls += _levels(own.filter(own["dimension"] == dimension)["label"].to_list(), rater)
        rows = own.filter(own["dimension"] != dimension).select("system", "case", "label").rows()
        pitfalls.append(_alike(rows, rater))
    rank = {name: i for i, name in enumerate(_ORDER)}
    return sorted(pitfalls, key=lambda pitfall: (rank[pitfall.pitfall], pitfall.rater))


def _levels(labels: Sequence[str], rater: str) -> list[Pitfall]:
    if not labels:
        return []
    return [
        Pitfall(
            pitfall="Leniency", rater=rater, measure=LEVELS, about="",
            value=float(len(set(labels))), interval=None, n=len(labels), reason="",
        )
    ]  # fmt: skip


def _alike(rows: Sequence[tuple[str, str, str]], rater: str) -> Pitfall:
    of: dict[tuple[str, str], list[str]] = {}
    for system, case, label in rows:
        of.setdefault((system, case), []).append(label)
    several = [labels for labels in of.values() if len(labels) >= _TWO]
    alike = sum(len(set(labels)) == 1 for labels in several)
    return Pitfall(
        pitfall="Halo", rater=rater, measure=_ALIKE, about="",
        value=alike / len(several) if several else None, interval=None, n=len(several),
        reason="" if several else "the rater judged no two aspects of an answer",
    )  # fmt: skip
