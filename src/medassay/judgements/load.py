"""Find and read a rubric file."""

import tomllib
from importlib import resources
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.judgements.rubric import Dimension, Label, Rubric

__all__ = ["load_rubric", "rubric_names"]

# A message quotes no more of a wrong value than this.
_LONGEST: Final = 60


def rubric_names() -> tuple[str, ...]:
    """List the rubrics that come with medassay.

    Example:
        >>> rubric_names()
        ('archehr', 'cochrane', 'likert5')
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
        return _parse(shipped.read_bytes(), file)
    path = Path(name_or_path)
    if not path.is_file():
        raise InvalidInput(Problem(str(path), "be a file that exists", "nothing there"))
    return _parse(path.read_bytes(), path.name)


def _parse(content: bytes, file: str) -> Rubric:
    try:
        values = tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(Problem(file, "be TOML in UTF-8", str(error))) from error
    try:
        return Rubric.model_validate(values)
    except ValidationError as error:
        raise InvalidInput(_problems(error, file)) from error


def _problems(error: ValidationError, file: str) -> list[Problem]:
    places = [one["loc"] for one in error.errors()]
    problems = []
    for one in error.errors():
        inside = any(
            len(p) > len(one["loc"]) and p[: len(one["loc"])] == one["loc"] for p in places
        )
        if one["type"] == "too_short" and inside:
            continue  # nothing is missing: what stands there has problems of its own
        got = repr(one["input"])
        got = got if len(got) <= _LONGEST else f"{got[:_LONGEST]}..."
        must, hint = one["msg"].replace("Input should", "").replace("Value should", "").strip(), ""
        if one["type"] == "extra_forbidden":
            key = str(one["loc"][-1])
            must, got = "hold only known keys", f'"{key}"'
            hint = nearest(key, _keys(len([s for s in one["loc"] if isinstance(s, str)])))
        elif one["type"] == "missing":
            must, got = "be given", "nothing"
        elif one["type"] == "string_pattern_mismatch":
            must = "hold none of ( ) , = and no blanks at its ends"
        elif one["type"] == "value_error":
            must, _, got = one["msg"].removeprefix("Value error, ").partition("; got ")
        place = ".".join(str(step) for step in one["loc"]) or None
        problems.append(Problem(file, must, got, hint, column=place))
    return problems


def _keys(depth: int) -> list[str]:
    """List the keys at a depth of the file: the rubric, a dimension, a label."""
    model = (Rubric, Dimension, Label)[min(depth, 3) - 1]
    return list(model.model_fields)
