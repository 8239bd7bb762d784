"""A certificate: what was tested of a judge, on how much, and what it holds for."""

from pathlib import Path
from typing import Final, Literal

from medassay.errors import InvalidInput, Problem
from medassay.marks import DesignName, RaterName, Words
from medassay.marks.plain import Plain
from medassay.study.certificates.checks import FLIPS, SHIFT
from medassay.study.certificates.fingerprint import DomainPrint, JudgeIdentity, RubricPrint, hash_of
from medassay.study.certificates.label_checks import FEWEST, FINDS, WORSE
from medassay.study.certificates.record import JudgeDimensionResult
from medassay.tables import file_bytes, file_stem, json_bytes, json_fault, parse_widely, read_record
from medassay.validity import JudgeOrder

__all__ = [
    "Certificate",
    "CertifiedDimension",
    "Rules",
    "certificate_bytes",
    "certificate_name",
    "read_certificate",
    "rules_of",
    "seal_of",
]

_AGAIN: Final = "Write it anew: medassay judge STUDY --certify, in the study that it comes from."


_ALLOWED: Final = ("allowed", "allows")
_ASKED: Final = ("asked for", "asks for")


def rules_of(epsilon: float) -> "Rules":
    """Give the rules of today, with a study's own epsilon."""
    return Rules(epsilon=epsilon, flips=FLIPS, shift=SHIFT, worse=WORSE, fewest=FEWEST, finds=FINDS)


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

    def laxer_than(self, here: "Rules") -> list[str]:
        """Name the rules that let more pass than those of this study."""
        more = [("epsilon", 1), ("flips", 1), ("shift", 1), ("worse", 1)]
        return [
            f"its tests {verb} {name} {mine:g}, and this study {verb_here} {theirs:g}"
            for name, sign in (*more, ("fewest", -1), ("finds", -1))
            for mine, theirs in [(getattr(self, name), getattr(here, name))]
            for verb, verb_here in [_ALLOWED if sign > 0 else _ASKED]
            if sign * mine > sign * theirs
        ]


class CertifiedDimension(Plain, infers=True):
    """What was tested on one dimension, and what came out."""

    rubric: RubricPrint
    passed: bool
    failed: list[Words]
    open: list[Words]
    """Tests that did not decide, or were not made."""
    tested: JudgeDimensionResult


class Certificate(Plain, infers=True):
    """All of it. The seal is a hash of everything else: a changed file no longer fits it."""

    schema_version: Literal[2] = 2
    """1 knew nothing of labels that matter."""
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
    certificate = read_record(Certificate, values, file=shown_as, row=None, problems=problems)
    if certificate is None:
        raise InvalidInput(problems)
    if seal_of(certificate.model_dump(mode="json")) != certificate.seal:
        must, got = "be as medassay wrote it", "a file that does not fit its seal"
        raise InvalidInput(Problem(shown_as, must, got, _AGAIN, None, "seal"))
    return certificate
