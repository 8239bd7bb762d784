"""What two versions call their cases, where one of them names none outside its own files."""

from collections.abc import Sequence
from dataclasses import replace

from medassay.analyses.versions.version import Version
from medassay.error_analysis import Flip
from medassay.marks import case_numbers
from medassay.scores import ScoreTable
from medassay.validity import GateResult

__all__ = ["by_number_beside", "without_ids"]


def by_number_beside(one: Version, other: Version) -> Version:
    """Call the cases of a study by number where it is held against a table that does.

    The scores of a run whose study names no case come as such a table.
    """
    study = one.study
    if study is None or not _keeps_ids(one) or other.study is not None:
        return one
    there = set(other.table.frame["case"])
    numbers = case_numbers(study.cases.ids)
    if there & numbers.keys() or not there <= set(numbers.values()):
        return one
    private = study.private()
    named = one.table.frame["case"].replace_strict(numbers)
    table = ScoreTable(one.table.frame.with_columns(named.alias("case")))
    return replace(one, table=table, study=private, clusters=private.clusters)


def without_ids(
    results: Sequence[GateResult], choices: Sequence[Flip], versions: Sequence[Version]
) -> tuple[tuple[GateResult, ...], tuple[Flip, ...]]:
    """Number the cases, those of all versions together, where one version names none."""
    if not any(map(_keeps_ids, versions)):
        return tuple(results), tuple(choices)
    cases = {case for one in versions for case in one.table.frame["case"]}
    cases |= {case for one in versions if one.study is not None for case in one.study.cases.ids}
    names = case_numbers(cases)
    return (
        tuple(
            replace(one, flips=tuple(replace(flip, case=names[flip.case]) for flip in one.flips))
            for one in results
        ),
        tuple(replace(one, case=names[one.case]) for one in choices),
    )


def _keeps_ids(one: Version) -> bool:
    return one.study is not None and one.study.config.privacy.texts == "none"
