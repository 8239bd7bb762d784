"""BioASQ's question answering: test sets, golden files and submissions."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Glimpse, Option, Reads
from medassay.exchange.outcome import Outcome
from medassay.exchange.proposal import ImportQuestion, Undecided
from medassay.exchange.tool_rows.files import json_of
from medassay.exchange.tool_rows.making import ImportOptions, Synthetic, make_study
from medassay.exchange.tool_rows.rows import LEFT, ToolRows, Use, cells_of, left, named_id

Answered = Annotated[
    list[str] | None,
    Option(
        "Whose a file's answers are: NAME of a system, or reference; FILE=NAME for one of several.",
        ("--system",),
        "[FILE=]NAME",
    ),
]
_REFERENCE: Final = "reference"
_PLACE: Final = left("the place of a document, or of a text in it")
_EXACT: Final = left("the answer in a word, beside the one in sentences")
_USES: Final[Mapping[str, Use]] = {
    "id": Use("case"), "body": Use("question"), "type": Use("tag", "type"), "documents": _PLACE,
    "concepts": left("ids of concepts"), "triples": left("triples of an ontology"),
}  # fmt: skip
_TEXT: Final = "snippets[].text"


def _take(
    into: Path, files: Sequence[Path], *, system: Answered = None, synthetic: Synthetic = False
) -> Outcome:
    named = {file: name for file, eq, name in (w.rpartition("=") for w in system or ()) if eq}
    alone = next((word for word in system or () if "=" not in word), "")
    if strange := named.keys() - {own for file in files for own in (file.name, file.stem)}:
        got = f'"{min(strange)}"'
        raise InvalidInput(Problem("--system", "name a file that is imported", got))
    rows, asked = ToolRows("BioASQ"), []
    for file in files:
        held = json_of(file)
        questions = held.get("questions") if isinstance(held, dict) else held
        if not isinstance(questions, list) or not all(isinstance(q, dict) for q in questions):
            raise InvalidInput(Problem(file.name, "hold a list of questions", "none"))
        rows.beside(file.name, held, "questions")
        said = named.get(file.name) or named.get(file.stem) or ""
        whose = said or _known(questions, alone or file.stem) or alone
        if not whose:
            ask = "Who gave its answers: the experts, as references, or a system?"
            ways = {"references": [f"{file.stem}={_REFERENCE}"],
                    "a system": [f"{file.stem}={file.stem}"]}  # fmt: skip
            asked.append(ImportQuestion(file.name, ask, "system", ways))
            continue
        rows.each(file.name, enumerate(questions, 1), partial(_question, rows, whose))
    if asked:
        raise Undecided(asked)
    return make_study(into, files, rows, ImportOptions(synthetic=synthetic))


def _known(questions: Sequence[Mapping[str, Any]], name: str) -> str:
    """Say whose a file's answers are where it says so: only references come in several wordings.

    A submission writes an ideal answer as one text, the experts' file as a list of texts.
    """
    ideal = [own for q in questions if (own := q.get("ideal_answer")) not in (None, [], [""])]
    if any(isinstance(own, str) for own in ideal):
        return name
    several = any(len(own) > 1 for own in ideal)
    answered = ideal or any(_words(q.get("exact_answer")) for q in questions)
    known = several or any("concepts" in q or "triples" in q for q in questions)
    return _REFERENCE if known or not answered else ""


def _words(exact: object) -> list[str]:
    """Give the exact answers as texts: a list of them may list synonyms of each.

    Example:
        >>> _words([["aspirin", "ASA"], ["ibuprofen"]]), _words("yes"), _words([[]])
        (['aspirin; ASA', 'ibuprofen'], ['yes'], [])
    """
    listed = exact if isinstance(exact, list) else [exact]
    texts = ["; ".join(map(str, own)) if isinstance(own, list) else str(own or "")
             for own in listed]  # fmt: skip
    return [text.strip() for text in texts if text.strip() and text.strip() != "n/a"]


def _question(
    rows: ToolRows, whose: str, place: tuple[str, int], question: Mapping[str, Any]
) -> None:
    """Take a question with its references, or with what a system answered."""
    theirs = whose != _REFERENCE
    ideal = question.get("ideal_answer")
    texts = [text for text in (ideal if isinstance(ideal, list) else [ideal]) if text]
    exact = _words(question.get("exact_answer"))
    decided = exact[:1] in (["yes"], ["no"])
    answered = bool(texts or exact) or not theirs
    part = Use("answer" if theirs else "reference")
    uses = {**_USES, "ideal_answer": part, "exact_answer": _EXACT}
    uses[_TEXT] = Use("contexts" if theirs else "evidence")
    if decided:
        uses["exact_answer"] = Use("choice" if theirs else "gold")
    elif not texts:
        uses["exact_answer"] = part
    told: dict[str, Any] = {
        **question, "ideal_answer": "\n\n".join(texts) if theirs else texts,
        "exact_answer": exact[0] if decided else "\n".join(exact), "snippets": None,
    }  # fmt: skip
    snippets = question.get("snippets") or []
    found = [own.get("text") if isinstance(own, dict) else own for own in snippets]
    if theirs and not answered:
        uses[_TEXT] = left("retrieved, and not answered")
    cells = [*cells_of(told), *([(_TEXT, found)] if found else [])]
    rows.add(*place, cells, lambda path: uses.get(path, LEFT), system=whose if theirs else "")
    if found[1:]:  # its texts are one cell above
        rows.count(place[0], _TEXT, uses[_TEXT], len(found) - 1)
    for own in snippets:
        if isinstance(own, dict):
            beside = {name: cell for name, cell in own.items() if name != "text"}
            rows.leave(place[0], {"snippets": [beside]}, _PLACE.of)
    asked = rows.asked.get(named_id(question.get("id")))
    if asked is not None and (decided or question.get("type") == "yesno"):
        asked.options.update(yes="yes", no="no")


def _is_one(seen: Glimpse) -> bool:
    held = seen.first.get("questions")
    if held == [] and len(seen.first) == 1:
        return True
    first = held[0] if isinstance(held, list) and held else {}
    if not isinstance(first, dict) or "id" not in first:
        return False
    return {"body", "type"} <= first.keys() or bool({"ideal_answer", "exact_answer"} & first.keys())


BIOASQ: Final = Format(
    id="bioasq",
    title="BioASQ",
    reads=Reads(
        about="BioASQ: questions with references and snippets, and what systems submitted.",
        files="Test sets, golden files and submissions, as .json; a submission a file.",
        is_one=_is_one,
        take=_take,
    ),
)
