"""An open study, case by case: the list, and one case with its answers side by side."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.exhibits.numbers import PROPORTION, Style
from medassay.web.viewer.chosen import ViewerFilter
from medassay.web.viewer.labels import (
    labels_of,
    preferred_of,
    questions_on,
    rows_by_answer,
    said_of,
)
from medassay.web.viewer.places import found_in, pieces_of
from medassay.web.viewer.records import (
    AnswerView,
    AskedOfRaters,
    CaseLine,
    CaseView,
    ScoreView,
)

if TYPE_CHECKING:
    from medassay.analyses.results import AnswerResult, Results, SourceResult
    from medassay.answers import Answer
    from medassay.cases import Case
    from medassay.scores import ScoreTable
    from medassay.study import Study

__all__ = ["Viewed", "neighbours"]

_LINE: Final = 220
_KINDS: Final = {"metric": 0, "imported": 1, "consensus": 2}


class Viewed:
    """A study as its `[privacy]` lets it be seen, with what its last run found.

    Args:
        study: The study, opened by `Study.open`.
        results: What the run of exactly these files found; None where there is none.
        scores: The scores of that run, of all cases.

    Raises:
        InvalidInput: From `open`: every problem of the study, or of its report.
    """

    def __init__(
        self, study: "Study", results: "Results | None" = None, scores: "ScoreTable | None" = None
    ) -> None:
        self.study, self.results = study, results
        self.full = study.config.privacy.texts == "full"
        self.closed = study.config.privacy.texts == "none"
        self._scores = scores
        self._rows = rows_by_answer(study)

    @classmethod
    def open(cls, folder: Path) -> "Viewed":
        """Open a study, and the run of its files as they are now, where that is whole."""
        import polars as pl

        from medassay.report.store import read_results
        from medassay.scores import ScoreTable, with_defaults
        from medassay.study import Study, find_completed_run

        study = Study.open(folder)
        run = find_completed_run(folder)
        if run is None:
            return cls(study)
        table = ScoreTable(with_defaults(pl.read_parquet(run / "scores.parquet")))
        return cls(study, read_results(run / "report.json"), table)

    @property
    def systems(self) -> Mapping[str, str]:
        """Give every system and what a table calls it."""
        return {name: self.study.system(name).title or name for name in self.study.systems}

    @cached_property
    def questions(self) -> tuple[AskedOfRaters, ...]:
        """Give the questions of which somebody gave a label, with all labels of the rubric."""
        asked = {row["dimension"] for rows in self._rows.values() for row in rows}
        return tuple(
            AskedOfRaters(
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

    def lines(self, chosen: ViewerFilter) -> list[CaseLine]:
        """List the cases with an answer that fits what was asked for."""
        if self.closed:
            return []
        lines = []
        for case in self.study.cases:
            fitting = self.fitting(case, chosen)
            if not fitting and (chosen.some or self.study.systems):
                continue
            asked = " ".join((case.asked or "").split()) if self.full else ""
            short = asked if len(asked) <= _LINE else f"{asked[:_LINE].rsplit(' ', 1)[0]} …"
            differ = sum(len(self._differing(system, case.case)) for system in fitting)
            hard = self.hard.get(case.case)
            given = sum(self.study.answers.gave(system, case.case) for system in fitting)
            lines.append(CaseLine(case.case, short, given, differ, hard))
        if chosen.hardest:
            lines.sort(key=lambda line: (line.hard is None, line.hard or 0))
        return lines

    def fitting(self, case: "Case", chosen: ViewerFilter) -> list[str]:
        """Name the systems that were asked a case and whose answer fits what was asked for."""
        known = [name for name in chosen.systems if name in self.systems]
        asked = self.study.asked.systems(case.case, known or self.study.systems)
        return [system for system in asked if self._fits(system, case, chosen)]

    def _fits(self, system: str, case: "Case", chosen: ViewerFilter) -> bool:
        rows = self._rows.get((system, case.case), ())
        if chosen.dimension and not any(
            row["dimension"] == chosen.dimension
            and (not chosen.label or chosen.label in {row["kind"], said_of(row)})
            for row in rows
        ):
            return False
        if chosen.differ and not self._differing(system, case.case):
            return False
        return not chosen.words or self._says(system, case, chosen.words.casefold())

    def _says(self, system: str, case: "Case", words: str) -> bool:
        texts: list[str | None] = [case.case]
        if self.full:
            answer = self.study.answers.get(system, case.case)
            texts += [case.asked, case.narrative, answer.text if answer else None]
        return any(words in " ".join(text.split()).casefold() for text in texts if text)

    def _differing(self, system: str, case: str) -> frozenset[tuple[str, str]]:
        return questions_on(self._rows.get((system, case), ()), self.study.judgements.counts)

    def case(self, name: str, chosen: ViewerFilter) -> CaseView | None:
        """Give one case with the answers that fit; with all of its answers where none does."""
        if self.closed or name not in self.study.cases:
            return None
        case = self.study.cases[name]
        systems = self.fitting(case, chosen) or self.study.asked.systems(name, self.study.systems)
        found = {
            answer.system: answer
            for one in (self.results.cases if self.results else ())
            if one.case == name
            for answer in one.answers
        }
        answers = tuple(self._answer(case, system, found.get(system)) for system in systems)
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
            pieces_of(shown.text, "text", marks) if shown else (),
            pieces_of(shown.reasoning, "reasoning", marks) if shown else (),
            self._choice(case, answer),
            None
            if answer is None or answer.choice is None or case.gold is None
            else answer.choice == case.gold,
            PROPORTION(answer.confidence)
            if answer is not None and answer.confidence is not None
            else "",
            tuple(one.document for one in answer.retrieved or ()) if answer else (),
            found_in(marks),
            labels_of(self.study, case, answer, rows),
            self._scores_of(system, case.case),
        )

    def _choice(self, case: "Case", answer: "Answer | None") -> str:
        if answer is None or answer.choice is None:
            return ""
        # Words that are no option of the case are words of the answer.
        return answer.choice if self.full or answer.choice in case.options else ""

    def _scores_of(self, system: str, case: str) -> tuple[ScoreView, ...]:
        if self._scores is None or self.results is None:
            return ()
        sources = {source.name: source for source in self.results.sources}
        scores = [
            _score(sources[name], row["value"], row["reason"])
            for name in self._scores.sources
            if name in sources
            for row in self._scores.select(name)
            .filter(system=system, case=case, about="", sample=0)
            .iter_rows(named=True)
        ]
        return tuple(sorted(scores, key=lambda score: (_KINDS[score.kind], score.title)))


def _score(source: "SourceResult", value: float | None, reason: str | None) -> ScoreView:
    from medassay.scores import Reason

    if value is None:
        why = Reason(reason).words if reason else ""
        return ScoreView(source.name, source.title, "", why, None, source.kind)
    low, high = source.low, source.high
    ends = low is not None and high is not None and high > low
    share = (value - low) / (high - low) if ends and low is not None and high is not None else None
    style = Style.of_scale(low, high)
    return ScoreView(source.name, source.title, style(value), "", share, source.kind)


def neighbours(lines: Sequence[CaseLine], case: str) -> tuple[str, str]:
    """Name the cases before and after one in a list; empty where there is none."""
    names = [line.case for line in lines]
    if case not in names:
        return "", names[0] if names else ""
    at = names.index(case)
    return (names[at - 1] if at else ""), (names[at + 1] if at + 1 < len(names) else "")
