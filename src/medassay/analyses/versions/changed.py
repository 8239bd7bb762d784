"""Draw changed answers, old and new, for people to rate blind: what tests a metric as a gate."""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from medassay.analyses.versions.compare import VersionComparison
from medassay.annotations import case_numbers
from medassay.answers import Answer, CasesPerSystem, write_answers
from medassay.cases import write_cases
from medassay.errors import InvalidInput, MedassayError, Problem
from medassay.metrics import resolve
from medassay.stats.randomness import uniform
from medassay.study.contents.cases_and_answers import asked_bytes
from medassay.study.files.names import ASKED, STUDY_FILE
from medassay.study.folder import Study
from medassay.tables import make_folder, printable, write_atomically

MOST_CHANGED: Final = 60
_OPTION: Final = "--into"
_SIDES: Final = ("old", "new")
_DOCUMENTS: Final = "documents.jsonl"
_OPENNESS: Final = ("none", "ids", "full")


@dataclass(frozen=True)
class ChangedAnswers:
    """What was drawn.

    Attributes:
        folder: The study of changed answers.
        drawn: How many answers were drawn, each with its old and its new text.
        changed: How many could be drawn.
        left_out: Metrics whose scores are not computed there: they were imported.
        repeats: Repeated answers, of which the first alone can be drawn.
    """

    folder: Path
    drawn: int
    changed: int
    left_out: tuple[str, ...]
    repeats: int = 0


def draw_changed(comparison: VersionComparison, into: Path) -> ChangedAnswers:
    """Write a study of changed answers, at most 60, each system as two: `NAME-old`, `NAME-new`.

    Drawn by chance among the answers whose text changed and whose score did by any metric, for
    better or worse alike, so that what raters see is neither the worst nor the best. Both systems
    are one family, so that the metric's change is held against the raters' within it. A campaign on
    that study shows each answer alone, under a code, without its system: nobody sees which is old.

    Args:
        comparison: What was found.
        into: A new or empty folder; nothing is written where no answer changed.

    Raises:
        InvalidInput: A version is a table of scores, or the folder holds files.
    """
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        must, got = "be a new or empty folder", "one that holds files already"
        raise InvalidInput(Problem(f"{_OPTION} {into}", must, got, "Give it another name."))
    old, new = (_study(side) for side in (comparison.old, comparison.new))
    before, after = (_answers(study) for study in (old, new))
    called = _case_of(comparison, old, new)
    flips = {
        (flip.system, called.get(flip.case, flip.case))
        for result in comparison.results
        for flip in result.flips
    }
    changed = [
        (system, case, pair)
        for system, case in sorted(flips)
        if (pair := _pair(system, case, before, after)) is not None
    ]
    repeats = sum(bool(answer.sample) for study in (old, new) for answer in study.answers)
    if not changed:
        return ChangedAnswers(into, 0, 0, (), repeats)
    changed.sort(key=lambda one: uniform(old.seed, "s65", one[0], one[1]))
    drawn = sorted(changed[:MOST_CHANGED], key=lambda one: one[:2])
    names = [result.metric for result in comparison.results]
    computed = [name for name in names if _computed(name)]
    systems = list(dict.fromkeys(system for system, _, _ in drawn))
    cases = {case for _, case, _ in drawn}
    answers = [
        Answer(system=_named(system, side), case=case, text=answer.text)
        for system, case, pair in drawn
        for side, answer in zip(_SIDES, pair, strict=True)
    ]
    make_folder(into / "answers")
    _copy_own_files(old.path, into)
    write_cases(into / "cases.jsonl", [case for case in old.cases if case.case in cases])
    write_answers(into / "answers", answers)
    asked = CasesPerSystem.in_pairs((answer.system, answer.case) for answer in answers)
    write_atomically(into / f"{ASKED}.csv", asked_bytes(asked))
    title = f"Changed answers: {comparison.old} and {comparison.new}"
    settings = _settings(old, new, title, systems, computed)
    write_atomically(into / STUDY_FILE, settings.encode())
    left_out = tuple(name for name in names if name not in computed)
    return ChangedAnswers(into, len(drawn), len(changed), left_out, repeats)


def are_studies(*sides: str) -> bool:
    """Say whether each side of a comparison is a study, or one system of it.

    Example:
        >>> are_studies("main.csv", "branch.csv")
        False
    """
    return all((_folder(side) / STUDY_FILE).is_file() for side in sides)


def _folder(side: str) -> Path:
    return Path(side) if Path(side).exists() else Path(side.rpartition(":")[0])


def _study(side: str) -> Study:
    if not are_studies(side):
        must, got = "be a study, whose answers people can read", "a table of scores"
        raise InvalidInput(Problem(side, must, got, f"Leave {_OPTION} out."))
    return Study.open_whole(_folder(side))


def _case_of(comparison: VersionComparison, old: Study, new: Study) -> dict[str, str]:
    """Give the case behind each number, where a version names none: the drawn study is its own."""
    known = [old, new]
    if comparison.baseline is not None and (Path(comparison.baseline) / STUDY_FILE).is_file():
        known.append(Study.open_whole(Path(comparison.baseline)))
    if all(study.config.privacy.texts != "none" for study in known):
        return {}
    numbers = case_numbers({case for study in known for case in study.cases.ids})
    return {number: case for case, number in numbers.items()}


def _answers(study: Study) -> dict[tuple[str, str], Answer]:
    return {
        (answer.system, answer.case): answer
        for answer in study.answers
        if answer.held and answer.text is not None and not answer.sample
    }


def _pair(
    system: str,
    case: str,
    before: Mapping[tuple[str, str], Answer],
    after: Mapping[tuple[str, str], Answer],
) -> tuple[Answer, Answer] | None:
    """Give both answers where both are held and differ; None where not.

    Systems of two names are paired under both, as in "a to b".
    """
    parts = system.split(" to ")
    old = next((before[name, case] for name in (system, parts[0]) if (name, case) in before), None)
    new = next((after[name, case] for name in (system, parts[-1]) if (name, case) in after), None)
    return (old, new) if old and new and old.text != new.text else None


def _computed(metric: str) -> bool:
    try:
        resolve(metric)
    except MedassayError:  # a name of somebody's own, whose scores were imported
        return False
    return True


def _named(system: str, side: str) -> str:
    return f"{system.replace(' ', '-')}-{side}"


def _copy_own_files(old: Path, into: Path) -> None:
    """Copy the study's own rubric and protocol, and its documents."""
    for file in sorted(old.glob("*.toml")):
        if file.name not in {STUDY_FILE, "import.toml"}:
            shutil.copyfile(file, into / file.name)
    if (old / _DOCUMENTS).is_file():
        shutil.copyfile(old / _DOCUMENTS, into / _DOCUMENTS)


def _settings(
    old: Study, new: Study, title: str, systems: Sequence[str], metrics: Iterable[str]
) -> str:
    """Write study.toml: raters are asked what the old study asks; no more may leave it."""
    lines = ["schema = 1", f"title = {_quoted(printable(title))}"]
    if old.config.synthetic:
        lines.append("synthetic = true")
    lines += ["", "[protocol]", f"name = {_quoted(old.config.protocol.name)}"]
    for dimension in old.config.dimensions:
        only = [f"only = {_quoted(dimension.only)}"] if dimension.only else []
        lines += ["", "[[dimensions]]", f"rubric = {_quoted(dimension.rubric)}", *only]
    for metric in metrics:
        lines += ["", "[[metrics]]", f"name = {_quoted(metric)}"]
    for system in systems:
        for side in _SIDES:
            lines += ["", f"[systems.{_quoted(_named(system, side))}]"]
            lines.append(f"family = {_quoted(system)}")
    texts = min((study.config.privacy.texts for study in (old, new)), key=_OPENNESS.index)
    lines += ["", "[privacy]", f"texts = {_quoted(texts)}"]
    lines.append(f"raters = {_quoted(old.config.privacy.raters)}")
    return "\n".join(lines) + "\n"


def _quoted(value: object) -> str:
    """Write text, or a list of texts, as TOML has it: JSON's strings are TOML's."""
    return json.dumps(value, ensure_ascii=False)
