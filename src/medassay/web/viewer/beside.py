"""What stands beside a study in the viewer: another study, or an earlier run of the same folder."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING

from medassay.errors import InvalidInput, Problem
from medassay.exhibits.numbers import Style
from medassay.web.viewer.records import ScoreView, WordsChanged

if TYPE_CHECKING:
    from medassay.analyses.results import Results, SourceResult
    from medassay.scores import ScoreTable
    from medassay.study import Study

_KINDS = {"metric": 0, "imported": 1, "consensus": 2}
_OPTION = "--beside"


class RunScores:
    """The scores of one run, looked up by answer.

    Args:
        results: What the run found.
        table: Its scores, of all cases.
    """

    def __init__(self, results: "Results", table: "ScoreTable") -> None:
        there = set(table.sources)
        self.sources: Mapping[str, SourceResult] = {
            source.name: source for source in results.sources if source.name in there
        }
        self._table = table
        self._cells: dict[str, dict[tuple[str, str], tuple[float | None, str | None]]] = {}

    def cells(self, source: str) -> Mapping[tuple[str, str], tuple[float | None, str | None]]:
        """Give the value of each answer, by case and system, or the reason why there is none."""
        if source not in self._cells:
            rows = self._table.select(source)
            rows = rows.filter((rows["about"] == "") & (rows["sample"] == 0))
            self._cells[source] = {
                (case, system): (value, reason)
                for case, system, value, reason in rows.select(
                    "case", "system", "value", "reason"
                ).iter_rows()
            }
        return self._cells[source]

    def of(self, system: str, case: str) -> tuple[ScoreView, ...]:
        """Give the scores of an answer, those of the run's own metrics first."""
        scores = [
            _score(source, *cell)
            for name, source in self.sources.items()
            if (cell := self.cells(name).get((case, system))) is not None
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


@dataclass(frozen=True)
class Beside:
    """The other side of a comparison.

    Attributes:
        title: What a heading calls it.
        here: What a heading calls the study that is shown.
        texts: Each answer by case and system; None where it keeps its text.
        scores: The scores of its run; None where there is no run.
        kept: Why texts are missing; empty where none are.
    """

    title: str
    here: str
    texts: Mapping[tuple[str, str], str | None] = field(repr=False)
    scores: RunScores | None = field(default=None, repr=False)
    kept: str = ""

    @classmethod
    def open(cls, folder: Path, study: "Study", run: Path | None) -> "Beside":
        """Open another study with its last run, or the folder of an earlier run.

        Args:
            folder: A study, or a run of one, such as `my-study/results/1b0f3c9a2d4e`.
            study: The study that is shown.
            run: The folder of the run that is shown; None where there is none.

        Raises:
            InvalidInput: It is neither; or from opening it.
        """
        from medassay.study.files.names import STUDY_FILE

        if (folder / STUDY_FILE).is_file():
            return cls._of_study(folder, study)
        return cls._of_run(folder, run)

    @classmethod
    def _of_study(cls, folder: Path, study: "Study") -> "Beside":
        from medassay.study import Study, find_completed_run

        other = Study.open(folder)
        full = other.config.privacy.texts == "full"
        texts = (
            {}
            if other.config.privacy.texts == "none"
            else {
                (answer.case, answer.system): (answer.text or "") if full else None
                for answer in other.answers
                if not answer.sample
            }
        )
        run = find_completed_run(folder)
        scores = None if run is None else read_scores(run)[1]
        there, here = other.config.title, study.config.title
        if there == here:
            there, here = f"{there} ({folder.resolve().name})", f"{here} ({study.path.name})"
        return cls(there, here, texts, scores, "" if full else "The study beside keeps its texts.")

    @classmethod
    def _of_run(cls, folder: Path, run: Path | None) -> "Beside":
        from medassay.study.runs.run import MANIFEST, is_whole

        if not is_whole(folder):
            must = "be a study, or the folder of a whole run, such as my-study/results/1b0f3c9a2d4e"
            got = "a run that is not whole" if (folder / MANIFEST).is_file() else "neither"
            hint = _runs_in(folder if folder.name == "results" else folder.parent)
            raise InvalidInput(Problem(f"{_OPTION} {folder}", must, got, hint))
        results, scores = read_scores(folder)
        texts = {
            (case.case, answer.system): answer.text
            if answer.text is not None or answer.status != "empty"
            else ""
            for case in results.cases
            for answer in case.answers
            if answer.status != "never answered"
        }
        kept = "The report of that run keeps no text of this answer."
        here = "The files as they are now" if run is None else _dated(run, folder)
        return cls(_dated(folder, run), here, texts, scores, kept)

    def changed(self, case: str, system: str, text: str | None) -> bool | None:
        """Say whether an answer's text is another there; None where one of the two is not held."""
        then = self.texts.get((case, system))
        return None if then is None or text is None else then != text

    def change(self, source: str, case: str, system: str, value: float | None) -> float | None:
        """Say by how much a score is higher here; None where one of the two is missing."""
        if self.scores is None or source not in self.scores.sources or value is None:
            return None
        then, _ = self.scores.cells(source).get((case, system), (None, None))
        return None if then is None else value - then


def _dated(run: Path, other: Path | None) -> str:
    """Name a run with the minute when it was written, and say which of two came first."""
    from medassay.study.runs.run import MANIFEST

    written = [(each / MANIFEST).stat().st_mtime_ns for each in (run, other) if each is not None]
    time = datetime.fromtimestamp(written[0] // 10**9, UTC)
    order = ", earlier" if written[0] < written[-1] else ", later"
    order = order if written[0] != written[-1] else ""
    return f"Run {run.resolve().name} ({time.day} {time:%B %Y, %H:%M} UTC{order})"


def read_scores(run: Path) -> "tuple[Results, RunScores]":
    """Read what a run found, and its scores.

    Raises:
        InvalidInput: Its report is none.
    """
    import polars as pl

    from medassay.report.store import read_results
    from medassay.scores import ScoreTable, with_defaults

    results = read_results(run / "report.json")
    table = ScoreTable(with_defaults(pl.read_parquet(run / "scores.parquet")))
    return results, RunScores(results, table)


def _runs_in(results: Path) -> str:
    """Name the whole runs of a folder of results, the newest first."""
    from medassay.study.runs.run import MANIFEST, is_whole

    runs = sorted(results.glob(f"*/{MANIFEST}"), key=lambda path: -path.stat().st_mtime)
    names = [path.parent.name for path in runs if is_whole(path.parent)]
    return f"Runs there, the newest first: {', '.join(names[:5])}." if names else ""


def changed_words(
    before: str, now: str
) -> tuple[tuple[WordsChanged, ...], tuple[WordsChanged, ...]]:
    """Mark in two texts the words that stand in one of them alone; spaces stay as they are.

    Example:
        >>> then, now = changed_words("Take 10 mg.", "Take 20 mg.")
        >>> [piece.words for piece in now if piece.changed]
        ['20']
    """
    sides: list[list[str]] = [re.findall(r"\s*\S+\s*?(?=\s|$)|\s+", text) for text in (before, now)]
    then_words, now_words = ([word.strip() for word in side] for side in sides)
    same = SequenceMatcher(None, then_words, now_words, autojunk=False)
    left, right = list[WordsChanged](), list[WordsChanged]()
    for what, a, b, c, d in same.get_opcodes():
        for pieces, words in ((left, sides[0][a:b]), (right, sides[1][c:d])):
            text = "".join(words)
            lead = len(text) - len(text.lstrip()) if what != "equal" else 0
            if lead:
                pieces.append(WordsChanged(text[:lead], changed=False))
            if text[lead:]:
                pieces.append(WordsChanged(text[lead:], what != "equal"))
    return tuple(left), tuple(right)
