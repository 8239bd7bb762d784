"""The primary metrics and dimensions that study.toml names under [report]."""

from collections.abc import Sequence

from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.metrics import resolve
from medassay.study.config import StudyConfig
from medassay.study.files import STUDY_FILE

__all__ = ["primary_metrics", "primary_problems"]


def primary_metrics(config: StudyConfig) -> frozenset[str] | None:
    """Give the canonical names of the primary metrics; None where study.toml names none."""
    named = config.report.primary_metrics
    return None if named is None else frozenset(_canonical(name) for name in named)


def primary_problems(
    config: StudyConfig, metrics: Sequence[str], dimensions: Sequence[str]
) -> list[Problem]:
    """Say which primary metric or dimension is none of the study's.

    Args:
        config: What study.toml says.
        metrics: Canonical names of the study's metrics, and of imported scores.
        dimensions: Ids of its dimensions.
    """
    report = config.report
    asked = (
        ("primary_metrics", "metric", report.primary_metrics, list(metrics)),
        ("primary_dimensions", "dimension", report.primary_dimensions, list(dimensions)),
    )
    return [
        Problem(
            STUDY_FILE,
            f"name a {kind} of this study: {', '.join(known) or 'there is none'}",
            f'"{name}"',
            nearest(name, known),
            None,
            f"report.{key}",
        )
        for key, kind, names, known in asked
        for name in names or ()
        if (_canonical(name) if kind == "metric" else name) not in known
    ]


def _canonical(name: str) -> str:
    """Give a metric's canonical name; imported scores are called what they are called."""
    try:
        return str(resolve(name).name)
    except (InvalidInput, UnknownName):
        return name
