"""What a rater reads about one answer, and answers whose words give their system away."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case, Document
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.campaign import (
    PARTS,
    Item,
    Part,
    Settings,
    find_give_aways,
    searched_languages,
    unsearched_language,
)
from medassay.study.folder import Study
from medassay.text import count_of

EMPTY: Final = "(The system gave an empty answer.)"
NOT_HELD: Final = "(The text of this answer is not held.)"
NO_QUESTION: Final = "(The question is not held.)"
NO_CONFIDENCE: Final = "(none given)"


def parts_named(words: str) -> tuple[Part, ...]:
    """Read the names of what may stand beside an answer, separated by commas.

    Raises:
        InvalidInput: One is not known.

    Example:
        >>> parts_named("references, documents")
        ('documents', 'references')
    """
    named = {word.strip() for word in words.split(",") if word.strip()}
    problems = [
        Problem("--hide", f"name some of {', '.join(PARTS)}", f'"{word}"', nearest(word, PARTS))
        for word in sorted(named - set(PARTS))
    ]
    if problems:
        raise InvalidInput(problems)
    return tuple(part for part in PARTS if part in named)


def texts_of(
    study: Study, item: Item, parts: Collection[Part], *, citations: bool = True
) -> dict[str, tuple[str, ...]]:
    """Gather the texts of an item by their kind; scores, ranks and confidence stay out.

    Args:
        study: The study.
        item: What is rated.
        parts: What may stand beside the answer.
        citations: Whether statements are shown with what they cite.
    """
    case = study.cases[item.case]
    sample = None if item.system_b else item.sample
    first = study.answers.get(item.system, item.case, sample)
    second = study.answers.get(item.system_b, item.case) if item.system_b else None
    texts = {"question": _question(case)}
    if "narrative" in parts:
        texts["narrative"] = (case.narrative,) if case.narrative else ()
    if "evidence" in parts:
        texts["evidence"] = tuple(f"[{evidence.id}] {evidence.text}" for evidence in case.evidence)
    if "retrieved" in parts and first is not None and not item.system_b:
        texts["retrieved"] = _retrieved(case, first)
    if "documents" in parts:
        shown = (
            {retrieved.document for retrieved in (first.retrieved or ()) if "retrieved" in parts}
            if first
            else set()
        )
        texts["documents"] = tuple(
            document_paragraph(document.id, document)
            for document in case.documents
            if document.text and document.id not in shown
        )
    if "references" in parts:
        texts["references"] = tuple(reference.text for reference in case.references)
    if item.system_b:
        texts["answer_a"] = answer_paragraphs(first, case, citations=citations)
        texts["answer_b"] = answer_paragraphs(second, case, citations=citations)
    else:
        texts["answer"] = answer_paragraphs(first, case, citations=citations)
        if "reasoning" in parts and first is not None and first.reasoning:
            texts["reasoning"] = (first.reasoning,)
    return {kind: paragraphs for kind, paragraphs in texts.items() if paragraphs}


def confidence_shown(study: Study, item: Item) -> tuple[str, ...]:
    """Give the label that a system puts on its own confidence; never the number behind it."""
    answer = study.answers.get(item.system, item.case, item.sample)
    label = None if answer is None else answer.confidence_label
    return (NO_CONFIDENCE,) if label is None else (label,)


def answer_paragraphs(
    answer: Answer | None, case: Case, *, citations: bool = True
) -> tuple[str, ...]:
    """Write an answer as it is read: a statement a paragraph, with what it cites."""
    if answer is None:
        return ()
    paragraphs = []
    if answer.choice is not None:
        option = case.options.get(answer.choice, "")
        paragraphs.append(f"{answer.choice}. {option}".strip() if option else answer.choice)
    if answer.statements:
        for statement in answer.statements:
            cited = f" [{', '.join(statement.citations)}]" if statement.citations else ""
            paragraphs.append(f"{statement.text}{cited if citations else ''}")
    elif answer.text and answer.text.strip():
        paragraphs.append(answer.text)
    elif not answer.held:
        paragraphs.append(NOT_HELD)
    return tuple(text for text in paragraphs if text.strip()) or (EMPTY,)


SIDES: Final = {"user": "User", "assistant": "System"}


def _question(case: Case) -> tuple[str, ...]:
    options = tuple(f"{letter}. {text}" for letter, text in case.options.items())
    turns = tuple(f"{SIDES.get(turn.role, turn.role)}: {turn.text}" for turn in case.turns)
    asked = turns + ((case.question,) if case.question else ()) + options
    return asked if case.question_held else (NO_QUESTION,)


def _retrieved(case: Case, answer: Answer) -> tuple[str, ...]:
    known = {document.id: document for document in case.documents}
    return tuple(
        document_paragraph(document.document, known.get(document.document))
        for document in answer.retrieved or ()
    )


def document_paragraph(name: str, document: Document | None) -> str:
    """Write a document as it is read: what it is called, its title and its text."""
    if document is None:
        return f"[{name}]"
    title = f"{document.title}." if document.title else ""
    return " ".join(piece for piece in (f"[{name}]", title, document.text) if piece)


def judged_texts(texts: dict[str, tuple[str, ...]]) -> list[object]:
    """Give the texts that a label is about, whatever stands beside them."""
    return [texts.get(kind) for kind in ("answer", "answer_a", "answer_b", "reasoning")]


@dataclass(frozen=True)
class Flag:
    """An answer whose words give its system away, or may: for the organiser, never for a rater.

    Attributes:
        system: The system; empty where the words stand in the study's title.
        case: The case; empty as well.
        words: The words.
        around: The words with what stands about them; empty where texts are private.
        why: What they give away.
        certain: False where the words may be everyday words: the organiser decides.
    """

    system: str
    case: str
    words: str
    around: str
    why: str
    certain: bool = True


def names_of_systems(study: Study) -> set[str]:
    """Give all that a study calls its systems: ids, titles and families."""
    titles = {study.system(name).title for name in study.systems}
    return {*study.systems, *titles, *study.families.values()}


def flag_give_aways(study: Study, items: Sequence[Item], settings: Settings) -> list[Flag]:
    """Find what gives systems away in the texts that raters will read."""
    names = names_of_systems(study)
    # Every rater reads the title; nothing of it is private.
    flags = [
        Flag("", "", place.words, place.around, f"the study's title {place.why}")
        for place in find_give_aways(study.config.title, names, title=True)
    ]
    private = not study.config.privacy.allows("full")
    for item, text in _texts(study, items, settings):
        for place in find_give_aways(text, names):
            words, around = ("", "") if private else (place.words, place.around)
            flags.append(Flag(item.system, item.case, words, around, place.why, place.certain))
    return flags


def note_on_languages(study: Study, items: Sequence[Item], settings: Settings) -> list[str]:
    """Say of which answers the phrases of self-reference cannot be searched, if of any."""
    named = (unsearched_language(text) for _, text in _texts(study, items, settings))
    counts = Counter(language for language in named if language is not None)
    if not counts:
        return []
    each = ", ".join(f"{count_of(n, 'answer')} in {name}" for name, n in sorted(counts.items()))
    known = ", ".join(searched_languages())
    note = (
        f'Not searched for phrases such as "as an AI": {each}. Names of systems were searched. '
        f"Phrases are searched in {known}."
    )
    return [note]


def _texts(study: Study, items: Sequence[Item], settings: Settings) -> Iterator[tuple[Item, str]]:
    """Give the texts of each answer that differ between systems, repeated answers each."""
    answers = {Item(item.case, name, sample=item.sample) for item in items for name in item.pair}
    for item in sorted(answers, key=lambda item: (item.system, item.case, item.sample)):
        texts = texts_of(study, item, settings.parts)
        kinds = ("answer", "reasoning", "retrieved")
        yield item, "\n".join(text for kind in kinds for text in texts.get(kind, ()))
