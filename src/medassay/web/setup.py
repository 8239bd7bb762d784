"""What a server is started with."""

from dataclasses import dataclass

__all__ = ["Setup"]


@dataclass(frozen=True, slots=True)
class Setup:
    """How a room is reached.

    Attributes:
        address: What raters type, such as `https://rate.example.org`; links begin with it, and
            cookies are for TLS only where it says https.
        proxies: Addresses of reverse proxies whose headers are believed.
        sign_on: The header in which such a proxy names the person; empty: links only.
        session_hours: When a session ends by itself.
        busy: Requests a second that one session may make on the long run.
    """

    address: str = "http://127.0.0.1:8000"
    proxies: tuple[str, ...] = ()
    sign_on: str = ""
    session_hours: float = 12
    busy: float = 40

    @property
    def secure(self) -> bool:
        """Say whether browsers reach the room over TLS."""
        return self.address.startswith("https://")

    @property
    def cookie(self) -> str:
        """Name the session's cookie; its prefix binds it to this host and to TLS."""
        return "__Host-room" if self.secure else "room"

    def link(self, token: str) -> str:
        """Write a person's link: the token stands behind `#`, so no server or proxy logs it.

        Example:
            >>> Setup("https://rate.example.org").link("k3y")
            'https://rate.example.org/in#k3y'
        """
        return f"{self.address.rstrip('/')}/in#{token}"
