"""Draw answers that give their system away, and answers that do not, in five languages."""

import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

__all__ = ["SETS", "Drawn", "draw_innocents", "draw_leaks"]

LANGUAGES: Final = ("en", "de", "fr", "es", "zh")
EACH: Final = 100
SETS: Final = ("first", "second", "third")
_FOLDER: Final = Path(__file__).parents[2] / "data" / "blinding"
_KINDS: Final = ("named", "named", "named", "made", "itself")


@dataclass(frozen=True)
class Drawn:
    """A drawn answer, and what its study calls its systems."""

    text: str
    names: tuple[str, ...]
    language: str
    kind: str


def draw_leaks(rng: random.Random, sentences: str) -> list[Drawn]:
    """Draw 500: three fifths name the system, a fifth its maker, a fifth speak of themselves."""
    return _draw(rng, sentences, _KINDS)


def draw_innocents(rng: random.Random, sentences: str) -> list[Drawn]:
    """Draw 500 that hold words which are names of models elsewhere, and none of a model here."""
    return _draw(rng, sentences, ("innocent",))


def _draw(rng: random.Random, sentences: str, kinds: tuple[str, ...]) -> list[Drawn]:
    templates = {
        **tomllib.loads((_FOLDER / "studies.toml").read_text(encoding="utf-8")),
        **tomllib.loads((_FOLDER / f"{sentences}.toml").read_text(encoding="utf-8")),
    }
    return [
        drawn for language in LANGUAGES for drawn in _of_language(rng, templates, language, kinds)
    ]


def _of_language(
    rng: random.Random, templates: dict[str, Any], language: str, kinds: tuple[str, ...]
) -> Iterator[Drawn]:
    """Draw texts of one language, none twice."""
    seen: set[str] = set()
    while len(seen) < EACH:
        kind = kinds[len(seen) % len(kinds)]
        study = rng.choice(
            [study for study in templates["studies"] if kind != "made" or study["makers"]]
        )
        template = rng.choice(templates[language][kind])
        bodies = rng.sample(templates[language]["body"], rng.randint(1, 3))
        body = ("" if language == "zh" else " ").join(bodies)
        name = rng.choice(rng.choice(study["leaks"]))
        maker = rng.choice(study["makers"] or [""])
        text = template.format(name=name, maker=maker, body=body)
        if text not in seen:
            seen.add(text)
            yield Drawn(text, tuple(study["names"]), language, kind)
