"""A study as the viewer shows it: what was tried, labelled and found, case by case."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.errors import InvalidInput, Problem
from medassay.exhibits.numbers import PROPORTION
from medassay.text import listed
from medassay.web.laid_out import MarkedStretch
from medassay.web.viewer.beside import Beside, RunScores, changed_words, read_scores
from medassay.web.viewer.chosen import ViewerFilter
from medassay.web.viewer.labels import labels_of, preferred_of, rows_by_answer
from medassay.web.viewer.records import (
    AnswerLine,
    AnswerView,
    CaseView,
    ChangedView,
    RaterQuestion,
    ScoreView,
    ShownFinding,
)
from medassay.web.viewer.table import AnswerTable

if TYPE_CHECKING:
    from medassay.analyses.results import AnswerResult, Results
    from medassay.analyses.results.mark import AnswerPart, MarkResult
    from medassay.answers import Answer
    from medassay.cases import Case
    from medassay.study import Study

_GRAVEST: Final = ("danger", "fault", "claim", "step", "document")


def _found_in(marks: "Sequence[MarkResult]") -> tuple[ShownFinding, ...]:
    """Number the findings of an answer."""
    return tuple(
        ShownFinding(number, mark.kind, mark.of, mark.says)
        for number, mark in enumerate(marks, start=1)
    )


def _pieces_of(
    text: str | None, part: "AnswerPart", marks: "Sequence[MarkResult]"
) -> tuple[MarkedStretch, ...]:
    """Cut one part of an answer; findings may lie over each other.

    Example:
        >>> from medassay.analyses.results.mark import MarkResult, PlaceResult
        >>> place = PlaceResult(part="text", start=0, end=4)
        >>> mark = MarkResult(kind="danger", of="dose", says="too much", places=[place])
        >>> [(piece.words, piece.marks, piece.kind) for piece in _pieces_of("Take", "text", [mark])]
        [('Take', (1,), 'danger')]
    """
    if not text:
        return ()
    spans = [
        (place.start, min(place.end, len(text)), number, mark.kind)
        for number, mark in enumerate(marks, start=1)
        for place in mark.places
        if place.part == part and place.start < len(text)
    ]
    cuts = sorted({0, len(text), *(end for span in spans for end in span[:2])})
    pieces = []
    for start, end in pairwise(cuts):
        here = [span for span in spans if span[0] <= start and end <= span[1]]
        numbers = tuple(sorted({number for _, _, number, _ in here}))
        kind = min((kind for *_, kind in here), key=_GRAVEST.index, default="")
        pieces.append(MarkedStretch(text[start:end], numbers, kind))
    return tuple(pieces)


_MOST_VALUES: Final = 60
_LINE: Final = 140


class Viewed:
    """A study as its `[privacy]` lets it be seen, with what its last run found.

    Args:
        study: The study, opened by `Study.open`.
        results: What the run of exactly these files found; None where there is none.
        scores: The scores of that run.
        beside: Another study of the same cases, or an earlier run; None: nothing.

    Raises:
        InvalidInput: From `open`: every problem of the study, or of its report.
    """

    def __init__(
        self,
        study: "Study",
        results: "Results | None" = None,
        scores: RunScores | None = None,
        beside: Beside | None = None,
    ) -> None:
        self.study, self.results, self.beside = study, results, beside
        self.full = study.config.privacy.texts == "full"
        self.closed = study.config.privacy.texts == "none"
        self._scores = scores
        self._rows = rows_by_answer(study)

    @classmethod
    def open(cls, folder: Path, beside: Path | None = None) -> "Viewed":
        """Open a study, and the run of its files as they are now, where that is whole.

        Args:
            folder: The study's folder.
            beside: The folder of another study, or of an earlier run.
        """
        from medassay.study import Study, find_completed_run
        from medassay.tables import gc_paused

        # All of it stays: to look through it for garbage again and again costs more than to read.
        with gc_paused():
            study, run = Study.open(folder), find_completed_run(folder)
            other = Beside.open(beside, study, run) if beside is not None else None
            results, scores = (None, None) if run is None else read_scores(run)
            return cls(study, results, scores, other)

    @property
    def systems(self) -> Mapping[str, str]:
        """Give every system and what a table calls it."""
        return {name: self.study.system(name).title or name for name in self.study.systems}

    @cached_property
    def questions(self) -> tuple[RaterQuestion, ...]:
        """Give the questions of which somebody gave a label, with all labels of the rubric."""
        asked = {row["dimension"] for rows in self._rows.values() for row in rows}
        return tuple(
            RaterQuestion(
                dimension.id,
                dimension.title or dimension.id,
                tuple(label.label for label in (*dimension.labels, *dimension.kinds)),
            )
            for dimension in self.study.rubric.dimensions
            if dimension.id in asked
        )

    @cached_property
    def hard(self) -> Mapping[str, int]:
        """Give each case its place, 1 the hardest, by the first question that the run ordered."""
        from medassay.analyses.builtin.case_difficulty import case_difficulty

        found = self.results.analyses.of(case_difficulty) if self.results else None
        dimensions = found.dimensions if found is not None else ()
        cases = dimensions[0].cases if dimensions else ()
        return {one.case: place for place, one in enumerate(cases, start=1)}

    @cached_property
    def table(self) -> AnswerTable:
        """Give the table of answers."""
        return AnswerTable(
            self.study, self._rows, self.results, self._scores, self.hard, self.beside
        )

    @cached_property
    def raters(self) -> tuple[str, ...]:
        """Name everybody who said something."""
        return tuple(sorted({row["rater"] for rows in self._rows.values() for row in rows}))

    @cached_property
    def tags(self) -> Mapping[str, tuple[str, ...]]:
        """Give each tag of the cases with its values, where they are few enough to choose from."""
        values: dict[str, set[str]] = {}
        for case in () if self.closed else self.study.cases:
            for name, value in case.tags.items():
                values.setdefault(name, set()).add(value)
        return {
            name: tuple(sorted(each))
            for name, each in sorted(values.items())
            if 1 < len(each) <= _MOST_VALUES
        }

    def found(self, chosen: ViewerFilter) -> list[int]:
        """Give the places in the table of the answers that fit; none of a study that shows none."""
        return [] if self.closed else self.table.find(chosen)

    def unknown(self, chosen: ViewerFilter) -> list[str]:
        """Name what was asked for and is not in this study."""
        columns = self.table.columns
        asked = [
            *(("system", name) for name in chosen.systems if name not in self.systems),
            *(("column", name) for name in chosen.columns if name not in columns),
            *(
                ("column", name)
                for name in (chosen.within, chosen.sort)
                if name and name not in {*columns, "case", "system"}
            ),
        ]
        if chosen.rater and chosen.rater not in self.raters:
            asked.append(("rater", chosen.rater))
        if chosen.dimension and chosen.dimension not in {one.id for one in self.questions}:
            asked.append(("question", chosen.dimension))
        return [f"{what} {name}" for what, name in dict.fromkeys(asked)]

    def line(self, place: int) -> AnswerLine:
        """Give a row of the table: whose answer to which question it is."""
        case, system = self.table.answers[place]
        asked = " ".join((self.study.cases[case].prompt or "").split()) if self.full else ""
        short = asked if len(asked) <= _LINE else f"{asked[:_LINE].rsplit(' ', 1)[0]} …"
        return AnswerLine(case, system, self.systems[system], short)

    def fitting(self, case: "Case", chosen: ViewerFilter) -> list[str]:
        """Name the systems whose answer to a case fits what was asked for."""
        answers = self.table.answers
        return [answers[at].system for at in self.found(chosen) if answers[at].case == case.case]

    def case(self, name: str, chosen: ViewerFilter) -> CaseView | None:
        """Give one case with all of its answers, those that fit first."""
        if self.closed or name not in self.study.cases:
            return None
        case = self.study.cases[name]
        asked = self.study.asked.systems(name, self.study.systems)
        fitting = {*(self.fitting(case, chosen) or asked)}
        systems = sorted(asked, key=lambda system: system not in fitting)
        found = {
            answer.system: answer
            for one in (self.results.cases if self.results else ())
            if one.case == name
            for answer in one.answers
        }
        answers = tuple(
            replace(self._answer(case, system, found.get(system)), fits=system in fitting)
            for system in systems
        )
        preferred = tuple(
            one for one in preferred_of(self.study, name) if {one.first, one.second} <= {*systems}
        )
        if not self.full:
            return CaseView(name, gold=case.gold or "", answers=answers, preferred=preferred)
        return CaseView(
            name,
            case.question or "",
            case.narrative or "",
            tuple((turn.role, turn.text) for turn in case.turns),
            tuple((one.id, str(one.relevance or ""), one.text) for one in case.evidence),
            tuple((one.id, one.title or "", one.text or "") for one in case.documents),
            tuple(reference.text for reference in case.references),
            dict(case.options),
            case.gold or "",
            dict(case.tags),
            answers,
            preferred,
        )

    def _answer(self, case: "Case", system: str, found: "AnswerResult | None") -> AnswerView:
        answer = self.study.answers.get(system, case.case)
        rows = self._rows.get((system, case.case), ())
        marks = found.marks if found is not None and self.full else ()
        shown = answer if self.full else None
        return AnswerView(
            system,
            self.systems[system],
            "never answered" if answer is None else answer.status,
            _pieces_of(shown.text, "text", marks) if shown else (),
            _pieces_of(shown.reasoning, "reasoning", marks) if shown else (),
            self._choice(case, answer),
            None
            if answer is None or answer.choice is None or case.gold is None
            else answer.choice == case.gold,
            PROPORTION(answer.confidence)
            if answer is not None and answer.confidence is not None
            else "",
            tuple(one.document for one in answer.retrieved or ()) if answer else (),
            _found_in(marks),
            labels_of(self.study, case, answer, rows),
            self.scores_of(system, case.case),
        )

    def changed(self, system: str, name: str) -> ChangedView | None:
        """Lay an answer beside the same one on the other side; None where it is not on both."""
        beside, answer = self.beside, self.study.answers.get(system, name)
        if beside is None or self.closed or answer is None or (name, system) not in beside.texts:
            return None
        then, now = beside.texts[name, system], answer.text or ""
        held = self.full and then is not None
        marked = changed_words(then or "", now) if held else ((), ())
        scores = (
            {score.name: score for score in beside.scores.of(system, name)} if beside.scores else {}
        )
        return ChangedView(
            beside.title,
            beside.here,
            *marked,
            same=then == now if held else None,
            why=("" if held else beside.kept if self.full else "The study keeps its texts."),
            scores=tuple(
                (score.title, scores[score.name].value, score.value)
                for score in self.scores_of(system, name)
                if score.name in scores and (score.value or scores[score.name].value)
            ),
        )

    def _choice(self, case: "Case", answer: "Answer | None") -> str:
        if answer is None or answer.choice is None:
            return ""
        # Words that are no option of the case are words of the answer.
        return answer.choice if self.full or answer.choice in case.options else ""

    def scores_of(self, system: str, case: str) -> tuple[ScoreView, ...]:
        """Give the scores of an answer, those of the run's own metrics first."""
        return self._scores.of(system, case) if self._scores is not None else ()


def page_of(viewed: Viewed, case: str, system: str) -> str:
    """Give the path of the page of a case; of the table where no case is named.

    Raises:
        InvalidInput: The study has no such case or system, or a system is named without a case.
    """
    if system and not case:
        raise InvalidInput(Problem("SYSTEM", "come after a case", f'"{system}"'))
    if case and case not in viewed.study.cases:
        raise InvalidInput(Problem("CASE", "be a case of this study", f'"{case}"'))
    if system and system not in viewed.systems:
        must = f"be one of {listed(list(viewed.systems))}"
        raise InvalidInput(Problem("SYSTEM", must, f'"{system}"'))
    asked = ViewerFilter(systems=(system,) if system else ())
    return f"/case?{asked.address(case=case)}" if case else ""


def neighbours(cases: Sequence[str], case: str) -> tuple[str, str]:
    """Name the cases before and after one in a list; empty where there is none."""
    if case not in cases:
        return "", cases[0] if cases else ""
    at = cases.index(case)
    return (cases[at - 1] if at else ""), (cases[at + 1] if at + 1 < len(cases) else "")
