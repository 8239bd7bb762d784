"""What a certificate holds for: this judge, asked this, in this domain."""

import hashlib

from medassay.annotations import DesignName, Tag, TagName, Words
from medassay.annotations.record import Plain
from medassay.cases import Cases
from medassay.judgements import Dimension
from medassay.study.config.study_toml import StudyConfig
from medassay.tables import json_bytes

__all__ = ["DomainPrint", "JudgeIdentity", "RubricPrint", "domain_of", "hash_of", "print_of"]


class JudgeIdentity(Plain, infers=False):
    """Which judge: what makes a model say what it says."""

    model: DesignName
    version: DesignName
    settings: DesignName
    """Such as the temperature, in words."""
    prompt: Words
    """SHA-256 of what the model was told."""

    def changes(self, now: "JudgeIdentity") -> list[str]:
        """Name the parts that differ, and how."""
        changed = [
            f'its {part} was "{old}" and is "{new}"'
            for part in ("model", "version", "settings")
            for old, new in [(getattr(self, part), getattr(now, part))]
            if old != new
        ]
        return [*changed, *(["its prompt changed"] if self.prompt != now.prompt else [])]


class RubricPrint(Plain, infers=False):
    """What raters are asked on a dimension: a SHA-256 of each part."""

    dimension: DesignName
    question: Words
    scale: Words
    """The scale, its labels and their scores."""
    guidance: Words
    """When to choose which label: descriptions, precedence, examples; and what is read for it."""

    def changes(self, now: "RubricPrint") -> list[str]:
        """Name the parts that differ."""
        return [
            f"the {part} of {self.dimension} changed"
            for part in ("question", "scale", "guidance")
            if getattr(self, part) != getattr(now, part)
        ]


class DomainPrint(Plain, infers=False):
    """What the answers were about."""

    protocol: DesignName
    name: DesignName
    tags: dict[TagName, list[Tag]]
    """Tag to the SHA-256 of each of its values among the cases; only tags that study.toml names as
    part of the domain. Hashes, since a certificate travels and may say nothing of a case."""

    def changes(self, now: "DomainPrint", *, named: bool = True) -> list[str]:
        """Name the parts of the other domain that this one does not hold.

        Args:
            now: The other domain.
            named: Whether its tags may be named.
        """
        changed = [
            f'the {part} was "{old}" and is "{new}"'
            for part, old, new in (
                ("protocol", self.protocol, now.protocol),
                ("domain", self.name, now.name),
            )
            if old != new
        ]
        if sorted(self.tags) != sorted(now.tags):
            old, new = (
                ", ".join(sorted(domain_print.tags)) or "none" for domain_print in (self, now)
            )
            are = f"were {old} and are {new}" if named else "are others"
            changed.append(f"the tags of the domain {are}")
            return changed
        for tag, values in sorted(now.tags.items()):
            strange = sum(value not in self.tags[tag] for value in values)
            if strange:
                of = tag if named else "a tag"
                changed.append(
                    f"{strange} of the {len(values)} values of {of} were not among those tested"
                )
        return changed


def print_of(dimension: Dimension) -> RubricPrint:
    """Take the fingerprint of a dimension; titles and aliases change nothing that is asked.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> asked = load_rubric("likert5").dimension("quality")
        >>> reworded = asked.model_copy(update={"question": "How good?"})
        >>> print_of(asked).changes(print_of(reworded))
        ['the question of quality changed']
    """
    labels = dimension.labels
    return RubricPrint(
        dimension=dimension.id,
        question=hash_of(dimension.question),
        scale=hash_of(
            [dimension.scale, [[label.label, label.score] for label in labels], *_more(dimension)]
        ),
        guidance=hash_of(
            [
                [label.description for label in labels],
                list(dimension.precedence),
                list(dimension.reads or ()),
                dimension.derived,
                [[example.model_dump() for example in label.examples] for label in labels],
            ]
        ),
    )


def _more(dimension: Dimension) -> list[object]:
    """Give what a dimension without labels asks: a number, or spans of some kinds."""
    fields = {"number", "kinds", "severities"}
    asked = dimension.model_dump(include=fields, exclude_defaults=True)
    return [asked] if asked else []


def domain_of(config: StudyConfig, cases: Cases) -> DomainPrint:
    """Say what a study's answers are about."""
    return DomainPrint(
        protocol=config.rules.name,
        name=config.domain.name,
        tags={tag: _values(tag, cases) for tag in sorted(config.domain.tags)},
    )


def _values(tag: str, cases: Cases) -> list[str]:
    return sorted({hash_of(case.tags[tag]) for case in cases if tag in case.tags})


def hash_of(value: object) -> str:
    """Give the SHA-256 of plain data, whatever the order of its keys."""
    return hashlib.sha256(json_bytes(value, compact=True)).hexdigest()
