"""The browser's own files: they hold nothing of any study."""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from medassay.web.answers import Refused

if TYPE_CHECKING:
    from starlette.responses import Response

__all__ = ["static_file"]

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
