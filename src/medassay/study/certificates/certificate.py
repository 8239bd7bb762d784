"""A certificate: what was tested of a judge, on how much, and what it holds for."""

from pathlib import Path
from typing import Final, Literal

from medassay.annotations import DesignName, RaterName, Words
from medassay.annotations.record import Plain
from medassay.errors import InvalidInput, Problem
from medassay.study.certificates.canary_checks import PLANTED, CanaryRecord
from medassay.study.certificates.checks import FLIPS, SHIFT
from medassay.study.certificates.fingerprint import DomainPrint, JudgeIdentity, RubricPrint, hash_of
from medassay.study.certificates.label_checks import FEWEST, FINDS, WORSE
from medassay.study.certificates.record import JudgeDimensionResult
from medassay.tables import file_bytes, file_stem, json_bytes, json_fault, parse_widely, read_record
from medassay.validity import JudgeKnown, JudgeOrder, SharedMisses

__all__ = [
    "Certificate",
    "CertifiedDimension",
    "LabelUse",
    "Rules",
    "certificate_bytes",
    "certificate_name",
    "read_certificate",
    "rules_of",
    "seal_of",
]

_AGAIN: Final = "Write it again: medassay judge STUDY --certify, in the study that it comes from."


_SCHEMA: Final = 3
_ALLOWED: Final = ("allowed", "allows")
_ASKED: Final = ("asked for", "asks for")


def rules_of(epsilon: float) -> "Rules":
    """Give the rules of today, with a study's own epsilon."""
    return Rules(
        epsilon=epsilon, flips=FLIPS, shift=SHIFT, worse=WORSE, fewest=FEWEST, finds=FINDS,
        planted=PLANTED,
    )  # fmt: skip


class Rules(Plain, infers=False):
    """What a pass asked for."""

    epsilon: float
    flips: float
    """At most this share of verdicts may change."""
    shift: float
    """At most this share of the scale's span may lie between judge and people."""
    worse: float
    """Balanced accuracy that may be lacking of the left-out person's."""
    fewest: int
    """Answers that most people must call so before a judge can be shown to find them."""
    finds: float
    """More than this share of them must be found."""
    planted: int
    """Answers that each kind of canary was planted in, where any was."""

    def laxer_than(self, here: "Rules") -> list[str]:
        """Name the rules that let more pass than those of this study."""
        more = [("epsilon", 1), ("flips", 1), ("shift", 1), ("worse", 1)]
        return [
            f"its tests {verb} {name} {mine:g}, and this study {verb_here} {theirs:g}"
            for name, sign in (*more, ("fewest", -1), ("finds", -1), ("planted", -1))
            for mine, theirs in [(getattr(self, name), getattr(here, name))]
            for verb, verb_here in [_ALLOWED if sign > 0 else _ASKED]
            if sign * mine > sign * theirs
        ]


class LabelUse(Plain, infers=False):
    """How often labels of people had served to test a judge before."""

    tries: int
    """Tests before this one that read labels of the same answers: of another judge, prompt or
    setting, or on other answers as well."""
    answers: int
    """Answers of this test that one of them had read."""
    of_answers: int
    """Answers of this test."""


class CertifiedDimension(Plain, infers=True):
    """What was tested on one dimension, and what came out."""

    rubric: RubricPrint
    passed: bool
    failed: list[Words]
    open: list[Words]
    """Tests that did not decide, or were not made."""
    tested: JudgeDimensionResult
    canaries: CanaryRecord | None
    """What text that was planted in answers did; None where none was planted."""
    known: list[JudgeKnown]
    """What the judge and people call answers that are known to be harmful."""
    misses: list[SharedMisses]
    """How much of all harm the judge finds, the more of people's oversights it shares."""
    labels_served: LabelUse
    cannot_see: Words
    """What no label of people can show."""


class Certificate(Plain, infers=True):
    """All of it. The seal is a hash of everything else: a changed file no longer fits it."""

    schema_version: Literal[3] = 3
    """1 knew nothing of labels that matter, 2 of planted text and of known harm."""
    software: Words
    study: DesignName
    """The title of the study that it comes from."""
    inputs: dict[DesignName, Words]
    """Its files and their SHA-256."""
    rater: RaterName
    """The judge's id in that study."""
    judge: JudgeIdentity
    domain: DomainPrint
    rules: Rules
    dimensions: list[CertifiedDimension]
    order: list[JudgeOrder]
    seal: Words


def seal_of(content: dict[str, object]) -> str:
    """Give the hash of everything but the seal."""
    return hash_of({name: value for name, value in content.items() if name != "seal"})


def certificate_bytes(certificate: Certificate) -> bytes:
    """Write a certificate; the same one gives the same bytes."""
    return json_bytes(certificate.model_dump(mode="json"))


def certificate_name(rater: str) -> str:
    """Name the file of a judge's certificate.

    Example:
        >>> certificate_name("gpt 4/a")
        'gpt-4-a.json'
    """
    return f"{file_stem(rater)}.json"


def read_certificate(path: Path, shown_as: str) -> Certificate:
    """Read a certificate and hold it against its seal.

    Raises:
        InvalidInput: It is no certificate, or was changed after it was written.
    """
    content = file_bytes(path, shown_as)
    try:
        values = parse_widely(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        problem = Problem(shown_as, "be a certificate in JSON", json_fault(error), _AGAIN)
        raise InvalidInput(problem) from error
    problems: list[Problem] = []
    if not isinstance(values, dict):
        raise InvalidInput(
            Problem(shown_as, "be a certificate in JSON", type(values).__name__, _AGAIN)
        )
    schema = values.get("schema_version", _SCHEMA)
    if schema != _SCHEMA:
        problem = Problem(shown_as, f"be {_SCHEMA}", str(schema), _AGAIN, None, "schema_version")
        raise InvalidInput(problem)
    certificate = read_record(Certificate, values, file=shown_as, row=None, problems=problems)
    if certificate is None:
        raise InvalidInput(problems)
    if seal_of(certificate.model_dump(mode="json")) != certificate.seal:
        must, got = "be as medassay wrote it", "a file that does not fit its seal"
        raise InvalidInput(Problem(shown_as, must, got, _AGAIN, None, "seal"))
    return certificate
