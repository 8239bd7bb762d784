"""Everything that a number depends on, in one line."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from medassay.__about__ import __version__

__all__ = ["Signature"]


@dataclass(frozen=True, slots=True)
class Signature:
    """What a number was made with; built by code, rendered late.

    Attributes:
        name: The canonical name.
        version: The version of the definition: raised whenever the same input gives another value.
        settings: Whatever else the value depends on (library versions, rule set, model hash, seed).

    Example:
        >>> print(Signature("bleu(ref=human)", 1, {"tokenizer": "13a", "smoothing": "none"}))
        bleu(ref=human)|version:1|smoothing:none|tokenizer:13a|medassay:0.1.0
    """

    name: str
    version: int
    settings: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """Print the line that reports and papers quote."""
        settings = "".join(f"|{key}:{self.settings[key]}" for key in sorted(self.settings))
        return f"{self.name}|version:{self.version}{settings}|medassay:{__version__}"

    @property
    def digest(self) -> str:
        """Hash what decides the value. medassay's own version does not: `version` does."""
        facts = [self.name, self.version, sorted(self.settings.items())]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
