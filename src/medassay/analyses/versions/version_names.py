"""What two versions call their cases, where one of them names none outside its own files."""

from collections.abc import Sequence
from dataclasses import replace

from medassay.analyses.versions.version import Version
from medassay.error_analysis import Flip
from medassay.marks import case_numbers
from medassay.scores import ScoreTable
from medassay.validity import GateResult

__all__ = ["by_number_beside", "names_cases_by_number", "without_ids"]


def by_number_beside(version: Version, other: Version) -> Version:
    """Call the cases of a study by number where it is held against a table that does.

    The scores of a run whose study names no case come as such a table.
    """
    study = version.study
    if study is None or not _keeps_ids(version) or other.study is not None:
        return version
    there = set(other.table.frame["case"])
    numbers = case_numbers(study.cases.ids)
    if there & numbers.keys() or not there <= set(numbers.values()):
        return version
    private = study.private()
    named = version.table.frame["case"].replace_strict(numbers)
    table = ScoreTable(version.table.frame.with_columns(named.alias("case")))
    return replace(version, table=table, study=private, clusters=private.clusters)


def without_ids(
    results: Sequence[GateResult], choices: Sequence[Flip], versions: Sequence[Version]
) -> tuple[tuple[GateResult, ...], tuple[Flip, ...]]:
    """Number the cases, those of all versions together, where one version names none."""
    if not names_cases_by_number(versions):
        return tuple(results), tuple(choices)
    cases = {case for version in versions for case in version.table.frame["case"]}
    cases |= {
        case
        for version in versions
        if version.study is not None
        for case in version.study.cases.ids
    }
    names = case_numbers(cases)
    return (
        tuple(
            replace(gate, flips=tuple(replace(flip, case=names[flip.case]) for flip in gate.flips))
            for gate in results
        ),
        tuple(replace(choice, case=names[choice.case]) for choice in choices),
    )


def names_cases_by_number(versions: Sequence[Version]) -> bool:
    """Say whether one of the versions names no case, so that all are told by number."""
    return any(map(_keeps_ids, versions))


def _keeps_ids(version: Version) -> bool:
    return version.study is not None and version.study.config.privacy.texts == "none"
