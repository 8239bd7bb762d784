"""Find and read a rubric file."""

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.judgements.dimension_checks import DimensionFacts, dimension_problems
from medassay.judgements.rubric import Rubric
from medassay.plugins import offered_file, offered_names, taken_names
from medassay.tables import file_bytes, parse_toml, read_toml

__all__ = ["load_rubric", "rubric_names", "rubric_plugin_problems", "shipped_rubrics"]

_GROUP: Final = "medassay.rubrics"
"""The entry point group under which a package offers rubrics: TOML files, each by its name."""
_WHAT: Final = "rubric"


def shipped_rubrics() -> tuple[str, ...]:
    """List the rubrics that come with medassay.

    Example:
        >>> shipped_rubrics()
        ('archehr', 'cochrane', 'environmental-health', 'harm', 'likert5', 'med-gpt')
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
    if isinstance(name_or_path, str) and not name_or_path.endswith(".toml"):
        if name_or_path not in shipped_rubrics():
            return _offered(name_or_path)
        file = f"{name_or_path}.toml"
        shipped = resources.files("medassay") / "data" / "rubrics" / file
        return read_toml(Rubric, shipped.read_bytes(), file)
    path = Path(name_or_path)
    return _read(file_bytes(path, str(path)), path.name)


def _offered(name: str) -> Rubric:
    found = offered_file(_GROUP, _WHAT, name)
    if found is None:
        raise UnknownName(_WHAT, name, rubric_names())
    rubric = _read(found.content, found.about)
    if rubric.name != name:
        must, hint = f'be called "{name}", as it is offered', "Update or uninstall that package."
        raise InvalidInput(Problem(found.about, must, f'"{rubric.name}"', hint, None, "name"))
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
    found = [
        Problem(file, *finding, None, f"dimensions[{place}]")
        for place, one in enumerate(dimensions, start=1)
        if isinstance(one, dict)
        for finding in dimension_problems(DimensionFacts.of_raw(one))
    ]
    ids = [str(one["id"]) for one in dimensions if isinstance(one, dict) and "id" in one]
    twice = sorted({one for one in ids if ids.count(one) > 1})
    if twice:
        found.append(Problem(file, "use each dimension id once", f"{', '.join(twice)} twice"))
    return [one for one in found if one not in named]
