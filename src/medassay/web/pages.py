"""Pages in the language of whoever asks, and the files that they ask for."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from medassay.campaign.texts import NO_QUESTION
from medassay.text import is_marked_up
from medassay.web.answers import Refused, as_json
from medassay.web.laid_out import as_markdown, pieces_as_markdown

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.responses import Response

    from medassay.campaign.catalogues import Texts


_KINDS: Final = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def static_file(name: str, known: str) -> "Response":
    """Give a file, or say that the browser's copy is the same.

    Args:
        name: Its name.
        known: The header `If-None-Match`.

    Raises:
        Refused: There is no such file.
    """
    from starlette.responses import Response

    entry = _files().get(name)
    if entry is None:
        raise Refused(404, "not_there", "There is no such page.")
    kind, content, tag = entry
    headers = {"etag": tag, "cache-control": "no-cache"}
    if known == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)


@cache
def _files() -> dict[str, tuple[str, bytes, str]]:
    by_name = {}
    for path in (files("medassay.web") / "static").iterdir():
        content = path.read_bytes()
        kind = _KINDS[path.name.rpartition(".")[2]]
        by_name[path.name] = (kind, content, f'"{sha256(content).hexdigest()[:20]}"')
    return by_name


@cache
def _loads() -> str:
    """Give the script that stands in each page itself, so that no refusal takes it away."""
    return (files("medassay.web") / "static" / "loads.js").read_text(encoding="utf-8")


def script_source() -> str:
    """Name that script in the content security policy, so that no other one in a page can run.

    Example:
        >>> script_source().startswith("'sha256-")
        True
    """
    return f"'sha256-{b64encode(sha256(_loads().encode()).digest()).decode()}'"


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("medassay.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(data=_data, markdown=as_markdown, marked=pieces_as_markdown)
    environment.tests["marked_up"] = is_marked_up
    environment.globals["no_question"] = NO_QUESTION
    environment.globals["loads"] = Markup(_loads())  # noqa: S704 - our own
    return environment


def _data(value: object) -> Any:  # noqa: ANN401 - Markup, which jinja2 does not type apart
    """Write JSON that can stand in a page: no sign of it ends the element that holds it."""
    from markupsafe import Markup

    text = as_json(value).decode()
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - every sign that HTML reads is escaped above


def page(name: str, texts: "Texts", status: int = 200, **values: object) -> "Response":
    """Give a page of `templates/`, in a language; `root` stands before each path in it."""
    from starlette.responses import HTMLResponse

    template = _environment().get_template(f"{name}.html.j2")
    return HTMLResponse(template.render(t=texts, **values), status)


_BUSY: Final = (429, 503)
_SECONDS: Final = 5


def page_of_error(
    texts: "Texts", refused: "Refused", root: str, *, asked: bool = False
) -> "Response":
    """Tell somebody what is wrong, in their language where its word has a text.

    Args:
        texts: The texts in their language.
        refused: What is wrong.
        root: What stands before the path of every page.
        asked: Whether the page was only asked for, so that it may be asked for again by itself
            where the server is busy.
    """
    key = f"error.{refused.word}"
    sentence = texts(key) if key in texts.words else refused.sentence
    title = texts("error.title")
    again = _SECONDS if asked and refused.status in _BUSY else 0
    return page(
        "told", texts, refused.status, root=root, title=title, sentence=sentence, again=again
    )
