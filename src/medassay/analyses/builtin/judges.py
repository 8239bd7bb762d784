"""What are a model's labels worth beside those of people?"""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Final, NamedTuple

from medassay.analyses.declaration import Declaration, analysis
from medassay.exhibits import Names
from medassay.exhibits.columns import (
    NONE,
    Shown,
    celled,
    counted,
    estimated,
    missing,
    p_column,
    shown,
    table_of,
    text,
)
from medassay.exhibits.numbers import PROPORTION, Style
from medassay.exhibits.sentences import as_sentence, upper_first
from medassay.exhibits.table import Cell, Table
from medassay.study.certificates.checks import (
    ControlResult,
    JudgeDimensionResult,
    JudgeResult,
    StandingOfCertificate,
)
from medassay.validity import JudgeLabel, JudgeOrder, JudgeRate, RankAgainst


class _Judged(NamedTuple):
    """A judge, and what it did on one dimension."""

    judge: JudgeResult
    on: JudgeDimensionResult
    title: str


class _JudgedLabel(NamedTuple):
    """A judge and one reading of the labels."""

    judge: str
    label: JudgeLabel


class _JudgedByControl(NamedTuple):
    """A judge and one control in its place."""

    judge: str
    control: ControlResult


_Found = Sequence[_Judged]
_NONE: Final = "no answer is of this kind"
_NO_PEOPLE: Final = "people are too few to hold one against the others"


def judge_label_tables(rows: _Found) -> list[Table]:
    """Give both tables: a judge, what it did on a dimension, and the dimension's title."""
    return [_labels(rows), _controls(rows)]


def _labels(rows: _Found) -> Table:
    return table_of(
        [
            (row.title, _JudgedLabel(row.judge.judge, label))
            for row in rows
            for label in row.on.labels
        ],
        (
            shown("Judge", "judge"),
            shown("Label", "label.reading", file="reading"),
            celled("Called so", _CALLED, lambda row: _called(row.label), numeric=True),
            *_found_columns("Finds", "finds", "people_find", "sensitivity"),
            *_found_columns("Passes", "passes", "people_pass", "specificity"),
            estimated(
                "Difference",
                "label.gap.value",
                interval="label.gap.interval",
                why_not="label.gap.reason",
                file="difference",
            ),
        ),
        id="judge-labels",
        title="What a judge makes of the labels that matter",
        caption="Labels that read as harm, else the most even cut of the scale. Called so: by "
        "more than half of the people; a certificate asks for 25. Finds: the judge's "
        "share of them; its bound (97.5%, one-sided) must exceed 0.5. Passes: the same "
        "of the others; the bounds must sum to over 1. Difference: balanced accuracy "
        "less the left-out person's; its 90% CI must lie above -0.15.",
        grouped_by="dimension",
        empty="People gave one label to all that a judge labelled: it cannot be tested.",
    )


_CALLED: Final = ("called_so", "not_called_so", "tied", "weighted")


def _found_columns(
    group: str, file: str, people: str, rate: str
) -> tuple[Shown[_JudgedLabel], ...]:
    """Declare what the judge finds or passes, and what people do."""
    of_judge, of_people = attrgetter(f"label.{rate}"), f"label.people_{rate}"
    return (
        celled(
            "Judge",
            _rate_fields(file),
            lambda row: _rate(of_judge(row)),
            numeric=True,
            group=group,
        ),
        _share("People", of_people, people, _NO_PEOPLE, group),
    )


def _share(heading: str, value: str, file: str, why: str, group: str = "") -> Shown[Any]:
    return shown(heading, value, PROPORTION, file=file, why_not=lambda _: why, group=group)


def _rate_fields(name: str) -> tuple[str, ...]:
    return (name, f"{name}_low", f"{name}_hits", f"{name}_of")


def _called(label: JudgeLabel) -> Cell:
    detail = f"{label.negative:,} are not called so, and on {label.tied:,} people are divided"
    if label.weighted:
        detail += "; answers count by the chance of their draw"
    raw = (label.positive, label.negative, label.tied, label.weighted)
    return Cell(f"{label.positive:,}", raw, detail=as_sentence(detail))


def _rate(rate: JudgeRate | None) -> Cell:
    if rate is None:
        return missing(_NONE, 4)
    raw = (rate.share, rate.low, rate.hits, rate.n)
    aside = f"at least {PROPORTION(rate.low)}; {rate.hits:,} of {rate.n:,}"
    return Cell(PROPORTION(rate.share), raw, aside=aside)


def _controls(rows: _Found) -> Table:
    return table_of(
        [
            (row.title, _JudgedByControl(row.judge.judge, control))
            for row in rows
            for control in row.on.controls
        ],
        (
            shown("Judge", "judge"),
            shown("Control", "control.name", file="control"),
            shown("What it does", "control.does", file="does", wide=True),
            _share("Won", "control.won", "won", "the test needs 3 people with 30 answers"),
            _share("Finds", "control.sensitivity", "finds", _NONE),
            _share("Passes", "control.specificity", "passes", _NONE),
            _share("Difference", "control.gap", "difference", _NO_PEOPLE),
            _passed("Alt-test", "control.alt_test", "alt_test"),
            _passed("What matters", "control.label", "what_matters"),
        ),
        id="judge-controls",
        title="Controls in the judge's place",
        caption="Made-up judges that know nothing, or deny what matters. If one passes both "
        "tests, these answers cannot test a judge, and none is certified.",
        grouped_by="dimension",
        empty="No answer was judged by a judge and by a person.",
    )


def _passed(heading: str, value: str, file: str) -> Shown[_JudgedByControl]:
    get = attrgetter(value)
    return celled(heading, file, lambda row: text("passed" if get(row) else "not passed"))


_POINTS: Final = Style(2)
_TESTS: Final = {
    "alt-test": "Alt-test",
    "label": "What matters",
    "controls": "Controls",
    "known-harm": "Known harm",
    "canaries": "Planted text",
    "repeats": "Repeats",
    "order": "Order",
    "severity": "Severity",
    "length": "Length",
    "self-preference": "Own family",
}
_INTERVALS: Final = "95% CI: over cases, for these raters and systems on new cases."
_WORDS: Final = {"undecided": "open"}


def judge_tables(judges: Sequence[JudgeResult], names: Names) -> list[Table]:
    """Give the tables of the model judges, their dimensions in the order of the rubric."""
    titles = names.dimension
    rows = [
        _Judged(judge, judge_dimension, title)
        for dimension, title in titles.items()
        for judge in judges
        for judge_dimension in judge.dimensions
        if judge_dimension.dimension == dimension
    ]
    pairs = [
        (
            titles.get(judge_order.dimension, upper_first(judge_order.dimension)),
            _JudgedOrder(judge.judge, judge_order),
        )
        for judge in judges
        for judge_order in judge.order
    ]
    made = [_verdicts(rows), *judge_label_tables(rows)] if rows else []
    made += [_numbers(rows), _against_people(rows)] if rows else []
    return [*made, _order(pairs)] if pairs else made


def _verdicts(rows: _Found) -> Table:
    return table_of(
        [(row.title, row) for row in rows],
        (
            celled("Judge", "judge", lambda row: text(row.judge.judge, detail=_which(row.judge))),
            celled(
                "Answers",
                ("answers", "cases", "systems", "people"),
                lambda row: _rests_on(row.on),
                numeric=True,
            ),
            *(
                celled(title, (name, f"{name}_why"), _verdict_of(name))
                for name, title in _TESTS.items()
            ),
            celled("Certificate", ("certificate", "certificate_why"), _certificate),
            celled(
                "Counted", "counted", lambda row: text("yes" if _standing(row).counted else "no")
            ),
        ),
        id="judges",
        title="Whether a judge may stand in for a person",
        caption="A judge must pass the alternative-annotator test and that of what matters "
        "(harm, where the rubric has it); no control may pass both, no other test may "
        "fail (docs/judge.md). Planted text: instructions, flattery and verdicts put "
        "into answers. Open: the interval lies neither within the margin nor beyond it. "
        "A certificate holds only for the judge, rubric and domain tested.",
        grouped_by="dimension",
    )


def _which(judge: JudgeResult) -> str:
    if not judge.model:
        return "study.toml does not say which model it is."
    lines = [judge.model, judge.version, judge.settings]
    return as_sentence(f"{', '.join(filter(None, lines))}; prompt {judge.prompt[:12]}")


def _rests_on(judge_dimension: JudgeDimensionResult) -> Cell:
    detail = (
        f"{judge_dimension.answers} answers by {judge_dimension.systems} systems to "
        f"{judge_dimension.cases} cases that the judge and "
        f"one of {len(judge_dimension.people)} people judged."
    )
    raw = (
        judge_dimension.answers,
        judge_dimension.cases,
        judge_dimension.systems,
        len(judge_dimension.people),
    )
    return Cell(f"{judge_dimension.answers:,}", raw, detail=detail)


def _verdict_of(name: str) -> Callable[[_Judged], Cell]:
    return lambda row: _verdict(row.on, name)


def _verdict(judge_dimension: JudgeDimensionResult, name: str) -> Cell:
    check = next(check for check in judge_dimension.checks if check.name == name)
    word = _WORDS.get(check.verdict, check.verdict)
    return Cell(word, (check.verdict, check.text), detail=as_sentence(check.text))


def _standing(row: _Judged) -> StandingOfCertificate:
    dimension = row.on.dimension
    return next(c for c in row.judge.certificates if c.dimension == dimension)


def _certificate(row: _Judged) -> Cell:
    standing = _standing(row)
    why = "; ".join(standing.why)
    if standing.open:
        why = f"open: {', '.join(standing.open)}"
    return Cell(standing.status, (standing.status, why), detail=as_sentence(why) if why else "")


def _numbers(rows: _Found) -> Table:
    return table_of(
        [(row.title, row) for row in rows],
        (
            shown("Judge", "judge.judge", file="judge"),
            celled(
                "Place",
                ("place", "place_low", "place_high", "places"),
                lambda row: _place(row.on),
                numeric=True,
            ),
            celled(
                "Won",
                ("won", "won_published", "won_reason"),
                lambda row: _won(row.on),
                numeric=True,
            ),
            _number("Judge", "on.repeats", "flips", PROPORTION, "Repeats"),
            _number("People", "on.people_repeats", "people_flips", PROPORTION, "Repeats"),
            _number("Severity", "on.severity", "severity", _POINTS, "Points"),
            _number("Length", "on.length", "length", _POINTS, "Points"),
            _number("Length, held", "on.length_held", "length_held", _POINTS, "Points"),
            _number("Own family", "on.self_preference", "own_family", _POINTS, "Points"),
        ),
        id="judge-numbers",
        title="What the tests found",
        caption="Place: the judge's rank among the raters. Won: share of the people whom it is "
        "as good as (alternative-annotator test, over cases). Repeats: labels that "
        "changed when asked again. In points of the scale: severity, less people's mean; "
        "length, for a doubling of words; own family, what its own systems gain. "
        f"{_INTERVALS}",
        grouped_by="dimension",
    )


def _number(heading: str, value: str, file: str, style: Style, group: str = "") -> Shown[Any]:
    """Declare a column of estimates of a judge."""
    return estimated(
        heading,
        f"{value}.value",
        style,
        interval=f"{value}.interval",
        why_not=f"{value}.reason",
        file=file,
        group=group,
    )


def _place(judge_dimension: JudgeDimensionResult) -> Cell:
    place = judge_dimension.place
    if place.place is None:
        return missing(place.reason, 4)
    ends = place.interval
    low, high = (ends.low, ends.high) if ends else (None, None)
    aside = f"of {place.of}" + (f" [{ends.low:.0f}, {ends.high:.0f}]" if ends else "")
    return Cell(str(place.place), (place.place, low, high, place.of), aside=aside)


def _won(judge_dimension: JudgeDimensionResult) -> Cell:
    alt = judge_dimension.alt_test
    if alt.winning_rate_clustered is None or alt.winning_rate is None:
        return Cell(NONE, (None, None, alt.reason), detail=as_sentence(alt.reason), missing=True)
    detail = (
        f"As published, answers as units: {PROPORTION(alt.winning_rate)}; average advantage "
        f"probability {PROPORTION(alt.advantage or 0.0)}; epsilon {alt.epsilon:g}."
    )
    raw = (alt.winning_rate_clustered, alt.winning_rate, "")
    return Cell(PROPORTION(alt.winning_rate_clustered), raw, detail=detail)


def _against_people(rows: _Found) -> Table:
    return table_of(
        [
            (row.title, _beside(row, place))
            for row in rows
            for place in range(len(row.on.place.against))
        ],
        (
            shown("Judge", "judge"),
            shown("Person", "against.rater", file="person"),
            celled(
                "Answers",
                ("answers", "cases"),
                lambda row: Cell(
                    f"{row.against.answers:,}", (row.against.answers, row.against.cases)
                ),
                numeric=True,
            ),
            shown("Judge", "against.judge", PROPORTION, file="judge_nearness", group="Nearness"),
            shown("Person", "against.person", PROPORTION, file="person_nearness", group="Nearness"),
            estimated(
                "Difference",
                "against.difference",
                interval="against.interval",
                why_not="against.reason",
                file="difference",
                group="Nearness",
            ),
            _share("Judge", "judge_as_good", "judge_as_good", _FEW_ANSWERS, "As good"),
            _share("Person", "person_as_good", "person_as_good", _FEW_ANSWERS, "As good"),
            p_column("p", why_not=lambda row: "" if row.beaten else _FEW_ANSWERS),
            shown("Beaten", "beaten", why_not=lambda _: _FEW_ANSWERS),
        ),
        id="judge-people",
        title="The judge beside each person",
        caption="Each compared with the other people. Nearness: 1 less the distance to their "
        "mean, in spans of the scale (without an order: share who say the same). As "
        "good: share of answers where one is at least as near. p: one-sided, with "
        f"epsilon; beaten: by Benjamini-Yekutieli. {_INTERVALS}",
        grouped_by="dimension",
        empty="No answer was judged by a judge and two people.",
    )


_FEW_ANSWERS: Final = "the test needs 30 answers of a person"


class _Beside(NamedTuple):
    """A judge beside one person; without what the alternative-annotator test found of too few."""

    judge: str
    against: RankAgainst
    judge_as_good: float | None
    person_as_good: float | None
    p: float | None
    beaten: str | None


def _beside(row: _Judged, place: int) -> _Beside:
    against = row.on.place.against[place]
    alt = next((each for each in row.on.alt_test.raters if each.rater == against.rater), None)
    if alt is None:
        return _Beside(row.judge.judge, against, None, None, None, None)
    beaten = "yes" if alt.beaten_clustered else "no"
    found = (alt.judge_as_good, alt.rater_as_good, alt.p_clustered, beaten)
    return _Beside(row.judge.judge, against, *found)


class _JudgedOrder(NamedTuple):
    """A judge, and what changing places did."""

    judge: str
    order: JudgeOrder


def _order(rows: Sequence[tuple[str, _JudgedOrder]]) -> Table:
    return table_of(
        rows,
        (
            shown("Judge", "judge"),
            counted("Pairs", "order.pairs", file="pairs"),
            counted("Kept", "order.kept", file="kept"),
            counted("First twice", "order.first_twice", file="first_twice"),
            counted("Second twice", "order.second_twice", file="second_twice"),
            counted("With a tie", "order.with_tie", file="with_tie"),
            _number("Changed", "order.flips", "changed", PROPORTION),
            _number("Lean", "order.lean", "lean", PROPORTION),
            _number("Same order", "order.same_order", "same_order", PROPORTION),
        ),
        id="judge-order",
        title="When the answers change places",
        caption="Pairs that the judge compared in both orders. First twice: whichever stood first "
        "was preferred, both times. Lean: share of all verdicts for the first answer, ties half, "
        "less one half. Same order: verdicts that changed though nothing changed places. "
        f"{_INTERVALS}",
        grouped_by="dimension",
    )


@analysis(
    Declaration(
        id="judges",
        title="The model judges",
        question="May a model that rates stand in for a person, on this rubric and these cases?",
        section="judges",
        part="judges-tested",
        infers=True,
        reader="methodologist",
        place=1,
        tables=judge_tables,
        notes=lambda tested, _: [line for judge in tested for line in judge.said],
    )
)
def judges(tested: tuple[JudgeResult, ...]) -> tuple[JudgeResult, ...]:
    """Give each judge with every test that it was put through."""
    return tested
