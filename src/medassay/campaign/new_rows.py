"""What is new in sheets that came back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from medassay.campaign.asked import asked_parts
from medassay.campaign.changes import Change
from medassay.campaign.labels import Said
from medassay.campaign.owners import describe_words
from medassay.campaign.reading import Given, describe_few
from medassay.judgements import Judgements, Preferences
from medassay.judgements.campaign import Assignment, CampaignPlan, Item
from medassay.study.folder import Study

__all__ = ["NewRows", "add_new_rows", "describe_is_not_kept", "words_of_raters"]

_Key = tuple[str, ...]
_Value = tuple[str | None, str | None, str | None]


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
    changes: list[Change] = field(default_factory=list)

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
    given: Sequence[tuple[Given, bool]],
) -> None:
    """Find what the study does not hold yet.

    Args:
        new_rows: Where it is added.
        study: The study.
        plan: The campaign.
        given: The rows that came back, each with whether its file was imported before.
    """
    pairs = plan.settings.kind == "preferences"
    now, ever = _held(study, pairs=pairs)
    rows: dict[_Key, dict[str, object]] = {}
    parts = asked_parts(study, plan.settings.kind)
    second = parts[1].ids if parts[1:] else ()
    for row, was_here in given:
        assignment = plan.by_code[row.code]
        # A second part is met when the whole first one is done.
        later = len(plan.of_rater(assignment.rater))
        for dimension, label in row.labels.items():
            key = _key(assignment, dimension)
            value = _value(row, label, assignment.item)
            held = now.get(key)
            # A blank takes nothing away: the words that went with the same label stay.
            if held is not None and not row.comment and held[:2] == value[:2]:
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
                **_said(label, assignment.item),
            }
    (new_rows.preferences if pairs else new_rows.judgements).extend(rows.values())


def describe_is_not_kept(
    new_rows: NewRows, study: Study, plan: CampaignPlan, given: Sequence[tuple[Given, bool]]
) -> list[str]:
    """Say which words have no label to go with; and list the labels that were taken out again."""
    now, _ = _held(study, pairs=plan.settings.kind == "preferences")
    new = [row for row, was_here in given if not was_here]
    silent = [
        f"{row.file}, {row.address}"
        for row in new
        if row.comment
        and not row.labels
        and not any(_key(plan.by_code[row.code], one) in now for one in row.empty)
    ]
    for row in new:
        assignment = plan.by_code[row.code]
        for dimension in row.empty:
            held = now.get(_key(assignment, dimension))
            if held is not None:
                new_rows.changes.append(_change(row, assignment, dimension, held, None))
    if not silent:
        return []
    text = f"Words without a label cannot be kept in the study: {describe_few(silent)}."
    return [f"{text} They stay in the copy."]


def words_of_raters(
    study: Study, plan: CampaignPlan, own: Iterable[Given]
) -> dict[tuple[str, str], Said]:
    """Give what each code's own rater says: in the sheets given, or else in the study."""
    pairs = plan.settings.kind == "preferences"
    now, _ = _held(study, pairs=pairs)
    said: dict[tuple[str, str], Said] = {}
    for assignment in plan.assignments:
        for dimension in plan.settings.dimensions:
            held = now.get(_key(assignment, dimension))
            if held is not None:
                said[assignment.code, dimension] = _as_seen(held, assignment.item)
    for row in own:
        said |= {(row.code, dimension): label for dimension, label in row.labels.items()}
    return said


def _as_seen(value: _Value, item: Item) -> Said:
    label, reason, _ = value
    if item.system_b and label in item.pair:
        label = "A" if label == item.system else "B"
    return label, reason


def _change(
    row: Given, assignment: Assignment, dimension: str, held: _Value, value: _Value | None
) -> Change:
    old = describe_words(_as_seen(held, assignment.item))
    new = "" if value is None else describe_words(_as_seen(value, assignment.item))
    outcome: Literal["changed", "comment", "kept"] = "kept" if value is None else "changed"
    if value is not None and value[:2] == held[:2]:
        outcome, old, new = "comment", held[2] or "", value[2] or ""
    cell = row.empty[dimension] if value is None else row.addresses[dimension]
    return Change(
        outcome=outcome,
        rater=assignment.rater,
        code=row.code,
        dimension=dimension,
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


def _key(assignment: Assignment, dimension: str) -> _Key:
    return (
        dimension,
        assignment.item.case,
        *assignment.item.pair,
        assignment.rater,
        assignment.phase,
    )


def _said(said: Said, item: Item) -> dict[str, object]:
    label, reason = said
    if not item.system_b:
        return {"system": item.system, "label": label, "reason": reason}
    choice = None if label is None else label.lower()
    sides = {"system_a": item.system, "system_b": item.system_b}
    return {**sides, "choice": choice, "reason": reason}


def _value(row: Given, said: Said, item: Item) -> _Value:
    label, reason = said
    if item.system_b and label in {"A", "B"}:
        label = item.system if label == "A" else item.system_b
    return label, reason, row.comment or None


def _held(study: Study, *, pairs: bool) -> tuple[dict[_Key, _Value], set[tuple[_Key, _Value]]]:
    """Give what the study holds now by key, and all that it ever held."""
    if not pairs:
        columns = ["dimension", "case", "system", "rater", "phase", "label", "reason", "comment"]
        table = study.judgements_on_file
        now = {row[:5]: row[5:] for row in table.current().select(columns).iter_rows()}
        return now, {(row[:5], row[5:]) for row in table.frame.select(columns).iter_rows()}
    preferences = study.preferences_on_file
    named = ["dimension", "case", "first", "second", "rater", "phase", "winner", "choice",
             "reason", "comment"]  # fmt: skip
    current = {
        row[:6]: (row[6] or row[7], *row[8:])
        for row in preferences.current().select(named).iter_rows()
    }
    ever = set()
    for row in preferences.frame.iter_rows(named=True):
        pair = sorted((row["system_a"], row["system_b"]))
        key = (row["dimension"], row["case"], *pair, row["rater"], row["phase"])
        chosen = {"a": row["system_a"], "b": row["system_b"]}.get(row["choice"], row["choice"])
        ever.add((key, (chosen, row["reason"], row["comment"])))
    return current, ever
