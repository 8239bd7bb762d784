"""Which dimensions of a study were judged so that raters' severity can pass for quality."""

from collections.abc import Collection

from medassay.judgements import units
from medassay.study.folder import Study
from medassay.validity import Allotment, allotment

__all__ = ["describe_allotted", "unfair_allotments"]


def unfair_allotments(study: Study, cases: Collection[str] | None = None) -> dict[str, Allotment]:
    """Find the judged dimensions whose raters fell to systems otherwise than by chance.

    Args:
        study: The study; labels that do not count are not read.
        cases: Only these cases; all if not given.
    """
    judged = set(study.judgements.current()["dimension"])
    allotments = {}
    for name in study.rubric.ids:
        if name not in judged:
            continue
        read = units(study.judgements, name)
        this_allotment = allotment(read if cases is None else read.of_cases(cases))
        if this_allotment.kind != "even":
            allotments[name] = this_allotment
    return allotments


def describe_allotted(study: Study) -> list[str]:
    """Say of each such dimension what is wrong, and what to do."""
    lines = []
    for name, unfair_allotment in unfair_allotments(study).items():
        who = f" (the rater is {unfair_allotment.rater})" if unfair_allotment.rater else ""
        lines.append(
            f"On {name} {unfair_allotment.words}{who}. No system is ranked on it. Let each "
            f"rater judge all "
            "systems of a case, or deal raters out by chance (medassay campaign plans it)."
        )
    return lines
