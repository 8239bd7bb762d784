"""Where questions may go, and which key goes with them."""

import ipaddress
import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

__all__ = ["Allowed", "host_of", "is_here", "key_for", "key_variable"]

_OPENAI: Final = "api.openai.com"


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
    otherwise have the key of one address sent to another.

    Example:
        >>> key_variable("api.openai.com"), key_variable("api.mistral.ai")
        ('OPENAI_API_KEY', 'MEDASSAY_KEY_API_MISTRAL_AI')
    """
    if host == _OPENAI:
        return "OPENAI_API_KEY"
    return f"MEDASSAY_KEY_{re.sub(r'[^A-Z0-9]', '_', host.upper())}"


def key_for(host: str) -> str | None:
    """Give the key for a host from the environment; None where it holds none."""
    return os.environ.get(key_variable(host)) or None
