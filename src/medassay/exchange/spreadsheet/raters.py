"""Who rated: whether each rater is a person or a model, as typed, as kept, or as asked."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.proposal import ImportQuestion
from medassay.exchange.spreadsheet.collected import FallbackNames
from medassay.exchange.spreadsheet.headers import MODELS
from medassay.exchange.spreadsheet.words import LISTS
from medassay.text import first_of

_KINDS: Final = {"people": "person", "person": "person", "models": "model", "model": "model"}
_PAIRS: Final = re.compile(r"(?<==person)\s*,|(?<==people)\s*,|(?<==models)\s*,|(?<==model)\s*,")
"""What parts pairs: a comma in a name does not."""
_SURE: Final = re.compile(
    rf"{MODELS}|llm|chatbot|bing[-_ ]?chat|(?:claude|mistral)[-_ ]?ai(?![^\W_])|^assistant$|"
    r"\bo[134][-_ ]mini|auto[-_ ]?(?:judge|rater|grader|evaluator)|"
    r"(?<![^\W_])bot(?![^\W\d_])|(?-i:\b(?!talbot|abbot|cabot)[a-z-]{2,}bot)(?![^\W\d_])|"
    r"(?-i:[a-zß-ÿ](?:Bot|Chat|AI|KI|IA))(?![^\W\d_])",
    re.IGNORECASE,
)
"""What no person's name holds."""
_MAY_BE: Final = (LISTS["names_of_models"] | LISTS["models"]) - {
    "llm",
    "bot",
    "chatbot",
    "assistant",
}
"""Models, or words for them, that are people's names or other words, too."""
_VERSION: Final = re.compile(
    rf"(?<![^\W\d_])(?:{'|'.join(sorted(_MAY_BE))})[-_ ]?v?\d", re.IGNORECASE
)


def typed_raters(words: Sequence[str]) -> tuple[list[str], dict[str, str], str]:
    """Part what was typed into names, kinds of single raters, and the kind of every other.

    Raises:
        InvalidInput: A rater is said to be something else than a person or a model.

    Example:
        >>> typed_raters(["anna=person,gpt-4=model", "models"])
        ([], {'anna': 'person', 'gpt-4': 'model'}, 'model')
    """
    names, kinds, every = list[str](), dict[str, str](), ""
    for word in (word.strip() for word in words):
        if word in _KINDS:
            every = _KINDS[word]
        elif "=" not in word:
            names.append(word)
        else:
            for pair in filter(None, map(str.strip, _PAIRS.split(word))):
                name, _, kind = pair.rpartition("=")
                if not name or kind not in _KINDS:
                    must = "be a name, people, models, or pairs such as anna=person,gpt-4=model"
                    raise InvalidInput(Problem("--rater", must, f'"{pair}"'))
                kinds[name] = _KINDS[kind]
    return names, kinds, every


def kinds_of(found: Mapping[str, str], typed: Mapping[str, str], every: str) -> dict[str, str]:
    """Give the kind of each rater: what the files say, else what was typed; empty if neither does.

    Raises:
        InvalidInput: Somebody typed is not in the files, or the files call them something else.
    """
    strange = [name for name in typed if name not in found]
    if strange:
        hint = f"There are: {first_of(sorted(found), 8)}." if found else ""
        raise InvalidInput(Problem("--rater", "name a rater of the files", f'"{strange[0]}"', hint))
    for name, kind in found.items():
        wanted = typed.get(name, "")
        if wanted and kind and wanted != kind:
            must = f"not call {name} a {wanted}"
            raise InvalidInput(Problem("--rater", must, f"a file that says {kind}"))
    return {name: kind or typed.get(name, "") or every for name, kind in found.items()}


def names_typed(system: str, rater: Sequence[str]) -> FallbackNames:
    """Give what was typed of a spreadsheet's raters, and the system that no column names.

    Raises:
        InvalidInput: Two raters are named, or one is neither a person nor a model.
    """
    names, kinds, every = typed_raters(rater)
    if names[1:] or re.search(r"\S[,;]\S", "".join(names)):
        must = "name one rater, for ratings whose rater no column names"
        hint = "Who gave which ratings a column says, or the name of each sheet."
        raise InvalidInput(Problem("--rater", must, ", ".join(f'"{name}"' for name in names), hint))
    return FallbackNames(system, "".join(names), kinds, every)


def is_like_a_model(name: str) -> bool:
    """Say whether a rater is called as models are, and as no person is.

    Example:
        >>> [is_like_a_model(name) for name in ("gpt-4", "Llama 3", "Claude", "AI judge")]
        [True, True, True, True]
        >>> [is_like_a_model(name) for name in ("Müller", "R1", "Palmer", "Talbot", "Claude Roy")]
        [False, False, False, False, False]
    """
    words = {word.casefold() for word in re.findall(r"[^\W\d_]+", name)}
    names = {word for word in words - _MAY_BE - LISTS["of_a_model"] if word[1:]}
    told = not names or "/" in name or _VERSION.search(name)
    return bool(_SURE.search(name) or (words & _MAY_BE and told))


def are_models_asked(
    shown: str, raters: Collection[str], names: FallbackNames
) -> list[ImportQuestion]:
    """Ask of all raters who are called as models are, and of whom nobody said what they are."""
    open_ = [name for name in sorted(raters) if is_like_a_model(name) and not names.kind(name)]
    if not open_:
        return []
    listed = first_of([f'"{name}"' for name in open_], 5)
    ask = f"Who rated: {'are' if open_[1:] else 'is'} {listed} "
    ask += "models or people?" if open_[1:] else "a model or a person?"
    typed = {kind: [f"{name}={kind}" for name in open_] for kind in ("model", "person")}
    several = bool(open_[1:])
    ways = {
        "models" if several else "a model": [",".join(typed["model"])],
        "people" if several else "a person": [",".join(typed["person"])],
    }
    if several:
        at = next((at for at, name in enumerate(open_) if not _SURE.search(name)), 0)
        mixed = [typed["person" if own == at else "model"][own] for own in range(len(open_))]
        rest = "the others are models" if open_[2:] else "the other is a model"
        ways[f'"{open_[at]}" is a person, {rest}'] = [",".join(mixed)]
    return [ImportQuestion(shown, ask, "rater", ways)]
