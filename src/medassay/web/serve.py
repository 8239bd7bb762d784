"""Run a server, on this machine alone unless somebody says otherwise."""

import errno
import gc
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from medassay.errors import InvalidInput, MissingBackend, Problem

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_HIGHEST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True)
class Served:
    """Where a server listens.

    Attributes:
        host: The address that it listens on.
        port: The port; 0 lets the system choose one.
    """

    host: str = "127.0.0.1"
    port: int = 8000


def warning_of(served: Served, address: str) -> str:
    """Say what is unsafe about where a server listens; empty if nothing is.

    Example:
        >>> warning_of(Served(), "http://127.0.0.1:8000")
        ''
        >>> warning_of(Served("0.0.0.0"), "http://ward.example.org").partition(":")[0]
        'Anybody on this network can read what is sent'
    """
    if served.host in LOOPBACK or address.startswith("https://"):
        return ""
    return (
        "Anybody on this network can read what is sent: there is no TLS. Put a reverse proxy with "
        "TLS before the room, and say --url https://..."
    )


def serve(
    app: Any,  # noqa: ANN401 - ASGI
    served: Served,
    ready: "Callable[[str], None]",
    *,
    else_any: bool = False,
) -> None:
    """Serve until interrupted.

    Args:
        app: The application.
        served: Where.
        ready: Is told the address when requests are taken.
        else_any: Take any port that is free where the one that is asked for is not.

    Raises:
        InvalidInput: The port is taken, or the address is not this machine's.
        MissingBackend: uvicorn is not installed.
    """
    import socket

    try:
        import uvicorn
    except ImportError:
        raise MissingBackend("uvicorn", "the rating room", 'pip install "uvicorn"') from None
    if not 0 <= served.port <= _HIGHEST_PORT:
        raise InvalidInput(Problem("--port", f"be 0 to {_HIGHEST_PORT}", str(served.port)))
    family = socket.AF_INET6 if ":" in served.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bind(listening, served, else_any=else_any)
    except OSError as error:
        got = f"{served.host}:{served.port} ({error.strerror})"
        hint = "Give another --port; --port 0 takes any that is free."
        raise InvalidInput(Problem("--port", "be free", got, hint)) from error
    host = f"[{served.host}]" if ":" in served.host else served.host
    config = uvicorn.Config(
        app,
        log_level="warning",
        # A line for each request would hold addresses of machines, which are nowhere kept.
        access_log=False,
        server_header=False,
        # Who asks is who connects: only then can a proxy be known by its address.
        proxy_headers=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
    )
    # What is loaded by now stays: to look through it for garbage again and again would stop all
    # who rate for a tenth of a second, some times a second where many do.
    gc.collect()
    gc.freeze()
    with listening:
        ready(f"http://{host}:{listening.getsockname()[1]}")
        uvicorn.Server(config).run(sockets=[listening])


def bind(listening: "socket.socket", served: Served, *, else_any: bool) -> None:
    """Take the port, or one that is free."""
    try:
        listening.bind((served.host, served.port))
    except OSError as error:
        if not else_any or error.errno != errno.EADDRINUSE:
            raise
        listening.bind((served.host, 0))
