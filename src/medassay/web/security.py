"""What every answer carries, and what every request is held to."""

import time
from collections import OrderedDict
from collections.abc import Callable, MutableMapping
from hashlib import sha256
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from medassay.web.answers import Refused

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = [
    "MOST_BYTES",
    "Buckets",
    "Guarded",
    "csrf_of",
    "refuse_from_elsewhere",
    "refuse_other_names",
]

MOST_BYTES: Final = 256 * 1024
"""The largest body that is read: fifty labels, each with a long comment."""

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS: Final = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    # Not no-referrer: with it browsers call the origin of our own forms "null".
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex, nofollow",
}
_TLS_ONLY: Final = {"strict-transport-security": "max-age=31536000"}


class Guarded:
    """The application with the headers that every answer carries; texts are never stored.

    Args:
        app: The application.
        secure: Whether browsers reach it over TLS.
    """

    def __init__(self, app: Any, *, secure: bool) -> None:  # noqa: ANN401 - ASGI
        self._app = app
        headers = {**_HEADERS, **(_TLS_ONLY if secure else {})}
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        """Answer one request."""

        async def send_with(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *self._headers]
                if b"cache-control" not in own:
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        await self._app(scope, receive, send_with if scope["type"] == "http" else send)


def csrf_of(session: str) -> str:
    """Give what a session sends along to change something; it follows from the session."""
    from itsdangerous import Signer

    signature: bytes = Signer(session, salt="medassay.csrf").get_signature("csrf")
    return signature.decode()


def refuse_from_elsewhere(request: "Request", address: str) -> None:
    """Refuse what a page of another site sends, or one whose site the browser hides.

    Args:
        request: What changes something.
        address: Where people reach the room; a proxy may pass another host on.

    Raises:
        Refused: The browser says that it comes from elsewhere, or from nowhere.
    """
    site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin", "")
    own = {request.headers.get("host", ""), urlsplit(address).netloc}
    # No server's name stands in "null", nor in the "file://" of a page that was opened as a file.
    foreign = bool(origin) and (origin.partition("://")[2] or "null") not in own
    if site not in {"same-origin", "none"} or foreign:
        raise Refused(403, "elsewhere", "This was sent from a page of another site.")


def refuse_other_names(request: "Request", address: str) -> None:
    """Refuse a request under a name that is not the room's.

    A page of another site could have its own name point here, and read what is answered. An address
    of numbers cannot be made to point elsewhere, so it is taken.

    Raises:
        Refused: The host is another's.
    """
    try:
        name = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    except ValueError:
        name = ""
    if name in {"localhost", urlsplit(address).hostname or ""}:
        return
    try:
        ip_address(name)
    except ValueError:
        words = f"This rating room is at {address}. For another name, start it with --url."
        raise Refused(421, "other_name", words) from None


class Buckets:
    """How often somebody may ask: so much at once, and so much a second on the long run.

    Keys are kept as hashes, in memory, and the oldest are forgotten.

    Args:
        a_second: Requests a second on the long run.
        at_once: Requests at once.
        clock: Tells seconds.
    """

    _MOST: Final = 4096

    def __init__(
        self, a_second: float, at_once: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._size, self._clock = a_second, at_once, clock
        self._left: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> None:
        """Count one request.

        Raises:
            Refused: It is one too many.
        """
        name, now = sha256(key.encode()).digest(), self._clock()
        left, since = self._left.pop(name, (self._size, now))
        left = min(self._size, left + (now - since) * self._rate)
        self._left[name] = (max(left - 1, 0.0), now)
        if len(self._left) > self._MOST:
            self._left.popitem(last=False)
        if left < 1:
            raise Refused(429, "too_many", "Too many requests. Please try again in a moment.")
