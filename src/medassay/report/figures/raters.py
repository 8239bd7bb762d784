"""What each rater does that the others do not: dots with intervals, a picture a dimension."""

from typing import Final

from medassay.analyses.results import Results
from medassay.exhibits.dots import DotPanel, Mark, dot_grid
from medassay.exhibits.names import slug
from medassay.exhibits.picture import Picture
from medassay.exhibits.sentences import upper_first
from medassay.report.names import Names, effect_words
from medassay.report.tables import CHANCE, NOTHING, apart, how
from medassay.validity import RaterDiagnostic

__all__ = ["halo_pictures", "rater_pictures"]

_AXES: Final = {"competence": (0.0, 1.0), "speed": (0.0, 1.0)}
_PANELS: Final = 7
_ROWS: Final = 24
_PAIRS: Final = 4


def rater_pictures(results: Results) -> dict[str, Picture]:
    """Draw a picture for each dimension: raters down, effects across."""
    names = Names(results)
    shown = [
        one
        for one in results.diagnostics
        if one.effect is not None and one.kind not in {"favouring", "halo"}
    ]
    dimensions = list(dict.fromkeys(one.dimension for one in shown))
    if not shown:
        return {}
    rows = dict.fromkeys((one.dimension, one.rater) for one in shown)
    if len(dimensions) > 1 and len(rows) <= _ROWS:
        # A small panel fits one picture: a row for each dimension and rater.
        told = {
            (dimension, rater): f"{names.of_dimension(dimension)}, {rater}"
            for dimension, rater in sorted(rows, key=lambda row: (dimensions.index(row[0]), row[1]))
        }
        return {"raters-effects": _picture(results, "What each rater does", shown, told)}
    pictures = {}
    for dimension in dimensions:
        own = [one for one in shown if one.dimension == dimension]
        title = f"What each rater does: {names.of_dimension(dimension)}"
        told = {(dimension, rater): rater for rater in sorted({one.rater for one in own})}
        pictures[f"raters-{slug(dimension)}"] = _picture(results, title, own, told)
    return pictures


def _picture(
    results: Results, title: str, own: list[RaterDiagnostic], told: dict[tuple[str, str], str]
) -> Picture:
    """Draw a panel for each kind of effect; `told` says what each row is called, in order."""
    shown: dict[str, list[RaterDiagnostic]] = {}
    for one in own:
        shown.setdefault(effect_words(one), []).append(one)
    panels = [
        _panel(
            name,
            [(told[one.dimension, one.rater], one) for one in of_kind],
            _AXES.get(of_kind[0].kind),
        )
        for name, of_kind in shown.items()
    ]
    figure = dot_grid(panels, list(told.values()), _PANELS, synthetic=results.study.synthetic)
    return Picture(title, figure, _caption(own))


def halo_pictures(results: Results) -> dict[str, Picture]:
    """Draw how far two dimensions of one rater move together more than the others' do."""
    names = Names(results)
    shown = [one for one in results.diagnostics if one.kind == "halo" and one.effect is not None]
    if not shown:
        return {}
    pairs = list(dict.fromkeys(one.dimension for one in shown))
    panels = [
        _panel(
            " and ".join(names.of_dimension(one) for one in pair.split(", ")),
            [(one.rater, one) for one in shown if one.dimension == pair],
            None,
        )
        for pair in pairs
    ]
    figure = dot_grid(panels, _raters(shown), _PAIRS, synthetic=results.study.synthetic)
    return {"raters-halo": Picture("Halo of each rater", figure, _caption(shown))}


def _panel(
    title: str, own: list[tuple[str, RaterDiagnostic]], axis: tuple[float, float] | None
) -> DotPanel:
    kind = own[0][1].kind
    marks = {row: [_mark(one, one.effect)] for row, one in own if one.effect is not None}
    return DotPanel(title, marks, NOTHING.get(kind), axis)


def _mark(one: RaterDiagnostic, effect: float) -> Mark:
    low, high = (one.interval.low, one.interval.high) if one.interval else (None, None)
    return Mark(effect, low, high, full=apart(one), band=one.kind in CHANCE)


def _raters(own: list[RaterDiagnostic]) -> list[str]:
    return sorted(dict.fromkeys(one.rater for one in own))


def _caption(own: list[RaterDiagnostic]) -> str:
    meaning = {effect_words(one): one.meaning for one in own}
    said = ". ".join(f"{upper_first(name)}: {words}" for name, words in meaning.items())
    band = (
        " Of an identical run the grey band is what random orders of the same labels give."
        if any(one.kind in CHANCE for one in own)
        else ""
    )
    return (
        f"{said}. Filled: the interval leaves out the line, where the rater is like the others; "
        f"one in twenty does by luck.{band} {how(one.interval for one in own)}"
    )
