"""Who rates in a campaign."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Judgements, Preferences
from medassay.judgements.campaign import Assignment, CampaignPlan, Key, Kind
from medassay.study.folder import Study
from medassay.tables import file_stem

__all__ = [
    "asked_before",
    "campaign_raters",
    "refuse_asked_already",
    "said_keys",
    "told_apart",
]

_SHOWN = 3
_RUBRIC: Final = "rubric"
"""The file beside sheets in CSV that holds the rubric."""
_MOST: Final = 1000
_SHOWN_DIGITS: Final = 12


def campaign_raters(study: Study, wished: str | None) -> tuple[str, ...]:
    """Find the raters: by number, by name, or from the raters table.

    Raises:
        InvalidInput: They are not in the raters table, are excluded, or cannot be told apart.
    """
    people = [
        rater.rater for rater in study.raters if rater.kind == "person" and not rater.excluded
    ]
    if wished is None:
        if not people:
            must, hint = "be given where the study has no raters table", "For example --raters 3."
            raise InvalidInput(Problem("--raters", must, "nothing", hint))
        return told_apart(tuple(people), "the raters table")
    if wished.strip().isdecimal():
        return _by_number(study, wished.strip(), people)
    names = tuple(name.strip() for name in wished.split(",") if name.strip())
    problems = []
    for name in names:
        if not name.isprintable() or name[0] in "=+-@'":
            must = "be names that begin with a letter or a digit"
            problems.append(Problem("--raters", must, f'"{name}"'))
        elif len(study.raters) and name not in people:
            left_out = name in [rater.rater for rater in study.raters.excluded]
            hint = "" if left_out else nearest(name, people) or "Add a row for this rater."
            got = f'"{name}", who was excluded' if left_out else f'"{name}"'
            must = "be qualified people of the raters table"
            problems.append(Problem("--raters", must, got, hint))
    if not names:
        problems.append(Problem("--raters", "be names, or how many", f'"{wished}"'))
    if problems:
        raise InvalidInput(problems)
    return told_apart(names, "--raters")


def told_apart(names: tuple[str, ...], file: str) -> tuple[str, ...]:
    """Refuse raters of whom two would get one sheet, or one another file of the campaign."""
    stems = [file_stem(name).casefold() for name in names]
    same = [name for name, stem in zip(names, stems, strict=True) if stems.count(stem) > 1]
    if same:
        must, got = "be names that make different names of files", ", ".join(f'"{n}"' for n in same)
        raise InvalidInput(Problem(file, must, got))
    if _RUBRIC in stems:
        must = "leave to a file of the rubric its name"
        raise InvalidInput(Problem(file, must, f'"{names[stems.index(_RUBRIC)]}"'))
    return names


def _by_number(study: Study, wished: str, people: Sequence[str]) -> tuple[str, ...]:
    number = int(wished) if len(wished) <= _SHOWN_DIGITS else _MOST + 1
    if not 0 < number <= _MOST:
        must, got = f"be names, or a number from 1 to {_MOST:,}", wished.strip()[:_SHOWN_DIGITS]
        raise InvalidInput(Problem("--raters", must, got))
    if len(study.raters):
        if number > len(people):
            must = "be at most the qualified people of the raters table"
            raise InvalidInput(Problem("--raters", must, f"{number}, and it has {len(people)}"))
        return told_apart(tuple(people[:number]), "the raters table")
    width = len(str(number))
    return tuple(f"rater-{place:0{width}}" for place in range(1, number + 1))


def refuse_asked_already(
    study: Study, plan: CampaignPlan, others: Mapping[str, CampaignPlan]
) -> None:
    """Refuse raters who have judged these answers, or whom another campaign asks about them.

    What they send back would count as a correction of what they said there.

    Raises:
        InvalidInput: With every such rater.
    """
    before = asked_before(study, plan.settings.kind, others)
    both = sorted(
        {assignment.rater for assignment in plan.assignments if _asked(assignment) in before}
    )
    if both:
        must = "be raters who have not been asked about these answers yet"
        more = f" and {len(both) - _SHOWN} more" if both[_SHOWN:] else ""
        hint = "Give other names: what they send back would overwrite what they said before."
        raise InvalidInput(Problem("--raters", must, ", ".join(both[:_SHOWN]) + more, hint))


def asked_before(
    study: Study, kind: Kind, others: Mapping[str, CampaignPlan]
) -> set[tuple[str, str, str, tuple[str, ...], int]]:
    """Give what was judged, or is asked in other campaigns: rater, phase, case, systems, sample."""
    keys = said_keys(study.judgements_on_file, study.preferences_on_file, kind)
    before = {(key[0], key[1], *key[3:6]) for key in keys}
    for other in others.values():
        if other.settings.kind == kind:
            before |= {_asked(assignment) for assignment in other.assignments}
    return before


def _asked(assignment: Assignment) -> tuple[str, str, str, tuple[str, ...], int]:
    item = assignment.item
    return assignment.rater, assignment.phase, item.case, item.pair, item.sample


def said_keys(judgements: Judgements, preferences: Preferences, kind: Kind) -> set[Key]:
    """Give the keys of what holds now."""
    shared = ("rater", "phase", "dimension", "case")
    if kind == "answers":
        rows = judgements.current().select(*shared, "system", "sample", "about")
        return {(*row[:4], row[4:5], *row[5:]) for row in rows.iter_rows()}
    pairs = preferences.current().select(*shared, "first", "second")
    return {(*row[:4], row[4:], 0, "") for row in pairs.iter_rows()}
