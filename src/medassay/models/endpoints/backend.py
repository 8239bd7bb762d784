"""Whoever is asked: what a reply depends on beside the question, and how to send one."""

from collections.abc import Mapping
from typing import Protocol

from medassay.models.endpoints.address import Allowed
from medassay.models.endpoints.body import Body
from medassay.models.endpoints.reply import Reply
from medassay.models.endpoints.settings import EMBEDDED, EndpointSettings

__all__ = ["Backend", "open_backend"]


class Backend(Protocol):
    """Something that replies."""

    @property
    def identity(self) -> Mapping[str, object]:
        """Give all that decides a reply beside the question, as JSON; no key is in it."""

    @property
    def where(self) -> str:
        """Say who is asked, for people."""

    async def send(self, body: Body) -> Reply:
        """Ask; whatever goes wrong is a reply that failed."""

    async def close(self) -> None:
        """Let go of connections."""


def open_backend(settings: EndpointSettings, allowed: Allowed) -> Backend:
    """Find who is asked.

    Raises:
        MissingBackend: A package lacks; names the line that installs it.
        InvalidInput: The address may not be sent to.
    """
    if settings.base_url == EMBEDDED:
        from medassay.models.endpoints.embedded import EmbeddedBackend

        return EmbeddedBackend(settings)
    from medassay.models.endpoints.protocol import ProtocolBackend

    return ProtocolBackend(settings, allowed)
