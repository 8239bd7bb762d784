"""Where questions may go, and which key goes with them."""

import ipaddress
import os
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from medassay.errors import InvalidInput, Problem

__all__ = ["Allowed", "host_of", "is_here", "key_for", "key_masks", "key_variable"]

_OPENAI: Final = "api.openai.com"
_NAME: Final = re.compile(r"[a-z0-9]+(-+[a-z0-9]+)*(\.[a-z0-9]+(-+[a-z0-9]+)*)*")
_SHORTEST_SECRET: Final = 8

Mask: TypeAlias = Callable[[str], str]
"""A text in, and the same without a key out."""


@dataclass(frozen=True)
class Allowed:
    """Which addresses may be sent to; this machine's own (loopback) always.

    Attributes:
        anywhere: Every address may be.
        hosts: Else these.
        why: What forbids others, for messages.

    Example:
        >>> ids = Allowed(hosts=frozenset({"llm.clinic.example"}), why='[privacy] texts = "ids"')
        >>> ids.holds("llm.clinic.example"), ids.holds("127.0.0.1"), ids.holds("api.openai.com")
        (True, True, False)
    """

    anywhere: bool = False
    hosts: Collection[str] = frozenset()
    why: str = ""

    def holds(self, host: str) -> bool:
        """Say whether a host may be sent to."""
        return self.anywhere or is_here(host) or host in self.hosts


def host_of(address: str) -> str:
    """Give the host of an address, in small letters; empty where it has none.

    Example:
        >>> host_of("http://LocalHost:11434/v1"), host_of("localhost")
        ('localhost', '')
    """
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


def is_here(host: str) -> bool:
    """Say whether a host is this machine: a loopback address, or the name localhost.

    Example:
        >>> is_here("127.0.0.1"), is_here("::1"), is_here("localhost.example.org")
        (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def key_variable(host: str) -> str:
    """Name the variable of the environment that holds the key for a host.

    It follows from the host, and no file can name another: a study that somebody sent could
    otherwise have the key of one address sent to another. No two hosts share a name: a point is
    one `_`, a hyphen two; a host of other signs, or with a hyphen at an end of a part, is spelt out
    in hexadecimal digits.

    Example:
        >>> key_variable("api.openai.com"), key_variable("api.mistral.ai")
        ('OPENAI_API_KEY', 'MEDASSAY_KEY_API_MISTRAL_AI')
        >>> key_variable("api-mistral.ai"), key_variable("::1")
        ('MEDASSAY_KEY_API__MISTRAL_AI', 'MEDASSAY_KEYHEX_3A3A31')
    """
    if host == _OPENAI:
        return "OPENAI_API_KEY"
    if _NAME.fullmatch(host):
        return f"MEDASSAY_KEY_{host.upper().replace('-', '__').replace('.', '_')}"
    return f"MEDASSAY_KEYHEX_{host.encode(errors='surrogatepass').hex().upper()}"


def key_for(address: str) -> str | None:
    """Give the key for an address from the environment; None where it holds none.

    Raises:
        InvalidInput: There is one, and whoever stands on the way could read it.
    """
    host = host_of(address)
    key = os.environ.get(key_variable(host)) or None
    if key is not None and urlsplit(address).scheme != "https" and not is_here(host):
        must = "be an address that begins with https://, since a key goes with the questions"
        hint = f"Write https://, or unset {key_variable(host)}."
        raise InvalidInput(Problem("study.toml", must, f'"{address}"', hint))
    return key


def key_masks(key: str | None) -> Mask:
    """Give what takes a key out of a text, whatever signs stand between its letters and digits.

    A key of fewer than eight signs is no secret, but a word such as "none".

    Example:
        >>> key_masks("sk-12345678")("No such key: sk_12345678."), key_masks("ollama")("ollama")
        ('No such key: [key].', 'ollama')
    """
    if key is None or len(key) < _SHORTEST_SECRET:
        return str
    spelt = "".join(sign if sign.isalnum() else r"[\W_]" for sign in key)
    return partial(re.compile(spelt).sub, "[key]")
