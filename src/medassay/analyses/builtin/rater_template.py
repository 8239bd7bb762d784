"""Did what a template warns raters of happen, and did they do what it asks?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from medassay.analyses.builtin.human_evaluation import kappa_of
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.rater_agreement import Agreed
from medassay.analyses.inputs.rater_traits import Diagnosed
from medassay.analyses.inputs.readable import About, Rules
from medassay.annotations import DesignName, RaterName, SystemName, Words, record
from medassay.answers import Answers
from medassay.exhibits import Names
from medassay.exhibits.claim import LEVEL
from medassay.exhibits.columns import (
    celled,
    counted,
    estimate,
    estimate_fields,
    how,
    shown,
    table_of,
    text,
)
from medassay.exhibits.numbers import Style
from medassay.exhibits.sentences import upper_first
from medassay.exhibits.table import Table
from medassay.judgements import Judgements, Rubric
from medassay.stats import Interval
from medassay.text import count_of
from medassay.validity import RaterDiagnostic

if TYPE_CHECKING:
    import polars as pl

LEVELS: Final = "levels of the scale that the rater used"
"""The one measure of a pitfall that is a count."""


@record(infers=True)
class Pitfall:
    """One thing that raters are warned of, measured.

    Attributes:
        about: The system, where the rater may favour it; else empty.
    """

    pitfall: Words
    rater: RaterName
    measure: Words
    about: SystemName
    value: float | None
    interval: Interval | None
    n: int
    reason: Words


@record(infers=False)
class ChecklistItem:
    """One line of the source's quality checklist, answered from the data."""

    item: Words
    answer: Literal["yes", "no", "partly", "cannot be told"]
    detail: Words


@record(infers=True)
class RaterTemplate:
    """The pitfalls, rater by rater, and the checklist."""

    dimension: DesignName
    pitfalls: tuple[Pitfall, ...]
    checklist: tuple[ChecklistItem, ...]


_FAR: Final = 2
"""Raters who differ by so much make an answer an edge case."""


def checklist_of(
    judgements: Judgements,
    rubric: Rubric,
    dimension: str,
    *,
    answers: int,
    kappa: float | None,
    diagnostics: Sequence[RaterDiagnostic],
    originals: Sequence[str],
) -> list[ChecklistItem]:
    """Answer the seven lines of the med-gpt template; what no data can tell is said to be so."""
    judged = judgements.current()
    labelled = judged.filter((judged["dimension"] == dimension) & judged["label"].is_not_null())
    scored = labelled.filter(labelled["phase"].is_in(judgements.counts))
    return [
        _all_answers(answers, labelled, scored),
        _in_range(rubric, dimension, scored),
        _no_missing(answers, labelled),
        _consistent(dimension, kappa, diagnostics),
        _notes(scored),
        ChecklistItem(
            item="File saved properly",
            answer="yes",
            detail="The study's files were read whole; their SHA-256 are among the inputs.",
        ),
        _backup(originals),
    ]


def _all_answers(there: int, labelled: "pl.DataFrame", scored: "pl.DataFrame") -> ChecklistItem:
    """Answers of the calibration round are evaluated, though no table counts their scores."""
    n = labelled.select("system", "case").n_unique()
    apart = n - scored.select("system", "case").n_unique()
    return ChecklistItem(
        item="All answers evaluated",
        answer="yes" if n == there else "no",
        detail=f"{n} of {there} answers have a score"
        f"{f', {apart} of them in the calibration round alone' if apart else ''}.",
    )


def _in_range(rubric: Rubric, dimension: str, scored: "pl.DataFrame") -> ChecklistItem:
    scale = [label.label for label in rubric.dimension(dimension).labels]
    used = sorted(scored["label"].unique().to_list())
    return ChecklistItem(
        item="Scores are in 1-5 range",
        answer="yes" if scored.height and set(used) <= set(scale) else "no",
        detail=f"Scores given: {', '.join(used) or 'none'}. Others are refused at the import.",
    )


def _no_missing(answers: int, labelled: "pl.DataFrame") -> ChecklistItem:
    """One score of each rater of each answer is wanted, in whichever round."""
    scored = labelled.unique(["rater", "system", "case"], maintain_order=True)
    raters = sorted(scored["rater"].unique().to_list())
    wanted = len(raters) * answers
    of = scored.group_by("rater").len().sort("rater").rows()
    short = [f"{rater} {n} of {answers}" for rater, n in of if n < answers]
    return ChecklistItem(
        item="No missing scores",
        answer="yes" if raters and not short else "no",
        detail=f"{scored.height} of {wanted} scores are there, if every rater was to score every "
        f"answer{': ' + ', '.join(short) if short else ''}."
        if raters
        else "Nobody scored anything.",
    )


def _consistent(
    dimension: str, kappa: float | None, diagnostics: Sequence[RaterDiagnostic]
) -> ChecklistItem:
    """Agreement and drift speak of the criteria; only the raters know what they applied."""
    drift = [
        diagnostic
        for diagnostic in diagnostics
        if (diagnostic.dimension, diagnostic.kind) == (dimension, "drift")
    ]
    known = [diagnostic for diagnostic in drift if diagnostic.interval is not None]
    moved = [
        diagnostic.rater
        for diagnostic in known
        if diagnostic.interval
        and diagnostic.interval.low * diagnostic.interval.high > 0
        and (diagnostic.p is None or diagnostic.p <= LEVEL)
    ]
    text = "Agreement cannot be computed." if kappa is None else f"Cohen's kappa is {kappa:.2f}."
    if moved:
        text += f" The scores of {', '.join(moved)} drift along the order."
    elif known:
        text += f" No drift along the order is shown by {count_of(len(known), 'rater')}."
    else:
        text += " Drift is not known: the order of the ratings is not."
    return ChecklistItem(
        item="Consistent criteria applied",
        answer="no" if moved else "cannot be told",
        detail=text,
    )


def _notes(scored: "pl.DataFrame") -> ChecklistItem:
    """Edge cases are the answers whose raters lie two points or more apart."""
    scores: dict[tuple[str, str], list[int]] = {}
    noted: set[tuple[str, str]] = set()
    rows = scored.select("system", "case", "label", "comment").rows()
    for system, case, label, comment in rows:
        scores.setdefault((system, case), []).append(int(label))
        if comment:
            noted.add((system, case))
    edges = {key for key, some in scores.items() if max(some) - min(some) >= _FAR}
    both = len(edges & noted)
    text = f"{len(noted)} of {len(scores)} answers have a note."
    if not edges:
        return ChecklistItem(
            item="Notes added for edge cases",
            answer="cannot be told",
            detail=f"{text} No raters lie {_FAR} points or more apart on an answer.",
        )
    return ChecklistItem(
        item="Notes added for edge cases",
        answer="yes" if both == len(edges) else "partly" if both else "no",
        detail=f"{text} On {count_of(len(edges), 'answer')} raters lie {_FAR} points or more "
        f"apart; {both} of them {'has' if both == 1 else 'have'} a note.",
    )


def _backup(originals: Sequence[str]) -> ChecklistItem:
    return ChecklistItem(
        item="Backup created",
        answer="yes" if originals else "cannot be told",
        detail=f"The files as they came are kept in original/: {', '.join(originals)}."
        if originals
        else "The study holds no copy of the files as they came.",
    )


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


_COUNT: Final = Style(0)
_MEAN: Final = Style(2)


def template_tables(template: RaterTemplate, names: Names) -> list[Table]:
    """Show what raters are warned of, measured, and the checklist, answered."""
    return [_pitfalls(template.pitfalls, names), _checklist(template.checklist)]


def _pitfalls(pitfalls: Sequence[Pitfall], names: Names) -> Table:
    return table_of(
        pitfalls,
        (
            shown("Pitfall", "pitfall"),
            shown("Rater", "rater"),
            celled(
                "Measured as",
                "measure",
                lambda row: text(_measure(row, names), detail=upper_first(row.measure)),
                wide=True,
            ),
            celled(
                "Value",
                estimate_fields("value"),
                lambda row: estimate(row.value, row.interval, row.reason, _style(row)),
                numeric=True,
            ),
            counted("n", "n"),
        ),
        id="pitfalls",
        title="The template's pitfalls, measured",
        caption="What each rater does that the others do not, on the overall score. Of an "
        "identical run the brackets hold what random orders give. Anchoring, drift and runs need "
        "the order of the ratings, which sheets from medassay store and a results file does not. "
        + how(pitfall.interval for pitfall in pitfalls if pitfall.interval is not None),
        empty="Nobody has scored an answer yet.",
    )


def _style(pitfall: Pitfall) -> Style:
    return _COUNT if pitfall.measure == LEVELS else _MEAN


def _measure(pitfall: Pitfall, names: Names) -> str:
    short = pitfall.measure.partition(":")[0]
    return f"{short} {names.of_system(pitfall.about)}" if pitfall.about else short


def _checklist(checklist: Sequence[ChecklistItem]) -> Table:
    return table_of(
        checklist,
        (
            shown("Item", "item"),
            shown("Answer", "answer"),
            shown("Why", "detail", wide=True),
        ),
        id="quality-checklist",
        title="The template's quality checklist, answered from the data",
        caption="What the data cannot tell is said to be so.",
        empty="There is nothing to check.",
    )


@analysis(
    Declaration(
        id="rater_template",
        title="What the template asks of raters",
        question="Did what the template warns of happen, and is its checklist met?",
        section="panel",
        part="panel-template",
        infers=True,
        reader="organiser",
        place=5,
        tables=template_tables,
    )
)
def rater_template(
    rules: Rules,
    judgements: Judgements,
    rubric: Rubric,
    answers: Answers,
    agreed: Agreed,
    diagnosed: Diagnosed,
    about: About,
) -> RaterTemplate | None:
    """Measure the pitfalls and answer the checklist, where the protocol has a template."""
    rule = rules.paper
    if rule is None:
        return None
    kappa = kappa_of(agreed, rule.dimension)
    return RaterTemplate(
        rule.dimension,
        tuple(pitfalls_of(judgements, rule.dimension, diagnosed.effects)),
        tuple(
            checklist_of(
                judgements,
                rubric,
                rule.dimension,
                answers=len(answers),
                kappa=kappa.value if kappa else None,
                diagnostics=diagnosed.effects,
                originals=about.originals,
            )
        ),
    )
