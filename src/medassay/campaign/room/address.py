"""The address that raters type."""

from urllib.parse import urlsplit

from medassay.errors import InvalidInput, Problem

__all__ = ["address_of"]


def address_of(url: str) -> str:
    """Give the address without a slash at its end.

    Example:
        >>> address_of("https://rate.ward.example/")
        'https://rate.ward.example'

    Raises:
        InvalidInput: It is no address of a server, or goes on behind the server's name.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        must = "be the address of a server, such as https://rate.ward.example"
        raise InvalidInput(Problem("--url", must, f'"{url}"'))
    if parts.path.strip("/") or parts.query or parts.fragment:
        must = "end with the server's name or port: the room's pages are at its root"
        hint = f"Give the room a name of its own, such as {parts.scheme}://rate.{parts.hostname}."
        raise InvalidInput(Problem("--url", must, f'"{url}"', hint))
    return f"{parts.scheme}://{parts.netloc}"
