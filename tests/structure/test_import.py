"""Importing medassay is light, and everything it promises is there."""

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import medassay

HEAVY = ("matplotlib", "scipy.stats", "polars", "pydantic", "jinja2", "sacrebleu", "rich")


def loaded_after(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    return set(done.stdout.split())


def test_import_loads_nothing_heavy() -> None:
    loaded = loaded_after("import medassay")
    assert "medassay" in loaded
    assert not loaded & set(HEAVY)


def test_the_list_of_commands_loads_nothing_heavy() -> None:
    """Nor numpy: how many threads it has is set before it is read, or not at all."""
    loaded = loaded_after("import medassay.__main__")
    assert "typer" in loaded
    assert not loaded & (set(HEAVY) - {"rich"} | {"numpy"})


def test_analyses_are_imported_without_what_only_some_of_them_use() -> None:
    """Numbers and records are there; sparse matrices, frames, figures and pages come with use."""
    loaded = loaded_after("import medassay.analyses")
    assert "medassay.validity" in loaded
    unused = {"asyncio", "ssl", "scipy", "medassay.metrics.danger.match"}
    assert not loaded & (set(HEAVY) - {"pydantic"} | unused)


def test_checks_of_records_are_built_when_the_first_is_read() -> None:
    """Each model's cost a millisecond, and most commands read few of them."""
    code = """
import medassay.analyses
from pydantic import BaseModel
models = [BaseModel]
for model in models:
    models += model.__subclasses__()
ours = [model for model in models if model.__module__.startswith("medassay.")]
print(len(ours), *(m.__module__ for m in ours if not m.model_config.get("defer_build")))
"""
    done = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    count, *built = done.stdout.split()
    assert int(count) > 0
    # Before they are built, signatures of these two show how each check is made.
    assert set(built) == {"medassay.answers.record", "medassay.cases.record"}


def test_a_second_of_import_is_left_to_very_many_pairs() -> None:
    """Each run would pay it: `scipy.special` has what the others need."""
    root = Path(medassay.__file__).parent
    files = [path for path in root.rglob("*.py") if "from scipy.stats" in path.read_text("utf-8")]
    assert [path.relative_to(root).as_posix() for path in files] == ["validity/answer_level.py"]


def test_every_public_name_is_reachable() -> None:
    assert [name for name in medassay.__all__ if getattr(medassay, name, None) is None] == []
    assert set(medassay.__all__) <= set(dir(medassay))


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(medassay, "no_such_name")


def test_what_tools_see_is_what_is_loaded() -> None:
    """Editors and mypy read the imports for type checking; Python reads the table of rooms."""
    tree = ast.parse(Path(medassay.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: (node.module or "").removeprefix("medassay.")
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == medassay._ROOMS
    assert sorted(seen) == [name for name in medassay.__all__ if name != "__version__"]
    assert medassay.__all__ == sorted(medassay.__all__)


def test_a_public_name_that_is_also_a_room_is_called_as_its_function() -> None:
    """Importing a room puts the room under that name in place of what was promised."""
    rooms = {room.name for room in iter_modules(medassay.__path__)}
    assert rooms
    both = rooms & set(medassay.__all__)
    assert both == {"consensus"}
    for name in both:
        room: object = import_module(f"medassay.{name}")
        assert callable(room)
        assert inspect.signature(room) == inspect.signature(getattr(room, name))
        assert getattr(medassay, name) is room
