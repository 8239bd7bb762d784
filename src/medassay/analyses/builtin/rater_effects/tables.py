"""What each rater does that the others do not, as tables."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.rater_effects.standing_apart import effect_words, stands_apart
from medassay.exhibits import Names, Style, shown, table_of
from medassay.exhibits.cells import how
from medassay.exhibits.columns import Shown, estimated
from medassay.exhibits.table import Cell, Column, Table
from medassay.validity import RaterDiagnostic

__all__ = ["effects_table", "favouring_table"]

_FAVOURING: Final = "favouring"
_POINTS: Final = Style(2)


def effects_table(effects: Sequence[RaterDiagnostic], names: Names) -> Table:
    """List each effect of each rater, what stands apart from the others and what does not."""
    looked_at = [effect for effect in effects if effect.kind != _FAVOURING]
    measured = [effect for effect in looked_at if effect.effect is not None]
    kinds = {effect.kind for effect in measured}
    absent = {effect.kind: effect.reason for effect in looked_at if effect.kind not in kinds}
    unmeasured = "; ".join(f"{kind} ({why})" for kind, why in absent.items())
    return table_of(
        ((_dimensions(names, effect), effect) for effect in measured),
        (
            shown("Rater", "rater"),
            Shown(Column("Effect", ("kind", "meaning")), _kind),
            estimated("Size", "effect", _POINTS),
            shown("Labels", "n", "{:,}".format),
        ),
        id="rater-effects",
        title="What each rater does that the others do not",
        caption="Each effect compares a rater with the others on the same answers. Intervals are "
        "not adjusted for how many are looked at: one in twenty stands apart by luck. "
        f"{how(effect.interval for effect in measured)}"
        " Effects without a value are in report.json, with the reason."
        + (f" Nothing could be said of: {unmeasured}." if unmeasured else ""),
        empty="There are no judgements with scores.",
        grouped_by="dimension",
        stands="file",
    )


def favouring_table(effects: Sequence[RaterDiagnostic], names: Names) -> Table:
    """List the systems that a rater favours or disfavours beyond the others' view."""
    looked_at = [effect for effect in effects if effect.kind == _FAVOURING]
    clear = [effect for effect in looked_at if stands_apart(effect)]
    return table_of(
        ((_dimensions(names, effect), effect) for effect in clear),
        (
            shown("Rater", "rater"),
            shown("System", "about", names.of_system, file="system", numeric=False),
            estimated("Points", "effect", _POINTS),
            shown("Labels", "n", "{:,}".format),
        ),
        id="favouring",
        title="Systems that a rater favours beyond the others' view",
        caption="Points that a rater gives one system above the others, less the same for the "
        f"other systems. {_listed(len(clear), len(looked_at))}"
        f"{how(effect.interval for effect in clear)}",
        empty="No rater favours a system beyond what luck would make."
        if looked_at
        else "No rater labelled enough with others to show whom they favour.",
        grouped_by="dimension",
        stands="file",
    )


def _listed(clear: int, looked_at: int) -> str:
    if looked_at == 0:
        return ""
    return (
        f"Listed are the {clear} of {looked_at} pairs of rater and system whose interval leaves "
        "out 0; one in twenty does by luck. All of them are in report.json. "
    )


def _kind(effect: RaterDiagnostic) -> Cell:
    return Cell(effect_words(effect), (effect.kind, effect.meaning), detail=effect.meaning)


def _dimensions(names: Names, effect: RaterDiagnostic) -> str:
    """Name a dimension, or the two of a halo."""
    return " and ".join(names.of_dimension(name) for name in effect.dimension.split(", "))
