"""What is new in sheets that came back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from medassay.campaign.asked import asked_parts
from medassay.campaign.changes import LabelChange
from medassay.campaign.filled import Filled
from medassay.campaign.reading import Given, describe_few
from medassay.judgements import Judgements, Preferences, Rubric
from medassay.judgements.campaign import Assignment, CampaignPlan, Item
from medassay.study.folder import Study

__all__ = ["NewRows", "add_new_rows", "describe_is_not_kept", "words_of_raters"]

_Key = tuple[object, ...]
_Value = tuple[Filled, str | None]
"""What was said, and the words beside it."""


@dataclass
class NewRows:
    """What is to be appended, and how it stands to what is there.

    Attributes:
        judgements: Rows of judgements.
        preferences: Rows of preferences.
        corrected: How many of all rows correct an earlier one.
        known: Rows that the study had already.
        changes: Each label that is not what the study held.
    """

    judgements: list[dict[str, object]] = field(default_factory=list)
    preferences: list[dict[str, object]] = field(default_factory=list)
    corrected: int = 0
    known: int = 0
    changes: list[LabelChange] = field(default_factory=list)

    @property
    def added(self) -> int:
        """Count the rows that are new."""
        return len(self.judgements) + len(self.preferences)

    def laid_over(self, study: Study) -> tuple[Judgements, Preferences]:
        """Give the study's judgements and preferences with the new ones behind them."""
        judgements, preferences = study.judgements_on_file, study.preferences_on_file
        if self.judgements:
            new = Judgements.from_rows(self.judgements, study.rubric, "sheets")
            judgements = judgements.append(new)
        if self.preferences:
            preferences = preferences.append(Preferences.from_rows(self.preferences, "sheets"))
        return judgements, preferences


def add_new_rows(
    new_rows: NewRows,
    study: Study,
    plan: CampaignPlan,
    rows_given: Sequence[tuple[Given, bool]],
) -> None:
    """Find what the study does not hold yet.

    Args:
        new_rows: Where it is added.
        study: The study.
        plan: The campaign.
        rows_given: The rows that came back, each with whether its file was imported before.
    """
    pairs = plan.settings.kind == "preferences"
    now, ever = _held(study, pairs=pairs)
    rows: dict[_Key, dict[str, object]] = {}
    parts = asked_parts(study, plan.settings.kind)
    second = parts[1].ids if parts[1:] else ()
    for row, was_here in rows_given:
        assignment = plan.by_code[row.code]
        # A second part is met when the whole first one is done.
        later = len(plan.of_rater(assignment.rater))
        for dimension, label in row.labels.items():
            key = _key(assignment, row.about, dimension)
            value = (_as_kept(label, assignment.item), row.comment or None)
            held = now.get(key)
            # A blank takes nothing away: the words that went with the same label stay.
            if held is not None and not row.comment and held[0] == value[0]:
                value = held
            there = (key, value) in ever if was_here else held == value
            new_rows.known += there
            if there or key in rows:
                continue
            new_rows.corrected += held is not None
            if held is not None:
                new_rows.changes.append(_change(row, assignment, dimension, held, value))
            rows[key] = {
                "rater": assignment.rater,
                "case": assignment.item.case,
                "dimension": dimension,
                "phase": assignment.phase,
                "position": assignment.position + (later if dimension in second else 0),
                "comment": row.comment or None,
                "display": assignment.display or None,
                **({} if pairs else {"about": row.about}),
                **_said(label, assignment.item, dimension, study.rubric),
            }
    (new_rows.preferences if pairs else new_rows.judgements).extend(rows.values())


def describe_is_not_kept(
    new_rows: NewRows, study: Study, plan: CampaignPlan, rows_given: Sequence[tuple[Given, bool]]
) -> list[str]:
    """Say which words have no label to go with; and list the labels that were taken out again."""
    now, _ = _held(study, pairs=plan.settings.kind == "preferences")
    new = [row for row, was_here in rows_given if not was_here]
    silent = [
        f"{row.file}, {row.address}"
        for row in new
        if row.comment
        and not row.labels
        and not any(_key(plan.by_code[row.code], row.about, name) in now for name in row.empty)
    ]
    for row in new:
        assignment = plan.by_code[row.code]
        for dimension in row.empty:
            held = now.get(_key(assignment, row.about, dimension))
            if held is not None:
                new_rows.changes.append(_change(row, assignment, dimension, held, None))
    if not silent:
        return []
    text = f"Words without a label cannot be kept in the study: {describe_few(silent)}."
    return [f"{text} They stay in the copy."]


def words_of_raters(
    study: Study, plan: CampaignPlan, own: Iterable[Given]
) -> dict[tuple[str, str, str], Filled]:
    """Give what each code's own rater says: in the sheets given, or else in the study."""
    now, _ = _held(study, pairs=plan.settings.kind == "preferences")
    codes = {_key(of_code, "", "")[2:]: of_code for of_code in plan.assignments}
    words: dict[tuple[str, str, str], Filled] = {}
    for (dimension, about, *rest), (held, _) in now.items():
        assignment = codes.get(tuple(rest))
        if assignment is not None and dimension in plan.settings.dimensions:
            words[assignment.code, str(about), str(dimension)] = _as_seen(held, assignment.item)
    for row in own:
        words |= {(row.code, row.about, name): label for name, label in row.labels.items()}
    return words


def _as_seen(held: Filled, item: Item) -> Filled:
    """Say a preference as the rater saw it: by the side that the system stood on."""
    if item.system_b and held.word in item.pair:
        return held._replace(word="A" if held.word == item.system else "B")
    return held


def _as_kept(filled: Filled, item: Item) -> Filled:
    """Say a preference by the system's name."""
    if item.system_b and filled.word in {"A", "B"}:
        return filled._replace(word=item.system if filled.word == "A" else item.system_b)
    return filled


def _change(
    row: Given, assignment: Assignment, dimension: str, held: _Value, value: _Value | None
) -> LabelChange:
    old = str(_as_seen(held[0], assignment.item))
    new = "" if value is None else str(_as_seen(value[0], assignment.item))
    outcome: Literal["changed", "comment", "kept"] = "kept" if value is None else "changed"
    if value is not None and value[0] == held[0]:
        outcome, old, new = "comment", held[1] or "", value[1] or ""
    cell = row.empty[dimension] if value is None else row.addresses[dimension]
    return LabelChange(
        outcome=outcome,
        rater=assignment.rater,
        code=row.code,
        dimension=f"{dimension} {row.about}".strip(),
        case=assignment.item.case,
        systems=" / ".join(
            name for name in (assignment.item.system, assignment.item.system_b) if name
        ),
        phase=assignment.phase,
        old=old,
        new=new,
        file=row.file,
        cell=cell,
    )


def _key(assignment: Assignment, about: str, dimension: str) -> _Key:
    item = assignment.item
    return (
        dimension,
        about,
        item.case,
        *item.pair,
        item.sample,
        assignment.rater,
        assignment.phase,
    )


def _said(filled: Filled, item: Item, dimension: str, rubric: Rubric) -> dict[str, object]:
    if not item.system_b:
        columns = filled.columns(rubric.dimension(dimension))
        return {"system": item.system, "sample": item.sample, **columns}
    choice = None if filled.word is None else filled.word.lower()
    sides = {"system_a": item.system, "system_b": item.system_b}
    return {**sides, "choice": choice, "reason": filled.reason}


def _held(study: Study, *, pairs: bool) -> tuple[dict[_Key, _Value], set[tuple[_Key, _Value]]]:
    """Give what the study holds now by key, and all that it ever held."""
    if not pairs:
        table = study.judgements_on_file
        now = dict(_of_judgement(row) for row in table.current().iter_rows(named=True))
        return now, {_of_judgement(row) for row in table.frame.iter_rows(named=True)}
    preferences = study.preferences_on_file
    current = dict(_of_preference(row) for row in preferences.current().iter_rows(named=True))
    return current, {_of_preference(row) for row in preferences.frame.iter_rows(named=True)}


def _of_judgement(row: dict[str, object]) -> tuple[_Key, _Value]:
    names = ("dimension", "about", "case", "system", "sample", "rater", "phase")
    comment = row["comment"]
    return tuple(row[name] for name in names), (
        Filled.held(row),
        None if comment is None else str(comment),
    )


def _of_preference(row: dict[str, object]) -> tuple[_Key, _Value]:
    systems = {"a": str(row["system_a"]), "b": str(row["system_b"])}
    key = (row["dimension"], "", row["case"], *sorted(systems.values()), 0, row["rater"])
    choice, reason, comment = (
        None if row[name] is None else str(row[name]) for name in ("choice", "reason", "comment")
    )
    word = None if choice is None else systems.get(choice, choice)
    return (*key, row["phase"]), (Filled(word, reason), comment)
