"""What one case of a submission holds, form by form."""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from medassay.answers import Answer, Statement
from medassay.exchange.archehr.answer import read_answer
from medassay.exchange.archehr.citations import pieces
from medassay.exchange.archehr.finding import Effect, Finding
from medassay.exchange.archehr.json_items import in_words, shortened
from medassay.exchange.archehr.readings import Reading
from medassay.text import count_words

__all__ = ["Entry", "entry_2025", "entry_of_ids", "entry_of_links", "entry_of_text", "link_id"]


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
