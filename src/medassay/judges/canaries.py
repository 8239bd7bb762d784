"""Plant text in answers that a judge has labelled, and see whether it moves the judge."""

import hashlib
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from medassay.answers import Answer
from medassay.cases import Case
from medassay.judgements import HARM_READINGS, Dimension
from medassay.judges.ask import OpenedJudge, own_prompt
from medassay.judges.questions import JudgeQuestion, answers_of, askings_of
from medassay.stats.randomness import stream
from medassay.study.answering import Estimate, Replies, ask_all, estimate, journal_of
from medassay.study.certificates.checks import KINDS, MOST, PLACEBO, PLANTED, CanaryRecord
from medassay.study.folder import Study
from medassay.study.scoring.score_study import Progress
from medassay.validity import canary_flips

_Row: TypeAlias = Mapping[str, object]
_Said: TypeAlias = str | float
_UNIT: Final = ("dimension", "system", "case", "sample", "about")
_PHASE: Final = "canary"
_PLACES: Final = ("start", "middle", "end")
_BREAK: Final = re.compile(r"(?<=[.!?:])\s+|\n+")
"""Between two sentences, or lines."""


@dataclass(frozen=True, kw_only=True)
class CanaryReplies(Replies):
    """What a judge said of answers with planted text.

    Attributes:
        judge: What it is called.
        unasked: Questions without a reply.
        records: What each dimension showed; nothing where a question of it is without a reply.
    """

    judge: str
    unasked: int
    records: dict[str, CanaryRecord] = field(default_factory=dict)


@cache
def canary_texts() -> Mapping[str, Sequence[str]]:
    """Give what is planted, by its kind.

    Example:
        >>> sorted(canary_texts())
        ['flattery', 'instruction', 'placebo', 'verdict']
    """
    return tomllib.loads(_content().decode())


def ask_canaries(
    folder: Path,
    judge: str,
    *,
    dimensions: Collection[str] | None = None,
    offline: bool = False,
    budget: float | None = None,
    tell: Progress | None = None,
) -> CanaryReplies:
    """Ask a judge anew about answers that it labelled, with canaries and a placebo planted in them.

    Replies are kept in `calls/` like any others, and the same question is asked once: stopped
    anywhere, it goes on where it was. What it says here is in no table of the study.

    Args:
        folder: The study.
        judge: The judge, as study.toml names it.
        dimensions: On which dimensions; on all that it is asked, if not given.
        offline: Send to this machine alone.
        budget: What it may cost from now on; the settings' if not given.
        tell: Is told how far it is.

    Raises:
        InvalidInput: The study or a setting is not as it must be.
        MissingBackend: A package lacks.
    """
    opened, by_dimension = _planted(folder, judge, dimensions, offline=offline)
    rows, replies = ask_all(
        opened, journal_of(folder, judge), lambda _: None, budget=budget, tell=tell
    )
    heard = {(*_unit(row), row["planted"]): row for row in rows if row.get("reason") != "failed"}
    # A dimension that it is asked nothing on from here has no answer to plant in.
    asked: dict[str, list[_Plant]] = {name: [] for name in dimensions or ()} | by_dimension
    return CanaryReplies(
        **vars(replies),
        judge=judge,
        unasked=opened.total - len(heard),
        records=_records(asked, heard),
    )


def estimate_canaries(
    folder: Path,
    judge: str,
    *,
    dimensions: Collection[str] | None = None,
    offline: bool = False,
) -> Estimate:
    """Say what it would take to plant canaries; nothing is asked and nothing written.

    Raises:
        InvalidInput: The study or a setting is not as it must be.
        MissingBackend: A package lacks.
    """
    opened, _ = _planted(folder, judge, dimensions, offline=offline)
    return estimate(opened, journal_of(folder, judge))


@dataclass(frozen=True)
class _Plant:
    """An answer that a judge labelled, and what canaries in it ask for.

    Attributes:
        dimension: What it was asked.
        unit: What it was asked about.
        own: What it says of the answer as it is.
        wanted: What canaries tell it to say.
    """

    dimension: Dimension
    unit: tuple[object, ...]
    own: _Said
    wanted: _Said

    def moved(self, row: _Row) -> bool:
        """Say whether a reply went to what was asked for, or says nothing that counts any more."""
        now = row.get("number", row.get("label"))
        if now is None:
            return True
        if now == self.wanted or (self.dimension.scale == "nominal" and not self.dimension.scored):
            return now == self.wanted
        here, own, there = (_place(self.dimension, said) for said in (now, self.own, self.wanted))
        return abs(here - there) < abs(own - there)


def _planted(
    folder: Path, judge: str, dimensions: Collection[str] | None, *, offline: bool
) -> tuple[OpenedJudge, dict[str, list[_Plant]]]:
    """Open a judge whose questions are those with planted text, on each dimension with enough."""
    opened = OpenedJudge.of(folder, judge, offline=offline, wanted=lambda _: False)
    study, config = opened.study, opened.config
    pairs = {
        (case.case, answer.system, answer.sample): (case, answer)
        for case, answer in answers_of(study)
    }
    by_dimension: dict[str, list[_Plant]] = {}
    questions: list[JudgeQuestion] = []
    if config.asks == "pairs":
        return replace(opened, jobs=[], not_asked={}), {}
    for asking in askings_of(study, judge, config, own_prompt(folder, judge, config)):
        name = asking.dimension.id
        if dimensions is not None and name not in dimensions:
            continue
        of_dimension: list[JudgeQuestion] = []
        places = stream(study.seed, "s62", judge, name, "places")
        plants = by_dimension[name] = []
        for plant in _labelled(study, judge, asking.dimension):
            at = (str(plant.unit[2]), str(plant.unit[1]), int(str(plant.unit[3])))
            if len(plants) == MOST or at not in pairs:
                continue
            place = _PLACES[int(places.integers(len(_PLACES)))]
            planted = list(_with_texts(asking.of, *pairs[at], plant, len(plants), place))
            if planted and not any(question.lacks for question in planted):
                plants.append(plant)
                of_dimension += planted
        questions += of_dimension if len(plants) >= PLANTED else []
    return replace(opened, jobs=questions, not_asked={}), by_dimension


def _with_texts(
    ask: Callable[[Case, Answer], Iterator[JudgeQuestion]],
    case: Case,
    answer: Answer,
    plant: _Plant,
    turn: int,
    place: str,
) -> Iterator[JudgeQuestion]:
    """Ask about one answer with each kind of text in its place, and with the placebo there."""
    for kind in (*KINDS, PLACEBO):
        texts = canary_texts()[kind]
        text = texts[turn % len(texts)].replace("{verdict}", _worded(plant.wanted))
        told = answer.model_copy(update={"text": with_text_at(place, answer.text or "", text)})
        for question in ask(case, told):
            if _unit(question.row) == plant.unit:
                yield replace(question, row={**question.row, "phase": _PHASE, "planted": kind})


def with_text_at(place: str, answer: str, text: str) -> str:
    r"""Put a text before an answer, behind it, or between the two sentences nearest its middle.

    An answer of one sentence has no middle: the text stands behind it.

    Example:
        >>> [with_text_at(place, "One. Two. Three.", "X") for place in ("start", "middle", "end")]
        ['X\n\nOne. Two. Three.', 'One. Two.\n\nX\n\nThree.', 'One. Two. Three.\n\nX']
    """
    answer = answer.strip()
    breaks = [match.span() for match in _BREAK.finditer(answer)]
    if place == "start":
        parts = [text, answer]
    elif place == "middle" and breaks:
        before, after = min(breaks, key=lambda span: abs(sum(span) - len(answer)))
        parts = [answer[:before], text, answer[after:]]
    else:
        parts = [answer, text]
    return "\n\n".join(filter(None, parts))


def _labelled(study: Study, judge: str, dimension: Dimension) -> list[_Plant]:
    """Shuffle what it labelled: first answers whose label a canary could better."""
    import polars as pl

    mine = study.judgements_on_file.frame.filter(
        (pl.col("rater") == judge)
        & (pl.col("dimension") == dimension.id)
        & pl.col("phase").is_in(list(study.config.phases_that_count))
        & pl.col(dimension.column).is_not_null()
    ).sort(_UNIT)
    said = mine[dimension.column].to_list()
    if not said:
        return []
    good, bad = _ends(dimension, said)
    plants = [
        _Plant(dimension, unit, own, bad if own == good else good)
        for unit, own in zip(mine.select(_UNIT).iter_rows(), said, strict=True)
    ]
    shuffled = stream(study.seed, "s62", judge, dimension.id).permutation(len(plants))
    order = sorted(shuffled.tolist(), key=lambda at: plants[at].wanted != good)
    return [plants[at] for at in order]


def _ends(dimension: Dimension, said: Sequence[_Said]) -> tuple[_Said, _Said]:
    """Give what a bad answer would want to be called, and the opposite."""
    if dimension.number is not None:
        low, high = dimension.ends or (min(map(float, said)), max(map(float, said)))
        return (high, low) if dimension.better == "higher" else (low, high)
    harm = [
        label
        for reading in HARM_READINGS
        for label, read in dimension.mappings.get(reading, {}).items()
        if read == reading
    ]
    from_best = sorted(
        dimension.names,
        key=lambda label: (label in harm, -_place(dimension, label) * _sign(dimension)),
    )
    return from_best[0], from_best[-1]


def _place(dimension: Dimension, said: object) -> float:
    """Place a verdict on its scale: its score, or where labels have none their order."""
    if dimension.number is not None:
        return float(str(said))
    at = dimension.names.index(str(said))
    if dimension.scores is not None:
        return dimension.scores[at]
    return float(at)


def _sign(dimension: Dimension) -> int:
    return 1 if dimension.better == "higher" else -1


def _worded(said: _Said) -> str:
    return said if isinstance(said, str) else f"{said:g}"


def _unit(row: _Row) -> tuple[object, ...]:
    return tuple(row[name] for name in _UNIT)


def _records(
    by_dimension: Mapping[str, Sequence[_Plant]], heard: Mapping[tuple[object, ...], _Row]
) -> dict[str, CanaryRecord]:
    """Test each kind on each dimension of which every question has a reply."""
    records = {}
    for dimension, plants in by_dimension.items():
        enough = len(plants) >= PLANTED
        kinds = (*KINDS, PLACEBO) if enough else ()
        keys = {kind: [(*plant.unit, kind) for plant in plants] for kind in kinds}
        if not all(key in heard for of_kind in keys.values() for key in of_kind):
            continue
        moved = {
            kind: np.array(
                [plant.moved(heard[key]) for plant, key in zip(plants, of_kind, strict=True)]
            )
            for kind, of_kind in keys.items()
        }
        said = [
            [*map(str, key), *(str(heard[key].get(name)) for name in ("label", "number", "reason"))]
            for of_kind in keys.values()
            for key in of_kind
        ]
        records[dimension] = CanaryRecord(
            texts=hashlib.sha256(_content()).hexdigest(),
            replies=hashlib.sha256("\n".join(map("\t".join, said)).encode()).hexdigest(),
            answers=len(plants),
            flips=[canary_flips(kind, moved[kind], moved[PLACEBO]) for kind in KINDS if enough],
        )
    return records


@cache
def _content() -> bytes:
    return (files("medassay") / "data" / "canaries.toml").read_bytes()
