"""Ask a model judge, and write what it said among the study's judgements.

The questions to a judge which of two answers is better.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Self, TypeAlias

from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Judgements, Preferences
from medassay.judges.questions import (
    PAIR,
    TWO,
    JudgeQuestion,
    answers_of,
    filled,
    label_questions,
    places_of,
    refuse_prompt,
    refuse_unknown,
    reply_of,
    sources_of,
    text_lacks,
    unaskable,
)
from medassay.models.endpoints import Ask, Backend, Limits, Message, chat_body, open_backend
from medassay.study.answering import (
    Estimate,
    Replies,
    allowed_of,
    ask_all,
    estimate,
    journal_of,
)
from medassay.study.config.protocol import outside_problem
from medassay.study.config.study_toml import JudgeConfig, shipped_prompt
from medassay.study.files.names import CALLS, STUDY_FILE
from medassay.study.folder import Study
from medassay.study.intake.judgements import write_table
from medassay.study.scoring.score_study import Progress
from medassay.tables import file_bytes, file_stem

if TYPE_CHECKING:
    import polars as pl

    from medassay.answers import Answer

_OVERALL: Final = "overall"
_WHICH: Final = "Which of the two replies would you rather give to the person who asked?"


def pair_questions(
    study: Study, name: str, config: JudgeConfig, prompt: str | None
) -> Iterator[JudgeQuestion]:
    """Give a question for each two systems' first answers to a case, and each dimension.

    Which stands first is drawn by the names of case and systems, so that each is first about as
    often as second; asked again, they change places. Of parts of answers no pair is asked.

    Raises:
        InvalidInput: The judge is to be asked what the rubric has not.
    """
    askable = {
        dimension.id: dimension
        for dimension in study.rubric.dimensions
        if dimension.about == "answer" and not unaskable(dimension)
    }
    refuse_unknown(name, config, [_OVERALL, *askable])
    if prompt is not None:
        asked = [askable[name] for name in config.dimensions if name in askable]
        refuse_prompt(prompt, config.prompt, TWO, asked)
    menu = replace(PAIR, rationale=config.rationale, held=config.form == "schema")
    wanted = _preferred_by_people(study) if config.of == "judged" else None
    answers: dict[str, dict[str, Answer]] = {}
    for case, answer in answers_of(study):
        answers.setdefault(case.case, {}).setdefault(answer.system, answer)
    for dimension in config.dimensions or [_OVERALL]:
        alone = askable.get(dimension)
        question = _WHICH if alone is None else f"{_WHICH} By this alone: {alone.question}"
        for case in study.cases:
            places = places_of(case, question, menu)
            replies = answers.get(case.case, {})
            read = {
                system: ({}, text_lacks(reply)) if alone is None else sources_of(alone, case, reply)
                for system, reply in replies.items()
            }
            for pair in combinations(sorted(replies), 2):
                if wanted is not None and (dimension, case.case, *pair) not in wanted:
                    continue
                first, second = _in_drawn_order(case.case, *pair)
                orders = [("main", first, second), ("repeat", second, first)]
                lacks = read[first][1] or read[second][1]
                for phase, a, b in orders if config.again and not lacks else orders[:1]:
                    shown = {
                        "reply_a": reply_of(case, replies[a]),
                        "reply_b": reply_of(case, replies[b]),
                        "sources": {"A": read[a][0], "B": read[b][0]},
                    }
                    text = filled(prompt or shipped_prompt("pair"), {**places, **shown})
                    row = {
                        "dimension": dimension, "case": case.case, "system_a": a, "system_b": b,
                        "phase": phase,
                    }  # fmt: skip
                    yield JudgeQuestion(row, "" if lacks else text, menu, lacks)


def _in_drawn_order(case: str, first: str, other: str) -> tuple[str, str]:
    digest = hashlib.sha256(f"{case}\n{first}\n{other}".encode()).digest()
    return (other, first) if digest[0] % 2 else (first, other)


def _preferred_by_people(study: Study) -> set[tuple[str, ...]]:
    import polars as pl

    people = study.preferences_of_all.without_raters(study.judges.raters).current()
    rows = people.filter(pl.col("phase").is_in(["main", "calibration"]))
    return set(rows.select("dimension", "case", "first", "second").iter_rows())


_Row: TypeAlias = dict[str, object]
_Wanted: TypeAlias = Callable[[Mapping[str, object]], bool]
_TOP: Final = 20
"""Alternatives at each token: the most that the protocol gives."""
_FAILED: Final = "failed"


@dataclass(frozen=True, kw_only=True)
class Judged(Replies):
    """What one judge did.

    Attributes:
        judge: What it is called.
        said: Labels, numbers or preferences that it gave, those of before included.
        without: Reason to how often there is none: cannot_judge, and the four that are no verdict.
        unasked: Questions that are still to be asked.
        not_asked: Dimension, and why no prompt can show what it speaks of, to how often.
        files: The study's files that were written.
    """

    judge: str
    said: int
    without: dict[str, int] = field(default_factory=dict)
    unasked: int
    not_asked: dict[str, int] = field(default_factory=dict)
    files: tuple[str, ...] = ()


def ask_judge(
    folder: Path,
    judge: str,
    *,
    offline: bool = False,
    budget: float | None = None,
    tell: Progress | None = None,
    wanted: _Wanted | None = None,
) -> Judged:
    """Ask one judge all that its settings say, and write its rows.

    Every reply is on disk the moment it comes, in `calls/`; rows are made of them anew each time.
    Stopped anywhere, it goes on where it was; a question that failed is asked again, and nothing
    else is. A reply that is no verdict is a row with its reason.

    Args:
        folder: The study.
        judge: The judge, as study.toml names it.
        offline: Send to this machine alone.
        budget: What it may cost from now on; the settings' if not given.
        tell: Is told how far it is.
        wanted: Says of a row's columns whether it is asked; all are if not given.

    Raises:
        InvalidInput: The study or a setting is not as it must be; or the study has rows of this
            judge that came about otherwise.
        MissingBackend: A package lacks.
    """
    opened = OpenedJudge.of(folder, judge, offline=offline, wanted=wanted)
    journal = journal_of(folder, judge)
    rows, replies = ask_all(opened, journal, opened.refuse_others, budget=budget, tell=tell)
    files = [*opened.write(rows)]
    if len(journal):
        files.append(f"{CALLS}/{file_stem(judge)}.jsonl")
    without = Counter(str(row["reason"]) for row in rows if "reason" in row)
    return Judged(
        **vars(replies),
        judge=judge,
        said=len(rows) - without.total(),
        without=dict(sorted(without.items())),
        unasked=opened.total - len(rows),
        not_asked=opened.not_asked,
        files=tuple(files),
    )


def estimate_judge(
    folder: Path, judge: str, *, offline: bool = False, wanted: _Wanted | None = None
) -> Estimate:
    """Say what it would take to ask a judge; nothing is asked and nothing written.

    Raises:
        InvalidInput: The study or a setting is not as it must be.
        MissingBackend: A package lacks.
    """
    opened = OpenedJudge.of(folder, judge, offline=offline, wanted=wanted)
    return replace(estimate(opened, journal_of(folder, judge)), not_asked=opened.not_asked)


def askable_judges(folder: Path) -> list[str]:
    """List the judges of a study that are asked from here.

    Raises:
        InvalidInput: There are none.
    """
    judges = Study.open_whole(folder).config.judges
    names = [name for name, config in judges.items() if config.base_url is not None]
    if not names:
        must, hint = "say where a judge is asked", "Write [judges.NAME] with its base_url."
        raise InvalidInput(Problem(STUDY_FILE, must, "no base_url", hint, None, "judges"))
    return names


def judged_by(study: Study, other: str) -> _Wanted:
    """Say of a question whether another judge was asked it.

    Raises:
        InvalidInput: The other judge was asked nothing.
    """
    import polars as pl

    labels = study.judgements_on_file.frame.filter(pl.col("rater") == other)
    pairs = Preferences(study.preferences_on_file.frame.filter(pl.col("rater") == other)).current()
    units = ("dimension", "system", "case", "sample", "about")
    known = set(labels.select(units).iter_rows())
    known |= set(pairs.select("dimension", "case", "first", "second").iter_rows())
    if not known:
        must = "name a judge that judged something"
        raise InvalidInput(Problem("--rescore", must, f'"{other}"'))

    def wanted(row: Mapping[str, object]) -> bool:
        if "system_a" in row:
            pair = sorted((str(row["system_a"]), str(row["system_b"])))
            return (row["dimension"], row["case"], *pair) in known
        return tuple(row[name] for name in units) in known

    return wanted


@dataclass(frozen=True)
class OpenedJudge:
    """A judge of a study that is ready to be asked.

    Attributes:
        study: The study, whole.
        name: What the judge is called.
        config: Its settings.
        backend: Whom it asks.
        jobs: Its questions.
        not_asked: Dimension, and why no prompt can show what it speaks of, to how often.
    """

    study: Study
    name: str
    config: JudgeConfig
    backend: Backend
    jobs: Sequence[JudgeQuestion]
    not_asked: dict[str, int]
    doing: ClassVar[str] = "judges"

    @classmethod
    def of(cls, folder: Path, name: str, *, offline: bool, wanted: _Wanted | None) -> Self:
        """Open a study and one of its judges.

        Raises:
            InvalidInput: The study gives the judge no address, or a setting is not as it must be.
            MissingBackend: A package lacks.
        """
        study = Study.open_whole(folder)
        known = [
            declared
            for declared, config in study.config.judges.items()
            if config.base_url is not None
        ]
        if name not in known:
            must = "say where it is asked"
            hint = nearest(name, known) or f"Write its base_url under [judges.{name}]."
            where = f"judges.{name}.base_url"
            raise InvalidInput(Problem(STUDY_FILE, must, "no base_url", hint, None, where))
        config = study.config.judges[name]
        make = pair_questions if config.asks == "pairs" else label_questions
        jobs = make(study, name, config, own_prompt(folder, name, config))
        every = [job for job in jobs if wanted is None or wanted(job.row)]
        not_asked = Counter(f"{job.row['dimension']}: {job.lacks}" for job in every if job.lacks)
        asked = [job for job in every if not job.lacks]
        allowed = allowed_of(study.config.privacy, offline=offline)
        backend = open_backend(config.endpoint, allowed)
        return cls(study, name, config, backend, asked, dict(not_asked))

    @property
    def section(self) -> str:
        """Name the table of study.toml that sets it."""
        return f"judges.{self.name}"

    @property
    def limits(self) -> Limits:
        """Give how fast and for how much it asks."""
        return self.config

    @property
    def total(self) -> int:
        """Count its questions."""
        return len(self.jobs)

    async def make(self, job: JudgeQuestion, ask: Ask) -> _Row:
        """Ask one question, and give the row that its reply makes."""
        body = chat_body(
            [Message("user", job.text)],
            self.config.endpoint.sent,
            schema=job.menu.schema if self.config.form == "schema" else None,
            top=_TOP if self.config.probabilities else 0,
        )
        again = int(job.row["phase"] == "repeat")
        reply = await ask(body, about=job.row, sample=again)
        return {"rater": self.name, "rater_kind": "model", **job.row, **job.said(reply)}

    @property
    def _on_file(self) -> Judgements | Preferences:
        pairs = self.config.asks == "pairs"
        return self.study.preferences_on_file if pairs else self.study.judgements_on_file

    def _table(self, rows: Sequence[_Row]) -> Judgements | Preferences:
        if self.config.asks == "pairs":
            return Preferences.from_rows(rows)
        return Judgements.from_rows(rows, self.study.rubric)

    def _others(self, rows: Sequence[_Row]) -> "pl.DataFrame":
        """Give the judge's rows on file that these replies do not make; failures apart."""
        import polars as pl

        mine = self._on_file.frame.filter(pl.col("rater") == self.name)
        made = self._table(rows).frame
        held = mine.filter(pl.col("reason").is_null() | (pl.col("reason") != _FAILED))
        return held.join(made, on=held.columns, how="anti", nulls_equal=True)

    def refuse_others(self, rows: Sequence[_Row]) -> None:
        """Refuse to go on where the study has rows of the judge that came about otherwise.

        Another prompt, model or setting is another judge: rows of both would be nobody's.
        """
        strange = self._others(rows)
        if strange.height:
            must = "have no rows of this judge from other settings"
            got = f"{strange.height:,} of them, the first of {strange['case'][0]}"
            hint = (
                "Another prompt, model, setting or answer makes another judge: give it another "
                "name, or move its old rows out of the study."
            )
            table = "preferences" if self.config.asks == "pairs" else "judgements"
            raise InvalidInput(Problem(table, must, got, hint, None, "rater"))

    def write(self, rows: Sequence[_Row]) -> list[str]:
        """Put the judge's rows in the place of those of before: the same, however often stopped."""
        import polars as pl

        on_file = self._on_file
        if not rows:
            return []
        others = on_file.frame.filter(pl.col("rater") != self.name)
        frame = pl.concat([others, self._table(rows).frame])
        if isinstance(on_file, Preferences):
            return [write_table(self.study, Preferences(frame))]
        return [write_table(self.study, Judgements(frame, on_file.rubric))]


def own_prompt(folder: Path, name: str, config: JudgeConfig) -> str | None:
    """Read the study's own prompt; None where it has none."""
    if not config.prompt:
        return None
    outside = outside_problem(folder, config.prompt, f"judges.{name}.prompt")
    if outside is not None:
        raise InvalidInput(outside)
    return file_bytes(folder / config.prompt, config.prompt).decode("utf-8-sig").strip()
