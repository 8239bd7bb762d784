"""What each rater does that the others do not: dots with intervals, a picture a dimension."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.analyses.builtin.rater_effects.standing_apart import (
    CHANCE,
    LIKE_THE_OTHERS,
    effect_words,
    stands_apart,
)
from medassay.exhibits import Names, Picture
from medassay.exhibits.cells import how
from medassay.exhibits.dots import DotPanel, Mark, dot_grid
from medassay.exhibits.names import slug
from medassay.exhibits.sentences import upper_first
from medassay.validity import RaterDiagnostic

__all__ = ["effect_pictures"]

_AXES: Final = {"competence": (0.0, 1.0), "speed": (0.0, 1.0)}
_PANELS: Final = 7
_ROWS: Final = 24
_PAIRS: Final = 4


def effect_pictures(effects: Sequence[RaterDiagnostic], names: Names) -> dict[str, Picture]:
    """Draw raters down and effects across, a picture a dimension, and their halos in one."""
    measured = [effect for effect in effects if effect.effect is not None]
    plain = [effect for effect in measured if effect.kind not in {"favouring", "halo", "reversed"}]
    halos = [effect for effect in measured if effect.kind == "halo"]
    return _by_dimension(plain, names) | _of_halos(halos, names)


def _by_dimension(effects: Sequence[RaterDiagnostic], names: Names) -> dict[str, Picture]:
    dimensions = list(dict.fromkeys(effect.dimension for effect in effects))
    rows = dict.fromkeys((effect.dimension, effect.rater) for effect in effects)
    if len(dimensions) > 1 and len(rows) <= _ROWS:
        # A small panel fits one picture: a row for each dimension and rater.
        titles = {
            (dimension, rater): f"{names.of_dimension(dimension)}, {rater}"
            for dimension, rater in sorted(rows, key=lambda row: (dimensions.index(row[0]), row[1]))
        }
        return {"raters-effects": _picture(names, "What each rater does", effects, titles)}
    pictures = {}
    for dimension in dimensions:
        own = [effect for effect in effects if effect.dimension == dimension]
        title = f"What each rater does: {names.of_dimension(dimension)}"
        titles = {(dimension, rater): rater for rater in _raters(own)}
        pictures[f"raters-{slug(dimension)}"] = _picture(names, title, own, titles)
    return pictures


def _picture(
    names: Names,
    title: str,
    effects: Sequence[RaterDiagnostic],
    titles: Mapping[tuple[str, str], str],
) -> Picture:
    """Draw a panel for each kind of effect; `titles` says what each row is called, in order."""
    by_kind: dict[str, list[RaterDiagnostic]] = {}
    for effect in effects:
        by_kind.setdefault(effect_words(effect), []).append(effect)
    panels = [
        _panel(
            name,
            [(titles[effect.dimension, effect.rater], effect) for effect in own],
            _AXES.get(own[0].kind),
        )
        for name, own in by_kind.items()
    ]
    figure = dot_grid(panels, list(titles.values()), _PANELS, synthetic=names.synthetic)
    return Picture(title, figure, _caption(effects))


def _of_halos(halos: Sequence[RaterDiagnostic], names: Names) -> dict[str, Picture]:
    """Draw how far two dimensions of one rater move together more than the others' do."""
    if not halos:
        return {}
    panels = [
        _panel(
            " and ".join(names.of_dimension(name) for name in pair.split(", ")),
            [(halo.rater, halo) for halo in halos if halo.dimension == pair],
            None,
        )
        for pair in dict.fromkeys(halo.dimension for halo in halos)
    ]
    figure = dot_grid(panels, _raters(halos), _PAIRS, synthetic=names.synthetic)
    return {"raters-halo": Picture("Halo of each rater", figure, _caption(halos))}


def _panel(
    title: str, own: Sequence[tuple[str, RaterDiagnostic]], axis: tuple[float, float] | None
) -> DotPanel:
    marks = {
        row: [_mark(effect, effect.effect)] for row, effect in own if effect.effect is not None
    }
    return DotPanel(title, marks, LIKE_THE_OTHERS.get(own[0][1].kind), axis)


def _mark(effect: RaterDiagnostic, value: float) -> Mark:
    low, high = (effect.interval.low, effect.interval.high) if effect.interval else (None, None)
    return Mark(value, low, high, full=stands_apart(effect), band=effect.kind in CHANCE)


def _raters(effects: Sequence[RaterDiagnostic]) -> list[str]:
    return sorted({effect.rater for effect in effects})


def _caption(effects: Sequence[RaterDiagnostic]) -> str:
    meaning = {effect_words(effect): effect.meaning for effect in effects}
    explained = ". ".join(f"{upper_first(name)}: {words}" for name, words in meaning.items())
    band = (
        " Of an identical run the grey band is what random orders of the same labels give."
        if any(effect.kind in CHANCE for effect in effects)
        else ""
    )
    return (
        f"{explained}. Filled: the interval leaves out the line, where the rater is like the "
        f"others; one in twenty does by luck.{band} {how(effect.interval for effect in effects)}"
    )
