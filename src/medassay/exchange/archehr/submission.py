"""Read a submission to the ArchEHR-QA shared tasks; a bad case never stops the others."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from medassay.answers import Answer
from medassay.cases import Cases
from medassay.errors import nearest
from medassay.exchange.archehr.answer import WORDS
from medassay.exchange.archehr.entries import Entry, entry_2025, entry_of_ids, entry_of_links
from medassay.exchange.archehr.entries import entry_of_text as _of_text
from medassay.exchange.archehr.finding import Effect, Finding
from medassay.exchange.archehr.json_items import JsonItem, in_words, read_json_list, shortened
from medassay.exchange.archehr.readings import Reading

__all__ = ["FORMS", "Form", "Known", "Submission", "known_ids", "read_archehr_submission"]

Form = Literal[
    "archehr2025", "archehr2026-st1", "archehr2026-st2", "archehr2026-st3", "archehr2026-st4"
]

Known = Mapping[str, tuple[str, ...] | None]
"""The cases that are asked, each with the ids that may be cited; None where those are not known."""

QUESTION_WORDS: Final = 15

FORMS: Final[dict[Form, str]] = {
    "archehr2025": "cited answers: answer, one sentence a line, ids between pipes at its end",
    "archehr2026-st1": "question interpretation: prediction, at most 15 words",
    "archehr2026-st2": "evidence identification: prediction, a list of sentence ids",
    "archehr2026-st3": "answers without citations: prediction, at most 75 words",
    "archehr2026-st4": "evidence alignment: prediction, a list of answer_id with its evidence_id",
}
"""The forms of submissions that medassay reads and writes, and what each holds."""

_READ: Final[Mapping[Form, tuple[str, Callable[..., Entry]]]] = {
    "archehr2025": ("answer", entry_2025),
    "archehr2026-st1": ("prediction", lambda *a, **k: _of_text(*a, limit=QUESTION_WORDS, **k)),
    "archehr2026-st2": ("prediction", entry_of_ids),
    "archehr2026-st3": ("prediction", lambda *a, **k: _of_text(*a, limit=WORDS, **k)),
    "archehr2026-st4": ("prediction", entry_of_links),
}


@dataclass(frozen=True)
class Submission:
    """What one file of answers holds, and what is to be known about it.

    Attributes:
        file: The file's name.
        form: Its form.
        entries: What was read of each case, in the order of the file; a case that comes twice is
            here once, as it came first.
        findings: What to know, in the order of the file; then about the file as a whole.
    """

    file: str
    form: Form
    entries: tuple[Entry, ...]
    findings: tuple[Finding, ...]

    @property
    def differing(self) -> tuple[str, ...]:
        """Name the cases that the two readings read differently."""
        return tuple(entry.case for entry in self.entries if entry.differs)

    def answers(self, system: str, reading: Reading = "official") -> list[Answer]:
        """Give the answers by one of the two readings; each keeps what was submitted as `raw`.

        A case whose entry cannot be read at all has no answer.
        """
        return [entry.answer(system, reading) for entry in self.entries if entry.official]


def read_archehr_submission(path: Path, form: Form, known: Known | None = None) -> Submission:
    """Read a submission both ways, and diagnose it case by case and line by line.

    Args:
        path: The JSON file.
        form: Its form; see `FORMS`.
        known: The cases with the ids that may be cited, see `known_ids`; None where the XML is not
            at hand. Then ids and the completeness of the cases go unchecked.

    Raises:
        InvalidInput: The file is not JSON, or not a list.
    """
    file = path.name
    key, read = _READ[form]
    findings: list[Finding] = []
    entries: dict[str, Entry] = {}
    for number, item in enumerate(read_json_list(path), start=1):
        case, value = _unpack(item.value, key, file, number, findings)
        findings += _oddities(item, file, case or f"number {number}")
        if case is None:
            continue
        if case in entries:
            findings.append(_twice(file, case))
            continue
        ids = None if known is None else known.get(case)
        if known is not None and case not in known:
            hint = nearest(case, known)
            findings.append(
                _about(file, case, "refused", "unknown-case", "be a case that is asked",
                       f'"{case}"', hint)
            )  # fmt: skip
        entry = read(case, value, file=file, known=ids)
        findings += entry.findings
        entries[case] = entry
    findings += _missing(file, entries, known)
    return Submission(file, form, tuple(entries.values()), tuple(findings))


def known_ids(cases: Cases) -> Known:
    """Give the ids that answers to these cases may cite; None for a case without its note."""
    return {case.case: tuple(evidence.id for evidence in case.evidence) or None for case in cases}


def _unpack(
    line: object, key: str, file: str, number: int, findings: list[Finding]
) -> tuple[str | None, object]:
    """Find the case's id and its value; say what is wrong with either."""
    place = f"number {number}"
    if not isinstance(line, dict):
        hint = f'Write {{"case_id": ..., "{key}": ...}} for each case.'
        got = in_words(line)
        findings.append(_about(file, place, "refused", "no-object", "be an object", got, hint))
        return None, None
    case = line.get("case_id")
    if isinstance(case, int) and not isinstance(case, bool):
        case, got = str(case), in_words(case)
        try_ = f'Write "case_id": "{shortened(case)}".'
        findings.append(
            _about(file, shortened(case), "refused", "id-not-text", "have a case_id that is text",
                   got, try_)
        )  # fmt: skip
    if not isinstance(case, str) or not case.strip() or not case.isprintable():
        hint = "" if "case_id" in line else _misspelt("case_id", line)
        got = shortened(repr(case)) if isinstance(case, str) else in_words(case)
        got = got if "case_id" in line else "none"
        findings.append(_about(file, place, "refused", "no-id", "have a case_id", got, hint))
        return None, None
    if case != case.strip():
        findings.append(
            _about(file, case.strip(), "refused", "blank-in-id",
                   "have a case_id without blanks around it", f'"{case}"')
        )  # fmt: skip
    if key not in line:
        hint = _misspelt(key, line)
        names = shortened(", ".join(f'"{name}"' for name in line))
        findings.append(
            _about(file, case.strip(), "refused", "no-answer", f'have the key "{key}"', names, hint)
        )
        return None, None
    return case.strip(), line[key]


def _misspelt(key: str, line: Mapping[str, object]) -> str:
    close = [name for name in line if nearest(name, [key])]
    return f'Rename the key "{close[0]}" to "{key}".' if close else ""


def _missing(file: str, entries: Mapping[str, Entry], known: Known | None) -> Iterator[Finding]:
    if known is not None:
        for case in known:
            if case not in entries:
                yield _about(file, case, "refused", "missing-case", "answer every case", "none")
    if not entries:
        yield Finding(
            effect="refused", kind="empty", file=file, must="hold at least one case", got="none"
        )


def _oddities(item: JsonItem, file: str, case: str) -> Iterator[Finding]:
    for name in item.twice:
        yield Finding(
            effect="misread", kind="duplicate-key", file=file, case=case,
            must="have each key once", got=f'"{shortened(name)}" twice',
            cost="The scorer reads the last of them, and so does medassay.", try_="Remove one.",
        )  # fmt: skip
    if item.halves:
        yield Finding(
            effect="misread", kind="half-character", file=file, case=case,
            must="hold whole characters", got="half of a surrogate pair, which is none",
            cost="Its place holds the mark � here; a scorer may stop there.",
            try_="Write the character itself, or remove the escape.",
        )  # fmt: skip


def _twice(file: str, case: str) -> Finding:
    return Finding(
        effect="misread", kind="duplicate-case", file=file, case=case,
        must="come once", got="it again",
        cost="The scorer counts the case each time; medassay keeps the first.",
    )  # fmt: skip


def _about(
    file: str, case: str, effect: Effect, kind: str, must: str, got: str, try_: str = ""
) -> Finding:
    return Finding(
        effect=effect, kind=kind, file=file, case=case, must=must, got=got, try_=try_
    )  # fmt: skip
