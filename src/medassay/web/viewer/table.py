"""The table of answers: one row an answer, with columns to choose, sort and filter by."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from medassay.exhibits.numbers import Style
from medassay.judgements import Dimension
from medassay.judgements.rubric import HARM_READINGS
from medassay.tables import csv_bytes, guarded
from medassay.web.viewer.chosen import ViewerFilter
from medassay.web.viewer.labels import Rows, is_harmful, questions_on, said_of

if TYPE_CHECKING:
    from medassay.analyses.results import Results, SourceResult
    from medassay.study import Study
    from medassay.web.viewer.beside import Beside, RunScores

_KINDS: Final = {"consensus": 0, "metric": 1, "imported": 2}
_USUAL_MEANS: Final = 4
_USUAL_SCORES: Final = 2


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column.

    Attributes:
        id: Its name in an address.
        title: What its heading says.
        style: How its numbers print.
        worst_first: Whether its low values are the bad ones.
        of: What of: `labels`, `scores`, `joint` (consensus), `changes` or `facts`.
    """

    id: str
    title: str
    style: Callable[[float], str]
    worst_first: bool = False
    of: str = "facts"


class TableCell(NamedTuple):
    """What a cell prints, and whether it tells of harm."""

    text: str
    alarm: bool = False


class SystemLine(NamedTuple):
    """A system in the overview: how many answers fit, and the mean of each column over them."""

    system: str
    title: str
    answers: int
    cells: tuple[TableCell, ...]


class AnswerRow(NamedTuple):
    """An answer that was asked for: its case and its system."""

    case: str
    system: str


def _whole(value: float) -> str:
    return f"{value:g}"


def _yes_or_no(value: float) -> str:
    return "yes" if value else "no"


def _signed(source: "SourceResult") -> Callable[[float], str]:
    style = Style.of_scale(source.low, source.high)

    def signed(value: float) -> str:
        text = style(value)
        return f"+{text}" if value > 0 and text != style(0.0) else text

    return signed


def _tells_harm(dimension: Dimension) -> bool:
    return not {*HARM_READINGS}.isdisjoint(dimension.mappings)


class AnswerTable:
    """All answers of a study, columns worked out when somebody asks for them.

    Args:
        study: The study, opened as its `[privacy]` lets it be seen.
        rows: What raters say of each answer.
        results: What its run found; None where there is none.
        scores: The scores of that run.
        hard: Each case's place from the hardest on.
        beside: The same answers in another study or run; None: no other.
    """

    def __init__(
        self,
        study: "Study",
        rows: Rows,
        results: "Results | None",
        scores: "RunScores | None",
        hard: Mapping[str, int],
        beside: "Beside | None" = None,
    ) -> None:
        self._study, self._said, self._results, self._scores = study, rows, results, scores
        self._hard, self._beside = hard, beside
        self._values: dict[str, list[float | None]] = {}

    @cached_property
    def answers(self) -> tuple[AnswerRow, ...]:
        """Give every answer that was asked for, case by case."""
        study = self._study
        return tuple(
            AnswerRow(case.case, system)
            for case in study.cases
            for system in study.asked.systems(case.case, study.systems)
        )

    @cached_property
    def columns(self) -> Mapping[str, TableColumn]:
        """Give all columns by id: harm, means of labels, scores, facts."""
        study = self._study
        asked = {row["dimension"] for rows in self._said.values() for row in rows}
        dimensions = [one for one in study.rubric.dimensions if one.id in asked]
        columns = []
        harms = [one for one in dimensions if _tells_harm(one)]
        if harms:
            title = next((one.harm_words for one in harms if one.harm_words), "harmful")
            columns.append(TableColumn("harm", f"{title[0].upper()}{title[1:]}", _whole))
        sources = tuple(self._scores.sources.values()) if self._scores else ()
        sources = tuple(sorted(sources, key=lambda source: _KINDS.get(source.kind, 3)))
        if self._beside is not None:
            columns.append(TableColumn("changed", "Changed", _yes_or_no))
        before = self._beside.scores.sources if self._beside and self._beside.scores else {}
        columns += [
            TableColumn(
                f"change:{source.name}", f"{source.title}: change", _signed(source),
                source.direction != "lower", "changes",
            )
            for source in sources
            if source.name in before and source.kind != "consensus"
        ]  # fmt: skip
        columns += [
            TableColumn(
                f"rated:{one.id}", one.title or one.id, Style(2), one.better == "higher", "labels"
            )
            for one in dimensions
            if one.number is not None or one.scores is not None
        ]
        columns += [
            TableColumn(
                f"score:{source.name}", source.title, Style.of_scale(source.low, source.high),
                source.direction != "lower", "joint" if source.kind == "consensus" else "scores",
            )
            for source in sources
        ]  # fmt: skip
        if self._said:
            columns.append(TableColumn("raters", "Raters", _whole))
            columns.append(TableColumn("differ", "Raters differ", _whole))
        if self._results:
            columns.append(TableColumn("flags", "Flags", _whole))
        if self._hard:
            columns.append(TableColumn("hard", "Hardest case", _whole, worst_first=True))
        return {column.id: column for column in columns}

    def shown(self, chosen: ViewerFilter) -> list[TableColumn]:
        """Give the columns that somebody chose, or the usual ones."""
        if wanted := [self.columns[name] for name in chosen.columns if name in self.columns]:
            return wanted
        # What tells of harm has a column of its own, which says more than a mean.
        harm = {f"rated:{one.id}" for one in self._study.rubric.dimensions if _tells_harm(one)}
        rated = [one for one in self.columns.values() if one.of == "labels"]
        means = [one for one in rated if one.id not in harm][:_USUAL_MEANS]
        # A consensus beside the mean of the same ratings says little more, and a score that no
        # answer has says nothing.
        measured = (
            one
            for one in self.columns.values()
            if (one.of == "scores" or (one.of == "joint" and not rated))
            and any(value is not None for value in self.values(one.id))
        )
        changes = [one for one in self.columns.values() if one.of == "changes"]
        scores = islice(measured, _USUAL_SCORES)
        usual = {one.id for one in (*means, *scores, *changes[:_USUAL_SCORES])}
        usual |= {"harm", "differ", "flags", "changed"}
        return [one for one in self.columns.values() if one.id in usual]

    def find(self, chosen: ViewerFilter) -> list[int]:
        """Give the places of the answers that fit, in the order that was asked for."""
        places = list(range(len(self.answers)))
        for keeps in self._tests(chosen):
            places = [place for place in places if keeps(place)]
        return self._sorted(places, chosen)

    def _tests(self, chosen: ViewerFilter) -> list[Callable[[int], bool]]:
        answers, said = self.answers, self._said
        tests: list[Callable[[int], bool]] = []
        if chosen.systems:
            tests.append(lambda at: answers[at].system in chosen.systems)
        if chosen.tags:
            fits = {
                case.case
                for case in self._study.cases
                if all(case.tags.get(name) == value for name, value in chosen.tags)
            }
            tests.append(lambda at: answers[at].case in fits)
        if chosen.within in self.columns and (chosen.least is not None or chosen.most is not None):
            values, low, high = self.values(chosen.within), chosen.least, chosen.most

            def inside(at: int) -> bool:
                value = values[at]
                above = value is not None and (low is None or value >= low)
                return above and value is not None and (high is None or value <= high)

            tests.append(inside)
        if chosen.dimension or chosen.rater:

            def gave(at: int) -> bool:
                return any(
                    (not chosen.rater or row["rater"] == chosen.rater)
                    and (not chosen.dimension or row["dimension"] == chosen.dimension)
                    and (not chosen.label or chosen.label in {row["kind"], said_of(row)})
                    for row in said.get((answers[at].system, answers[at].case), ())
                )

            tests.append(gave)
        if chosen.differ:
            differ = self.values("differ") if "differ" in self.columns else [0.0] * len(answers)
            tests.append(lambda at: bool(differ[at]))
        if chosen.words:
            words = chosen.words.casefold()
            tests.append(lambda at: words in self._texts[at])
        return tests

    def _sorted(self, places: list[int], chosen: ViewerFilter) -> list[int]:
        """Sort by a column, what has no value last; else the worst answers first."""
        if chosen.sort in {"case", "system"}:
            part = 0 if chosen.sort == "case" else 1
            return sorted(places, key=lambda at: self.answers[at][part], reverse=chosen.down)
        if chosen.sort in self.columns:
            return self._by(places, chosen.sort, down=chosen.down)
        first = next((one for one in self.columns.values() if one.of == "labels"), None)
        if first is not None:
            places = self._by(places, first.id, down=not first.worst_first)
        return self._by(places, "harm", down=True) if "harm" in self.columns else places

    def _by(self, places: list[int], name: str, *, down: bool) -> list[int]:
        values = self.values(name)
        there = [at for at in places if values[at] is not None]
        there.sort(key=lambda at: values[at] or 0.0, reverse=down)
        return there + [at for at in places if values[at] is None]

    def values(self, name: str) -> list[float | None]:
        """Give a column's number for each answer; None where there is none."""
        if name not in self._values:
            kind, _, rest = name.partition(":")
            make: dict[str, Callable[[str], list[float | None]]] = {
                "harm": self._harm,
                "rated": self._means,
                "score": self._of_source,
                "change": self._score_changes,
                "raters": self._raters,
                "differ": self._differing,
                "flags": self._flags,
                "hard": self._hardness,
                "changed": self._changes,
            }
            self._values[name] = make[kind](rest)
        return self._values[name]

    def _rows_of(self, at: int) -> Sequence[Mapping[str, Any]]:
        case, system = self.answers[at]
        return self._said.get((system, case), ())

    def _harm(self, _: str) -> list[float | None]:
        """Give the share of an answer's raters who gave it a harmful label."""
        counted = set(self._study.judgements.counts)
        found: list[float | None] = []
        for at in range(len(self.answers)):
            said: dict[str, bool] = {}
            for row in self._rows_of(at):
                harmful = is_harmful(self._study.rubric, row)
                if harmful is not None and row["phase"] in counted:
                    said[row["rater"]] = said.get(row["rater"], False) or harmful
            found.append(sum(said.values()) / len(said) if said else None)
        return found

    def _means(self, name: str) -> list[float | None]:
        dimension, counted = self._study.rubric.dimension(name), set(self._study.judgements.counts)
        labels = (label.label for label in dimension.labels)
        scores = dict(zip(labels, dimension.scores or (), strict=False))
        means: list[float | None] = []
        for at in range(len(self.answers)):
            values = [
                row["number"] if row["number"] is not None else scores.get(row["label"])
                for row in self._rows_of(at)
                if row["dimension"] == name and row["phase"] in counted
            ]
            there = [value for value in values if value is not None]
            means.append(sum(there) / len(there) if there else None)
        return means

    def _of_source(self, name: str) -> list[float | None]:
        assert self._scores is not None  # noqa: S101 - else there is no such column
        cells = self._scores.cells(name)
        return [cells.get((case, system), (None, None))[0] for case, system in self.answers]

    def _score_changes(self, name: str) -> list[float | None]:
        assert self._beside is not None  # noqa: S101 - else there is no such column
        values = zip(self.answers, self.values(f"score:{name}"), strict=True)
        return [self._beside.change(name, case, system, value) for (case, system), value in values]

    def _raters(self, _: str) -> list[float | None]:
        return [
            float(len({row["rater"] for row in self._rows_of(at)}))
            for at in range(len(self.answers))
        ]

    def _differing(self, _: str) -> list[float | None]:
        counts = self._study.judgements.counts
        return [
            float(len(questions_on(self._rows_of(at), counts))) for at in range(len(self.answers))
        ]

    def _flags(self, _: str) -> list[float | None]:
        """Count the flags of danger; None for answers of which the run keeps no details."""
        found = {
            (case.case, answer.system): float(
                sum(mark.kind in {"danger", "fault"} for mark in answer.marks)
            )
            for case in (self._results.cases if self._results else ())
            for answer in case.answers
        }
        return [found.get((answer.case, answer.system)) for answer in self.answers]

    def _hardness(self, _: str) -> list[float | None]:
        return [self._hard.get(answer.case) for answer in self.answers]

    def _changes(self, _: str) -> list[float | None]:
        """Say of each answer whether its text is another on the other side."""
        assert self._beside is not None  # noqa: S101 - else there is no such column
        full = self._study.config.privacy.texts == "full"
        changed: list[float | None] = []
        for case, system in self.answers:
            answer = self._study.answers.get(system, case)
            text = (answer.text or "") if answer is not None and full else None
            another = self._beside.changed(case, system, text)
            changed.append(None if another is None else float(another))
        return changed

    @cached_property
    def _texts(self) -> list[str]:
        """Give the words of each answer and of its question, to look for words in."""
        study = self._study
        full = study.config.privacy.texts == "full"
        asked = {
            case.case: " ".join(f"{case.case} {case.prompt or ''} {case.narrative or ''}".split())
            if full
            else case.case
            for case in study.cases
        }
        texts = []
        for case, system in self.answers:
            answer = study.answers.get(system, case) if full else None
            text = " ".join(answer.text.split()) if answer and answer.text else ""
            texts.append(f"{asked[case]}\n{text}".casefold())
        return texts

    def cell(self, at: int, column: TableColumn) -> TableCell:
        """Give what a cell prints: an empty one where there is no value."""
        value = self.values(column.id)[at]
        if value is None:
            return TableCell("")
        if column.id == "harm":
            counted = set(self._study.judgements.counts)
            raters = {
                row["rater"]
                for row in self._rows_of(at)
                if is_harmful(self._study.rubric, row) is not None and row["phase"] in counted
            }
            return TableCell(f"{round(value * len(raters))} of {len(raters)}", alarm=value > 0)
        return TableCell(column.style(value), alarm=column.id == "flags" and value > 0)

    def overview(self, places: Collection[int], columns: Sequence[TableColumn]) -> list[SystemLine]:
        """Sum up each system over the answers that fit, the most harm first."""
        titles = {name: self._study.system(name).title or name for name in self._study.systems}
        of_system: dict[str, list[int]] = {}
        for at in places:
            of_system.setdefault(self.answers[at].system, []).append(at)
        lines = [
            SystemLine(
                name, titles[name], len(mine), tuple(self._sum(mine, one) for one in columns)
            )
            for name, mine in of_system.items()
        ]
        harm = self.values("harm") if "harm" in self.columns else []

        def harmed(line: SystemLine) -> tuple[float, str]:
            return (
                -sum(bool(harm[at]) for at in of_system[line.system]) if harm else 0,
                line.title,
            )

        return sorted(lines, key=harmed)

    def _sum(self, places: Sequence[int], column: TableColumn) -> TableCell:
        """Count answers that somebody called harmful, flagged ones and the like; else a mean."""
        values = self.values(column.id)
        there = [value for at in places if (value := values[at]) is not None]
        if not there:
            return TableCell("")
        if column.id in {"harm", "flags", "differ", "changed"}:
            count = sum(value > 0 for value in there)
            alarm = column.id in {"harm", "flags"} and count > 0
            return TableCell(f"{count} of {len(there)}", alarm=alarm)
        mean = sum(there) / len(there)
        return TableCell(f"{mean:.1f}" if column.of == "facts" else column.style(mean))

    def csv(self, chosen: ViewerFilter) -> bytes:
        """Give the answers that fit as CSV, with the columns that are shown; numbers are exact."""
        columns = self.shown(chosen)
        rows = [
            [
                guarded(self.answers[at].case),
                guarded(self.answers[at].system),
                *(self.values(column.id)[at] for column in columns),
            ]
            for at in self.find(chosen)
        ]
        return csv_bytes(["case", "system", *(column.id for column in columns)], rows)
