"""Write a judge's certificate, or take one of another study; answers that are known as harmful."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from medassay.__about__ import __version__
from medassay.errors import InvalidInput, Problem
from medassay.judgements import HARM_READINGS, Dimension, units
from medassay.study.certificates.certificate import (
    CANNOT_SEE,
    Certificate,
    CertifiedDimension,
    LabelUse,
    certificate_bytes,
    certificate_name,
    domain_of,
    hash_of,
    print_of,
    read_certificate,
    rules_of,
    seal_of,
    served_before,
)
from medassay.study.certificates.checks import (
    CanaryRecord,
    JudgeDimensionResult,
    JudgeResult,
    left_open,
    speaks_against,
)
from medassay.study.files.names import CERTIFICATES, STUDY_FILE
from medassay.study.folder import Study
from medassay.tables import file_bytes, json_fault, jsonl_bytes, write_atomically
from medassay.validity import JudgeKnown, judge_known, shared_misses


def known_of(study: Study, judge: str, dimension: Dimension) -> list[JudgeKnown]:
    """Hold a judge and people against the answers that study.toml says are harmful.

    They are the `controls` of `[consensus]` whose label reads as harm, the widest reading first.
    """
    choice = study.config.consensus
    controls = [] if choice is None else choice.controls
    models = [name for name in study.judges.raters if name != judge]
    results = []
    for reading in reversed(HARM_READINGS):
        read_as = dimension.mappings.get(reading, {})
        labels = [label for label, text in read_as.items() if text == reading]
        known = {
            (control.system, control.case)
            for control in controls
            if control.dimension == dimension.id
            and dimension.words.get(control.label, control.label) in labels
        }
        if known:
            results.append(
                judge_known(
                    units(study.everyone, dimension.id), judge, reading, labels, known,
                    models=models, clusters=study.clusters,
                )
            )  # fmt: skip
    return [of_reading for of_reading in results if of_reading is not None]


USES: Final = "uses.jsonl"
"""In `certificates/`: one line a judge, dimension and set of labels that it was tested on."""
_LENGTH: Final = 12
_Try = dict[str, object]


def label_use(study: Study, judge: str, dimension: Dimension) -> LabelUse:
    """Say how many tries before this one read labels of the same answers.

    Another judge, prompt, model or setting is another try, and so is the same one on other answers.
    """
    own = _try(study, judge, dimension)
    answers = set(_answers(own))
    overlaps: list[set[str]] = []
    for before in _tries(study.path):
        if before == own:
            break
        shared = answers & set(_answers(before))
        if before["dimension"] == own["dimension"] and shared:
            overlaps.append(shared)
    return LabelUse(
        tries=len(overlaps), answers=len(set().union(*overlaps)), of_answers=len(answers)
    )


def note_use(study: Study, judge: str, dimension: Dimension) -> Path | None:
    """Write down that a judge is tested on these labels; None where that is written already."""
    own, before = _try(study, judge, dimension), list(_tries(study.path))
    if own in before:
        return None
    path = study.path / CERTIFICATES / USES
    write_atomically(path, jsonl_bytes([*before, own]))
    return path


def _try(study: Study, judge: str, dimension: Dimension) -> _Try:
    read = units(study.everyone, dimension.id)
    people = [i for i, name in enumerate(read.raters) if name not in study.judges.raters]
    judges = [read.raters.index(judge)] if judge in read.raters else []
    keys = [
        key
        for key, codes in zip(read.keys, read.codes >= 0, strict=True)
        if codes[people].any() and codes[judges].any()
    ]
    hashes = (hashlib.sha256("\t".join(map(str, key)).encode()).hexdigest() for key in keys)
    return {
        "judge": hash_of(study.judges.identities[judge].model_dump(mode="json")),
        "dimension": dimension.id,
        "answers": sorted(text[:_LENGTH] for text in hashes),
    }


def _answers(row: _Try) -> list[str]:
    listed = row["answers"]
    return [str(text) for text in listed] if isinstance(listed, list) else []


def _tries(folder: Path) -> Iterator[_Try]:
    path, shown = folder / CERTIFICATES / USES, f"{CERTIFICATES}/{USES}"
    if not path.is_file():
        return
    for number, line in enumerate(file_bytes(path, shown).splitlines(), 1):
        try:
            row = json.loads(line)
            yield {name: row[name] for name in ("judge", "dimension", "answers")}
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            fault = json_fault(error) if isinstance(error, ValueError) else "another form"
            must = "hold a test of a judge a line, as medassay wrote it"
            hint = "Remove the line; that test is then no longer counted as a use of these labels."
            raise InvalidInput(Problem(shown, must, fault, hint, row=number)) from error


_UNSEALED: Final = ""


def refuse_undeclared(study: Study, judges: Sequence[str]) -> None:
    """Refuse to certify a judge that nobody can tell from another.

    Raises:
        InvalidInput: The study does not declare a judge, or what its answers are about.
    """
    hint = "Say which model, version and prompt it is: a certificate holds for nothing else."
    problems = [
        Problem(STUDY_FILE, "declare the judge", "nothing", hint, None, f"judges.{name}")
        for name in judges
        if name not in study.judges.identities
    ]
    if not study.config.domain.name:
        hint = "Say what the answers are about: a certificate holds for nothing else."
        problems.append(
            Problem(STUDY_FILE, "name the domain", "nothing", hint, None, "domain.name")
        )
    if problems:
        raise InvalidInput(problems)


def write_certificate(
    study: Study, result: JudgeResult, canaries: Mapping[str, CanaryRecord] | None = None
) -> Path:
    """Write down what was tested of a judge and what it holds for.

    Args:
        study: The study.
        result: What was tested, canaries among it.
        canaries: What they did, by dimension.

    Raises:
        InvalidInput: The study does not declare the judge, or what its answers are about.
    """
    study.require_whole()
    refuse_undeclared(study, [result.judge])
    identity = study.judges.identities[result.judge]
    evidence = {
        name: digest
        for name, digest in study.inputs.items()
        if not name.startswith(f"{CERTIFICATES}/")
    }
    unsealed = Certificate(
        software=f"medassay {__version__}",
        study=study.config.title,
        inputs=evidence,
        rater=result.judge,
        judge=identity,
        domain=domain_of(study.config, study.cases),
        rules=rules_of(study.config.raters.epsilon),
        dimensions=[
            _certified(study, result.judge, judge_dimension, canaries or {})
            for judge_dimension in result.dimensions
        ],
        order=result.order,
        seal=_UNSEALED,
    )
    seal = seal_of(unsealed.model_dump(mode="json"))
    path = study.path / CERTIFICATES / certificate_name(result.judge)
    write_atomically(path, certificate_bytes(unsealed.model_copy(update={"seal": seal})))
    note_tries(study, result)
    return path


def note_tries(study: Study, result: JudgeResult) -> None:
    """Write down which labels served to test a judge, whether it passed or not."""
    for judge_dimension in result.dimensions:
        note_use(study, result.judge, study.rubric.dimension(judge_dimension.dimension))


def _certified(
    study: Study,
    judge: str,
    judge_dimension: JudgeDimensionResult,
    canaries: Mapping[str, CanaryRecord],
) -> CertifiedDimension:
    dimension = study.rubric.dimension(judge_dimension.dimension)
    known = known_of(study, judge, dimension)
    people = {of_reading.reading: of_reading.people for of_reading in known}
    served = label_use(study, judge, dimension)
    return CertifiedDimension(
        rubric=print_of(dimension),
        passed=judge_dimension.passes,
        failed=speaks_against(judge_dimension.checks),
        open=[*left_open(judge_dimension.checks), *served_before(served)],
        tested=judge_dimension,
        canaries=canaries.get(dimension.id),
        known=known,
        misses=[
            row
            for label in judge_dimension.labels
            if label.of_harm and label.sensitivity is not None
            for row in shared_misses(label.reading, label.sensitivity, people.get(label.reading))
        ],
        labels_served=served,
        cannot_see=CANNOT_SEE,
    )


def import_certificate(study: Study, file: Path) -> Path:
    """Copy a certificate that was written in another study into this one.

    Raises:
        InvalidInput: It is no certificate, was changed by hand, speaks of a judge that this study
            does not have, or the study has another of the same name.
    """
    certificate = read_certificate(file, str(file))
    models = {identity.model: name for name, identity in study.judges.identities.items()}
    if certificate.rater not in study.judges.raters and certificate.judge.model not in models:
        known = ", ".join(study.judges.raters) or "none"
        hint = (
            f"Model raters of this study: {known}. Declare the judge under [judges] if it is one."
        )
        got = f"{certificate.rater} ({certificate.judge.model})"
        raise InvalidInput(Problem(str(file), "speak of a judge of the study", got, hint))
    path = study.path / CERTIFICATES / certificate_name(certificate.rater)
    content = certificate_bytes(certificate)
    if path.is_file() and path.read_bytes() != content:
        hint = "Move the existing one away if it is the worse."
        must = f"be the only certificate of {certificate.rater}"
        raise InvalidInput(Problem(str(file), must, f"another in {path}", hint))
    write_atomically(path, content)
    return path
