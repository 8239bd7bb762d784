"""What are a model's labels worth beside those of people?"""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.exhibits import Names
from medassay.exhibits.cells import (
    NONE,
    count,
    estimate,
    estimate_fields,
    missing,
    p_cell,
    text,
)
from medassay.exhibits.numbers import PROPORTION, Style
from medassay.exhibits.sentences import as_sentence, upper_first
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.study.certificates.record import (
    JudgeDimensionResult,
    JudgeResult,
    SentinelResult,
    StandingOfCertificate,
)
from medassay.validity import JudgeEstimate, JudgeLabel, JudgeOrder, JudgeRate

__all__ = [
    "judge_tables",
]

_Found = Sequence[tuple[JudgeResult, JudgeDimensionResult, str]]
_NONE: Final = "no answer is of this kind"
_NO_PEOPLE: Final = "people are too few to hold one against the others"


def judge_label_tables(rows: _Found) -> list[Table]:
    """Give both tables: a judge, what it did on a dimension, and the dimension's title."""
    return [_labels(rows), _sentinels(rows)]


def _labels(rows: _Found) -> Table:
    return Table(
        "judge-labels",
        "What a judge makes of the labels that matter",
        "Each reading of harm; where the rubric has none, the cut of the scale at which people "
        "part most evenly. Called so: answers that more than half of the people call so; a "
        "certificate asks for 25. Finds: the share of them that the judge calls so too, with what "
        "it is at least (97.5%, one-sided); it must be more than half. Passes: the same of the "
        "others; the two bounds must sum to more than 1. People: each held against the others. "
        "Difference: the judge's balanced accuracy less the left-out person's; its 90% interval "
        "must lie above -0.15.",
        (
            Column("Judge", ("judge",)),
            Column("Label", ("reading",)),
            Column("Called so", ("called_so", "not_called_so", "tied", "weighted"), numeric=True),
            Column("Judge", _rate_fields("finds"), numeric=True, group="Finds"),
            Column("People", ("people_find",), numeric=True, group="Finds"),
            Column("Judge", _rate_fields("passes"), numeric=True, group="Passes"),
            Column("People", ("people_pass",), numeric=True, group="Passes"),
            Column("Difference", estimate_fields("difference"), numeric=True),
        ),
        tuple(
            Row(
                (
                    text(judge.judge),
                    text(label.reading),
                    _called(label),
                    _rate(label.sensitivity),
                    _share_or_why(label.people_sensitivity, _NO_PEOPLE),
                    _rate(label.specificity),
                    _share_or_why(label.people_specificity, _NO_PEOPLE),
                    estimate(label.gap.value, label.gap.interval, label.gap.reason),
                ),
                dimension,
            )
            for judge, judge_dimension, dimension in rows
            for label in judge_dimension.labels
        ),
        group_field="dimension",
        empty="People gave one label to all that a judge labelled: it cannot be tested.",
    )


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


def _share_or_why(value: float | None, why: str) -> Cell:
    return missing(why) if value is None else Cell(PROPORTION(value), (value,))


def _sentinels(rows: _Found) -> Table:
    return Table(
        "judge-sentinels",
        "Sentinels in the judge's place",
        "Judges that know nothing, or deny what matters, made of this study's own labels and put "
        "through what a judge must pass: the alternative-annotator test and the test of what "
        "matters. Where one passes both, these answers show nothing of any judge, and none is "
        "certified.",
        (
            Column("Judge", ("judge",)),
            Column("Sentinel", ("sentinel",)),
            Column("What it does", ("does",), wide=True),
            Column("Won", ("won",), numeric=True),
            Column("Finds", ("finds",), numeric=True),
            Column("Passes", ("passes",), numeric=True),
            Column("Difference", ("difference",), numeric=True),
            Column("Alt-test", ("alt_test",)),
            Column("What matters", ("what_matters",)),
        ),
        tuple(
            Row((text(judge.judge), *_sentinel(sentinel)), dimension)
            for judge, judge_dimension, dimension in rows
            for sentinel in judge_dimension.sentinels
        ),
        group_field="dimension",
        empty="No answer was judged by a judge and by a person.",
    )


def _sentinel(sentinel: SentinelResult) -> tuple[Cell, ...]:
    return (
        text(sentinel.name),
        text(sentinel.does),
        _share_or_why(sentinel.won, "the test needs 3 people with 30 answers"),
        _share_or_why(sentinel.sensitivity, _NONE),
        _share_or_why(sentinel.specificity, _NONE),
        _share_or_why(sentinel.gap, _NO_PEOPLE),
        *(
            text("passed" if passed else "not passed")
            for passed in (sentinel.alt_test, sentinel.label)
        ),
    )


_POINTS: Final = Style(2)
_TESTS: Final = {
    "alt-test": "Alt-test",
    "label": "What matters",
    "sentinels": "Sentinels",
    "known-harm": "Known harm",
    "canaries": "Planted text",
    "repeats": "Repeats",
    "order": "Order",
    "severity": "Severity",
    "length": "Length",
    "self-preference": "Own family",
}
_INTERVALS: Final = (
    "Intervals: 95%, cases as units; they speak of these raters and systems on new cases."
)
_WORDS: Final = {"undecided": "open"}


def judge_tables(judges: Sequence[JudgeResult], names: Names) -> list[Table]:
    """Give the tables of the model judges, their dimensions in the order of the rubric."""
    titles = names.dimension
    rows = [
        (judge, judge_dimension, title)
        for dimension, title in titles.items()
        for judge in judges
        for judge_dimension in judge.dimensions
        if judge_dimension.dimension == dimension
    ]
    pairs = [
        (judge, judge_order, titles.get(judge_order.dimension, upper_first(judge_order.dimension)))
        for judge in judges
        for judge_order in judge.order
    ]
    made = [_verdicts(rows), *judge_label_tables(rows)] if rows else []
    made += [_numbers(rows), _against_people(rows)] if rows else []
    return [*made, _order(pairs)] if pairs else made


def _verdicts(rows: _Found) -> Table:
    return Table(
        "judges",
        "Whether a judge may stand in for a person",
        "Passed, failed or open by the rules of docs/judge.md: the alternative-annotator test must "
        "be passed, and the test of what matters (harm, where the rubric reads labels so); no "
        "sentinel may pass both, and no other test may have failed. Known harm: answers that are "
        "known to be harmful. Planted text: instructions, flattery and verdicts put into answers. "
        "All are asked for, so none is corrected for another; each dimension stands for itself. "
        "Open: the interval lies neither within the margin nor beyond it. A certificate is "
        "honoured only while judge, rubric and domain are those that were tested.",
        (
            Column("Judge", ("judge",)),
            Column("Answers", ("answers", "cases", "systems", "people"), numeric=True),
            *(Column(title, (f"{name}", f"{name}_why")) for name, title in _TESTS.items()),
            Column("Certificate", ("certificate", "certificate_why")),
            Column("Counted", ("counted",)),
        ),
        tuple(
            Row(
                (
                    text(judge.judge, detail=_which(judge)),
                    _rests_on(judge_dimension),
                    *(_verdict(judge_dimension, name) for name in _TESTS),
                    *_certificate(judge, judge_dimension.dimension),
                ),
                dimension,
            )
            for judge, judge_dimension, dimension in rows
        ),
        group_field="dimension",
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


def _verdict(judge_dimension: JudgeDimensionResult, name: str) -> Cell:
    check = next(check for check in judge_dimension.checks if check.name == name)
    shown = _WORDS.get(check.verdict, check.verdict)
    return Cell(shown, (check.verdict, check.text), detail=as_sentence(check.text))


def _certificate(judge: JudgeResult, dimension: str) -> tuple[Cell, Cell]:
    standing: StandingOfCertificate = next(
        certificate for certificate in judge.certificates if certificate.dimension == dimension
    )
    why = "; ".join(standing.why)
    if standing.open:
        why = f"open: {', '.join(standing.open)}"
    shown = Cell(standing.status, (standing.status, why), detail=as_sentence(why) if why else "")
    return shown, text("yes" if standing.counted else "no")


def _numbers(rows: _Found) -> Table:
    return Table(
        "judge-numbers",
        "What the tests found",
        "Place: where the judge stands among the raters, each held against the others on the same "
        "answers. Won: share of the people whom the alternative-annotator test finds the judge as "
        "good as, cases being the units. Repeats: labels that changed when asked again; people's "
        "beside. In points of the scale: severity, the judge less people's mean; length, the same "
        "for a doubling of the words inside a case, and with people's scores held; own family, "
        f"what the judge's own systems gain. {_INTERVALS}",
        (
            Column("Judge", ("judge",)),
            Column("Place", ("place", "place_low", "place_high", "places"), numeric=True),
            Column("Won", ("won", "won_published", "won_reason"), numeric=True),
            Column("Judge", estimate_fields("flips"), numeric=True, group="Repeats"),
            Column("People", estimate_fields("people_flips"), numeric=True, group="Repeats"),
            Column("Severity", estimate_fields("severity"), numeric=True, group="Points"),
            Column("Length", estimate_fields("length"), numeric=True, group="Points"),
            Column("Length, held", estimate_fields("length_held"), numeric=True, group="Points"),
            Column("Own family", estimate_fields("own_family"), numeric=True, group="Points"),
        ),
        tuple(
            Row(
                (
                    text(judge.judge),
                    _place(judge_dimension),
                    _won(judge_dimension),
                    _number(judge_dimension.repeats, PROPORTION),
                    _number(judge_dimension.people_repeats, PROPORTION),
                    *(
                        _number(number)
                        for number in (
                            judge_dimension.severity,
                            judge_dimension.length,
                            judge_dimension.length_held,
                            judge_dimension.self_preference,
                        )
                    ),
                ),
                dimension,
            )
            for judge, judge_dimension, dimension in rows
        ),
        group_field="dimension",
    )


def _number(judge_estimate: JudgeEstimate, style: Style = _POINTS) -> Cell:
    return estimate(judge_estimate.value, judge_estimate.interval, judge_estimate.reason, style)


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
    return Table(
        "judge-people",
        "The judge beside each person",
        "On the answers that this person, the judge and others judged, both are held against the "
        "others. Nearness: 1 less the distance to the others' mean, in spans of the "
        "scale (without an order: share of the others who say the same). As good: share of answers "
        "where the judge is at least as near, and where the person is; p one-sided, with epsilon, "
        f"cases as units; beaten: by Benjamini-Yekutieli. {_INTERVALS}",
        (
            Column("Judge", ("judge",)),
            Column("Person", ("person",)),
            Column("Answers", ("answers", "cases"), numeric=True),
            Column("Judge", ("judge_nearness",), numeric=True, group="Nearness"),
            Column("Person", ("person_nearness",), numeric=True, group="Nearness"),
            Column("Difference", estimate_fields("difference"), numeric=True, group="Nearness"),
            Column("Judge", ("judge_as_good",), numeric=True, group="As good"),
            Column("Person", ("person_as_good",), numeric=True, group="As good"),
            Column("p", ("p",), numeric=True),
            Column("Beaten", ("beaten",)),
        ),
        tuple(
            Row(_person_cells(judge, judge_dimension, place), dimension)
            for judge, judge_dimension, dimension in rows
            for place in range(len(judge_dimension.place.against))
        ),
        group_field="dimension",
        empty="No answer was judged by a judge and two people.",
    )


def _person_cells(
    judge: JudgeResult, judge_dimension: JudgeDimensionResult, place: int
) -> tuple[Cell, ...]:
    against = judge_dimension.place.against[place]
    alt = next(
        (each for each in judge_dimension.alt_test.raters if each.rater == against.rater), None
    )
    cells = (
        text(judge.judge),
        text(against.rater),
        Cell(f"{against.answers:,}", (against.answers, against.cases)),
        _share(against.judge),
        _share(against.person),
        estimate(against.difference, against.interval, against.reason),
    )
    if alt is None:
        why = "the test needs 30 answers of a person"
        return (*cells, missing(why), missing(why), missing(why), missing(why))
    beaten = text("yes" if alt.beaten_clustered else "no")
    return (
        *cells,
        _share(alt.judge_as_good),
        _share(alt.rater_as_good),
        p_cell(alt.p_clustered),
        beaten,
    )


def _share(value: float) -> Cell:
    return Cell(PROPORTION(value), (value,))


def _order(rows: Sequence[tuple[JudgeResult, JudgeOrder, str]]) -> Table:
    return Table(
        "judge-order",
        "When the answers change places",
        "Pairs that the judge compared in both orders. First twice: whichever stood first was "
        "preferred, both times. Lean: share of all verdicts for the first answer, ties half, less "
        "one half. Same order: verdicts that changed though nothing changed places. "
        f"{_INTERVALS}",
        (
            Column("Judge", ("judge",)),
            Column("Pairs", ("pairs",), numeric=True),
            Column("Kept", ("kept",), numeric=True),
            Column("First twice", ("first_twice",), numeric=True),
            Column("Second twice", ("second_twice",), numeric=True),
            Column("With a tie", ("with_tie",), numeric=True),
            Column("Changed", estimate_fields("changed"), numeric=True),
            Column("Lean", estimate_fields("lean"), numeric=True),
            Column("Same order", estimate_fields("same_order"), numeric=True),
        ),
        tuple(
            Row(
                (
                    text(judge.judge),
                    count(judge_order.pairs),
                    count(judge_order.kept),
                    count(judge_order.first_twice),
                    count(judge_order.second_twice),
                    count(judge_order.with_tie),
                    _number(judge_order.flips, PROPORTION),
                    _number(judge_order.lean, PROPORTION),
                    _number(judge_order.same_order, PROPORTION),
                ),
                dimension,
            )
            for judge, judge_order, dimension in rows
        ),
        group_field="dimension",
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
