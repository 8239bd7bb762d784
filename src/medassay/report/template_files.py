"""The templates of pages, and what fills them in."""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from medassay.text import markdown_tree, page_of

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


@cache
def template_text(name: str) -> str:
    """Give a file of `templates/` as it is."""
    return (files("medassay.report") / "templates" / name).read_text(encoding="utf-8")


def templates() -> "Environment":
    """Give what fills templates in: signs of HTML are escaped, and a missing value is an error."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(template_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["markdown"] = _markdown
    return environment


def _markdown(text: str) -> "Markup":
    """Write an answer as HTML of ours with its words in it, all of them escaped."""
    from markupsafe import Markup

    return Markup(page_of(markdown_tree(text), text))  # noqa: S704 - `page_of` escapes every sign
