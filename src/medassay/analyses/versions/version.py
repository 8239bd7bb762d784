"""One side of a comparison: a study's scores, or a table of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from medassay.analyses.descriptive import refuse_to_infer
from medassay.analyses.inputs.study_columns import collect_columns
from medassay.analyses.versions.gate_permits import GatePermit, permits_of
from medassay.answers import Answer, chosen_option
from medassay.cases import Case
from medassay.error_analysis import OptionChosen
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.scores import Reason, ScoreTable, Unscored, scores_from_sheet
from medassay.study.contents.metric_scores import (
    Scale,
    imported_scale,
    metric_scale,
    read_meaning,
    registered_scale,
)
from medassay.study.files.lock import only_writer
from medassay.study.folder import Study
from medassay.study.opening.stand_ins import imported_names
from medassay.study.runs.run import open_run
from medassay.study.scoring.score_study import Progress, score_study
from medassay.tables import FORMS, Sheet, is_there, read_sheet, with_points
from medassay.text import shell_line

_NOT_CONTENT: Final = {"system", "seconds", "cost", "raw"}
_OF_ANSWERS: Final = frozenset(
    {"text", "answer", "response", "reply", "output", "completion", "question", "prompt"}
)
_OF_SCORES: Final = frozenset({"value", "score", "scores"})
METRIC_OPTION: Final = "--metric"
"""The option of `compare` for the metrics to gate."""

UNNAMED: Final = "score"
"""What the scores of a table are called that does not say."""


@dataclass(frozen=True)
class Version:
    """One version's scores.

    Attributes:
        shown: What the user called it.
        table: Its scores.
        scales: What is known of each source that may be compared.
        system: The one system asked for, or None for all.
        study: The study, where it is one.
        clusters: Case to cluster.
        permits: Every permit to gate that the raters of this study give; None without raters.
        notes: What a reader should know of how it was read.
        damaged: What was kept and not believed, and was computed again.
        unfit: Metric to why no rank and no verdict rests on it.
    """

    shown: str
    table: ScoreTable
    scales: Mapping[str, Scale]
    system: str | None
    study: Study | None = None
    clusters: dict[str, str] = field(default_factory=dict)
    permits: tuple[GatePermit, ...] | None = None
    notes: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    unfit: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """List the systems that have a row for something that may be compared."""
        import polars as pl

        frame = self.table.frame.filter(pl.col("source").is_in(list(self.scales)))
        return tuple(sorted(frame["system"].unique()))

    def values(self, source: str, names: Mapping[str, str]) -> dict[tuple[str, str], float]:
        """Give the values of one source by (system, case), systems called by their names here.

        Of repeated answers it is their mean.
        """
        if source not in self.table.sources:
            return {}
        import polars as pl

        rows = self.table.select(source).filter(pl.col("about") == "").drop_nulls("value")
        means = rows.group_by("system", "case", maintain_order=True).agg(pl.col("value").mean())
        return {(names[s], case): v for s, case, v in means.iter_rows() if s in names}

    def not_asked(self, names: Mapping[str, str]) -> set[tuple[str, str]]:
        """Give each system and case of the study that nobody asked, by its asked.csv."""
        if self.study is None or self.study.asked.everything:
            return set()
        asked, cases = self.study.asked, self.study.cases.ids
        return {(n, c) for system, n in names.items() for c in cases if not asked.holds(system, c)}

    def unscored(self, source: str, names: Mapping[str, str]) -> dict[tuple[str, str], Unscored]:
        """Give for each answer without a value of a source, by (system, case), why it has none."""
        if source not in self.table.sources:
            return {}
        import polars as pl

        rows = self.table.select(source).filter(pl.col("about") == "").drop_nulls("reason")
        scored = self.values(source, names)
        return {
            (names[s], case): Unscored(Reason(reason), detail or "")
            for s, case, reason, detail in rows.select(
                "system", "case", "reason", "detail"
            ).iter_rows()
            if s in names and (names[s], case) not in scored
        }

    def contents(self, names: Mapping[str, str]) -> dict[tuple[str, str, int], object] | None:
        """Give what was answered, by (system, case, sample); None if only scores are at hand.

        Documents are what they say, not what they are called: an import numbers the texts of a log
        in the order in which it meets them, and a pipeline may answer in another order each time.
        """
        if self.study is None or not len(self.study.answers):
            return None
        return {
            # That neither side holds a text does not show that the two are alike.
            (names[answer.system], answer.case, answer.sample): _content(
                answer, self.study.cases[answer.case]
            )
            | {"held": answer.held or self.shown}
            for answer in self.study.answers
            if answer.system in names
        }

    def choices(self, names: Mapping[str, str]) -> dict[tuple[str, str], OptionChosen]:
        """Give what was chosen of the options, by (system, case); nothing where there are none."""
        if self.study is None:
            return {}
        chosens = {}
        for answer in self.study.answers:
            case = self.study.cases[answer.case]
            asked = answer.system in names and case.options and answer.tells_choice
            if asked and case.gold is not None:
                key = (names[answer.system], answer.case)
                chosens[key] = OptionChosen(chosen_option(case, answer), case.gold)
        return chosens


def _content(answer: Answer, case: Case) -> dict[str, object]:
    """Give what an answer says and rests on."""
    said = {doc.id: (doc.title, doc.text) for doc in case.documents or () if doc.text is not None}
    content = answer.model_dump(exclude=_NOT_CONTENT)
    if answer.retrieved:
        content["retrieved"] = [
            (said.get(found.document, found.document), found.score) for found in answer.retrieved
        ]
    if answer.statements:
        content["statements"] = [
            (statement.text, [said.get(cited, cited) for cited in statement.citations])
            for statement in answer.statements
        ]
    return content


def _split_system(text: str) -> tuple[Path, str | None]:
    """Take a system's name off the end, unless the whole text is a path that exists."""
    path, colon, system = text.rpartition(":")
    if colon and path and not Path(text).exists():
        return Path(path), system
    return Path(text), None


def table_source(text: str) -> str | None:
    """Give the one source that a table of scores names in its rows; None if there is no one."""
    path, _ = _split_system(text)
    if not _is_table(path):
        return None
    named = {str(name).strip() for name in read_sheet(path).columns.get("source", []) if name}
    return named.pop() if len(named) == 1 else None


def read_version(
    text: str,
    metrics: Sequence[str] | None,
    unnamed: str,
    progress: Progress | None,
    *,
    offline: bool,
    fresh: bool = False,
) -> Version:
    """Read one side, and score it where it is a study.

    Args:
        text: A study's folder or a table of scores; with `:SYSTEM` behind it one system of it.
        metrics: What to compute; the study's own metrics if not given.
        unnamed: What the scores of a table are called that does not name them.
        progress: Told what is being scored.
        offline: Fetch no model, whatever study.toml allows.
        fresh: Believe no score that is kept in the study.

    Raises:
        InvalidInput: It cannot be read.
        UnknownName: It does not have the system.
    """
    path, system = _split_system(text)
    if not _is_table(path) and not path.is_dir():
        must = f"be the folder of a study, or a table of scores ({', '.join(FORMS)})"
        got = "another file" if path.exists() else "nothing there"
        raise InvalidInput(Problem(str(path), must, got, "Check the path."))
    made = (
        _of_table(text, path, system, unnamed)
        if _is_table(path)
        else _of_study(text, path, system, metrics, progress, offline=offline, fresh=fresh)
    )
    if system is not None and system not in made.systems:
        raise UnknownName(f"system in {text}", system, made.systems)
    return made


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in FORMS and not path.is_dir()


def _of_table(text: str, path: Path, system: str | None, unnamed: str) -> Version:
    sheet = with_points(read_sheet(path))
    _refuse_answers(sheet, path)
    table = scores_from_sheet(sheet, source=unnamed)
    beside = path.with_suffix(".toml")
    described = imported_scale(read_meaning(beside, beside.name)) if is_there(beside) else None
    scales = {}
    for name in table.sources:
        known = registered_scale(name)
        scales[name] = known if known.declared or described is None else described
    return Version(text, table, scales, system, notes=tuple(map(str, sheet.notes)))


def _refuse_answers(sheet: Sheet, path: Path) -> None:
    """Refuse a table of answers, with the line that makes a study of it."""
    named = {name.strip().casefold() for name in sheet.columns}
    if named.isdisjoint(_OF_ANSWERS) or not named.isdisjoint(_OF_SCORES):
        return
    line = shell_line(["medassay", "import", str(path), "--into", path.stem])
    hint = "These are answers, not scores. Make a study of each file and compare the studies: "
    hint += f"{line}; or name a "
    hint += "folder for both: --into FOLDER."
    raise InvalidInput(Problem(path.name, "hold scores", ", ".join(sheet.columns), hint))


def _of_study(
    text: str,
    path: Path,
    system: str | None,
    metrics: Sequence[str] | None,
    progress: Progress | None,
    *,
    offline: bool,
    fresh: bool,
) -> Version:
    only = _computable(path, metrics)
    run = open_run(path, only=only, offline=offline, option=METRIC_OPTION, whole=True)
    refuse_to_infer(run.study, "compared by a test")
    with only_writer(path):
        scored = score_study(run.study, run.metrics, progress, fresh=fresh)
    score_columns = collect_columns(run.study, scored)
    scales = {str(metric.name): metric_scale(metric) for metric in run.metrics}
    for imported in run.study.imported:
        scales |= dict.fromkeys(imported.table.sources, imported_scale(imported.meaning))
    return Version(
        text, score_columns.table, scales, system, run.study, run.study.clusters,
        permits_of(run.study, score_columns), run.study.private().warnings,
        tuple(map(str, scored.damaged)),
        {column.name: column.flat for column in score_columns.columns if column.flat},
    )  # fmt: skip


def _computable(path: Path, metrics: Sequence[str] | None) -> list[str] | None:
    """Leave imported sources out of the metrics to compute."""
    if metrics is None:
        return None
    study = Study.open_whole(path)
    imported = imported_names(study.config, study.imported)
    return [name for name in metrics if name not in imported] or None
