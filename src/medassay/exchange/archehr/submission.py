"""Read a submission to the ArchEHR-QA shared tasks; a bad case never stops the others."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from medassay.answers import Answer, Statement
from medassay.cases import Cases
from medassay.errors import nearest
from medassay.exchange.archehr.answer import (
    WORDS,
    Effect,
    Finding,
    JsonItem,
    Reading,
    in_words,
    pieces,
    read_answer,
    read_json_list,
    shortened,
)
from medassay.text import count_words


@dataclass(frozen=True)
class Entry:
    """One case of a submission.

    Attributes:
        case: The case.
        raw: What was submitted: text, or JSON where it was no text.
        official: The fields of the answer as the official scorer reads it; none where there is
            nothing to read.
        tolerant: The fields as they were meant.
        findings: What to know about it.
    """

    case: str
    raw: str
    official: dict[str, object] = field(default_factory=dict)
    tolerant: dict[str, object] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    @property
    def differs(self) -> bool:
        """Say whether the two readings differ."""
        return self.official != self.tolerant

    def answer(self, system: str, reading: Reading) -> Answer:
        """Make the answer by one reading."""
        fields = self.official if reading == "official" else self.tolerant
        return Answer.model_validate(
            {"system": system, "case": self.case, "raw": self.raw, **fields}
        )


def link_id(answer: str, evidence: str) -> str:
    """Name the link between a sentence of an answer and a sentence of the note (subtask 4).

    Example:
        >>> link_id("2", "7")
        '2→7'
    """
    return f"{answer}→{evidence}"


def entry_2025(case: str, value: object, *, file: str, known: Collection[str] | None) -> Entry:
    """Read a cited answer; see `archehr_answer`."""
    if not isinstance(value, str):
        return _not_text(case, value, file)
    read = read_answer(value, file=file, case=case, known=known)
    return Entry(case, value, _cited(read.official), _cited(read.tolerant), read.findings)


def entry_of_text(
    case: str, value: object, *, file: str, known: Collection[str] | None, limit: int
) -> Entry:
    """Read a text that is scored as it is, up to a number of words."""
    if not isinstance(value, str):
        return _not_text(case, value, file)
    findings = []
    words = count_words(value)
    if not words:
        findings.append(_finding(file, case, "refused", "empty", "have a text", "none"))
    if words > limit:
        cost = f"The scorer compares the first {limit} alone."
        findings.append(
            _finding(file, case, "costs", "over-limit", f"have at most {limit} words", f"{words}",
                     cost)
        )  # fmt: skip
    for line in value.split("\n"):
        for group in (group for piece in pieces(line, known) for group in piece.groups):
            cost = "The scorer counts it as words of the answer."
            findings.append(
                _finding(file, case, "costs", "citation-in-text", "cite nothing in this subtask",
                         shortened(group.written), cost)
            )  # fmt: skip
    fields: dict[str, object] = {"text": value.strip()}
    return Entry(case, value, fields, fields, tuple(findings))


def entry_of_ids(case: str, value: object, *, file: str, known: Collection[str] | None) -> Entry:
    """Read a list of sentence ids; the answer has no text and names them as what it found."""
    if not isinstance(value, list):
        return _not_list(case, value, file, "sentence ids")
    findings: list[Finding] = []
    ids = list(_ids(value, file, case, "sentence ids", findings))
    findings += _unknown(ids, known, file, case)
    fields = _retrieved(ids)
    return Entry(case, json.dumps(value, ensure_ascii=False), fields, fields, tuple(findings))


def entry_of_links(case: str, value: object, *, file: str, known: Collection[str] | None) -> Entry:
    """Read a list of links; each is named by `link_id`, and the answer has no text."""
    if not isinstance(value, list):
        return _not_list(case, value, file, "alignments")
    findings: list[Finding] = []
    links: list[str] = []
    for link in value:
        answer = link.get("answer_id") if isinstance(link, dict) else None
        if (
            not isinstance(link, dict)
            or not isinstance(answer, str | int)
            or "evidence_id" not in link
        ):
            must = "have an answer_id that is text, and a list evidence_id"
            findings.append(_finding(file, case, "refused", "no-link", must, _json(link)))
            continue
        if not isinstance(answer, str):
            findings.append(_id_not_text(file, case, answer))
        evidence = _ids(link["evidence_id"], file, case, "evidence_id", findings)
        links += [link_id(str(answer), each) for each in evidence]
    findings += _unknown(links, known, file, case)
    fields = _retrieved(links)
    return Entry(case, json.dumps(value, ensure_ascii=False), fields, fields, tuple(findings))


def _cited(sentences: tuple[Statement, ...]) -> dict[str, object]:
    return {"statements": sentences}


def _retrieved(ids: list[str]) -> dict[str, object]:
    printable = [name.strip() for name in ids if name.strip() and name.strip().isprintable()]
    return {
        "retrieved": [{"document": fromkey, "score": None} for fromkey in dict.fromkeys(printable)]
    }


def _ids(value: object, file: str, case: str, what: str, findings: list[Finding]) -> Iterator[str]:
    if not isinstance(value, list):
        must = f"be a list of {what}"
        findings.append(_finding(file, case, "refused", "no-list", must, _json(value)))
        return
    for entry in value:
        if isinstance(entry, str):
            if entry != entry.strip():
                must = "have ids without blanks around them"
                findings.append(
                    _finding(file, case, "refused", "blank-in-id", must, f'"{shortened(entry)}"')
                )
            yield entry
        elif isinstance(entry, int) and not isinstance(entry, bool):
            findings.append(_id_not_text(file, case, entry))
            yield str(entry)
        else:
            findings.append(_finding(file, case, "refused", "id-not-text", "be text", _json(entry)))


def _unknown(
    ids: list[str], known: Collection[str] | None, file: str, case: str
) -> Iterator[Finding]:
    for name in ids if known is not None else ():
        if known is not None and name.strip() not in known:
            must = "name sentences of the case"
            yield _finding(file, case, "refused", "unknown-id", must, f'"{shortened(name)}"')


def _not_text(case: str, value: object, file: str) -> Entry:
    finding = _finding(file, case, "refused", "answer-not-text", "be text", _json(value))
    return Entry(case, json.dumps(value, ensure_ascii=False), findings=(finding,))


def _not_list(case: str, value: object, file: str, what: str) -> Entry:
    must = f"be a list of {what}"
    finding = _finding(file, case, "refused", "no-list", must, _json(value))
    return Entry(case, json.dumps(value, ensure_ascii=False), findings=(finding,))


def _id_not_text(file: str, case: str, value: object) -> Finding:
    return _finding(
        file, case, "refused", "id-not-text", "have ids that are text", in_words(value),
        try_=f'Write "{shortened(str(value))}".',
    )  # fmt: skip


def _finding(
    file: str, case: str, effect: Effect, kind: str, must: str, got: str, cost: str = "",
    try_: str = "",
) -> Finding:  # fmt: skip
    return Finding(
        effect=effect, kind=kind, file=file, case=case, must=must, got=got, cost=cost, try_=try_
    )


def _json(value: object) -> str:
    if value is None or isinstance(value, bool | int | float | str):
        return in_words(value)
    return shortened(json.dumps(value, ensure_ascii=False))


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
    "archehr2026-st1": ("prediction", lambda *a, **k: entry_of_text(*a, limit=QUESTION_WORDS, **k)),
    "archehr2026-st2": ("prediction", entry_of_ids),
    "archehr2026-st3": ("prediction", lambda *a, **k: entry_of_text(*a, limit=WORDS, **k)),
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
