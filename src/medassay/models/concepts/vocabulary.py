"""Find the names of a vocabulary in a text."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

_BREAK: Final = "|"
"""What stands for punctuation among words; no name holds it in the same place by chance."""
_PIECE: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|(?<=\w)[-‐‑‒–](?=\w)|[^\s\w]+|_+")
_HYPHENS: Final = frozenset("-‐‑‒–")
# A prefix and what follows its hyphen are one word: anti-viral and antiviral.
_PREFIX_WORDS: Final = (
    "anti auto bi co cyto de endo extra hemi hyper hypo immuno inter intra macro micro mid mono"
    " multi neuro non over peri poly post pre re semi sub super supra trans tri ultra un under"
)
_PREFIXES: Final = frozenset(_PREFIX_WORDS.split())
# The same two rules for ASCII, where no place is asked for: a prefix loses its hyphen, any other
# hyphen between words is a blank.
_PREFIX_HYPHEN: Final = re.compile(
    rf"(?<![\w'])({'|'.join(sorted(_PREFIXES))})-(?=[^\W_])", re.IGNORECASE
)
_HYPHEN: Final = re.compile(r"(?<=[^\W_])-(?=\w)")
_ASCII_PIECE: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\s\w]+|_+")
# Stems whose British ae or oe is an American e. A list, because aerobic and poem keep theirs.
_LIGATURE: Final = re.compile(
    "aemi|aetio|anaes|apnoe|caec|caes|coeli|diarrhoe|faec|foet|gynaec|haem|hypoxaem|oede|oesoph"
    "|oestr|paed|pnoe|rrhoe|taenia"
)
_STARTS: Final[Mapping[str, str]] = {
    "adrenaline": "epinephrine",
    "behaviour": "behavior",
    "colour": "color",
    "grey": "gray",
    "labour": "labor",
    "leuco": "leuko",
    "mould": "mold",
    "noradrenaline": "norepinephrine",
    "odour": "odor",
    "paracetamol": "acetaminophen",
    "salbutamol": "albuterol",
    "tumour": "tumor",
}
_START: Final = re.compile("|".join(_STARTS))
_MEASURE: Final = re.compile("(met|lit|fib|tit|cent)re(?=s?$)")
# -isation and its like. Not -ise alone: exercise and disease are no verbs in -ize.
_ISE: Final = re.compile("(?<=[a-z]{3})is(?=(?:ation|ations|ed|ing)$)")
_LYSE: Final = re.compile("(?<=[a-z])lys(?=(?:ed|ing|er|ers)$)")
_WITH_S: Final = (
    "advised bruised bruising compromised diseased disguised exercised exercising immunocompromised"
    " practised promised promising raised raising revised supervised surprised surprising"
)
_NOT_ISE: Final = frozenset(_WITH_S.split())
_SAME: Final = (
    "always caries diabetes does gas has herpes lens mumps pus rabies rickets scabies series"
    " species was yes"
)
_IRREGULAR: Final[Mapping[str, str]] = {
    **{word: word for word in _SAME.split()},
    "appendices": "appendix", "bacteria": "bacterium", "biopsies": "biopsy", "bronchi": "bronchus",
    "calculi": "calculus", "cervices": "cervix", "children": "child", "diverticula": "diverticulum",
    "emboli": "embolus", "feet": "foot", "fetuses": "fetus", "fungi": "fungus", "gases": "gas",
    "lenses": "lens", "lice": "louse", "men": "man", "mice": "mouse", "naevi": "nevus",
    "naevus": "nevus", "nevi": "nevus", "nuclei": "nucleus", "ova": "ovum", "papillae": "papilla",
    "sinuses": "sinus", "staphylococci": "staphylococcus", "streptococci": "streptococcus",
    "teeth": "tooth", "thrombi": "thrombus", "uteruses": "uterus", "vertebrae": "vertebra",
    "viruses": "virus", "women": "woman",
}  # fmt: skip
# The first ending that fits counts; at least two letters stay before it.
_ENDINGS: Final = (
    ("itides", "itis"), ("oses", "osis"), ("stases", "stasis"), ("lyses", "lysis"),
    ("crises", "crisis"), ("omata", "oma"), ("ies", "y"), ("sses", "ss"), ("shes", "sh"),
    ("ches", "ch"), ("xes", "x"),
)  # fmt: skip
_LONG_ENOUGH: Final = 4
_NOT_PLURAL: Final = ("ss", "us", "is")
_LONGEST: Final = 8
"""Words of a name; longer ones are sentences of a classification that nobody repeats."""
_BRACKETS: Final = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_SHORTEST: Final = 3
_EVERYDAY: Final = "everyday.txt"
_TOO_GENERAL: Final = "too_general.txt"


class Word(NamedTuple):
    """A word of a text.

    Attributes:
        form: What is compared: lower case, singular, American, without accents.
        start: Where it starts in the text.
        end: Where it ends.
        capitals: Whether it is written in capitals alone, two or more.
    """

    form: str
    start: int
    end: int
    capitals: bool


def split_words(text: str) -> list[Word]:
    """Split a text in form NFC into words and breaks.

    Example:
        >>> [word.form for word in split_words("Athlete’s foot; anti-viral tumours")]
        ['athlete', 'foot', '|', 'antiviral', 'tumor']
    """
    words: list[Word] = []
    prefix = joined = False
    for match in _PIECE.finditer(text):
        piece, (start, end) = match[0], match.span()
        around = text[max(start - 1, 0) : start] + text[end : end + 1].replace("_", "a")
        if piece in _HYPHENS and len(around) > 1 and around.isalnum():
            joined = prefix
            continue
        if not piece[0].isalnum():
            words.append(Word(_BREAK, start, end, capitals=False))
            prefix = joined = False
            continue
        if joined:
            start = words.pop().start
        whole = text[start:end]
        words.append(Word(normal_form(whole), start, end, len(whole) > 1 and whole.isupper()))
        prefix, joined = piece.lower() in _PREFIXES, False
    return words


def forms_of_ascii(text: str) -> tuple[list[str], list[str]]:
    """Give the pieces of an ASCII text and their forms, without their places: faster.

    Example:
        >>> forms_of_ascii("Anti-viral drugs, X-rays")
        (['Antiviral', 'drugs', ',', 'X', 'rays'], ['antiviral', 'drug', '|', 'x', 'ray'])
    """
    if "-" in text:
        text = _HYPHEN.sub(" ", _PREFIX_HYPHEN.sub(r"\1", text))
    pieces = _ASCII_PIECE.findall(text)
    return pieces, [normal_form(piece) if piece[0].isalnum() else _BREAK for piece in pieces]


def key_of(name: str) -> str:
    """Give the words of a name in one form, a blank between them.

    Example:
        >>> key_of("Haemorrhagic Fevers, Viral")
        'hemorrhagic fever | viral'
    """
    return " ".join(word.form for word in split_words(unicodedata.normalize("NFC", name)))


@lru_cache(maxsize=1 << 16)
def normal_form(word: str) -> str:
    """Give the one form of a word.

    Example:
        >>> normal_form("Sjögren’s"), normal_form("Oesophageal"), normal_form("anti-viral")
        ('sjogren', 'esophageal', 'antiviral')
    """
    plain = word.lower()
    if not plain.isascii():
        plain = plain.replace("œ", "oe").replace("æ", "ae").replace("’", "'").replace("ß", "ss")
        apart = unicodedata.normalize("NFKD", plain)
        plain = "".join(c for c in apart if not unicodedata.combining(c) and c not in _HYPHENS)
    plain = plain.replace("-", "").removesuffix("'s").replace("'", "")
    return singular(american(plain)) if plain.isascii() else plain


def american(word: str) -> str:
    """Give the American spelling of a lower-case word, and one name of twice-named drugs.

    Example:
        >>> [american(w) for w in ("anaemia", "oesophagus", "hospitalised", "exercise", "aerobic")]
        ['anemia', 'esophagus', 'hospitalized', 'exercise', 'aerobic']
    """
    word = _LIGATURE.sub(lambda match: match[0].replace("ae", "e").replace("oe", "e"), word)
    start = _START.match(word)
    if start is not None:
        word = _STARTS[start[0]] + word[start.end() :]
    word = _MEASURE.sub(r"\1er", word.replace("sulph", "sulf"))
    return _LYSE.sub("lyz", word if word in _NOT_ISE else _ISE.sub("iz", word))


def singular(word: str) -> str:
    """Give the singular of a lower-case English word, or a form that its plural shares.

    Example:
        >>> [singular(w) for w in ("allergies", "diagnoses", "biopsies", "virus", "pancreatitis")]
        ['allergy', 'diagnosis', 'biopsy', 'virus', 'pancreatitis']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < _LONG_ENOUGH or not word.endswith(("s", "omata")):
        return word
    for ending, single in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + single
    return word if word.endswith(_NOT_PLURAL) else word[:-1]


def keys_of(name: str) -> Iterator[str]:
    """Give the key under which a name is found; inverted names are turned.

    Example:
        >>> list(keys_of("Fevers, Hemorrhagic")), list(keys_of("Zinc (Zn)")), list(keys_of("B6"))
        (['hemorrhagic fever'], ['zinc'], [])
    """
    key = key_of(_turned(_BRACKETS.sub("", name).strip()))
    # 2', B6 and the like: what holds no two letters names nothing on its own.
    long_enough = len(key) >= _SHORTEST and _LETTERS.search(key) is not None
    if long_enough and key.count(" ") < _LONGEST and key[0] != _BREAK and not _is_too_general(key):
        yield key


def _turned(name: str) -> str:
    what, comma, kind = name.partition(", ")
    return f"{kind} {what}" if comma and ", " not in kind else name


def _is_too_general(key: str) -> bool:
    """Say whether a name is too general to compare answers by: disease, drug, therapy."""
    return key in _listed(_TOO_GENERAL)


def everyday_words() -> frozenset[str]:
    """Give names that are also words of every day: they count only where written in capitals."""
    return _listed(_EVERYDAY)


def list_files() -> list[Path]:
    """Give the files of these lists: a vocabulary is another one when they change."""
    return [_path(_EVERYDAY), _path(_TOO_GENERAL)]


def _path(file: str) -> Path:
    return Path(str(files("medassay") / "data" / "concepts" / file))


@cache
def _listed(file: str) -> frozenset[str]:
    lines = _path(file).read_text(encoding="utf-8").splitlines()
    names = (name for line in lines if not line.startswith("#") for name in line.split(";"))
    return frozenset(key_of(name) for name in names if name.strip())


class FoundConcept(NamedTuple):
    """A name found in a text.

    Attributes:
        start: Where it starts in the text (in form NFC).
        end: Where it ends.
        concept: The identifier of what it stands for.
    """

    start: int
    end: int
    concept: str


class Vocabulary:
    """Names in one form, each with the concept that it stands for.

    From left to right the longest name wins, and a word belongs to one name only: "type 2 diabetes
    mellitus" is one concept, not three. Whether the text affirms or denies it is not looked at.

    Args:
        keys: Names as `key_of` gives them.
        places: For each name, the place of its concept.
        concepts: Identifier and preferred name of each concept.
        everyday: Names that count only where the text has them in capitals (AIDS, not aids).

    Example:
        >>> known = Vocabulary(["fever", "lassa fever"], [0, 1], [("A", "Fever"), ("B", "Lassa")])
        >>> known.find("Lassa fever starts with fever.")
        [FoundConcept(start=0, end=11, concept='B'), FoundConcept(start=24, end=29, concept='A')]
    """

    def __init__(
        self,
        keys: Sequence[str],
        places: Sequence[int],
        concepts: Sequence[tuple[str, str]],
        everyday: frozenset[str] = frozenset(),
    ) -> None:
        ids = [concept for concept, _ in concepts]
        self._concept = {key: ids[place] for key, place in zip(keys, places, strict=True)}
        self._everyday = everyday
        # The most words of any name that starts with these two: most pairs start none, and no
        # longer stretch is tried.
        self._reach: dict[str, int] = {}
        for key in keys:
            words = key.split(" ", 2)
            if len(words) > 1:
                pair = f"{words[0]} {words[1]}"
                self._reach[pair] = max(self._reach.get(pair, 2), key.count(" ") + 1)

    def __len__(self) -> int:
        """Count the names."""
        return len(self._concept)

    def find(self, text: str) -> list[FoundConcept]:
        """Give the names in a text from left to right; none overlap."""
        words = split_words(text if text.isascii() else unicodedata.normalize("NFC", text))
        return [
            FoundConcept(words[place].start, words[place + length - 1].end, concept)
            for place, length, concept in self._matches(
                [word.form for word in words], lambda place: words[place].capitals
            )
        ]

    def concepts(self, text: str) -> frozenset[str]:
        """Give the concepts that a text names, however often."""
        if not text.isascii():
            return frozenset(mention.concept for mention in self.find(text))
        pieces, forms = forms_of_ascii(text)
        return frozenset(
            concept
            for _, _, concept in self._matches(
                forms, lambda place: len(pieces[place]) > 1 and pieces[place].isupper()
            )
        )

    def _matches(
        self, forms: Sequence[str], in_capitals: Callable[[int], bool]
    ) -> Iterator[tuple[int, int, str]]:
        """Give place, number of words and concept of each name, the longest at each place."""
        known, reach, last = self._concept, self._reach, len(forms) - 1
        place = 0
        while place <= last:
            form = forms[place]
            most = reach.get(f"{form} {forms[place + 1]}", 1) if place < last else 1
            for length in range(min(most, last - place + 1), 1, -1):
                concept = known.get(" ".join(forms[place : place + length]))
                if concept is not None:
                    yield place, length, concept
                    place += length
                    break
            else:
                concept = known.get(form)
                if concept is not None and (form not in self._everyday or in_capitals(place)):
                    yield place, 1, concept
                place += 1
