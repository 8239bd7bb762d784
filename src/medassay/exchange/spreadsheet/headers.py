"""What a header says of its column, in the words that people use."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

__all__ = [
    "ROLES",
    "Heading",
    "Role",
    "headings",
    "is_like_a_reference",
    "is_like_a_system",
    "plain",
]

Role = Literal[
    "case", "question", "narrative", "reference", "system", "answer", "contexts", "evidence",
    "rater", "dimension", "label", "rating", "comment", "tag", "skip",
]  # fmt: skip
"""What a column can be. `rating` holds the labels of one dimension; `skip` is left out."""
ROLES: Final[tuple[Role, ...]] = get_args(Role)

_WORDS: Final[Mapping[str, frozenset[str]]] = {
    role: frozenset(words.split("|"))
    for role, words in {
        "case": "case|case id|case no|case number|id|no|nr|number|qid|q id|q no|item|item id|"
        "question id|question no|question number|question nr|prompt id|query id|vignette id|"
        "fall|fall id|fall nr|fallnummer|frage id|frage nr|fragenummer|lfd nr|nummer",
        "question": "question|questions|question text|prompt|prompts|vignette|vignettes|query|"
        "queries|user input|user query|user question|user prompt|patient question|"
        "patients question|clinical question|medical question|input|case vignette|scenario|"
        "frage|fragen|fragetext|patientenfrage|fallvignette|pregunta|vraag",
        "narrative": "narrative|patient narrative|case description|background|letter|anamnese",
        "reference": "reference|references|reference answer|reference answers|reference response|"
        "ground truth|ground truths|gold|gold answer|gold standard|gold standard answer|"
        "golden answer|expert answer|expert response|physician answer|physician response|"
        "doctor answer|doctors answer|clinician answer|human answer|ideal answer|model answer|"
        "expected answer|expected output|correct answer|correct response|standard answer|"
        "musterantwort|referenz|referenzantwort|goldstandard|expertenantwort",
        "system": "system|systems|system name|model|models|model name|llm|bot|chatbot|chat bot|"
        "chatbot name|assistant|engine|ai model|ai|modell|ki|ki modell",
        "answer": "answer|answers|answer text|response|responses|response text|output|outputs|"
        "reply|replies|completion|completions|generation|generated answer|generated response|"
        "generated text|model answer|model output|model response|system answer|system output|"
        "system response|ai answer|ai response|bot answer|bot response|chatbot answer|"
        "chatbot response|llm answer|llm response|llm output|prediction|antwort|antworten|"
        "antworttext|réponse|respuesta|antwoord",
        "contexts": "contexts|context|retrieved contexts|retrieved context|retrieved passages|"
        "retrieved documents|retrieved chunks|passages|chunks",
        "evidence": "evidence|gold evidence|gold contexts|reference contexts",
        "rater": "rater|raters|rater id|rater name|annotator|annotator id|reviewer|assessor|"
        "evaluator|rated by|bewerter|gutachter",
        "dimension": "dimension|criterion|aspect|kriterium",
        "label": "label|rating|points|score|grade|bewertung|punkte",
        "comment": "comment|comments|remark|remarks|note|notes|rationale|justification|kommentar|"
        "bemerkung|anmerkung",
    }.items()
}  # fmt: skip
_SYSTEM_WORDS: Final = re.compile(
    r"gpt|bot\b|chat|claude|gemini|bard|llama|mistral|mixtral|palm|copilot|deepseek|qwen|phi\b|"
    r"gemma|medalpaca|meditron|perplexity|bing|\brag\b|\bllm\b|\bmodel+\b|\bsystem\b|assistant|"
    r"baseline|grok",
    re.IGNORECASE,
)
_BRACKETS: Final = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_OPENINGS: Final = ("reference", "ground truth", "gold standard", "gold answer", "expert answer")
_LISTS: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(words.split())
    for name, words in {
        "yardstick": "reference references guideline guidelines leitlinie leitlinien gold golden "
        "goldstandard standard textbook lehrbuch uptodate dynamed cochrane ideal truth correct "
        "expected target expert experts experten consensus official referenz",
        "people": "human humans physician physicians doctor doctors clinician clinicians "
        "specialist specialists consultant consultants arzt ärzte ärztin ärztlich ärztliche "
        "ärztlicher facharzt oberarzt hausarzt médecin médico",
        "beside": "ground panel medical clinical up to date of the from by based written s",
    }.items()
}
"""What answers are held against; people, whose answers may be that or be rated beside the others;
and words that stand beside these and change nothing."""


@dataclass(frozen=True, slots=True)
class Heading:
    """One thing that a header may mean.

    Attributes:
        role: What the column would be.
        of: The system whose answers it would hold, where the header names one.
    """

    role: Role
    of: str = ""


def plain(text: str) -> str:
    """Give the words of a header: small letters, no signs.

    Example:
        >>> plain("groundTruth"), plain("Patient's question:"), plain("#"), plain("Q_No.")
        ('ground truth', 'patients question', 'no', 'q no')
    """
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).replace("#", " no ")
    return " ".join(re.findall(r"[^\W_]+", re.sub(r"['’`]", "", apart).casefold()))


def headings(header: str) -> tuple[Heading, ...]:
    """Say what a header may mean: nothing, one thing, or several of which somebody must choose.

    Example:
        >>> headings("Gold standard (UpToDate)"), headings("Response (GPT-4)")
        ((Heading(role='reference', of=''),), (Heading(role='answer', of='GPT-4'),))
        >>> headings("ChatGPT answer"), headings("Category")
        ((Heading(role='answer', of='ChatGPT'),), ())
        >>> [heading.role for heading in headings("Model answer")]
        ['reference', 'answer']
        >>> [heading.role for heading in headings("Antwort (Arzt)")]
        ['reference', 'answer']
        >>> headings("Guideline answer"), headings("Answer (UpToDate)")
        ((Heading(role='reference', of=''),), (Heading(role='reference', of=''),))
    """
    inside = " ".join(a or b for a, b in _BRACKETS.findall(header)).strip()
    bare = _BRACKETS.sub(" ", header).strip()
    words = plain(bare)
    roles = [role for role in ROLES if words in _WORDS.get(role, ())]
    if roles:
        if roles == ["answer"] and is_like_a_reference(inside):
            roles = ["reference"]
        elif roles == ["answer"] and _is_of_people(inside):
            roles = ["reference", "answer"]
        return tuple(Heading(role, inside if role == "answer" else "") for role in roles)
    if any(words.startswith(f"{opening} ") for opening in _OPENINGS):
        return (Heading("reference"),)
    if words.endswith(" question"):
        return (Heading("question"),)
    name = _without_answer(bare)
    if is_like_a_reference(name):
        return (Heading("reference"),)
    found = (Heading("answer", name),) if name else ()
    return (Heading("reference"), *found) if _is_of_people(name) else found


def _is_of_people(name: str) -> bool:
    """Say whether people answered, whose answers may be a reference or rated beside the others."""
    return not (_LISTS["people"].isdisjoint(plain(name).split()) or is_like_a_system(name))


def _without_answer(header: str) -> str:
    """Give what is left of a header that begins or ends with a word for an answer."""
    words = re.split(r"[\s_:/-]+", header)
    for cut in (words[:-1], words[1:]):
        rest = words[-1] if cut == words[:-1] else words[0]
        if cut and plain(rest) in _WORDS["answer"]:
            return header.removesuffix(rest).removeprefix(rest).strip(" _:/-")
    return ""


def is_like_a_system(header: str) -> bool:
    """Say whether a header has a word that systems are called by.

    Example:
        >>> is_like_a_system("AlphaChat"), is_like_a_system("Llama 3"), is_like_a_system("Advice")
        (True, True, False)
    """
    return _SYSTEM_WORDS.search(header) is not None


def is_like_a_reference(header: str) -> bool:
    """Say whether a header names what answers are held against, and nothing else.

    Example:
        >>> is_like_a_reference("UpToDate"), is_like_a_reference("Expert panel")
        (True, True)
        >>> is_like_a_reference("DoctorBot"), is_like_a_reference("Expert 2, agrees?")
        (False, False)
    """
    words = [word for word in plain(header).split() if not word.isdigit()]
    yardsticks = _LISTS["yardstick"]
    told = not yardsticks.isdisjoint(words) or " up to date " in f" {' '.join(words)} "
    return told and _WORDS["answer"].union(*_LISTS.values()).issuperset(words)
