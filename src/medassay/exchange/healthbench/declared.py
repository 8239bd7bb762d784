"""HealthBench: conversations with criteria, record by record, into a study."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal, Self, TypeVar

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from medassay.answers import Answer, Answers
from medassay.cases import Case, Cases, Id, write_cases
from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Glimpse, Option, Reads, json_at
from medassay.exchange.outcome import Outcome, told
from medassay.judgements import About
from medassay.study.folder import Study
from medassay.study.intake.answers import add_answers, new_answers
from medassay.study.intake.judgements import add_judgements
from medassay.study.new import new_study
from medassay.tables import Sheet, read_record, read_sheet, wrong
from medassay.text import count_of

Role = Literal["user", "assistant", "system", "developer", "tool"]
_EXAMPLE: Final = ({"prompt_id", "id"}, {"prompt", "conversation", "messages"},
                   {"rubrics", "rubric_items", "rubric"})  # fmt: skip
_LABELLED: Final = {"prompt_id", "completion", "rubric", "binary_labels"}
_METADATA: Final = ("metadata", "example_level_metadata")


def _messages(value: object) -> object:
    """Professional wraps its messages."""
    return value.get("messages", value) if isinstance(value, Mapping) else value


_Record = TypeVar("_Record", bound=BaseModel)


class _Row(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(
        frozen=True, extra="ignore", populate_by_name=True
    )
    tells_unread: ClassVar[bool] = True


class Message(_Row):
    """What one side says."""

    role: Role
    content: str


class RubricItem(_Row):
    """A criterion, and where a grader read an answer, what it found."""

    criterion: Annotated[
        str, Field(validation_alias=AliasChoices("criterion", "criterion_text", "text"))
    ]
    points: float
    tags: tuple[str, ...] = ()
    criteria_met: bool | None = None
    explanation: str | None = None


Prompt = Annotated[tuple[Message, ...], BeforeValidator(_messages), Field(min_length=1)]


class _Ideal(_Row):
    ideal_completion: str | None = None
    ideal_completions_group: str | None = None
    ideal_completions_ref_completions: tuple[str, ...] | None = None


class Example(_Row):
    """A conversation with its criteria.

    The last five are Professional's alone, as its data card names them.
    """

    prompt_id: Annotated[Id, Field(validation_alias=AliasChoices("prompt_id", "id"))]
    prompt: Annotated[
        Prompt, Field(validation_alias=AliasChoices("prompt", "conversation", "messages"))
    ]
    rubrics: Annotated[
        tuple[RubricItem, ...],
        Field(min_length=1, validation_alias=AliasChoices("rubrics", "rubric_items", "rubric")),
    ]
    example_tags: tuple[str, ...] = ()
    ideal_completions_data: _Ideal | None = None
    use_case: str = ""
    type: str = ""
    difficulty: str = ""
    specialty: str = ""
    physician_response: str | None = None


class Labelled(_Row):
    """An answer and one criterion, with physicians' labels."""

    prompt_id: Id
    prompt: Prompt
    completion: str
    completion_id: str = ""
    rubric: str
    category: str = ""
    binary_labels: Annotated[tuple[bool, ...], Field(min_length=1)]
    anonymized_physician_ids: tuple[Id, ...]

    @model_validator(mode="after")
    def _name_who_labelled(self) -> Self:
        labels, physicians = len(self.binary_labels), len(self.anonymized_physician_ids)
        if labels != physicians:
            must = f"name a physician for each of the {labels} labels"
            raise wrong(must, f"{physicians}", "", "anonymized_physician_ids")
        return self


class Graded(_Row):
    """An answer of a system, with what the grader says of each criterion."""

    prompt_id: Id
    prompt: Prompt
    completion: Annotated[tuple[Message, ...], Field(min_length=1)]
    rubric_items: Annotated[tuple[RubricItem, ...], Field(min_length=1)]


@dataclass
class Files:
    """Everything that was read.

    Attributes:
        examples: Of files of examples.
        labelled: Of files of physicians' labels.
        graded: Of results, by the file's name without its ending.
    """

    examples: list[Example] = field(default_factory=list)
    labelled: list[Labelled] = field(default_factory=list)
    graded: dict[str, list[Graded]] = field(default_factory=dict)


def is_healthbench(seen: Glimpse) -> bool:
    """Say whether a file is one of HealthBench's."""
    if seen.path.suffix.lower() == ".json":
        return bool(_rows_of(seen.json))
    keys = seen.names
    return keys >= _LABELLED or all(keys & names for names in _EXAMPLE)


def _rows_of(held: object) -> Sequence[object]:
    for key in _METADATA:
        held = held.get(key) if isinstance(held, Mapping) else None
    return held if isinstance(held, list) else ()


def read_files(paths: Sequence[Path]) -> Files:
    """Read files of examples, labels and results.

    Raises:
        InvalidInput: Every problem of every file, with row and key.
    """
    files, problems = Files(), list[Problem]()
    for path in paths:
        if path.suffix.lower() == ".json":
            rows = _rows_of(json_at(path))
            if not rows:
                must = "hold metadata.example_level_metadata, as HealthBench's full results do"
                problems.append(Problem(path.name, must, "none"))
            files.graded[path.stem] = [*_read(Graded, path.name, enumerate(rows, 1), problems)]
            continue
        sheet = read_sheet(path)
        if not len(sheet):
            problems.append(Problem(path.name, "hold at least one example", "none"))
        if {"completion", "binary_labels"} <= set(sheet.columns):
            rows_read = [*_read(Labelled, path.name, sheet.records(), problems)]
            files.labelled += rows_read
        else:
            files.examples += _read(Example, path.name, sheet.records(), problems)
    if problems:
        raise InvalidInput(problems)
    return files


def _read(
    model: type[_Record],
    file: str,
    rows: Iterator[tuple[int, object]] | enumerate[object],
    problems: list[Problem],
) -> Iterator[_Record]:
    for number, row in rows:
        if not isinstance(row, Mapping):
            problems.append(Problem(file, "be an object", repr(row)[:60], row=number))
            continue
        record = read_record(model, dict(row), file=file, row=number, problems=problems)
        if record is not None:
            yield record


_PROTOCOL: Final = "healthbench"
_DIMENSION: Final = "met"
_OWN_TAGS: Final = ("specialty", "use_case", "type", "difficulty")
_COMPLETIONS: Final = "completions"
"""The answers of the labels' file name no system."""


@dataclass(frozen=True)
class HealthBenchImport:
    """What an import did.

    Attributes:
        cases: Conversations.
        criteria: Criteria of all of them.
        answers: Answers that are new.
        judgements: Judgements that are new.
        files: The study's files that were written.
        notes: What was odd, and what was left.
    """

    cases: int
    criteria: int
    answers: int
    judgements: int
    files: list[str]
    notes: list[str]


@dataclass
class _Taken:
    """What the files say, as ours."""

    answers: list[Answer] = field(default_factory=list)
    rows: list[dict[str, object]] = field(default_factory=list)


def import_healthbench(
    folder: Path,
    paths: Sequence[Path],
    *,
    system: str | None = None,
    grader: str = "grader",
    synthetic: bool = False,
) -> HealthBenchImport:
    """Make a study of HealthBench's files, or add answers and judgements to one.

    Everything is read and checked before anything is written.

    Args:
        folder: The study's folder: new or empty, or a study's where only results are given.
        paths: Examples, physicians' labels, results, whichever there are.
        system: What answered in the results; each file's name if not given.
        grader: The name of the model that judged in the results.
        synthetic: Whether the data are made up: every page and figure then says so.

    Raises:
        InvalidInput: Every problem of every file, or the folder does not fit them.
    """
    held = read_files(paths)
    study = Study.open_whole(folder) if (folder / "study.toml").exists() else None
    if study is not None and (held.examples or held.labelled):
        must = "be new where examples or physicians' labels are given"
        raise InvalidInput(Problem("--into", must, "a study", "Give the results alone."))
    notes: list[str] = []
    cases = study.cases if study else Cases.of(_cases(held, notes))
    taken = _Taken()
    _take_labels(held.labelled, cases, taken)
    for stem, graded in held.graded.items():
        _take_results(graded, cases, system or stem, grader, taken)
    answers = Answers.of(taken.answers)
    files: list[str] = []
    if study is None:
        new_study(folder, _PROTOCOL, empty=True, synthetic=synthetic)
        write_cases(folder / "cases.jsonl", cases)
        files += ["study.toml", "cases.jsonl"]
        study = Study.open_whole(folder)
    else:
        new_answers(study, answers, "the results")
    added = add_answers(study, answers, "the results")
    judged = 0
    if taken.rows:
        import_summary = add_judgements(Study.open_whole(folder), _sheet(taken.rows))
        judged, files = import_summary.added, [*files, *import_summary.files]
        notes += import_summary.notes
    if held.graded and study.config.raters.models == "apart":
        notes.append(
            f"{grader} is a model: its labels are compared with people's and are in no score. "
            'models = "counted" under [raters] in study.toml counts them, and the report then says '
            "so at its head."
        )
    return HealthBenchImport(
        cases=len(cases),
        criteria=sum(len(case.criteria) for case in cases),
        answers=added.added,
        judgements=judged,
        files=[*files, *added.files],
        notes=[*notes, *added.notes],
    )


def _cases(held: Files, notes: list[str]) -> Iterable[Case]:
    """Make a case of each conversation: of examples first, else of labels and results."""
    labelled = _labelled_criteria(held.labelled)
    known = {held_example.prompt_id for held_example in held.examples}
    added = 0
    for example in held.examples:
        of_labels = labelled.get(example.prompt_id, {})
        rubrics = [_with_category(item, of_labels) for item in example.rubrics]
        texts = {item.criterion for item in rubrics}
        more = [item for text, item in of_labels.items() if text not in texts]
        added += len(more)
        rubrics += [item.model_copy(update={"points": 0.0}) for item in more]
        yield _case(example.model_copy(update={"rubrics": tuple(rubrics)}))
    if added:
        notes.append(
            f"{count_of(added, 'criterion', 'criteria')} of the labels that no example has: they "
            "count 0 points, and are there for the labels alone."
        )
    alone: dict[str, tuple[tuple[Message, ...], dict[str, RubricItem]]] = {}
    for row in held.labelled:
        if row.prompt_id not in known:
            alone.setdefault(row.prompt_id, (row.prompt, dict(labelled[row.prompt_id])))
    if alone:
        notes.append(
            f"{count_of(len(alone), 'conversation')} of the labels without an example: their "
            "criteria have no points there, and count 1 each."
        )
    for graded in (row for rows in held.graded.values() for row in rows):
        if graded.prompt_id not in known:
            _, items = alone.setdefault(graded.prompt_id, (graded.prompt, {}))
            for item in graded.rubric_items:
                items.setdefault(item.criterion, item)
    for name, (prompt, items) in alone.items():
        yield _case(Example(prompt_id=name, prompt=prompt, rubrics=tuple(items.values())))


def _labelled_criteria(rows: Sequence[Labelled]) -> dict[str, dict[str, RubricItem]]:
    """Give the criteria that labels are about, by conversation and words."""
    criteria: dict[str, dict[str, RubricItem]] = {}
    for row in rows:
        tags = (f"category:{row.category}",) if row.category else ()
        item = RubricItem(criterion=row.rubric, points=1, tags=tags)
        criteria.setdefault(row.prompt_id, {}).setdefault(row.rubric, item)
    return criteria


def _with_category(item: RubricItem, labelled: Mapping[str, RubricItem]) -> RubricItem:
    """Tag an example's criterion with the category that its labels name."""
    named = labelled.get(item.criterion)
    new = [tag for tag in named.tags if tag not in item.tags] if named else []
    return item.model_copy(update={"tags": (*item.tags, *new)}) if new else item


def _case(example: Example) -> Case:
    ideal = example.ideal_completions_data
    references = []
    tags = _tags(example.example_tags)
    if ideal is not None:
        if ideal.ideal_completion:
            references.append({"text": ideal.ideal_completion, "kind": "human"})
        references += [
            {"text": text, "kind": "model"}
            for text in ideal.ideal_completions_ref_completions or ()
            if text.strip()
        ]
        if ideal.ideal_completions_group:
            tags["ideal_completions_group"] = ideal.ideal_completions_group
    tags |= {name: getattr(example, name) for name in _OWN_TAGS if getattr(example, name)}
    if example.physician_response:
        references.append({"text": example.physician_response, "kind": "human"})
    return Case.model_validate(
        {
            "case": example.prompt_id,
            "turns": [{"role": turn.role, "text": turn.content} for turn in example.prompt],
            "criteria": [
                {"text": item.criterion, "points": item.points, "tags": item.tags}
                for item in example.rubrics
            ],
            "references": references,
            "tags": tags,
        }
    )


def _tags(words: Sequence[str]) -> dict[str, str]:
    """Read `theme:context_seeking` as a tag and its value; a second of one name gets a number."""
    tags: dict[str, str] = {}
    for word in words:
        name, colon, value = word.partition(":")
        name, value = (name, value) if colon and value else ("tag", word)
        turn, base = 1, name
        while name in tags:
            turn += 1
            name = f"{base}-{turn}"
        tags[name] = value
    return tags


def _take_labels(rows: Sequence[Labelled], cases: Cases, taken: _Taken) -> None:
    samples: dict[str, dict[str, int]] = {}
    for row in rows:
        own = samples.setdefault(row.prompt_id, {})
        identity = row.completion_id or row.completion
        if identity not in own:
            own[identity] = len(own)
            taken.answers.append(
                Answer(
                    system=_COMPLETIONS, case=row.prompt_id, sample=own[identity],
                    text=row.completion,
                )
            )  # fmt: skip
        about = _about(cases[row.prompt_id], row.rubric)
        for physician, met in zip(row.anonymized_physician_ids, row.binary_labels, strict=True):
            taken.rows.append(
                {
                    "rater": physician, "rater_kind": "person", "system": _COMPLETIONS,
                    "case": row.prompt_id, "sample": own[identity], "about": about,
                    "label": _label(met), "reason": None, "comment": None,
                }
            )  # fmt: skip


def _take_results(
    rows: Sequence[Graded], cases: Cases, system: str, grader: str, taken: _Taken
) -> None:
    samples: dict[str, int] = {}
    for row in rows:
        if row.prompt_id not in cases:
            must, got = "name a conversation of the study", f'"{row.prompt_id}"'
            raise InvalidInput(Problem(f"results of {system}", must, got, column="prompt_id"))
        sample = samples.get(row.prompt_id, 0)
        samples[row.prompt_id] = sample + 1
        text = "\n\n".join(turn.content for turn in row.completion)
        taken.answers.append(Answer(system=system, case=row.prompt_id, sample=sample, text=text))
        for place, item in enumerate(row.rubric_items):
            met = item.criteria_met
            taken.rows.append(
                {
                    "rater": grader, "rater_kind": "model", "system": system,
                    "case": row.prompt_id, "sample": sample,
                    "about": _about(cases[row.prompt_id], item.criterion, place),
                    "label": None if met is None else _label(met),
                    "reason": "cannot_judge" if met is None else None,
                    "comment": item.explanation or None,
                }
            )  # fmt: skip


def _label(met: bool) -> str:  # noqa: FBT001 - the record's own value
    return "met" if met else "not met"


def _about(case: Case, text: str, place: int = 0) -> str:
    """Find a criterion by its words, at its own place first: HealthBench names none."""
    criteria = case.criteria
    if place < len(criteria) and criteria[place].text == text:
        return About("criterion", criteria[place].id).written
    for criterion in criteria:
        if criterion.text == text:
            return About("criterion", criterion.id).written
    must, got = "be a criterion of its conversation", f'"{text[:80]}"'
    raise InvalidInput(Problem(case.case, must, got, column="rubric"))


def _sheet(rows: Sequence[dict[str, object]]) -> Sheet:
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    columns["dimension"] = [_DIMENSION] * len(rows)
    return Sheet("the files", list(range(1, len(rows) + 1)), columns)


def _take(
    folder: Path,
    files: Sequence[Path],
    *,
    system: Annotated[
        str | None, Option("What answered in the results; each file's name if not given.")
    ] = None,
    rater: Annotated[str, Option("The model that judged in the results.")] = "grader",
    synthetic: Annotated[bool, Option("The data are made up: every page says so.")] = False,
) -> Outcome:
    taken = import_healthbench(folder, files, system=system, grader=rater, synthetic=synthetic)
    counts = (
        (taken.cases, "conversation", "conversations"),
        (taken.criteria, "criterion", "criteria"),
        (taken.answers, "answer", "answers"),
        (taken.judgements, "judgement", "judgements"),
    )
    return told(folder, asdict(taken), counts, files=taken.files, notes=taken.notes)


HEALTHBENCH: Final = Format(
    id="healthbench",
    title="HealthBench",
    reads=Reads(
        about="HealthBench's examples, physicians' labels on criteria, and graded results.",
        files="Examples and labels as JSONL, full results of its public program as JSON.",
        is_one=is_healthbench,
        take=_take,
    ),
)
