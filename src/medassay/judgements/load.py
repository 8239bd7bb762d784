"""Find and read a rubric file."""

from importlib import resources
from pathlib import Path

from medassay.errors import UnknownName
from medassay.judgements.rubric import Rubric
from medassay.tables import file_bytes, read_toml

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
    return read_toml(Rubric, file_bytes(path, str(path)), path.name)
