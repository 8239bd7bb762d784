"""One spelling and one number for a word: American, singular.

Rules of stems and endings, for words as medicine uses them. They are applied to names and texts
alike, so a form need not be a word: what counts is that variants meet.
"""

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["american", "singular"]

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
