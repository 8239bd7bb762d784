"""Write the generated part of docs/reference/library.md from the docstrings of the public names.

    python -m tools.make_library_page

What stands above its mark is written by hand. A test writes the page again and compares.
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Final

import medassay

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "library.md"
MARK: Final = "<!-- From here on written by python -m tools.make_library_page -->"
_SECTION: Final = re.compile(
    r"^(Args|Attributes|Returns|Raises|Example|Source):(.*)$", re.MULTILINE
)
_TITLES: Final = {"Args": "Arguments", "Attributes": "Attributes", "Raises": "Errors"}
_PROVISIONAL: Final = """\
Names and arguments of what follows may change before 1.0; CHANGELOG.md says so when they do. The \
numbers are held to the same tests as everything else.
"""


def page(by_hand: str) -> str:
    """Write the whole page.

    Args:
        by_hand: The page as it is; what stands above the mark is kept.
    """
    head = by_hand.partition(MARK)[0]
    stays = [name for name in medassay.__all__ if name in medassay.STAYS]
    others = [name for name in medassay.__all__ if name not in {*medassay.STAYS, "__version__"}]
    lines = [
        f"{head}{MARK}",
        "",
        "## What stays",
        "",
        *_index(stays),
        *(line for name in stays for line in _entry(name)),
        "## Provisional: other public names",
        "",
        _PROVISIONAL,
        *_index(others),
        *(line for name in others for line in _entry(name)),
        "## Provisional: the rooms",
        "",
        "Everything else lies in its room, `from medassay.ROOM import ...`, with a docstring each.",
        "",
        "| room | what it holds |",
        "| --- | --- |",
        *(f"| `medassay.{room}` | {_first_sentence(module)} |" for room, module in _rooms()),
    ]
    return "\n".join(lines) + "\n"


def _rooms() -> Iterator[tuple[str, ModuleType]]:
    for room in iter_modules(medassay.__path__):
        if room.name not in {"__about__", "__main__", "cli", "errors"}:
            yield room.name, import_module(f"medassay.{room.name}")


def _public(name: str) -> Any:  # noqa: ANN401 - a class or a function
    """Give a public name's object; of a room that is called, its function."""
    held = getattr(medassay, name)
    return getattr(held, name) if inspect.ismodule(held) else held


def _index(names: Iterable[str]) -> list[str]:
    rows = [f"| [`{name}`](#{name.lower()}) | {_first_sentence(_public(name))} |" for name in names]
    return ["| name | what it is for |", "| --- | --- |", *rows, ""]


def _first_sentence(documented: object) -> str:
    return " ".join((inspect.getdoc(documented) or "").partition("\n\n")[0].split())


def _entry(name: str) -> Iterator[str]:
    held = _public(name)
    yield from (f"### {name}", "", "```text", _signature(name, held), "```", "")
    yield from _told(inspect.getdoc(held) or "")
    if inspect.isclass(held):
        methods = [*_methods(held)]
        if methods:
            yield from ("| it has | what it does |", "| --- | --- |", *methods, "")


def _signature(name: str, held: object) -> str:
    if inspect.isclass(held):
        return f"medassay.{name}"
    called = inspect.signature(held)  # type: ignore[arg-type]  # a function
    shown = [
        str(each.replace(annotation=inspect.Parameter.empty)).replace(" = ", "=")
        for each in called.parameters.values()
    ]
    keyword = [each.kind is each.KEYWORD_ONLY for each in called.parameters.values()]
    if True in keyword:
        shown.insert(keyword.index(True), "*")
    return f"medassay.{name}({', '.join(shown)})"


def _methods(held: type) -> Iterator[str]:
    """List the public methods and properties that the class itself brings."""
    for name, value in vars(held).items():
        method = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        offered = inspect.isfunction(method) or isinstance(value, property)
        cached = type(value).__name__ == "cached_property"
        if not name.startswith("_") and (offered or cached):
            call = f"{name}(...)" if inspect.isfunction(method) else name
            yield f"| `.{call}` | {_first_sentence(method).replace('|', chr(92) + '|')} |"


def _told(docstring: str) -> Iterator[str]:
    """Write a docstring as Markdown: paragraphs, a list for each section, examples as code."""
    parts = _SECTION.split(docstring)
    yield from (_escaped(parts[0].strip()), "")
    for title, beside, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        inside = inspect.cleandoc(f"\n{body}") if body.strip() else ""
        if title == "Example":
            yield from ("```text", inside, "```", "")
        elif title in _TITLES:
            yield from (f"**{_TITLES[title]}**", "", *_items(inside), "")
        else:
            yield from (f"**{title}:** {_escaped(' '.join(f'{beside} {inside}'.split()))}", "")


def _items(body: str) -> Iterator[str]:
    for item in re.split(r"\n(?=\S)", body):
        name, _, said = item.partition(":")
        yield f"- `{name.strip()}`: {_escaped(' '.join(said.split()))}"


def _escaped(text: str) -> str:
    """Keep what Markdown would read as a mark or as a tag, outside of code."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(
        piece if at % 2 else piece.replace("<", "&lt;").replace("*", r"\*").replace("_", r"\_")
        for at, piece in enumerate(pieces)
    )


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {PAGE.name}")
