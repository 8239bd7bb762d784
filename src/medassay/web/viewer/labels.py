"""What raters say of an answer: the rows that hold, laid out by question, and where they differ."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from medassay.judgements import About, Rubric
from medassay.judgements.rubric import HARM_READINGS
from medassay.study.contents.ratings import as_given
from medassay.web.viewer.records import LabelView, Preferred

if TYPE_CHECKING:
    from medassay.answers import Answer
    from medassay.cases import Case
    from medassay.study import Study

Rows = Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]
"""System and case to the rows about that answer that hold now."""


SETTLES: Final = "adjudication"
"""It is shown beside what counts; repeats are for another question than what is said of an answer.
"""


_COLUMNS: Final = (
    "system", "case", "rater", "phase", "dimension", "about", "label", "number", "kind",
    "severity", "reason", "comment",
)  # fmt: skip


def rows_by_answer(study: "Study") -> Rows:
    """Gather what people and models say now of each answer; of several samples the first."""
    frame = study.everyone.current()
    frame = frame.filter(
        frame["phase"].is_in([*study.everyone.counts, SETTLES])
        & (frame["sample"].fill_null(0) == 0)
    ).select(_COLUMNS)
    by_answer: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in frame.iter_rows(named=True):
        by_answer.setdefault((row["system"], row["case"]), []).append(row)
    return by_answer


def said_of(row: Mapping[str, Any]) -> str:
    """Say what a row says: a label, a number, a kind of span, or the reason why none is given.

    Example:
        >>> said_of({"label": None, "number": None, "kind": None, "reason": "cannot_judge"})
        'cannot judge'
        >>> said_of({"label": None, "number": 40.0, "kind": None, "reason": None})
        '40'
    """
    if row["label"] is not None:
        return str(row["label"])
    if row["number"] is not None:
        return f"{row['number']:g}"
    if row["kind"] is not None:
        severity = row["severity"]
        return f"{row['kind']} ({severity})" if severity else str(row["kind"])
    return str(row["reason"] or "").replace("_", " ")


def questions_on(
    rows: Iterable[Mapping[str, Any]], phases: Sequence[str]
) -> frozenset[tuple[str, str]]:
    """Find the questions, with what they are about, on which raters say different things.

    Whoever cannot judge says nothing that could differ, and a lead who settles a difference is no
    side of it. What raters mark in a text is theirs to choose, so marks do not differ.
    """
    said: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if row["phase"] in phases and (row["label"] is not None or row["number"] is not None):
            said.setdefault((row["dimension"], row["about"] or ""), set()).add(said_of(row))
    return frozenset(key for key, different in said.items() if len(different) > 1)


def labels_of(
    study: "Study", case: "Case", answer: "Answer | None", rows: Sequence[Mapping[str, Any]]
) -> tuple[LabelView, ...]:
    """Lay out what is said of an answer, in the order of the rubric."""
    full = study.config.privacy.texts == "full"
    order = {dimension.id: place for place, dimension in enumerate(study.rubric.dimensions)}
    differing = questions_on(rows, study.judgements.counts)
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["dimension"], row["about"] or ""), []).append(row)
    labels = []
    for key in sorted(groups, key=lambda key: (order[key[0]], _place(key[1]))):
        dimension = study.rubric.dimension(key[0])
        scale = {label.label: place for place, label in enumerate(dimension.labels)}
        said: dict[str, list[str]] = {}
        for row in groups[key]:
            settled = " (settled)" if row["phase"] == "adjudication" else ""
            given = as_given(study.config.corrections, study.rubric, row)
            settled += f" (corrected from {given})" if given else ""
            said.setdefault(said_of(row), []).append(f"{row['rater']}{settled}")
        listed = sorted(said, key=lambda words: (scale.get(words, len(scale)), words))
        labels.append(
            LabelView(
                dimension.title or dimension.id,
                _about(key[1], case, answer, full=full),
                {words: tuple(said[words]) for words in listed},
                key in differing,
                tuple((row["rater"], row["comment"]) for row in groups[key] if row["comment"])
                if full
                else (),
                frozenset(said_of(row) for row in groups[key] if is_harmful(study.rubric, row)),
            )
        )
    return tuple(labels)


def _place(about: str) -> tuple[str, int, str]:
    read = About.read(about)
    return (read.kind, read.place or read.span[0], read.id) if read else ("", 0, about)


def _about(text: str, case: "Case", answer: "Answer | None", *, full: bool) -> str:
    """Say what a label is about, in the words of that part where texts are shown."""
    about = About.read(text)
    if about is None or about.kind == "answer":
        return ""
    named = f"{about.kind} {about.place or about.id or '–'.join(map(str, about.span))}"
    if not full:
        return named
    words: str | None = None
    match about.kind:
        case "criterion":
            words = next((one.text for one in case.criteria if one.id == about.id), None)
        case "document":
            words = next((one.title for one in case.documents if one.id == about.id), None)
            words = f"[{about.id}] {words}" if words else None
        case "statement":
            words = _statement(answer, about.place)
        case "citation":
            words = f"{_statement(answer, about.place)} → [{about.id}]"
        case "span" if answer is not None and answer.text:
            words = f"“{answer.text[slice(*about.span)]}”"
    return words or named


def _statement(answer: "Answer | None", place: int) -> str:
    statements = (answer.statements if answer else None) or ()
    return statements[place - 1].text if 0 < place <= len(statements) else f"statement {place}"


def preferred_of(study: "Study", case: str) -> tuple[Preferred, ...]:
    """Lay out what is said of pairs of answers to a case."""
    frame = study.preferences_of_all.current()
    phases = [*study.preferences_of_all.counts, SETTLES]
    frame = frame.filter((frame["case"] == case) & frame["phase"].is_in(phases))
    order = {dimension.id: place for place, dimension in enumerate(study.rubric.dimensions)}
    pairs: dict[tuple[int, str, str, str], dict[str, list[str]]] = {}
    for row in frame.iter_rows(named=True):
        said = row["winner"] or (row["reason"] or row["choice"] or "").replace("_", " ")
        key = (order.get(row["dimension"], 0), row["dimension"], row["first"], row["second"])
        pairs.setdefault(key, {}).setdefault(said, []).append(row["rater"])
    return tuple(
        Preferred(
            study.rubric.dimension(dimension).title or dimension,
            first,
            second,
            {words: tuple(pairs[key][words]) for words in sorted(pairs[key])},
        )
        for key in sorted(pairs)
        for _, dimension, first, second in [key]
    )


def is_harmful(rubric: Rubric, row: Mapping[str, Any]) -> bool | None:
    """Say whether a label reads as harmful; None where it says nothing of harm."""
    mappings = rubric.dimension(row["dimension"]).mappings
    readings = [name for name in HARM_READINGS if name in mappings]
    if not readings or row["label"] is None:
        return None
    return any(mappings[name].get(row["label"]) == name for name in readings)
