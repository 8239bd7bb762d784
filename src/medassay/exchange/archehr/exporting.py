"""Write a study's cases, key and answers as the ArchEHR-QA shared tasks' files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.exchange.archehr.submission import Form
from medassay.exchange.archehr.write import write_archehr_cases, write_archehr_submission
from medassay.exchange.entrusted import refuse_unasked
from medassay.study import Study

__all__ = ["export_archehr"]

_FORMS: Final[dict[str, Form]] = {
    "archehr": "archehr2025",
    "archehr2026-st1": "archehr2026-st1",
    "archehr2026-st2": "archehr2026-st2",
    "archehr2026-st3": "archehr2026-st3",
    "archehr2026-st4": "archehr2026-st4",
}
"""Protocol to form: each subtask of 2026 has a protocol of its own."""


def export_archehr(
    study: Study,
    *,
    form: Form | None = None,
    submission: tuple[str | None, Path | None] = (None, None),
    cases: Path | None = None,
    texts: str | None = None,
) -> tuple[Form, Sequence[Path]]:
    """Write a system's submission, or the cases with their key, or both.

    What is written is read again first: it holds the same, or nothing is written and the reason is
    said. Files that are there already are left alone.

    Args:
        study: The study.
        form: The form; that of the study's protocol if not given.
        submission: A system, and where its answers are written.
        cases: The folder that the cases and their key are written into.
        texts: `full` where texts that the study keeps may be written.

    Returns:
        The form, and the files.

    Raises:
        InvalidInput: One of two is missing, a file is there, or a file cannot hold the study.
        UnknownName: There is no such system.
    """
    system, into = submission
    if not (_pair("--system", system, "--into", into) or cases is not None):
        hint = "For example --system alpha --into alpha.json, or --cases task."
        raise InvalidInput(Problem("medassay export", "be told what to write", "nothing", hint))
    chosen = form or _form_of(study)
    task = None if cases is None else (cases / "cases.xml", cases / "key.json")
    wanted = [*([] if into is None else [into]), *(task or ())]
    hint = "Give another name; it was left as it is."
    there = [
        Problem(str(path), "be a new file", "one that is there", hint)
        for path in wanted
        if path.exists()
    ]
    if there:
        raise InvalidInput(there)
    if system is not None and system not in study.systems:
        raise UnknownName("system", system, list(study.systems))
    refuse_unasked(study, "full", texts, wanted)
    if system is not None and into is not None:
        mine = [answer for answer in study.answers if answer.system == system]
        write_archehr_submission(into, mine, chosen)
    if task is not None:
        write_archehr_cases(*task, study.cases, chosen)
    return chosen, wanted


def _pair(option: str, first: object, other: str, second: object) -> bool:
    """Say whether both are given; one alone is a mistake."""
    if (first is None) != (second is None):
        named, lacking = (option, other) if second is None else (other, option)
        raise InvalidInput(Problem(named, f"come with {lacking}", f"no {lacking}"))
    return first is not None


def _form_of(study: Study) -> Form:
    name = study.config.protocol.name
    if name not in _FORMS:
        hint = "For example --format archehr2025."
        must = f"be given for a study of the protocol {name}"
        raise InvalidInput(Problem("--format", must, "none", hint))
    return _FORMS[name]
