"""Inspect's logs, `.json` and `.eval`, and its files of precomputed scores."""

import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final

from pydantic import BaseModel, ConfigDict

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import json_at
from medassay.tables import file_bytes, parse_json, read_record, read_sheet

_ATTACHED: Final = "attachment://"
_ZSTD: Final = 93


class _Part(BaseModel):
    # Inspect's logs hold far more, and more with each version.
    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="ignore", defer_build=True)
    tells_unread: ClassVar[bool] = True


class InspectScore(_Part):
    """What a scorer says of a sample.

    Attributes:
        value: A number, a word, a list or a mapping; NaN or None where there is no score.
        explanation: Why.
        reason: Why there is no score.
        metadata: Whatever the scorer added.
    """

    value: Any = None
    explanation: str | None = None
    reason: str | None = None
    metadata: dict[str, Any] | None = None


class _Message(_Part):
    content: str | list[dict[str, Any]] = ""


class _Choice(_Part):
    message: _Message = _Message()


class _Output(_Part):
    completion: str = ""
    choices: list[_Choice] = []


class _Sample(_Part):
    id: int | str
    epoch: int = 1
    output: _Output = _Output()
    scores: dict[str, InspectScore] | None = None
    error: dict[str, Any] | None = None
    attachments: dict[str, str] = {}
    total_time: float | None = None
    metadata: dict[str, Any] | None = None


class _Spec(_Part):
    model: str
    task: str = ""


class _Header(_Part):
    eval: _Spec
    status: str = "success"


class _Record(_Part):
    id: int | str
    value: Any
    epoch: int | None = None
    explanation: str | None = None
    metadata: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class InspectSample:
    """One sample of a log.

    Attributes:
        place: Where in the file it stands, counted from 1.
        case: The sample's id.
        epoch: Which time the case was asked, from 1.
        text: What the model answered; None where the file holds scores alone, or says that whoever
            wrote it had no text.
        seconds: How long the sample took.
        failed: Whether the sample ended in an error.
        scores: Scorer to its score.
    """

    place: int
    case: str
    epoch: int
    text: str | None
    seconds: float | None
    failed: bool
    scores: dict[str, InspectScore]


@dataclass
class InspectLog:
    """A log, or a file of precomputed scores.

    Attributes:
        file: The file, as messages call it.
        model: The model; empty for precomputed scores, which do not say.
        status: How the evaluation ended.
        samples: Its samples.
    """

    file: str
    model: str
    status: str
    samples: list[InspectSample] = field(default_factory=list)


def read_inspect(path: Path) -> InspectLog:
    """Read a log, or a file of precomputed scores: a list of objects with `id` and `value`.

    Args:
        path: `.eval`, `.json` or `.jsonl`.

    Raises:
        InvalidInput: Every problem of the file.
        MissingBackend: The log is compressed in a way that Python cannot read here.
    """
    problems: list[Problem] = []
    if path.suffix == ".eval":
        inspect_log = _log(path.name, *_of_archive(path), problems)
    elif path.suffix == ".jsonl":
        rows = [cells for _, cells in read_sheet(path).records()]
        inspect_log = _precomputed(path.name, rows, path.stem, problems)
    else:
        value = json_at(path)
        if isinstance(value, list):
            inspect_log = _precomputed(path.name, value, path.stem, problems)
        else:
            samples = value.get("samples") if isinstance(value, dict) else None
            inspect_log = _log(path.name, value, samples or [], problems)
    if problems:
        raise InvalidInput(problems)
    return inspect_log


def _log(
    file: str, header: object, samples: Sequence[object], problems: list[Problem]
) -> InspectLog:
    cells = header if isinstance(header, dict) else {}
    if "eval" not in cells:
        must = "be a log of Inspect, or a list of objects with id and value"
        problems.append(Problem(file, must, "another JSON file"))
        return InspectLog(file, "", "")
    head = read_record(_Header, cells, file=file, row=None, problems=problems)
    log = InspectLog(file, head.eval.model if head else "", head.status if head else "")
    if not samples:
        hint = "Was it written with log_samples off, or is it a header alone?"
        problems.append(Problem(file, "hold samples", "none", hint))
    for place, entry in enumerate(samples, start=1):
        row = entry if isinstance(entry, dict) else {}
        sample = read_record(_Sample, row, file=file, row=place, problems=problems)
        if sample is not None:
            log.samples.append(_sample(place, sample))
    return log


def _sample(place: int, sample: _Sample) -> InspectSample:
    return InspectSample(
        place,
        str(sample.id),
        sample.epoch,
        _text(sample),
        sample.total_time,
        sample.error is not None,
        sample.scores or {},
    )


def _text(sample: _Sample) -> str | None:
    if (sample.metadata or {}).get("text_held") is False:
        return None
    text = sample.output.completion
    if not text and sample.output.choices:
        content = sample.output.choices[0].message.content
        parts = content if isinstance(content, list) else [{"text": content}]
        text = "".join(str(part.get("text", "")) for part in parts)
    return sample.attachments.get(text.removeprefix(_ATTACHED), text)


def _precomputed(
    file: str, rows: Sequence[object], scorer: str, problems: list[Problem]
) -> InspectLog:
    log = InspectLog(file, "", "success")
    for place, row in enumerate(rows, start=1):
        cells = row if isinstance(row, dict) else {}
        record = read_record(_Record, cells, file=file, row=place, problems=problems)
        if record is None:
            continue
        score = InspectScore(
            value=record.value, explanation=record.explanation, metadata=record.metadata
        )
        case, epoch = str(record.id), record.epoch or 1
        sample = InspectSample(place, case, epoch, None, None, failed=False, scores={scorer: score})
        log.samples.append(sample)
    return log


def whole_log(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Give the header and the samples of a log, as they stand.

    Raises:
        InvalidInput: It is none, or holds no samples.
        MissingBackend: The log is compressed in a way that Python cannot read here.
    """
    if path.suffix == ".eval":
        header, samples = _of_archive(path)
    else:
        header = json_at(path)
        samples = (header.get("samples") or []) if isinstance(header, dict) else []
    if not isinstance(header, dict) or "eval" not in header:
        hint = "Files of scores alone go into a study that exists: give its folder behind --into."
        raise InvalidInput(Problem(path.name, "be a log with its questions", "scores alone", hint))
    rows = [sample for sample in samples if isinstance(sample, dict)]
    if not rows:
        hint = "Was it written with log_samples off, or is it a header alone?"
        raise InvalidInput(Problem(path.name, "hold samples", "none", hint))
    return header, rows


def _of_archive(path: Path) -> tuple[object, list[object]]:
    file = path.name
    content = file_bytes(path, file)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            if "header.json" not in names:
                must, hint = "hold header.json", "Did the evaluation end? Or was it cut off?"
                raise InvalidInput(Problem(file, must, "none", hint))
            inside = [name for name in sorted(names) if name.startswith("samples/")]
            header = parse_json(_member(archive, content, "header.json"), f"{file}: header.json")
            return header, list(_samples(archive, content, inside, file))
    except zipfile.BadZipFile as error:
        raise InvalidInput(Problem(file, "be a .eval log of Inspect", str(error))) from error


def _samples(
    archive: zipfile.ZipFile, content: bytes, names: Sequence[str], file: str
) -> Iterator[object]:
    for name in names:
        yield parse_json(_member(archive, content, name), f"{file}: {name}")


def _member(archive: zipfile.ZipFile, content: bytes, name: str) -> bytes:
    """Give a member's bytes; Inspect compresses with Zstandard, which Python knows from 3.14 on."""
    info = archive.getinfo(name)
    try:
        return archive.read(name)
    except NotImplementedError:
        if info.compress_type != _ZSTD:
            raise
    # The local header's own lengths of name and extra field, which may differ from the directory's.
    start = info.header_offset
    name_length = int.from_bytes(content[start + 26 : start + 28], "little")
    extra_length = int.from_bytes(content[start + 28 : start + 30], "little")
    begin = start + 30 + name_length + extra_length
    packed = content[begin : begin + info.compress_size]
    import zstandard

    unpacked: bytes = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    return unpacked
