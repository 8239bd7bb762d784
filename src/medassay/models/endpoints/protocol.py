"""Endpoints of the OpenAI protocol, through its own client."""

import json
from collections.abc import Mapping
from typing import Any, Final

from medassay.errors import InvalidInput, Problem
from medassay.models.endpoints.address import (
    Allowed,
    host_of,
    is_here,
    key_for,
    key_masks,
    key_variable,
)
from medassay.models.endpoints.body import Body
from medassay.models.endpoints.reply import Failure, Reply, reply_of_completion
from medassay.models.endpoints.settings import EndpointSettings, Limits
from medassay.models.install import need_installed

__all__ = ["JsonClient", "ProtocolBackend", "refuse_address"]

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

        from medassay.models.endpoints.transport import open_client

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
            http_client=open_client(allowed, limits.concurrency, limits.timeout),
        )

    async def post(self, url: str, body: Mapping[str, object], headers: Any = None) -> object:  # noqa: ANN401 - as the client takes them
        """Send JSON; what comes back is JSON, or a reply that failed."""
        import httpx2
        import openai

        from medassay.models.endpoints.transport import NotAllowed, TooLarge

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

        from medassay.models.endpoints.transport import NotAllowed, TooLarge

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
