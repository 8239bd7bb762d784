"""What a header says of its column, in the words that people use."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from medassay.exchange.spreadsheet.scale_words import Ends, read_ends
from medassay.exchange.spreadsheet.words import LISTS, Metric, Role, form, lexicon, tokens

MODELS: Final = (
    r"gpt|гпт|llama(?!s)|mixtral|deepseek|qwen|copilot|med[-_ ]?palm|vicuna|alpaca|meditron|"
    r"perplexity|ernie[-_ ]?(?:bot|\d)|baichuan|hunyuan|doubao|chatglm|sonnet|"
    r"文心|星火|通义|千问|千問|豆包|智谱|混元|百川"
)
"""Names of models that are nobody's, and no other word."""
_SYSTEM_WORDS: Final = re.compile(
    rf"{MODELS}|bot\b|bot(?=[-_\d])|chat|claude|gemini|bard|mistral|palm|"
    r"phi\b|gemma|bing|\brag(?![^\W\d_])|\bllm\b|assistant|baseline|grok|"
    r"\b(?:model+|system|ki|ai|ia)(?:[-_ ]?\d+|[-_ ][a-z]|(?-i:[A-Z]))?$",
    re.IGNORECASE,
)
_CALLED_AI: Final = re.compile(r"[a-zß-ÿ](?:AI|KI|IA)\b")
"""A name that ends so, as KlinikKI does; nothing else is written with such capitals."""
_BRACKETS: Final = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_OPENINGS: Final = ("reference", "ground truth", "gold standard", "gold answer", "expert answer")
_PAIR: Final = 2
_LONG: Final = 40
"""Words of a header that is a text: each run of words in it may be a name."""
_OF: Final = re.compile(r"^(?:of|von|del?|dell?[ao]|d[aiou]|des|van|by)\s+")
EMAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_KINDS: Final = {"metric": "said", "dimension": "said", "answer": "filler", "comment": "said"}
"""Whether a phrase of this kind can be part of a name: words that say something cannot."""
_PIECE_ENDS: Final = re.compile(r"[()\[\]{}/|;,\n（）【】：、]|:\s|\s[-–—]\s|__|--|[–—]")


@dataclass(frozen=True, slots=True)
class Header:
    """What the words of a header say.

    Attributes:
        name: The header.
        roles: What it says as a whole.
        dimension: The library's dimension that it names.
        sense: `harm` or `safe` where it asks for a yes that is bad or good.
        metric: The metric that it names.
        ends: The scale that it names.
        people: Names with a word for people who rate: Rater 1, Dr. Weber.
        names: What is left: names of systems, people or things that no word file has.
        answers: Whether a word for an answer is in it.
        comment: Whether a word for a remark is in it.
        label: Whether a word for a label is in it.
    """

    name: str
    roles: tuple[Role, ...] = ()
    dimension: str = ""
    sense: str = ""
    metric: Metric | None = None
    ends: Ends | None = None
    people: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    answers: bool = False
    comment: bool = False
    label: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """One thing that a header of texts may mean.

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


@lru_cache(maxsize=4096)
def read_header(name: str) -> Header:
    """Say what the words of a header say, whatever its cells hold.

    Example:
        >>> found = read_header("ChatGPT accuracy (Rater Müller)")
        >>> found.dimension, found.people, found.names
        ('accuracy', ('Rater Müller',), ('ChatGPT',))
        >>> read_header("answer_relevancy").metric.name, read_header("Physician 1 safety").people
        ('answer_relevancy', ('Physician 1',))
    """
    ends, rest = read_ends(name)
    known = lexicon()
    email = EMAIL.search(rest)
    if email is not None:
        rest = f"{rest[: email.start()]} | {rest[email.end() :]}"
    pieces = tokens(rest)
    whole = tuple(word for word, _, _ in pieces)
    roles = known.roles.get(whole) or _of_a_unit(rest, whole)
    dimension = sense = ""
    metric = None
    answers = comment = label = False
    kinds: list[str] = []
    while len(kinds) < len(pieces):
        at = len(kinds)
        inside = pieces[at][1] > 0 and rest[pieces[at][1] - 1].isdigit()
        phrase, kind = ((), "name") if inside else _phrase(whole[at : at + known.longest])
        if kind == "filler" and at and kinds[-1] in {"name", "people"}:
            # In "bot-a" the French word a is part of a name; so is A in "Reviewer A", "Model A".
            joined = rest[pieces[at - 1][2] : pieces[at][1]] == "-"
            called = kinds[-1] == "people" or is_like_a_system(whole[at - 1])
            letter = called and rest[pieces[at][1]].isupper() and len(phrase) == 1
            kind = "name" if joined or (letter and len(phrase[0]) == 1) else kind
        if len(phrase) == 1 and re.match(r"[A-Z]\.(?!\d)", rest[pieces[at][1] :]):
            kind = "name"  # the S. of "S. Patel"
        if kind == "metric" and len(pieces) > len(phrase) and is_like_a_system(" ".join(phrase)):
            kind = "name"  # Perplexity is a chatbot, too
        kinds += [_KINDS.get(kind, kind)] * max(len(phrase), 1)
        metric = metric or (known.metrics[phrase] if kind == "metric" else None)
        dimension = dimension or (known.dimensions[phrase] if kind == "dimension" else "")
        sense = sense or known.asked.get(phrase, "")
        answers, comment = answers or kind == "answer", comment or kind == "comment"
        label = label or "label" in known.roles.get(phrase, ())
    if metric is not None and ends is not None and dimension:
        metric = None
    people, names = _pieces(rest, pieces, _without_roles(rest, pieces, kinds))
    people = (email[0], *people) if email is not None else people
    label = label or any("label" in known.roles.get((word,), ()) for word in whole)
    return Header(
        name, roles, dimension, sense, metric, ends, people, names, answers, comment, label
    )


def _of_a_unit(header: str, words: tuple[str, ...]) -> tuple[Role, ...]:
    """Say what a header counts by the unit that it ends with: generation_time_s, Zeit in Sekunden.

    The (s) of Item(s) is an ending, and the S. of "Accuracy Jane S." an initial.
    """
    units, rated = lexicon().units, lexicon().dimensions
    if any((word,) in rated for word in words[:-1]):
        return ()  # Min of "Accuracy Min" is somebody
    ends = words[-1:] if not re.search(r"[a-z]\([a-z]{1,2}\)$|\b[A-Z]\.?$", header.strip()) else ()
    told: list[Role | None] = [units.get(word) for word in ends]
    told += ["fact" for word in words if units.get(word) == "fact"]
    return tuple(role for role in told[:2] if role and len(words) > 1)[:1]


def _without_roles(text: str, pieces: list[tuple[str, int, int]], kinds: list[str]) -> list[str]:
    """Let a bare word for people be a word of a name, where another has its name behind it.

    In "Rigore medico (Physician 1)" nobody is called medico.
    """
    named: set[int] = set()
    for at in reversed(range(len(kinds) - 1)):
        apart = _PIECE_ENDS.search(text[pieces[at][2] : pieces[at + 1][1]])
        if kinds[at] == "people" and not apart and (kinds[at + 1] == "name" or at + 1 in named):
            named.add(at)
    bare = {at for at, kind in enumerate(kinds) if named and kind == "people"} - named
    return ["name" if at in bare else kind for at, kind in enumerate(kinds)]


def _phrase(words: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Find the longest phrase that words begin with and a file of words has, and what it is."""
    known = lexicon()
    for length in range(len(words), 0, -1):
        phrase = words[:length]
        roles = known.roles.get(phrase, ())
        told = (
            ("metric", phrase in known.metrics),
            ("dimension", phrase in known.dimensions),
            ("answer", "answer" in roles),
            ("comment", "comment" in roles),
            ("people", phrase in known.people),
            ("filler", phrase in known.filler or (roles == ("label",) and phrase != ("mark",))),
        )
        kind = next((name for name, so in told if so), "")
        if kind:
            return phrase, kind
    return (), "name"


def _pieces(
    text: str, pieces: list[tuple[str, int, int]], kinds: list[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the runs of words that no word file has, those with a word for people apart."""
    people: list[str] = []
    names: list[str] = []
    run: list[int] = []

    def close() -> None:
        if run:
            words = [at for at in run if kinds[at] != "filler"]
            if words:
                written = text[pieces[run[0]][1] : pieces[run[-1]][2]].strip()
                (people if any(kinds[at] == "people" for at in run) else names).append(written)
            run.clear()

    for at, kind in enumerate(kinds):
        between = text[pieces[run[-1]][2] : pieces[at][1]] if run else ""
        apart = run and (
            _PIECE_ENDS.search(between)
            or (
                kinds[run[-1]] == "name"
                and script_of(pieces[run[-1]][0])
                and script_of(pieces[at][0]) - script_of(pieces[run[-1]][0])
            )
        )
        # In "Physician 1 Warmth" the number ends the name.
        ended = run and kinds[run[0]] == "people" and pieces[run[-1]][0].isdigit() and between
        if apart or ended or (kind == "people" and run and kinds[run[-1]] == "name"):
            close()
        if kind in {"name", "people"}:
            run.append(at)
        else:
            close()
    close()
    return tuple(people), tuple(names)


def script_of(text: str) -> set[str]:
    """Give the script of a word's first letter; none of a number, and one of all that Japan writes.

    Example:
        >>> script_of("Müller"), script_of("王伟") == script_of("さとう"), script_of("2")
        ({'LATIN'}, True, set())
    """
    letter = next((sign for sign in text if sign.isalpha()), "")
    name = unicodedata.name(letter, "").split(" ")[0] if letter else ""
    return {"CJK" if name in {"HIRAGANA", "KATAKANA"} else name} - {""}


@lru_cache(maxsize=16384)
def joined(name: str) -> str:
    """Give the letters and digits of a name as one word.

    Example:
        >>> joined("GPT-4 Turbo"), joined("Patient's")
        ('gpt4turbo', 'patients')
    """
    return "".join(runs_of("".join(word for word, _, _ in tokens(name))))


def runs_of(text: str) -> list[str]:
    """Give what stands in a text without a sign between: all that a name in it can begin with."""
    return re.findall(r"[^\W_]+", text.casefold().replace("ı", "i").replace("#", " no "))


@lru_cache(maxsize=16384)
def names_inside(text: str) -> frozenset[str] | None:
    """Give each name that may stand in a text as words of its own, as `joined` writes it.

    None of a text so long that any may.
    """
    runs = runs_of(text)
    if len(runs) > _LONG:
        return None
    ends = range(1, len(runs) + 1)
    return frozenset("".join(runs[start:end]) for end in ends for start in range(end))


def without_name(text: str, name: str) -> str | None:
    """Take a name out of a text; None where it is not in it as words of its own.

    Example:
        >>> without_name("GPT-4_Anna", "GPT-4"), without_name("GPT-40", "GPT-4")
        ('Anna', None)
        >>> without_name("A_Clarity", "A"), without_name("Clarity (1 a 5)", "A")
        ('Clarity', None)
    """
    # Most names are in no text: that is seen without a pattern.
    inside = names_inside(text)
    return _without(text, name) if inside is None or joined(name) in inside else None


@lru_cache(maxsize=16384)
def _without(text: str, name: str) -> str | None:
    short = len(name) <= _PAIR
    words = [name[start:end] if short else word for word, start, end in tokens(name)]
    signs = ["['’`]?".join(map(re.escape, word)) for word in words]
    if not signs:
        return None
    inside = r"[\W_]*".join(signs)
    pattern = rf"(?<![^\W_]){inside}(?![^\W_])"
    # A letter or two are a word in many languages; a name is written as it is elsewhere.
    found = re.search(pattern, text, 0 if short else re.IGNORECASE)
    if found is None:
        return None
    left = re.sub(r"\(\s*\)|\[\s*\]", " ", f"{text[: found.start()]} {text[found.end() :]}")
    initial = re.search(r"\b[A-Z]\.\s*$", left)  # of "Jane S."
    return left.strip(" _-–—:/|,.") + ("." if initial else "")


def headings(header: str) -> tuple[Heading, ...]:
    """Say what a header of a column of texts may mean: nothing, one thing, or several.

    Example:
        >>> headings("Gold standard (UpToDate)"), headings("Response (GPT-4)")
        ((Heading(role='reference', of=''),), (Heading(role='answer', of='GPT-4'),))
        >>> headings("ChatGPT answer"), headings("Frobnication")
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
    known = lexicon().roles
    whole = form(header)
    counted = () if is_like_a_system(header) else _of_a_unit(header, whole)
    roles = list(known.get(whole) or known.get(form(bare)) or counted)
    if roles:
        if roles == ["question"] and is_like_a_system(inside):
            roles = ["answer"]  # "[openai:gpt-4] {{question}}": what it was sent
        if roles == ["answer"] and is_like_a_reference(inside):
            roles = ["reference"]
        elif roles == ["answer"] and _is_of_people(inside):
            roles = ["reference", "answer"]
        return tuple(Heading(role, inside if role == "answer" else "") for role in roles)
    words = plain(bare)
    if any(words.startswith(f"{opening} ") for opening in _OPENINGS):
        return (Heading("reference"),)
    if words.endswith(" question"):
        return (Heading("question"),)
    name = _bare_system(without_answer(bare))
    if name.islower() and is_like_a_system(inside):
        return (Heading("answer", inside),)  # in "Reply given (GPT-4)" given is no system
    if is_like_a_reference(name):
        return (Heading("reference"),)
    an_id = words.split()[-1:] in (["id"], ["ids"], ["uuid"])  # of an answer, and none
    found = (Heading("answer", name),) if name and not an_id else ()
    of_people = _is_of_people(name) or (is_like_a_reference(inside) and not is_like_a_system(name))
    return (Heading("reference"), *found) if found and of_people else found


def _bare_system(name: str) -> str:
    """Take small words off before a system's name: of "given bot-a" that is bot-a."""
    first, _, rest = name.partition(" ")
    small = first.islower() and not is_like_a_system(first)
    return _bare_system(rest) if small and is_like_a_system(rest) else name


def _is_of_people(name: str) -> bool:
    """Say whether people answered, whose answers may be a reference or rated beside the others."""
    return not (LISTS["answering"].isdisjoint(plain(name).split()) or is_like_a_system(name))


def without_answer(header: str, role: Role = "answer") -> str:
    """Give what is left of a header that begins or ends with a word for an answer, or a role."""
    return next(owners(header, role), "")


def owners(header: str, role: Role = "answer") -> Iterator[str]:
    """Give all that may be left of such a header, the shortest first.

    Example:
        >>> list(owners("NHS bot answer")), list(owners("Answer (Bot A)"))
        (['NHS', 'NHS bot'], ['Bot A'])
    """
    pieces = tokens(header)
    roles = lexicon().roles
    for size in range(len(pieces) - 1, 0, -1):
        front = tuple(word for word, _, _ in pieces[:size])
        back = tuple(word for word, _, _ in pieces[-size:])
        for phrase, rest in (
            (back, header[: pieces[-size][1]]),
            (front, header[pieces[size - 1][2] :]),
        ):
            inside = rest and (rest[-1].isalnum() if phrase == back else rest[0].isalnum())
            # Where nobody writes blanks, 回答 parts from the name of a model alone.
            inside = inside and not (script_of(phrase[0]) == {"CJK"} and is_like_a_system(rest))
            if role in roles.get(phrase, ()) and not inside:
                left = _OF.sub("", rest.strip(" _:/-–—.|的"))
                inside_brackets = _BRACKETS.fullmatch(left)
                yield (inside_brackets[1] or inside_brackets[2] or "") if inside_brackets else left


def is_like_a_system(header: str) -> bool:
    """Say whether a header has a word that systems are called by.

    Example:
        >>> is_like_a_system("AlphaChat"), is_like_a_system("Llama 3"), is_like_a_system("Advice")
        (True, True, False)
    """
    return (_SYSTEM_WORDS.search(header) or _CALLED_AI.search(header)) is not None


def system_part(header: str) -> str:
    """Give the part of a header that may be a system's name: up to a version behind its word.

    Example:
        >>> system_part("Med-PaLM 2 generated text"), system_part("Llama-3-8b"), system_part("X")
        ('Med-PaLM 2', 'Llama-3-8b', 'X')
    """
    found = _SYSTEM_WORDS.search(header)
    rest = re.match(r"\S*(?:[ _]v?\d\S*)?", header[found.end() :]) if found else None
    return header[: found.end() + rest.end()] if found and rest else header


def product_in(header: str) -> str:
    """Give the name of a product that words stand before which may be none of it; else all.

    Example:
        >>> product_in("Frump ChatGPT"), product_in("Frump (GPT-4 Turbo)")
        ('ChatGPT', 'GPT-4 Turbo')
        >>> product_in("Google Gemini"), product_in("Alpha Bot"), product_in("Bing Chat")
        ('Google Gemini', 'Alpha Bot', 'Bing Chat')
    """
    pieces = list(re.finditer(r"[^\s()\[\]]+", header))
    named = [is_like_a_system(piece[0]) for piece in pieces]
    if not any(named) or named[0] or pieces[0][0].casefold() in LISTS["makers"]:
        return header
    product = pieces[named.index(True)]
    bare = product[0].casefold() in LISTS["models"]  # "Alpha Bot"
    return header if bare else header[product.start() :].strip(" )]")


def is_like_a_reference(header: str) -> bool:
    """Say whether a header names what answers are held against, and nothing else.

    Example:
        >>> is_like_a_reference("UpToDate"), is_like_a_reference("Expert panel")
        (True, True)
        >>> is_like_a_reference("DoctorBot"), is_like_a_reference("Expert 2, agrees?")
        (False, False)
    """
    words = [word for word in plain(header).split() if not word.isdigit()]
    yardsticks = LISTS["yardsticks"]
    told = not yardsticks.isdisjoint(words) or " up to date " in f" {' '.join(words)} "
    answers = {" ".join(phrase) for phrase, roles in lexicon().roles.items() if "answer" in roles}
    return told and answers.union(yardsticks, LISTS["answering"], LISTS["beside"]).issuperset(words)


def known_metric(name: str) -> Metric | None:
    """Give the metric that a word file has under this name."""
    return lexicon().metrics.get(form(name)) or read_header(name).metric


@lru_cache(maxsize=4096)
def metric_called(name: str) -> Metric:
    """Say which way a metric is better and between which values, by its name; else higher.

    Of a name that no word file has this is assumed.

    Example:
        >>> metric_called("faithfulness").high, metric_called("toxicity").better
        (1.0, 'lower')
    """
    known = known_metric(name)
    if known is not None:
        return known
    words = form(name)
    lower = not LISTS["lower"].isdisjoint(words) and not {"no", "non", "free"} & set(words)
    return Metric(name, None, None, "lower" if lower else "higher", assumed=True)
