"""What does each rater do that the others do not?"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.rater_traits import Diagnosed
from medassay.analyses.results.whole import Records
from medassay.annotations import record
from medassay.exhibits import Claim, Names, Picture, VerdictKind, VerdictRow, shown, table_of
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.columns import Shown, estimated, how
from medassay.exhibits.drawing import DotPanel, Mark, dot_grid
from medassay.exhibits.names import method_words, slug
from medassay.exhibits.numbers import Style, ci, listed
from medassay.exhibits.sentences import upper_first
from medassay.exhibits.table import Cell, Column, Table
from medassay.stats import Interval
from medassay.text import shell_line
from medassay.validity import RaterDiagnostic

_KINDS: Final = {
    "severity": ("strict or mild rater", VerdictRow.STRICT),
    "drift": ("rater who drifts", VerdictRow.DRIFT),
    "reversed": ("reversed scale", VerdictRow.REVERSED),
}
"""The kinds of effects that warn, each its finding's id: what the warning is about, and its row."""


def rater_claims(effects: Sequence[RaterDiagnostic]) -> Iterator[Claim]:
    """Give a warning of each kind that raters can earn here: strict, drifting, scale reversed."""
    of = {kind: [effect for effect in effects if effect.kind == kind] for kind in _KINDS}
    for kind, (about, row) in _KINDS.items():
        p = [effect.p for effect in of[kind]]
        if any(value is not None for value in p):
            yield Claim.of(kind, about, VerdictKind.WARNING, p, row=row)
    if of["severity"] and not of["reversed"]:
        about, row = _KINDS["reversed"]
        # All are looked at; only who stands has an effect, with its p.
        yield Claim.of("reversed", about, VerdictKind.WARNING, row=row)


LIKE_THE_OTHERS: Final = {
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


def stands_apart(effect: RaterDiagnostic) -> bool:
    """Say whether a rater stands apart: beyond the interval where the others, or chance, would be.

    Of kinds that have no value for 'like the others' nothing is said.
    """
    if effect.effect is None or effect.interval is None or effect.kind not in LIKE_THE_OTHERS:
        return False
    if effect.kind in CHANCE:
        return effect.effect > effect.interval.high
    return not effect.interval.low <= LIKE_THE_OTHERS[effect.kind] <= effect.interval.high


def farthest(
    effects: Sequence[RaterDiagnostic], kind: str
) -> tuple[RaterDiagnostic, float, Interval, int] | None:
    """Give the effect of a kind farthest from 0, its interval and how many there are, if it stands.

    The farthest of many leaves 0 out of its interval by luck: of twelve in 46% of studies. So one
    stands where its p over all raters and dimensions says so too.
    """
    of_kind = [effect for effect in effects if effect.kind == kind]
    raters = Counter(effect.dimension for effect in of_kind)
    # Of two raters one is as strict as the other is mild: the first is told.
    first = {effect.dimension: effect for effect in reversed(of_kind)}
    tested = [
        (effect, effect.effect, effect.interval)
        for effect in of_kind
        if effect.effect is not None
        and effect.p is not None
        and (raters[effect.dimension] > 2 or first[effect.dimension] is effect)  # noqa: PLR2004
    ]
    standing = [
        (effect, value, around)
        for effect, value, around in tested
        if around is not None
        and effect.p is not None
        and effect.p <= 1 - around.level
        and stands_apart(effect)
    ]
    if not standing:
        return None
    effect, value, around = max(standing, key=lambda effect_of: abs(effect_of[1]))
    return effect, value, around, len(tested)


def effect_words(effect: RaterDiagnostic) -> str:
    """Say which effect of a rater it is; of a competence, by which MACE."""
    if effect.kind == "competence":
        return f"competence, {method_words(effect.about)}"
    return effect.kind


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
        caption="Against the others on the same answers. Intervals are not adjusted for how "
        "many: one in twenty leaves out 0 by chance. "
        f"{how(effect.interval for effect in measured)} Effects without a value are in "
        "report.json, with the reason."
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
        caption="Points above the other raters for one system, less the same for the other "
        "systems. "
        f"{_listed(len(clear), len(looked_at))}{how(effect.interval for effect in clear)}",
        empty="No rater favours a system by more than chance would."
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
        "out 0; one in twenty does by chance. All of them are in report.json. "
    )


def _kind(effect: RaterDiagnostic) -> Cell:
    return Cell(effect_words(effect), (effect.kind, effect.meaning), detail=effect.meaning)


def _dimensions(names: Names, effect: RaterDiagnostic) -> str:
    """Name a dimension, or the two of a halo."""
    return " and ".join(names.of_dimension(name) for name in effect.dimension.split(", "))


def rater_findings(effects: Sequence[RaterDiagnostic], names: Names) -> tuple[Finding, ...]:
    """Say who may have read a scale backwards, which comes first; who is strictest; who drifts."""
    found = (
        _reversed(effects, names),
        severity_finding(effects, names),
        drift_finding(effects, names),
    )
    return tuple(filter(None, found))


def _reversed(effects: Sequence[RaterDiagnostic], names: Names) -> Finding | None:
    """Name who may have read the scale the other way round, dimension by dimension."""
    found: dict[str, list[RaterDiagnostic]] = {}
    for effect in effects:
        if effect.kind == "reversed" and effect.effect is not None:
            found.setdefault(effect.dimension, []).append(effect)
    sentences = []
    for dimension, own in found.items():
        first, of = own[0], names.of_dimension(dimension)
        r = _POINTS(first.effect or 0.0)
        if len(own) == 1:
            sentences.append(
                f"{upper_first(first.rater)} may have read the scale of {of} the other way round"
                f" (correlation with the others {r} over {first.n:,} labels)."
            )
            continue
        raters = listed([effect.rater for effect in own])
        sentences.append(
            f"{upper_first(raters)} contradict each other on {of}, so some of them may have read"
            " its scale the other way round"
            f" (correlation with the others {r} over {first.n:,} labels)."
        )
    if not found:
        return None
    who = list(dict.fromkeys(effect.rater for own in found.values() for effect in own))
    first = next(iter(found.values()))[0]
    if names.key:
        sentences.append(f"{names.key} in the study's folder says who {listed(who)} is.")
    sentences.append(
        f"Check with {'this rater' if len(who) == 1 else 'these raters'} before using any average"
        " that rests on those labels; each is marked as not settled."
        " Then settle it: medassay campaign correct STUDY "
        f"{shell_line([first.rater, first.dimension])} reversed REASON, or as-given."
    )
    return Finding("reversed", " ".join(sentences), ("rater-effects",), ReaderQuestion.WHOSE)


def severity_finding(effects: Sequence[RaterDiagnostic], names: Names) -> Finding | None:
    """Say who is strictest or mildest on the same answers; None where nobody stands apart."""
    found = farthest(effects, "severity")
    if found is None:
        return None
    effect, value, *_ = found
    unit, is_, around = _said(found, names)
    way = "less" if value < 0 else "more"
    who, on = upper_first(effect.rater), names.of_dimension(effect.dimension)
    gave = f"{_POINTS(abs(value))} {unit} {way}"
    text = (
        f"{who} gave {gave} than the others to the same answers on {on} ({around})."
        f" This is {is_}; it does not mean less expert."
    )
    return Finding("severity", text, ("rater-effects",), ReaderQuestion.AGREEMENT)


def drift_finding(effects: Sequence[RaterDiagnostic], names: Names) -> Finding | None:
    """Say who grew stricter or milder most along the order; None where nobody stands apart."""
    found = farthest(effects, "drift")
    if found is None:
        return None
    effect, value, *_ = found
    unit, is_, around = _said(found, names)
    who, on = upper_first(effect.rater), names.of_dimension(effect.dimension)
    drift = f"{_POINTS(abs(value))} {unit} {is_} than the others with every 100 ratings"
    text = f"{who} drifted on {on}: {drift} ({around})."
    return Finding("drift", text, ("rater-effects",))


def _said(
    found: tuple[RaterDiagnostic, float, Interval, int], names: Names
) -> tuple[str, str, str]:
    """Give the unit of an effect, whether it is stricter or milder, and the interval in words."""
    effect, value, around, looked_at = found
    source = next((s for s in names.sources.values() if s.dimension == effect.dimension), None)
    better = "higher" if source is None else source.direction
    is_ = "stricter" if (value < 0) == (better == "higher") else "milder"
    unit = "points" if source is None or not source.unit else source.unit
    low, high = sorted((abs(around.low), abs(around.high)))
    of = f"; the largest of {looked_at}, tested together" if looked_at > 1 else ""
    return unit, is_, f"{ci(replace(around, low=low, high=high), _POINTS, beside=0)}{of}"


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
    pictures: dict[str, Picture] = {}
    for dimension in dimensions:
        own = [effect for effect in effects if effect.dimension == dimension]
        title = f"What each rater does: {names.of_dimension(dimension)}"
        titles = {(dimension, rater): rater for rater in _raters(own)}
        picture = _picture(names, title, own, titles)
        # What is the same is said once.
        for before in pictures.values():
            if before.caption == picture.caption:
                picture = replace(picture, caption=f"Read as the figure “{before.title}”.")
                break
        pictures[f"raters-{slug(dimension)}"] = picture
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
    band = " Grey band: random orders." if any(effect.kind in CHANCE for effect in effects) else ""
    return (
        f"{explained}. Filled: the interval leaves out the line (like the others), as one in "
        f"twenty does by chance.{band} {how(effect.interval for effect in effects)}"
    )


@record(infers=True)
class RaterEffects:
    """What each rater does that the others do not, by dimension, rater and kind."""

    effects: tuple[RaterDiagnostic, ...]


@analysis(
    Declaration(
        id="rater_effects",
        title="What each rater does that the others do not",
        question="Is a rater severe, timid, carried along, tired, partial, careless or hasty?",
        section="panel",
        part="panel-raters",
        infers=True,
        reader="organiser",
        place=40,
        tables=lambda by_rater, names: [
            favouring_table(by_rater.effects, names),
            effects_table(by_rater.effects, names),
        ],
        pictures=lambda by_rater, names: effect_pictures(by_rater.effects, names),
        finding=lambda by_rater, names: rater_findings(by_rater.effects, names),
        verdicts=(VerdictKind.WARNING,),
        claims=lambda by_rater, _: rater_claims(by_rater.effects),
    )
)
def rater_effects(diagnosed: Diagnosed) -> RaterEffects | None:
    """Compare each rater with the others on the same answers."""
    return RaterEffects(diagnosed.effects) if diagnosed.effects else None


def effects_in(records: Records) -> tuple[RaterDiagnostic, ...]:
    """Give what a run says that raters do; nothing where it was not asked."""
    effects = records.of(rater_effects)
    return effects.effects if effects else ()
