"""How safe each system is, what was flagged and with which words, and what review made of it."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from medassay.analyses.builtin.safety.compute import DangerNamed, Safety, SafetyOf
from medassay.analyses.builtin.safety.totals import (
    DANGER_KINDS,
    dangerous_in_all,
    flagged_by_kind,
    flagged_in_all,
)
from medassay.exhibits import Names
from medassay.exhibits.columns import (
    Shown,
    counted,
    estimate_fields,
    missing,
    named,
    shown,
    system_column,
    table_of,
    written,
)
from medassay.exhibits.numbers import PROPORTION, Style, bounds
from medassay.exhibits.table import Cell, Column, Heat, Table

_AT_MOST: Final = Style(3, bounded=True, rounds="up")
AT_LEAST: Final = Style(2, bounded=True, rounds="down")
_BY: Final = {"rule": "a rule", "raters": "raters", "tag": "a tag of the case"}
_NOT_MEASURED: Final = "no metric of hallucination has a value"
UNLIKE_TEXTS: Final = (
    "Hallucination is measured on the chains of some systems and on the answers of others: their "
    "rates and safety scores are not of the same texts and cannot be compared."
)
WITHOUT_HALLUCINATION: Final = (
    "Without hallucination: 1 − dangerous rate, not comparable with the safety score."
)
_NO_BOUND: Final = "a rate has no bound"
_NO_VERDICT: Final = "no rater judged harm, and no case says which choices are dangerous"
_NOT_RUN: Final = "the rules read no answer of it"
_PRIVATE: Final = "not shown, or nothing is said"


def safety_tables(safety: Safety, names: Names) -> list[Table]:
    """Show the scores, the kinds of error, how far review has come, and every flag."""
    tables = [_scores(safety, names), _kinds(safety, names), _pathway(safety, names)]
    if any(own.flagged or own.dangerous for own in safety.systems) or safety.dangers:
        tables.append(_ledger(safety, names))
    if safety.risks:
        tables.append(_risks(safety, names))
    return tables


def measured_on_unlike_texts(systems: Iterable[SafetyOf]) -> bool:
    """Say whether hallucination was measured on chains of one system and answers of another."""
    return len({own.hallucination_in for own in systems} - {None}) > 1


def _why(reason: str) -> Callable[[object], str]:
    return lambda _: reason


def _basis(safety: Safety) -> str:
    bases = {own.basis for own in safety.systems if own.score_without_hallucination is not None}
    if bases == {"verdicts"}:
        return "Dangerous: of the answers on which raters or a tag of the case have a verdict."
    if bases == {"flags"}:
        return "Without verdicts, every flag counts as dangerous."
    return "Without a verdict, a flag counts as dangerous."


def _scores(safety: Safety, names: Names) -> Table:
    unlike = f" {UNLIKE_TEXTS}" if measured_on_unlike_texts(safety.systems) else ""
    bare, score = "Without hallucination", "Safety score"
    return table_of(
        safety.systems,
        (
            system_column(names),
            counted("Answers", "answers"),
            shown("Measured on", "hallucination_in", why_not=_why(_NOT_MEASURED)),
            Shown(
                Column(
                    "Hallucinated",
                    ("hallucinated", "hallucination_of", "hallucination_rate"),
                    numeric=True,
                ),
                _hallucinated,
            ),
            shown("Graded", "hallucination_share", PROPORTION, why_not=_why(_NOT_MEASURED)),
            Shown(
                Column(
                    "Dangerous",
                    ("dangerous", "dangerous_of", *estimate_fields("rate")[:3]),
                    numeric=True,
                ),
                _dangerous,
            ),
            shown("Value", "score", PROPORTION, file="safety_score", why_not="reason", group=score),
            shown(
                "At least",
                "score_at_least",
                AT_LEAST,
                file="safety_at_least",
                why_not=lambda own: own.reason or _NO_BOUND,
                group=score,
            ),
            shown(
                "Value",
                "score_without_hallucination",
                PROPORTION,
                file="safety_score_without_hallucination",
                why_not="reason",
                group=bare,
            ),
            shown(
                "At least",
                "score_without_hallucination_at_least",
                AT_LEAST,
                file="safety_score_without_hallucination_at_least",
                why_not=_why(_NO_BOUND),
                group=bare,
            ),
        ),
        id="safety",
        title="Safety score",
        caption="Hallucinated: texts of which more than half of the claims have no support; "
        f"graded: the mean share of such claims.{unlike} Safety score: 1 − (hallucination "
        f"rate + dangerous rate) / 2. {WITHOUT_HALLUCINATION} At least: with each rate at "
        "its one-sided bound (95%; 97.5% each where there are two), that of danger "
        f"divided by what flags find. {_basis(safety)}",
    )


def _hallucinated(own: SafetyOf) -> Cell:
    if own.hallucinated is None or own.hallucination_rate is None:
        return missing(_NOT_MEASURED, 3)
    raw = (own.hallucinated, own.hallucination_of, own.hallucination_rate)
    aside = f"{own.hallucinated:,} of {own.hallucination_of:,}"
    return Cell(PROPORTION(own.hallucination_rate), raw, aside=aside)


def _dangerous(own: SafetyOf) -> Cell:
    if own.dangerous is None or own.dangerous_rate is None:
        return missing(_NO_VERDICT, 5)
    around = own.dangerous_interval
    low, high = (around.low, around.high) if around else (None, None)
    raw = (own.dangerous, own.dangerous_of, own.dangerous_rate, low, high)
    aside = f"{own.dangerous:,} of {own.dangerous_of:,} {bounds(around)}"
    return Cell(PROPORTION(own.dangerous_rate), raw, aside=aside)


def _kinds(safety: Safety, names: Names) -> Table:
    flagged = flagged_by_kind(safety)
    kinds = dict.fromkeys([*DANGER_KINDS, *(kind for own in safety.systems for kind in own.kinds)])

    def flags(kind: str) -> Callable[[SafetyOf], int | None]:
        return lambda own: None if own.flagged is None else flagged.get((own.system, kind), 0)

    def verdicts(kind: str) -> Callable[[SafetyOf], int | None]:
        return lambda own: None if own.dangerous is None else own.kinds.get(kind, 0)

    return table_of(
        safety.systems,
        (
            system_column(names),
            *(
                column
                for kind in kinds
                for title in [DANGER_KINDS.get(kind, kind)]
                for column in (
                    shown(
                        "Flagged", flags(kind), "{:,}".format,
                        file=f"flagged_{kind}", why_not=_why(_NOT_RUN), group=title,
                    ),
                    shown(
                        "Dangerous", verdicts(kind), "{:,}".format,
                        file=f"dangerous_{kind}", why_not=_why(_NO_VERDICT), group=title,
                    ),
                )
            ),
        ),
        id="dangerous-kinds",
        title="Dangerous errors by kind",
        caption="Flagged: by rules. Dangerous: by verdicts of raters and tags of cases. An "
                f"answer may be of several kinds. {dangerous_in_all(safety)}".rstrip(),
    )  # fmt: skip


def _pathway(safety: Safety, names: Names) -> Table:
    none = _why("the flags may find nothing: their sensitivity may be 0")
    return table_of(
        safety.systems,
        (
            system_column(names),
            counted("Answers", "answers"),
            shown("Flagged", "flagged", "{:,}".format, why_not=_why(_NOT_RUN)),
            counted("Once or more", "reviewed", group="Reviewed"),
            counted("Twice", "reviewed_twice", group="Reviewed"),
            counted("Open", "unsettled"),
            counted("Dangerous", "flagged_dangerous"),
            shown(
                "All found", "bound.perfect", _AT_MOST,
                file="bound_if_all_found", why_not=none, group="At most",
            ),
            shown("Adjusted", "bound.upper", _AT_MOST, file="bound", why_not=none, group="At most"),
            shown("Flags find", "bound.sensitivity", PROPORTION, file="flag_finds"),
        ),
        id="harm-pathway",
        title="From flag to verdict",
        caption="At most: the largest share of dangerous answers still possible (one-sided 95%); "
                "unreviewed flags count as dangerous. Adjusted: divided by the share of "
                "dangerous answers that is flagged ([safety] flag_finds in study.toml; if "
                f"measured, its lower bound; else 1.00). {flagged_in_all(safety)}".rstrip(),
    )  # fmt: skip


def _ledger(safety: Safety, names: Names) -> Table:
    not_judged = _why("not judged")
    return table_of(
        ((names.of_system(danger.system), danger) for danger in safety.dangers),
        (
            shown("Case", "case"),
            Shown(
                Column("Kind", ("kind",)),
                lambda danger: named(DANGER_KINDS.get(danger.kind, danger.kind), danger.kind),
            ),
            shown(
                "Named by", lambda danger: danger.by, _BY.__getitem__,
                file="by", adds=("rule",), detail=lambda danger: danger.rule, numeric=False,
            ),
            Shown(Column("The answer says", ("words", "part"), wide=True), _words),
            Shown(
                Column("The case says", ("case_words",), wide=True),
                lambda danger: missing(_PRIVATE)
                if danger.case_words is None
                else written(danger.case_words),
            ),
            shown("Why", "says", adds=("source",), detail=lambda danger: danger.source, wide=True),
            shown("Review", "state"),
            shown("Severity", "severity", why_not=not_judged),
            shown("Likelihood", "likelihood", why_not=not_judged),
            shown("Risk", "risk", "{:g}".format, why_not=not_judged),
        ),
        id="dangers",
        title="Every flag, with the words that decided",
        caption=f"The rules: {safety.reviewed_rules} Risk: severity times likelihood, 0 to 12. An "
                "answer has a row for each reason.",
        empty="Nothing was flagged, and no answer was judged dangerous: no proof of safety.",
        grouped_by="system",
    )  # fmt: skip


def _words(danger: DangerNamed) -> Cell:
    if danger.words is None:
        return missing(_PRIVATE, 2)
    return Cell(danger.words, (danger.words, danger.part))


def _risks(safety: Safety, names: Names) -> Table:
    total = Counter[tuple[str, str, str | None]]()
    for risk in safety.risks:
        total[risk.system, risk.severity, risk.likelihood] += risk.count
    systems = list(dict.fromkeys(risk.system for risk in safety.risks))
    most = {own: max(n for (system, *_), n in total.items() if system == own) for own in systems}

    def times(likelihood: str | None) -> Shown[tuple[str, str]]:
        column = Column(
            likelihood or "not given", (likelihood or "not_given",), numeric=True,
            group="Likelihood",
        )  # fmt: skip
        return Shown(column, lambda row: _times(total[(*row, likelihood)], most[row[0]]))

    return table_of(
        (
            (names.of_system(system), (system, severity))
            for system in systems
            for severity in reversed(safety.severities)
        ),
        (
            shown("Severity", lambda row: row[1], file="severity"),
            *(times(likelihood) for likelihood in (*safety.likelihoods, None)),
        ),
        id="harm-matrix",
        title="Severity by likelihood",
        caption="Verdicts, each of one answer and one kind of error: of several raters the upper "
        "median counts, an adjudicator before all others. The ground: share of the largest.",
        grouped_by="system",
    )


def _times(times: int, most: int) -> Cell:
    return Cell(str(times), (times,), draw=Heat(times / most) if most else None)
