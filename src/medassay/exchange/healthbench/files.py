"""What HealthBench's files hold, record by record."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal, Self, TypeVar

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from medassay.cases import Id
from medassay.errors import InvalidInput, Problem
from medassay.exchange.glimpse import Glimpse
from medassay.tables import read_json, read_record, read_sheet, wrong

__all__ = ["Example", "Files", "Graded", "Labelled", "is_healthbench", "read_files"]

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
            rows = _rows_of(read_json(path))
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
