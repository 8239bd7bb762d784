"""Under which names two versions are compared: systems, cases, and what an id asks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from medassay.analyses.versions.version import Version
from medassay.annotations import case_numbers
from medassay.error_analysis import Flip
from medassay.errors import InvalidInput, Problem
from medassay.exhibits.natural_order import natural_order
from medassay.exhibits.numbers import count_of
from medassay.scores import ScoreTable
from medassay.validity import GateResult

__all__ = [
    "Pairing",
    "by_number_beside",
    "left_over",
    "names_cases_by_number",
    "not_asked_again",
    "other_cases",
    "pair_systems",
    "refuse_moved",
    "repeats_words",
    "reworded_cases",
    "unchanged_systems",
    "without_ids",
]


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


_HINT = (
    "Ids that only count the rows of a file say something else where the rows stand in another "
    "order, or where one is missing. Give each question an id of its own (--column case=THEIRS), "
    "or import the new answers into a copy of {old} without its answers/ and results/: an import "
    "knows the questions of a study by their words."
)


def refuse_moved(old: Version, new: Version) -> None:
    """Refuse two studies of which one asks under an id what the other asks under another.

    Answers to different questions would be compared, and nothing of it would show.

    Raises:
        InvalidInput: Some do.
    """
    before, other = _questions(old), _other_words(old, new)
    of_old = set(before.values())
    moved = [case for case, words in other.items() if words in of_old]
    if moved:
        must = f"ask under each id of a case what {old.shown} asks under it"
        got = f"{count_of(len(moved), 'question')} under the id of another, {_first(moved)}"
        hint = _HINT.format(old=old.shown)
        raise InvalidInput(Problem(new.shown, must, got, hint))


def reworded_cases(old: Version, new: Version, *, named: bool) -> list[str]:
    """Say of how many cases the question has other words; their answers are compared all the same.

    Args:
        old: The old version.
        new: The new one.
        named: Whether ids of cases may be told.
    """
    cases = list(_other_words(old, new))
    if not cases:
        return []
    who = f"{count_of(len(cases), 'case')}{f' ({_first(cases)})' if named else ''}"
    return [f"{new.shown} asks {who} in other words than {old.shown}: compared all the same."]


def _other_words(old: Version, new: Version) -> dict[str, str]:
    """Give the cases of both whose questions differ, with the new one's words."""
    before = _questions(old)
    return {
        case: words
        for case, words in _questions(new).items()
        if case in before and before[case] != words
    }


def _questions(version: Version) -> dict[str, str]:
    if version.study is None:
        return {}
    asked = {case.case: case.asked for case in version.study.cases}
    return {case: " ".join(words.split()).casefold() for case, words in asked.items() if words}


def _first(cases: list[str]) -> str:
    first = min(cases, key=natural_order)
    return f'"{first}"' if len(cases) == 1 else f'"{first}" first'


_NAMED: Final = 3


@dataclass(frozen=True)
class Pairing:
    """Under which name each side's systems are compared.

    Attributes:
        old: What the old version calls a system to the name it is compared by.
        new: The same of the new version.
        lost: Systems that only the old version has.
        gained: Systems that only the new version has.
    """

    old: dict[str, str]
    new: dict[str, str]
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()


def pair_systems(old: Version, new: Version) -> Pairing:
    """Give each side's systems the names under which they are compared.

    Raises:
        InvalidInput: They have no system in common.
    """
    before, after = old.systems, new.systems
    if old.system or new.system:
        first = old.system or (new.system if new.system in before else None)
        second = new.system or (old.system if old.system in after else None)
        before = (first,) if first else before
        after = (second,) if second else after
    if len(before) == len(after) == 1:
        name = before[0] if before == after else f"{before[0]} to {after[0]}"
        return Pairing({before[0]: name}, {after[0]: name})
    if not set(before) & set(after):
        must = "have a system in common, or name one each, as in FOLDER:SYSTEM"
        got = f"{', '.join(before)} and {', '.join(after)}"
        raise InvalidInput(Problem(f"{old.shown} and {new.shown}", must, got))
    lost = tuple(name for name in before if name not in after)
    gained = tuple(name for name in after if name not in before)
    return Pairing({name: name for name in before}, {name: name for name in after}, lost, gained)


def unchanged_systems(old: Version, new: Version, pairing: Pairing) -> frozenset[str]:
    """Find the systems of which nothing differs: no score and no answer.

    A table of scores holds no answers, and that five scores are equal does not show that the
    answers are: of two tables nothing counts as unchanged, only of one that is named twice.
    """
    if old.scales.keys() != new.scales.keys():
        return frozenset()
    held: list[tuple[Mapping[Any, object], Mapping[Any, object]]] = [
        (old.values(name, pairing.old), new.values(name, pairing.new)) for name in old.scales
    ]
    before, after = old.contents(pairing.old), new.contents(pairing.new)
    if before is not None and after is not None:
        held.append((before, after))
    elif old.shown != new.shown:
        return frozenset()
    changed = {
        key[0]
        for before, after in held
        for key in before.keys() | after.keys()
        if before.get(key) != after.get(key)
    }
    return frozenset(set(pairing.old.values()) & set(pairing.new.values()) - changed)


def left_over(
    old: Version,
    new: Version,
    pairing: Pairing,
    lost_metrics: Sequence[str],
    new_metrics: Sequence[str],
) -> list[str]:
    """Name every system and every metric that only one side has."""
    lines = []
    for noun, lost, gained in (
        ("system", pairing.lost, pairing.gained),
        ("metric", lost_metrics, new_metrics),
    ):
        if lost:
            who = f"{noun}{'s' * (len(lost) > 1)} {', '.join(lost)}"
            lines.append(f"{new.shown} has no scores of {who}: all of {old.shown}'s are lost.")
        if gained:
            lines.append(_only(new, f"{noun}{'s' * (len(gained) > 1)} {', '.join(gained)}"))
    return lines


def other_cases(old: Version, new: Version, *, named: bool) -> list[str]:
    """Say how many cases only one side has.

    Args:
        old: The old version.
        new: The new one, its cases called as the old one's are.
        named: Whether ids of cases may be told.
    """
    before, after = set(old.table.frame["case"]), set(new.table.frame["case"])
    lost, gained = before - after, after - before
    lines = []
    if lost:
        who = f"{count_of(len(lost), 'case')} of {old.shown}{_names(lost) if named else ''}"
        lines.append(f"{new.shown} lacks {who}: their scores are lost.")
    if gained:
        lines.append(
            _only(new, f"{count_of(len(gained), 'case')}{_names(gained) if named else ''}")
        )
    return lines


def not_asked_again(old: Version, new: Version, count: int) -> list[str]:
    """Say how many answers of the old version were not asked of the new one."""
    if not count:
        return []
    were, them = ("answer was", "it") if count == 1 else ("answers were", "them")
    what = f"{count:,} {were} not asked of {new.shown} again (asked.csv)"
    return [f"{what}: no comparison with {old.shown} holds {them}."]


def repeats_words(old: Version, new: Version, pairing: Pairing) -> list[str]:
    """Say how repeated answers are paired, and whether the runs shared a seed or a day.

    Answers of two runs with one seed, or of one day, may err together; what neither study records
    is said to be not known.
    """
    most = max(map(_most_repeats, (old, new)))
    if most < _TWICE:
        return []
    how = f"Cases were answered up to {most} times: their means are compared, case by case."
    return [how, *_shared("seed", _seeds(old, pairing.old), _seeds(new, pairing.new)),
            *_shared("day", _day(old), _day(new))]  # fmt: skip


_TWICE: Final = 2


def _most_repeats(version: Version) -> int:
    import polars as pl

    whole = version.table.frame.filter(
        (pl.col("about") == "") & pl.col("source").is_in(list(version.scales))
    )
    counts = whole.group_by("source", "system", "case").len()["len"].max()
    return int(counts) if isinstance(counts, int) else 0


def _seeds(version: Version, names: Mapping[str, str]) -> set[str]:
    """Give the seeds that study.toml sets for the compared systems; nothing where one has none."""
    if version.study is None:
        return set()
    seeds = {_seed(version.study.system(system).settings) for system in names}
    return set() if "" in seeds else seeds


def _seed(settings: Mapping[str, Any]) -> str:
    parameters = settings.get("parameters")
    seed = parameters.get("seed") if isinstance(parameters, Mapping) else None
    return "" if seed is None else str(seed)


def _day(version: Version) -> set[str]:
    date = None if version.study is None else version.study.config.date
    return {str(date)} if date else set()


def _shared(what: str, old: set[str], new: set[str]) -> list[str]:
    if not old or not new:
        return [f"Whether the two runs shared a {what} is not known: no record says it of both."]
    if old == new:
        return [f"The two runs shared a {what} ({', '.join(sorted(old))}): they may err together."]
    ours, theirs = (", ".join(sorted(each)) for each in (old, new))
    return [f"The two runs did not share a {what} ({ours} and {theirs})."]


def _only(new: Version, what: str) -> str:
    return f"Only {new.shown} has {what}: nothing to compare with."


def _names(cases: Collection[str]) -> str:
    listed = ", ".join(sorted(cases, key=natural_order)[:_NAMED])
    more = f" and {len(cases) - _NAMED:,} more" if len(cases) > _NAMED else ""
    return f" ({listed}{more})"
