"""Every byte to and from an endpoint goes through here: to allowed addresses, and not for ever."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.request import getproxies, proxy_bypass

from medassay.models.endpoints.address import Allowed, is_here

__all__ = ["NotAllowed", "TooLarge", "open_client"]

# httpx2 is there with the extra `llm` alone: so its types are Any here, and it is loaded late.

_MOST_BYTES: Final = 32 * 2**20


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

    return httpx2.AsyncClient(transport=Transport(), timeout=timeout, follow_redirects=False)


class _Guard:
    def __init__(self, allowed: Allowed, limits: Any, timeout: float) -> None:  # noqa: ANN401 - see above
        import ssl

        self._allowed, self._limits, self._timeout = allowed, limits, timeout
        self._verify = ssl.create_default_context()
        self._ways: dict[str, Any] = {}

    async def send(self, request: Any) -> Any:  # noqa: ANN401 - see above
        import httpx2

        host = request.url.host.lower()
        if not self._allowed.holds(host):
            raise NotAllowed(host)
        until = asyncio.get_running_loop().time() + self._timeout
        async with _in_time(until, request):
            response = await self._way(request.url.scheme, host).handle_async_request(request)
        stream = response.stream

        class Measured(httpx2.AsyncByteStream):
            async def __aiter__(self) -> AsyncIterator[bytes]:
                async for part in _measured(stream, until, request):
                    yield part

            async def aclose(self) -> None:
                await stream.aclose()

        response.stream = Measured()
        return response

    def _way(self, scheme: str, host: str) -> Any:  # noqa: ANN401 - see above
        """Give the connections that lead to a host: over a proxy or not."""
        import httpx2

        proxies = {} if is_here(host) or proxy_bypass(host) else getproxies()
        proxy = proxies.get(scheme) or proxies.get("all", "")
        if proxy not in self._ways:
            self._ways[proxy] = httpx2.AsyncHTTPTransport(
                verify=self._verify, limits=self._limits, proxy=proxy or None
            )
        return self._ways[proxy]

    async def close(self) -> None:
        for way in self._ways.values():
            await way.aclose()


async def _measured(stream: Any, until: float, request: Any) -> AsyncIterator[bytes]:  # noqa: ANN401 - see above
    """Give a reply's bytes, as many as there may be, in the time that there is."""
    read = 0
    async with _in_time(until, request):
        async for part in stream:
            read += len(part)
            if read > _MOST_BYTES:
                raise TooLarge
            yield part


@asynccontextmanager
async def _in_time(until: float, request: Any) -> AsyncIterator[None]:  # noqa: ANN401 - see above
    import httpx2

    try:
        async with asyncio.timeout_at(until):
            yield
    except TimeoutError as error:
        raise httpx2.ReadTimeout("no whole answer in time", request=request) from error
