"""Find and read a rubric file."""

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.judgements.dimension_checks import DimensionFacts, dimension_problems
from medassay.judgements.rubric import Rubric
from medassay.plugins import offered_file, offered_names, taken_names
from medassay.surface import checked
from medassay.tables import file_bytes, parse_toml, read_toml

__all__ = [
    "load_rubric",
    "rubric_content",
    "rubric_names",
    "rubric_plugin_problems",
    "shipped_rubrics",
]

_GROUP: Final = "medassay.rubrics"
"""The entry point group under which a package offers rubrics: TOML files, each by its name."""
_WHAT: Final = "rubric"


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
    shipped = shipped_rubrics()
    problems = [*taken_names(_GROUP, _WHAT, shipped)]
    for name in offered_names(_GROUP, _WHAT):
        if name not in shipped:
            try:
                load_rubric(name)
            except InvalidInput as error:
                problems += error.problems
    return tuple(problems)


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
    content = rubric_content(name_or_path)
    if _is_file(name_or_path):
        return _read(content, Path(name_or_path).name)
    if name_or_path in shipped_rubrics():
        return read_toml(Rubric, content, f"{name_or_path}.toml")
    return _offered(str(name_or_path))


def rubric_content(name_or_path: str | Path) -> bytes:
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
