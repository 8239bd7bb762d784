"""The library of dimensions: one file each, from which a rubric of one's own is put together."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.judgements.load import load_rubric, rubric_content, rubric_names
from medassay.judgements.rubric import Rubric
from medassay.tables import read_toml

__all__ = ["RubricFile", "choose_rubric", "library_dimensions", "rubric_of"]

_BEGIN: Final = "[[dimensions]]"
_OPENING: Final = """\
# What your raters are asked. Change the words as you like, then look it through with
#   medassay rubric check {file}
# Every key is explained in docs/how-to/write-a-rubric.md.
name = "{name}"
title = "{title}"
wording = "medassay's own, from its library of dimensions."
# source = "Where your dimensions were published, with a DOI."
# rationale = "What raters are asked to write beside their labels; a column of its own."
"""


@dataclass(frozen=True, slots=True)
class RubricFile:
    """A rubric as a file of one's own.

    Attributes:
        rubric: The rubric.
        content: The file, with the comments of where it comes from.
    """

    rubric: Rubric
    content: bytes


def library_dimensions() -> tuple[str, ...]:
    """List the dimensions of the library.

    Example:
        >>> library_dimensions()[:4]
        ('accuracy', 'actionability', 'bias', 'citation-support')
    """
    return tuple(sorted(file.name.removesuffix(".toml") for file in _folder().iterdir()))


def choose_rubric(wish: str, name: str = "rubric") -> RubricFile:
    """Give the rubric that a user asks for in a word or a few.

    Args:
        wish: Dimensions of the library, joined by commas; or one rubric's name, ours or a
            package's; or a TOML file.
        name: What a rubric of dimensions is called: the name of its file without the ending.

    Raises:
        InvalidInput: A dimension is not in the library, or stands twice; or the rubric does not
            hold together.

    Example:
        >>> chosen = choose_rubric("accuracy, safety")
        >>> chosen.rubric.ids, chosen.rubric.title
        (('accuracy', 'safety'), 'Accuracy, safety')
        >>> choose_rubric("accuracy,safty")
        Traceback (most recent call last):
        ...
        medassay.errors.InvalidInput: rubric: must name dimensions of the library, a rubric or a \
.toml file; got "safty". Did you mean "safety"?
    """
    words = [word.strip() for word in wish.split(",") if word.strip()]
    if len(words) == 1 and (words[0].endswith(".toml") or words[0] in rubric_names()):
        return RubricFile(load_rubric(words[0]), rubric_content(words[0]))
    known = library_dimensions()
    offered = [*known, *rubric_names()] if len(words) == 1 else known
    must = "name dimensions of the library, a rubric or a .toml file"
    problems = [
        Problem("rubric", must, f'"{word}"', UnknownName("dimension", word, offered).hint)
        for word in words
        if word not in known
    ]
    problems += [
        Problem("rubric", "name each dimension once", f'"{word}" twice')
        for word in sorted({word for word in words if words.count(word) > 1})
    ]
    if not words:
        hint = "For example accuracy,completeness,safety."
        problems.append(Problem("rubric", must, "nothing", hint))
    if problems:
        raise InvalidInput(problems)
    return _put_together(words, name)


def rubric_of(parts: Sequence[str], name: str = "rubric") -> RubricFile:
    r"""Join dimensions of the library, by their names, and others, each as TOML of its own.

    Args:
        parts: Names, or texts that begin with `[[dimensions]]`.
        name: What the rubric is called.

    Raises:
        InvalidInput: A name is none of the library, or a text is no dimension.

    Example:
        >>> own = '[[dimensions]]\nid = "tone"\ntitle = "Tone"\nquestion = "Is it kind?"\n'
        >>> rubric_of(["safety", f"{own}number = {{ low = 0, high = 10 }}"]).rubric.ids
        ('safety', 'tone')
    """
    titles = []
    bodies = []
    for part in parts:
        own = part.startswith(_BEGIN)
        content = part.encode() if own else _load(part).content
        head = f'name = "{name}"\ntitle = "{name}"\n'.encode() if own else b""
        rubric = read_toml(Rubric, head + content, f"{name}.toml")
        titles.append(rubric.dimensions[0].title or rubric.dimensions[0].id)
        bodies.append(part if own else _body(content))
    return _joined(titles, bodies, name)


def _put_together(words: list[str], name: str) -> RubricFile:
    """Join the files of dimensions below one opening, comments and all."""
    parts = [_load(word) for word in words]
    titles = [part.rubric.dimensions[0].title for part in parts]
    return _joined(titles, [_body(part.content) for part in parts], name)


def _joined(titles: Sequence[str], bodies: Sequence[str], name: str) -> RubricFile:
    title = ", ".join([titles[0], *(title.lower() for title in titles[1:])])
    title = title.replace("\\", "").replace('"', "'")
    opening = _OPENING.format(file=f"{name}.toml", name=name, title=title)
    content = "\n".join([opening, *bodies]).encode()
    return RubricFile(read_toml(Rubric, content, f"{name}.toml"), content)


def _load(name: str) -> RubricFile:
    """Give one dimension of the library, as a rubric of its own."""
    content = (_folder() / f"{name}.toml").read_bytes()
    return RubricFile(read_toml(Rubric, content, f"{name}.toml"), content)


def _body(content: bytes) -> str:
    text = content.decode()
    return text[text.index(_BEGIN) :]


def _folder() -> Traversable:
    return resources.files("medassay") / "data" / "dimensions"
