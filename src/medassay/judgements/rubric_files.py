"""Find and read rubrics, and dimensions from which one's own is put together."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from medassay.api_checks import checked
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.judgements.rubric import DimensionFacts, Rubric, dimension_problems
from medassay.plugins import misfits, offered_file, offered_names
from medassay.tables import file_bytes, parse_toml, read_toml

_GROUP: Final = "medassay.rubrics"
"""The entry point group under which a package offers rubrics: TOML files, each by its name."""
_WHAT: Final = "rubric"
_BEGIN: Final = "[[dimensions]]"
_OPENING: Final = """\
# What your raters are asked. Change the words as you like, then look it through with
#   medassay rubric check {file}
# Every key is explained in docs/how-to/write-a-rubric.md.
name = "{name}"
title = "{title}"
wording = "Questions and labels are from medassay's library of dimensions."
# source = "Where your dimensions were published, with a DOI."
# rationale = "What raters are asked to write beside their labels; a column of its own."
"""


def shipped_rubrics() -> tuple[str, ...]:
    """List the rubrics that come with medassay.

    Example:
        >>> shipped_rubrics()[:3]
        ('answer-quality', 'archehr', 'cochrane')
    """
    folder = resources.files("medassay") / "data" / "rubrics"
    names = (file.name.removesuffix(".toml") for file in folder.iterdir())
    return tuple(sorted(names))


def rubric_names() -> tuple[str, ...]:
    """List the rubrics that can be loaded by name: ours, and those that packages offer."""
    return tuple(sorted({*shipped_rubrics(), *offered_names(_GROUP, _WHAT)}))


def rubric_plugin_problems() -> tuple[Problem, ...]:
    """Load what packages offer, and say of each misfit what is wrong with it."""
    return misfits(_GROUP, _WHAT, shipped_rubrics(), load_rubric)


@checked
def load_rubric(name_or_path: str | Path) -> Rubric:
    """Load a rubric by its name, ours or one that a package offers, or from a TOML file.

    Raises:
        UnknownName: There is no rubric of this name.
        InvalidInput: The file cannot be read, or does not hold together; every problem is named.

    Example:
        >>> rubric = load_rubric("archehr")
        >>> rubric.dimension("uses-evidence").names
        ('Yes', 'No', 'Refutes')
    """
    content = _rubric_content(name_or_path)
    if _is_file(name_or_path):
        return _read(content, Path(name_or_path).name)
    if name_or_path in shipped_rubrics():
        return read_toml(Rubric, content, f"{name_or_path}.toml")
    return _offered(str(name_or_path))


def _rubric_content(name_or_path: str | Path) -> bytes:
    """Give a rubric's file as it is, comments and all: by its name, or from a TOML file.

    Raises:
        UnknownName: There is no rubric of this name.
        InvalidInput: The file cannot be read.
    """
    if _is_file(name_or_path):
        return file_bytes(Path(name_or_path), str(name_or_path))
    if name_or_path in shipped_rubrics():
        folder = resources.files("medassay") / "data" / "rubrics"
        return (folder / f"{name_or_path}.toml").read_bytes()
    offered = offered_file(_GROUP, _WHAT, str(name_or_path))
    if offered is None:
        raise UnknownName(_WHAT, str(name_or_path), rubric_names())
    return offered.content


def _is_file(name_or_path: str | Path) -> bool:
    return isinstance(name_or_path, Path) or name_or_path.endswith(".toml")


def _offered(name: str) -> Rubric:
    file = offered_file(_GROUP, _WHAT, name)
    if file is None:
        raise UnknownName(_WHAT, name, rubric_names())
    rubric = _read(file.content, file.about)
    if rubric.name != name:
        must, hint = f'be called "{name}", as it is offered', "Update or uninstall that package."
        raise InvalidInput(Problem(file.about, must, f'"{rubric.name}"', hint, None, "name"))
    return rubric


def _read(content: bytes, file: str) -> Rubric:
    try:
        return read_toml(Rubric, content, file)
    except InvalidInput as error:
        raise InvalidInput([*error.problems, *_hidden(content, file, error.problems)]) from error


def _hidden(content: bytes, file: str, named: Sequence[Problem]) -> list[Problem]:
    """Name what does not hold together behind the mistakes that were named already."""
    try:
        values = parse_toml(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return []
    listed = values.get("dimensions")
    dimensions = listed if isinstance(listed, list) else []
    problems = [
        Problem(file, *finding, None, f"dimensions[{place}]")
        for place, dimension in enumerate(dimensions, start=1)
        if isinstance(dimension, dict)
        for finding in dimension_problems(DimensionFacts.of_raw(dimension))
    ]
    ids = [
        str(dimension["id"])
        for dimension in dimensions
        if isinstance(dimension, dict) and "id" in dimension
    ]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        problems.append(Problem(file, "use each dimension id once", f"{', '.join(twice)} twice"))
    return [problem for problem in problems if problem not in named]


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
        return RubricFile(load_rubric(words[0]), _rubric_content(words[0]))
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
