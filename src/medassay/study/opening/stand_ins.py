"""Scores computed elsewhere in a metric's place: which import stands for which metric.

A protocol's leaderboards ask for metrics that not every machine can compute. Scores imported under
such a metric's name stand in its place. Where a metric could be computed too, or two imports could
stand for it, study.toml says which; nothing is picked in silence.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.metrics import BoundMetric, resolve
from medassay.scores import Name
from medassay.study.config.study_toml import StudyConfig, as_shown
from medassay.study.contents.metric_scores import Imported, Meaning
from medassay.study.files.names import STUDY_FILE

COMPUTED: Final = "computed"
IMPORTED: Final = "imported"


@dataclass(frozen=True, slots=True)
class Slot:
    """A metric whose place scores computed elsewhere may take.

    Attributes:
        metric: Its full name.
        bound: The metric itself.
        names: Further names under which its scores are imported or computed.
        loose: Whether a name that leaves arguments out, and contradicts none, means it too: so it
            is where a leaderboard has a column for it.
    """

    metric: str
    bound: BoundMetric
    names: tuple[Name, ...] = ()
    loose: bool = False

    def is_called(self, source: str) -> bool:
        """Say whether a name is the metric's own, or one that the leaderboard gives it."""
        asked = full_name(source)
        return asked == self.metric or asked in map(str, self.names)

    def may_mean(self, source: str) -> bool:
        """Say whether a name leaves arguments of the metric out, and contradicts none.

        Capitals and signs between its words do not count: papers write BERTScore.

        Example:
            >>> slot = Slot("rouge1(limit=75,ref=human)", resolve("rouge1(limit=75,ref=human)"),
            ...             loose=True)
            >>> [slot.may_mean(f"rouge1({said})") for said in ("ref=human", "limit=9,ref=human")]
            [True, False]
            >>> slot.may_mean("ROUGE-1")
            True
        """
        asked, own = Name.parse(source), self.bound.name
        if not self.loose or asked.k != own.k:
            return False
        bases = {_folded(name.base) for name in (own, *self.names)}
        return _folded(asked.base) in bases and all(
            self.bound.arguments.get(key) == value for key, value in asked.arguments
        )


def _folded(base: str) -> str:
    return "".join(sign for sign in base.casefold() if sign.isalnum())


@dataclass(frozen=True, slots=True)
class Candidate:
    """Imported scores that could stand for a metric.

    Attributes:
        source: Their name.
        file: Where they lie.
        meaning: What is said of them.
        unfit: Why they cannot stand for it after all, as the end of a sentence; else empty.
    """

    source: str
    file: str
    meaning: Meaning
    unfit: str = ""


@dataclass(frozen=True, slots=True)
class MetricPlace:
    """What stands in a metric's place.

    Attributes:
        slot: The metric.
        source: The column of scores to read; the metric's own name where there is none.
        imported: The import that stands there; None where it is computed, or nothing is there.
        question: What study.toml has to say first, a sentence; the place is empty until then.
        rivals: The imports that could stand there.
        choice: What study.toml says already.
    """

    slot: Slot
    source: str
    imported: Candidate | None = None
    question: str = ""
    rivals: tuple[Candidate, ...] = ()
    choice: str = ""


def full_name(source: str) -> str:
    """Give the canonical name of a metric, or a name as it is where no metric has it."""
    try:
        return str(resolve(source).name)
    except (InvalidInput, UnknownName):
        return str(Name.parse(source))


def slots_of(config: StudyConfig) -> dict[str, Slot]:
    """Give the metrics of the study and of its protocol's leaderboards, by their full names."""
    slots: dict[str, Slot] = {}
    for board in config.rules.boards:
        for column in board.columns:
            if column.sources:
                metric, *more = column.sources
                bound = as_shown(resolve(metric), config)
                names = tuple(Name.parse(metric_name) for metric_name in more)
                slots.setdefault(str(bound.name), Slot(str(bound.name), bound, names, loose=True))
    for name in config.rules.metrics:
        bound = as_shown(resolve(name), config)
        slots.setdefault(str(bound.name), Slot(str(bound.name), bound))
    return slots


def decide(
    config: StudyConfig, imported: Sequence[Imported], computed: Collection[str]
) -> dict[str, MetricPlace]:
    """Say what stands in each metric's place.

    Args:
        config: The study's choices.
        imported: Its imported scores.
        computed: The metrics that are computed and have a value, or could have one.
    """
    slots = slots_of(config)
    chosen = {_meant(key, slots)[0]: value for key, value in config.scores.items()}
    candidates_of: dict[str, list[Candidate]] = {name: [] for name in slots}
    unsure: dict[str, list[str]] = {}
    for scores_file in imported:
        for source in scores_file.table.sources:
            names = _meant(source, slots)
            for name in names:
                candidates_of[name].append(_candidate(slots[name], scores_file, source))
            if len(names) > 1 and not any(slots[name].is_called(source) for name in names):
                unsure[source] = names
    places = {}
    for name, slot in slots.items():
        own = next((n for n in (name, *map(str, slot.names)) if n in computed), None)
        rivals, choice = candidates_of[name], chosen.get(name, "")
        if choice == COMPUTED:
            place = MetricPlace(slot, own or name)
        elif choice:
            place = _undisputed(slot, _called(slot, imported, rivals, choice), None, {})
        else:
            place = _undisputed(slot, rivals, own, unsure)
        places[name] = replace(place, rivals=tuple(rivals), choice=choice)
    return places


def as_declared(config: StudyConfig, sources: Sequence[str], meaning: Meaning) -> Meaning:
    """Let the metric that imported scores stand for say what their owner did not say of them."""
    slots = slots_of(config)
    meant = [slot for source in sources for slot in map(slots.get, _meant(source, slots)) if slot]
    declared = {slot.bound.declaration.name: slot.bound.declaration for slot in meant}
    if len(declared) != 1 or not all(_meant(source, slots) for source in sources):
        return meaning
    (declaration,) = declared.values()
    facts: dict[str, object] = {
        "question": declaration.question, "unit": declaration.unit,
        "direction": declaration.direction.value,
        "low": declaration.low, "high": declaration.high, "harm": declaration.harm,
    }  # fmt: skip
    unsaid = {key: facts[key] for key in facts if key not in meaning.model_fields_set}
    return Meaning.model_validate({**meaning.model_dump(exclude_unset=True), **unsaid})


def imported_names(config: StudyConfig, imported: Sequence[Imported]) -> set[str]:
    """Give the names of imported scores, without those whose metric study.toml has computed."""
    slots = slots_of(config)
    chosen = {_meant(key, slots)[0] for key, value in config.scores.items() if value == COMPUTED}
    return {source for scores_file in imported for source in scores_file.table.sources} - chosen


def place_problems(config: StudyConfig, imported: Sequence[Imported]) -> list[Problem]:
    """Say which choices of [scores] name no metric, more than one, or no scores."""
    slots = slots_of(config)
    sources = [source for scores_file in imported for source in scores_file.table.sources]
    problems = []
    for key, value in config.scores.items():
        column = f"scores, {key}"
        named = _meant(key, slots)
        if len(named) != 1:
            must = "name one metric of the study or of its leaderboards"
            got = f'"{key}"' if not named else f'"{key}", which is {" and ".join(named)}'
            hint = nearest(key, slots) or f"Known: {', '.join(slots)}."
            hint = "Say more of its name." if named else hint
            problems.append(Problem(STUDY_FILE, must, got, hint, None, column))
        elif value not in {COMPUTED, IMPORTED, *sources}:
            must = f'be "{COMPUTED}", "{IMPORTED}" or the name of imported scores'
            hint = nearest(value, sources) or f"Imported: {', '.join(sources) or 'none'}."
            problems.append(Problem(STUDY_FILE, must, f'"{value}"', hint, None, column))
    return problems


def _candidate(slot: Slot, imported: Imported, source: str) -> Candidate:
    declared = slot.bound.declaration
    values = imported.table.select(source)["value"].drop_nulls()
    if not len(values):
        unfit = "holds no value of it"
    elif imported.meaning.direction != declared.direction.value:
        unfit = f"says that {imported.meaning.direction} is better, and of the metric it is not so"
    else:
        unfit = _outside(values.to_list(), declared.low, declared.high)
    return Candidate(source, imported.file, imported.meaning, unfit)


def _outside(values: Sequence[float], low: float | None, high: float | None) -> str:
    """Say which value lies beyond the metric's range, as percent do of a fraction."""
    for value in values:
        for end, beyond in ((low, -1), (high, 1)):
            if end is not None and beyond * (value - end) > 0:
                return f"holds {value:g}, and the metric ends at {end:g}"
    return ""


def _meant(source: str, slots: Mapping[str, Slot]) -> list[str]:
    """List the metrics that are called so; if none is, those that may be meant."""
    called = [name for name, slot in slots.items() if slot.is_called(source)]
    return called or [name for name, slot in slots.items() if slot.may_mean(source)]


def _called(
    slot: Slot, imported: Sequence[Imported], rivals: Sequence[Candidate], choice: str
) -> Sequence[Candidate]:
    """Give the imports that study.toml chooses, which may be of another form of the metric."""
    if choice == IMPORTED:
        return rivals
    return [
        _candidate(slot, scores_file, choice)
        for scores_file in imported
        if choice in scores_file.table.sources
    ]


def _undisputed(
    slot: Slot,
    candidates: Sequence[Candidate],
    own: str | None,
    unsure: Mapping[str, Sequence[str]],
) -> MetricPlace:
    for candidate in candidates:
        if candidate.unfit:
            return MetricPlace(slot, slot.metric, question=_not_this(slot, candidate))
        if candidate.source in unsure:
            return MetricPlace(
                slot, slot.metric, question=_which_metric(candidate, unsure[candidate.source])
            )
    if len(candidates) + (own is not None) > 1:
        return MetricPlace(slot, slot.metric, question=_which_scores(slot, candidates, own))
    if candidates:
        return MetricPlace(slot, candidates[0].source, candidates[0])
    return MetricPlace(slot, own or slot.metric)


def _not_this(slot: Slot, candidate: Candidate) -> str:
    return (
        f"{candidate.source} of {candidate.file} cannot stand for {slot.metric}: the file "
        f"{candidate.unfit}. "
        "Import the scores on the metric's own scale, or under a name of their own."
    )


def _which_metric(candidate: Candidate, names: Sequence[str]) -> str:
    keys = " or ".join(f'"{name}" = "{candidate.source}"' for name in names)
    return (
        f"{candidate.source} of {candidate.file} could stand for {' and for '.join(names)}, "
        f"so for now it "
        f"stands for none. Import it under the whole name, or say in study.toml: [scores] {keys}."
    )


def _which_scores(slot: Slot, candidates: Sequence[Candidate], own: str | None) -> str:
    lines = [f"{candidate.source} of {candidate.file}" for candidate in candidates]
    lines += [f"{own}, which is computed here"] if own else []
    values = [
        f'"{candidate.source}"' if len(candidates) > 1 else f'"{IMPORTED}"'
        for candidate in candidates
    ]
    values += [f'"{COMPUTED}"'] if own else []
    return (
        f"{' and '.join(lines)} could both stand for {slot.metric}, so for now nothing does. "
        f'Say which in study.toml: [scores] "{slot.metric}" = {" or ".join(values)}.'
    )
