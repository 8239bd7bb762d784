"""Every byte to and from an endpoint goes through here: to allowed addresses, and not for ever."""

import asyncio
from typing import Any, Final
from urllib.request import getproxies, proxy_bypass
from zlib import decompressobj
from zlib import error as zlib_error

from medassay.models.endpoints.address import Allowed, is_here

__all__ = ["NotAllowed", "TooLarge", "open_client"]

# httpx2 is there with the extra `llm` alone: so its types are Any here, and it is loaded late.

_MOST_BYTES: Final = 32 * 2**20
_GZIP: Final = "gzip"
_WITH_GZIP_HEADER: Final = 31


class NotAllowed(Exception):
    """An address that may not be sent to."""


class TooLarge(Exception):
    """A reply without end."""


def open_client(allowed: Allowed, concurrency: int, timeout: float) -> Any:  # noqa: ANN401 - see above
    """Open a client that keeps to the allowed addresses and to a time for each try.

    Redirects are not followed. Proxies are the environment's, and for addresses off this machine
    alone.
    """
    import httpx2

    limits = httpx2.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    guard = _Guard(allowed, limits, timeout)

    class Transport(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: Any) -> Any:  # noqa: ANN401 - see above
            return await guard.send(request)

        async def aclose(self) -> None:
            await guard.close()

    # The guard's is the one time: another for each read and write would cost more than it tells.
    return httpx2.AsyncClient(transport=Transport(), timeout=None, follow_redirects=False)


class _Guard:
    def __init__(self, allowed: Allowed, limits: Any, timeout: float) -> None:  # noqa: ANN401 - see above
        import ssl

        self._allowed, self._limits, self._timeout = allowed, limits, timeout
        self._verify = ssl.create_default_context()
        self._ways: dict[tuple[str, str], Any] = {}

    async def send(self, request: Any) -> Any:  # noqa: ANN401 - see above
        """Send a request, and read its reply to the end in the time that there is."""
        import httpx2

        host = request.url.host.lower()
        if not self._allowed.holds(host):
            raise NotAllowed(host)
        try:
            request.headers["accept-encoding"] = _GZIP
            async with asyncio.timeout(self._timeout):
                response = await self._way(request.url.scheme, host).handle_async_request(request)
                packing = response.headers.pop("content-encoding", "identity").strip().lower()
                content = await _whole(response.stream, packing)
        except TimeoutError as error:
            raise httpx2.ReadTimeout("no whole answer in time", request=request) from error
        response.stream = httpx2.ByteStream(content)
        return response

    def _way(self, scheme: str, host: str) -> Any:  # noqa: ANN401 - see above
        """Give the connections that lead to a host: over a proxy or not."""
        if (scheme, host) not in self._ways:
            self._ways[scheme, host] = self._over(_proxy_to(scheme, host))
        return self._ways[scheme, host]

    def _over(self, proxy: str) -> Any:  # noqa: ANN401 - see above
        import httpx2

        return httpx2.AsyncHTTPTransport(
            verify=self._verify, limits=self._limits, proxy=proxy or None
        )

    async def close(self) -> None:
        for way in self._ways.values():
            await way.aclose()


def _proxy_to(scheme: str, host: str) -> str:
    """Give the environment's proxy; empty for none, and for this machine's own addresses."""
    if is_here(host) or proxy_bypass(host):
        return ""
    proxies = getproxies()
    return proxies.get(scheme) or proxies.get("all", "")


async def _whole(stream: Any, packing: str) -> bytes:  # noqa: ANN401 - see above
    """Read a reply's bytes, unpacked, as many as there may be: a few kilobytes can hold a terabyte.

    What is packed in another way than was asked for stays packed, and is no JSON.
    """
    unpack = decompressobj(_WITH_GZIP_HEADER) if packing == _GZIP else None
    whole = bytearray()
    try:
        async for part in stream:
            room = _MOST_BYTES + 1 - len(whole)
            whole += part if unpack is None else unpack.decompress(part, room)
            if len(whole) > _MOST_BYTES:
                raise TooLarge
    except zlib_error:
        return b""  # damaged: no JSON, as it would be unpacked
    finally:
        await stream.aclose()
    return bytes(whole)
