"""The address that raters type."""

from typing import Final
from urllib.parse import urlsplit

from medassay.errors import InvalidInput, Problem

__all__ = ["address_of"]


_USUAL: Final = {"http": 80, "https": 443}


def address_of(url: str) -> str:
    """Give the address as browsers name it when they ask for a page of it.

    They write a server's name in small ASCII letters, and leave out the usual port.

    Example:
        >>> address_of("https://rate.ward.example/")
        'https://rate.ward.example'
        >>> address_of("https://Rate.München.example:443")
        'https://rate.xn--mnchen-3ya.example'

    Raises:
        InvalidInput: It is no address of a server, or goes on behind the server's name.
    """
    must = "be the address of a server, such as https://rate.ward.example"
    try:
        parts = urlsplit(url)
        name, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError as error:
        raise InvalidInput(Problem("--url", must, f'"{url}"')) from error
    if parts.scheme not in _USUAL or not name:
        raise InvalidInput(Problem("--url", must, f'"{url}"'))
    if "@" in parts.netloc:
        # It may be a password: it is not quoted, and would stand in everybody's link.
        raise InvalidInput(Problem("--url", "name a server alone", "a name before an @"))
    if parts.path.strip("/") or parts.query or parts.fragment:
        must = "end with the server's name or port: the room's pages are at its root"
        hint = f"Give the room a name of its own, such as {parts.scheme}://rate.{parts.hostname}."
        raise InvalidInput(Problem("--url", must, f'"{url}"', hint))
    shown = f"[{name}]" if ":" in name else name
    return f"{parts.scheme}://{shown}" + (
        "" if port in {None, _USUAL[parts.scheme]} else f":{port}"
    )
