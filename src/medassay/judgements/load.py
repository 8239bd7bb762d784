"""Find and read a rubric file."""

from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.judgements.dimension_checks import DimensionFacts, dimension_problems
from medassay.judgements.rubric import Rubric
from medassay.tables import file_bytes, parse_toml, read_toml

__all__ = ["load_rubric", "rubric_names"]


def rubric_names() -> tuple[str, ...]:
    """List the rubrics that come with medassay.

    Example:
        >>> rubric_names()
        ('archehr', 'cochrane', 'environmental-health', 'harm', 'likert5', 'med-gpt')
    """
    folder = resources.files("medassay") / "data" / "rubrics"
    names = (file.name.removesuffix(".toml") for file in folder.iterdir())
    return tuple(sorted(names))


def load_rubric(name_or_path: str | Path) -> Rubric:
    """Load a rubric by the name of a shipped one, or from a TOML file.

    Raises:
        UnknownName: No rubric of this name is shipped.
        InvalidInput: The file cannot be read, or does not hold together; every problem is named.

    Example:
        >>> rubric = load_rubric("archehr")
        >>> rubric.dimension("uses-evidence").names
        ('Yes', 'No', 'Refutes')
    """
    if isinstance(name_or_path, str) and not name_or_path.endswith(".toml"):
        if name_or_path not in rubric_names():
            raise UnknownName("rubric", name_or_path, rubric_names())
        file = f"{name_or_path}.toml"
        shipped = resources.files("medassay") / "data" / "rubrics" / file
        return read_toml(Rubric, shipped.read_bytes(), file)
    path = Path(name_or_path)
    content = file_bytes(path, str(path))
    try:
        return read_toml(Rubric, content, path.name)
    except InvalidInput as error:
        raise InvalidInput(
            [*error.problems, *_hidden(content, path.name, error.problems)]
        ) from error


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
