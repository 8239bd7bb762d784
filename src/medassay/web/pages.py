"""Pages from templates."""

from functools import cache
from typing import TYPE_CHECKING, Any

from medassay.text import is_marked_up
from medassay.web.answers import as_json
from medassay.web.laid_out import as_markdown, pieces_as_markdown

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.responses import Response

    from medassay.web.answers import Refused
    from medassay.web.catalogues import Texts

__all__ = ["page", "page_of_error"]


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("medassay.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(data=_data, markdown=as_markdown, marked=pieces_as_markdown)
    environment.tests["marked_up"] = is_marked_up
    return environment


def _data(value: object) -> Any:  # noqa: ANN401 - Markup, which jinja2 does not type apart
    """Write JSON that can stand in a page: no sign of it ends the element that holds it."""
    from markupsafe import Markup

    text = as_json(value).decode()
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - every sign that HTML reads is escaped above


def page(name: str, texts: "Texts", status: int = 200, **values: object) -> "Response":
    """Give a page of `templates/`, in a language."""
    from starlette.responses import HTMLResponse

    template = _environment().get_template(f"{name}.html.j2")
    return HTMLResponse(template.render(t=texts, **values), status)


def page_of_error(texts: "Texts", refused: "Refused") -> "Response":
    """Tell somebody what is wrong, in their language where its word has a text."""
    key = f"error.{refused.word}"
    sentence = texts(key) if key in texts.words else refused.sentence
    return page("told", texts, refused.status, title=texts("error.title"), sentence=sentence)
