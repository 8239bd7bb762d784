"""The protocol that endpoints speak, over a client that goes nowhere else."""

import json
from collections.abc import Mapping
from typing import Any, Final
from zlib import decompressobj
from zlib import error as zlib_error

from medassay.errors import InvalidInput, Problem
from medassay.models.endpoints.messages import Body, Failure, Reply, reply_of_completion
from medassay.models.endpoints.settings import (
    Allowed,
    EndpointSettings,
    Limits,
    host_of,
    is_here,
    key_for,
    key_masks,
    key_variable,
)
from medassay.models.install import need_installed

_PURPOSE: Final = "asking an endpoint"
_BY_STATUS: Final[Mapping[int, Failure]] = {
    401: "key", 403: "key", 402: "quota", 404: "not_found", 408: "timeout", 413: "too_long",
    429: "rate",
}  # fmt: skip
_BY_CODE: Final[Mapping[str, Failure]] = {
    "insufficient_quota": "quota", "context_length_exceeded": "too_long",
    "exceed_context_size_error": "too_long", "model_not_found": "not_found",
    "invalid_api_key": "key",
}  # fmt: skip
_SERVER: Final = 500
# httpx2 is there with the extra `llm` alone: so its types are Any here, and it is loaded late.

_MOST_BYTES: Final = 32 * 2**20
_GZIP: Final = "gzip"
_WITH_GZIP_HEADER: Final = 31


def refuse_address(address: str, allowed: Allowed) -> None:
    """Refuse an address that may not be sent to, before anything is.

    Raises:
        InvalidInput: It may not.
    """
    host = host_of(address)
    if not allowed.holds(host):
        must = f"be an address of this machine, since {allowed.why}"
        raise InvalidInput(Problem("study.toml", must, host, _hint_to_allow(host, allowed)))


def _hint_to_allow(host: str, allowed: Allowed) -> str:
    if "privacy" not in allowed.why:
        return "Leave out --offline, if the texts may leave this machine."
    return f'If its texts may go there, say so: [privacy] send_to = ["{host}"].'


class JsonClient:
    """JSON to an address and back, with the retries, waits and errors of OpenAI's client."""

    def __init__(self, address: str, limits: Limits, allowed: Allowed) -> None:
        refuse_address(address, allowed)
        for package in ("openai", "aiolimiter"):
            need_installed(package, _PURPOSE)
        import openai

        self._host = host_of(address)
        self._key = key_for(address)
        self._mask = key_masks(self._key)
        self._limits = limits
        self._client = openai.AsyncOpenAI(
            base_url=address,
            # The client wants a key; what needs none is sent this word.
            api_key=self._key or "none",
            organization="",
            project="",
            max_retries=limits.retries,
            timeout=None,  # the transport's: of a try as a whole
            http_client=_open_client(allowed, limits.concurrency, limits.timeout),
        )

    async def post(self, url: str, body: Mapping[str, object], headers: Any = None) -> object:  # noqa: ANN401 - as the client takes them
        """Send JSON; what comes back is JSON, or a reply that failed."""
        import httpx2
        import openai

        failed = Reply.failed("other", "")
        for _ in range(self._limits.retries + 1):
            try:
                response = await self._client.post(
                    url, body=body, cast_to=httpx2.Response, options={"headers": headers or {}}
                )
            except (openai.OpenAIError, NotAllowed, TooLarge) as error:
                return self._of_error(error)
            try:
                return json.loads(response.content)
            except (ValueError, RecursionError):
                # The client does not ask again for what came whole and cannot be read.
                kind = response.headers.get("content-type", "no content type").partition(";")[0]
                failed = Reply.failed("malformed", f"no JSON ({kind})")
        return failed

    def _of_error(self, error: Exception) -> Reply:
        import openai

        match error:
            case openai.APITimeoutError():
                return Reply.failed("timeout", f"no whole answer within {self._limits.timeout:g} s")
            case openai.APIStatusError():
                return self._of_status(error.status_code, error.body)
            case NotAllowed():
                return Reply.failed("not_allowed", f"it leads to {error}")
            case TooLarge():
                return Reply.failed("too_large", "more than 32 MB")
        return Reply.failed("connection", type(error.__cause__ or error).__name__)

    def _of_status(self, status: int, body: object) -> Reply:
        """Say what an error is, in words of ours: the endpoint's may quote question or key."""
        inner = body.get("error", body) if isinstance(body, Mapping) else {}
        error = inner if isinstance(inner, Mapping) else {}
        words = [error.get(name) for name in ("code", "type")]
        code = next((word for word in words if isinstance(word, str) and word.isidentifier()), "")
        if code in {"content_filter", "content_policy_violation"}:
            return Reply("refused", detail=code)
        failure = _BY_CODE.get(code) or _BY_STATUS.get(status)
        failure = failure or ("server" if status >= _SERVER else "other")
        detail = f"HTTP {status}{f', {code}' if code and code.isascii() else ''}"
        if failure == "key" and not is_here(self._host):
            variable = key_variable(self._host)
            got = "was refused" if self._key else "is not set"
            detail = f"{detail}: the key in {variable} {got}"
        return Reply.failed(failure, detail)

    def kept(self, reply: Reply) -> Reply:
        """Give a reply as it may be kept and told: without the key, which it may hold."""
        return reply.masked(self._mask)

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.close()


class ProtocolBackend:
    """An endpoint of the OpenAI protocol: chat completions.

    Args:
        settings: Address, model and limits.
        allowed: Which addresses may be sent to.

    Raises:
        MissingBackend: The client is not installed.
        InvalidInput: The address may not be sent to.
    """

    def __init__(self, settings: EndpointSettings, allowed: Allowed) -> None:
        self._settings = settings
        # Whole, since the client would put address and path together anew for each question.
        self._at = f"{settings.base_url.rstrip('/')}/chat/completions"
        self._client = JsonClient(settings.base_url, settings, allowed)

    @property
    def identity(self) -> Mapping[str, object]:
        """Give address, model and snapshot."""
        chosen = self._settings
        return {"at": chosen.base_url, "model": chosen.model, "snapshot": chosen.snapshot}

    @property
    def where(self) -> str:
        """Name the address."""
        return self._settings.base_url

    async def send(self, body: Body) -> Reply:
        """Ask once; the client asks again as often as the settings say."""
        whole = {"model": self._settings.model, **body}
        completion = await self._client.post(self._at, whole)
        reply = completion if isinstance(completion, Reply) else reply_of_completion(completion)
        return self._client.kept(reply)

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.close()


class NotAllowed(Exception):
    """An address that may not be sent to."""


class TooLarge(Exception):
    """A reply without end."""


def _open_client(allowed: Allowed, concurrency: int, timeout: float) -> Any:  # noqa: ANN401 - see above
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
        from asyncio import timeout

        import httpx2

        host = request.url.host.lower()
        if not self._allowed.holds(host):
            raise NotAllowed(host)
        try:
            request.headers["accept-encoding"] = _GZIP
            async with timeout(self._timeout):
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
    from urllib.request import getproxies, proxy_bypass

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
