"""How names of systems are spelt in running text, and where a spelling speaks for itself."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

__all__ = ["ORDINARY", "name_patterns", "spelling", "title_patterns"]

# Names that language models have in their answers, whatever a study calls its systems.
_TELLING: Final = (
    "BioGPT", "BioMistral", "ChatGPT", "Copilot", "DeepSeek", "Llama", "Med-PaLM", "Meditron",
    "Mixtral", "OpenAI", "Anthropic", "Qwen", "Vicuna",
)  # fmt: skip
# Words of their own, too; GPT is an enzyme of the liver. With a version they are models.
ORDINARY: Final = (
    "Alpaca", "Bard", "Claude", "Command R", "Falcon", "Gemini", "Gemma", "GPT", "Grok", "Mistral",
    "PaLM", "Phi", "Yi",
)  # fmt: skip
_SHORT: Final = 2
_VERSION: Final = r"(?:[-_. ]?v?\d[\w.]*)?"
_BEGIN: Final = r"(?:^|(?<=[.!?:;,\n]))[\"'“‘(\s*_]*"
_I_AM: Final = (
    r"\b(?:I am|I['’]m|my name is|this is|call me|(?:powered|generated|written|produced|answered) "
    r"by|you(?: are|['’]re) (?:talking|speaking|chatting) (?:to|with))[\s:*_\"“]+(?:the )?"
)
_CALLED: Final = (
    r"\b(?:my name is|call me|I(?: am|['’]m) (?:the )?(?:system|model|assistant))[\s:*_]+"
)


def spelling(name: str) -> str:
    """Give a pattern of all spellings of a name: hyphens, blanks, dots and underscores are one.

    Example:
        >>> spelt = re.compile(spelling("gpt4"), re.IGNORECASE)
        >>> [word for word in ("GPT-4", "gpt 4", "Gpt_4", "gpt5") if spelt.fullmatch(word)]
        ['GPT-4', 'gpt 4', 'Gpt_4']
    """
    pieces = re.findall(r"[^\W\d_]+|\d+|[^\w\s.\-]+", name)
    return r"[\s_.\-‐‑]?".join(re.escape(piece) for piece in pieces)


@cache
def name_patterns(names: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Give what to look for in an answer, and what a match gives away.

    A name that no sentence uses by chance is looked for everywhere, in whatever spelling. A plain
    word, a short name, and what is left of a name without its version count only where the text
    speaks of itself by it; a plain word also where it has a capital within a sentence.
    """
    own = "speaks of itself by the name of a system"
    patterns: list[tuple[re.Pattern[str], str]] = []
    plain: set[str] = set()
    for name in sorted(names, key=lambda other: (-len(other), other)):
        letters = re.sub(r"[\W_]", "", name)
        if not letters:
            continue
        if len(letters) <= _SHORT:
            patterns.append((re.compile(rf"(?i:{_CALLED}){_alone(name)}"), own))
            continue
        if name.isalpha() and (name.islower() or name.istitle() or name.isupper()):
            plain.add(name)
            continue
        patterns.append((_anywhere(_alone(name)), "names a system of the study"))
        stem = re.split(r"[\W\d_]", name)[0]
        if len(stem) > _SHORT:
            plain.add(stem)
    models = {word.casefold() for word in _TELLING}
    telling = [name for name in sorted(plain) if name.casefold() in models]
    patterns += [(_anywhere(_alone(name)), "names a system of the study") for name in telling]
    patterns += [(_anywhere(_alone(name, _VERSION)), "names a model") for name in _TELLING]
    ordinary = _either(ORDINARY)
    # "GPT 40 U/l" is a value of the enzyme.
    with_blank = _either(name for name in ORDINARY if name != "GPT")
    patterns += [
        (_anywhere(rf"(?<!\w)(?:{ordinary})-?v?\d+(?:\.\d+)?[a-z]?(?!\w)"), "names a model"),
        (re.compile(rf"(?<!\w)(?:{with_blank}) v?\d+(?:\.\d+)?[bB]?(?!\w)"), "names a model"),
        (re.compile(r"(?<!\w)GPT [345](?:\.\d|o)?(?!\w)(?! ?[%x×/])"), "names a model"),
        (_anywhere(rf"{_I_AM}(?:{ordinary}){_VERSION}(?!\w)|\bas (?:{ordinary}){_VERSION}(?!\w)"),
         "speaks of itself as a model"),
        (_anywhere(rf"{_BEGIN}(?:{ordinary}){_VERSION} (?:here|speaking)\b"),
         "speaks of itself as a model"),
    ]  # fmt: skip
    words = sorted(plain - set(telling))
    if words:
        either = _either(words)
        patterns += [
            (_anywhere(rf"{_I_AM}(?:{either}){_VERSION}(?!\w)"), own),
            (_anywhere(rf"{_BEGIN}as (?:{either}){_VERSION},"), own),
            (_anywhere(rf"{_BEGIN}(?:{either}){_VERSION} (?:here|speaking)\b"), own),
            (
                re.compile(rf"(?<=[a-z,] )(?:{_either(word.title() for word in words)})(?!\w)"),
                "names a system of the study",
            ),
        ]
    return tuple(patterns)


@cache
def title_patterns(names: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Give what to look for in a heading that every rater reads: any name, written as a name."""
    long = [name for name in names if len(re.sub(r"[\W_]", "", name)) > _SHORT]
    return (
        *((_anywhere(_alone(name)), "names a system of the study") for name in sorted(long)),
        (_anywhere(rf"(?<!\w)(?:{_either(_TELLING)}){_VERSION}(?!\w)"), "names a model"),
        (re.compile(rf"(?<!\w)(?:{_either(ORDINARY)}){_VERSION}(?!\w)"), "names a model"),
    )


def _alone(name: str, version: str = "") -> str:
    return rf"(?<!\w){spelling(name)}{version}(?!\w)"


def _either(names: Iterable[str]) -> str:
    return "|".join(spelling(name) for name in names)


def _anywhere(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
