"""Importing medassay is light, and everything it promises is there."""

import subprocess
import sys

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
    loaded = loaded_after("import medassay.__main__")
    assert "typer" in loaded
    assert not loaded & (set(HEAVY) - {"rich"})


def test_every_public_name_is_reachable() -> None:
    assert [name for name in medassay.__all__ if getattr(medassay, name, None) is None] == []
    assert set(medassay.__all__) <= set(dir(medassay))


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(medassay, "no_such_name")
