"""Who rated, and what each rater does that the others do not."""

from typing import Final

from medassay.analyses.results import RaterResult, Results
from medassay.exhibits.cells import count, estimate, estimate_fields, how, named, text
from medassay.exhibits.natural_order import natural_order
from medassay.exhibits.numbers import Style, listed
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names, effect_words
from medassay.validity import RaterDiagnostic

__all__ = ["CHANCE", "NOTHING", "apart", "favouring", "rater_effects", "raters"]

_FAVOURING = "favouring"
_KNOWN = ("Expertise", "External", "Conflicts", "Shown")
NOTHING: Final = {
    "severity": 0.0,
    "central tendency": 1.0,
    "halo": 0.0,
    "anchoring": 0.0,
    "drift": 0.0,
    "favouring": 0.0,
    "identical run": 0.0,
}
"""Kind of effect to the value of a rater who is like the others; the rest has no such value."""
CHANCE: Final = frozenset({"identical run"})
"""Kinds whose interval is not of the effect: it holds what chance makes."""


def apart(one: RaterDiagnostic) -> bool:
    """Say whether a rater stands apart: beyond the interval where the others, or chance, would be.

    Of kinds that have no value for 'like the others' nothing is said.
    """
    if one.effect is None or one.interval is None or one.kind not in NOTHING:
        return False
    if one.kind in CHANCE:
        return one.effect > one.interval.high
    return not one.interval.low <= NOTHING[one.kind] <= one.interval.high


def raters(results: Results) -> Table:
    """List who rated, what is known of them, and who was left out and why."""
    flow = results.rater_flow
    found = sorted(flow.raters if flow else [], key=lambda one: natural_order(one.rater))
    known = [name for name in _KNOWN if any(_fact(one, name) for one in found)]
    silent = [name.lower() for name in _KNOWN if name not in known]
    unsaid = f" The study does not say: {listed(silent)}." if silent else ""
    return Table(
        "raters",
        "The raters",
        "Judgements and preferences that hold now; those of excluded raters are in no number, "
        "those of models held apart in none about people."
        f"{unsaid}",
        (
            Column("Rater", ("rater",)),
            Column("Kind", ("kind",)),
            *(Column(name, (name.lower(),)) for name in known),
            Column("Status", ("status", "reason")),
            Column("Judgements", ("judgements",), numeric=True),
        ),
        tuple(
            Row(
                (
                    text(one.rater),
                    text(one.kind),
                    *(_said(_fact(one, name)) for name in known),
                    Cell("excluded", ("excluded", one.reason), aside=one.reason)
                    if one.excluded
                    else _status(one),
                    count(one.judgements),
                )
            )
            for one in found
        ),
        empty="There are no raters.",
        synthetic=results.study.synthetic,
    )


def _fact(one: RaterResult, name: str) -> str:
    external = {True: "yes", False: "no", None: ""}[one.external]
    facts = {"Expertise": one.expertise, "External": external}
    return (facts | {"Conflicts": one.conflicts, "Shown": one.shown})[name]


def _status(one: RaterResult) -> Cell:
    """Say of a model whether its labels count as people's do."""
    if not one.apart:
        return Cell("qualified", ("qualified", ""))
    some = "" if one.apart == one.judgements else f"{one.apart:,} of {one.judgements:,}"
    return Cell("held apart", ("held apart", some), aside=some)


def _said(words: str) -> Cell:
    return text(words) if words else Cell("not said", (None,), missing=True)


def rater_effects(results: Results) -> Table:
    """List each effect of each rater, what stands apart from the others and what does not."""
    names = Names(results)
    looked = [one for one in results.diagnostics if one.kind != _FAVOURING]
    shown = [one for one in looked if one.effect is not None]
    measured = {one.kind for one in shown}
    absent = {one.kind: one.reason for one in looked if one.kind not in measured}
    unmeasured = "; ".join(f"{kind} ({why})" for kind, why in absent.items())
    return Table(
        "rater-effects",
        "What each rater does that the others do not",
        "Each effect compares a rater with the others on the same answers. Intervals are not "
        "adjusted for how many are looked at: one in twenty stands apart by luck. "
        f"{how(one.interval for one in shown)}"
        " Effects without a value are in report.json, with the reason."
        + (f" Nothing could be said of: {unmeasured}." if unmeasured else ""),
        (
            Column("Rater", ("rater",)),
            Column("Effect", ("kind", "meaning")),
            Column("Size", estimate_fields("effect"), numeric=True),
            Column("Labels", ("n",), numeric=True),
        ),
        tuple(
            Row(
                (
                    text(one.rater),
                    Cell(effect_words(one), (one.kind, one.meaning), detail=one.meaning),
                    _effect(one),
                    count(one.n),
                ),
                _of(names, one.dimension),
            )
            for one in shown
        ),
        group_field="dimension",
        empty="There are no judgements with scores.",
        synthetic=results.study.synthetic,
    )


def favouring(results: Results) -> Table:
    """List the systems that a rater favours or disfavours beyond the others' view."""
    names = Names(results)
    looked = [one for one in results.diagnostics if one.kind == _FAVOURING]
    shown = [one for one in looked if apart(one)]
    return Table(
        "favouring",
        "Systems that a rater favours beyond the others' view",
        "Points that a rater gives one system above the others, less the same for the other "
        f"systems. Listed are the {len(shown)} of {len(looked)} pairs of rater and system whose "
        "interval leaves out 0; one in twenty does by luck. All of them are in report.json. "
        f"{how(one.interval for one in shown)}",
        (
            Column("Rater", ("rater",)),
            Column("System", ("system",)),
            Column("Points", estimate_fields("effect"), numeric=True),
            Column("Labels", ("n",), numeric=True),
        ),
        tuple(
            Row(
                (
                    text(one.rater),
                    named(names.of_system(one.about), one.about),
                    _effect(one),
                    count(one.n),
                ),
                _of(names, one.dimension),
            )
            for one in shown
        ),
        group_field="dimension",
        empty="No rater favours a system beyond what luck would make.",
        synthetic=results.study.synthetic,
    )


def _of(names: Names, dimension: str) -> str:
    """Name a dimension, or the two of a halo."""
    return " and ".join(names.of_dimension(one) for one in dimension.split(", "))


def _effect(one: RaterDiagnostic) -> Cell:
    return estimate(one.effect, one.interval, one.reason, Style(2))
