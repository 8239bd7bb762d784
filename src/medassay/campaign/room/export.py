"""Bring home what was said in a room: rows of judgements.csv, and the campaign's own records."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from medassay.campaign.create import write_files
from medassay.campaign.plans import is_as_read, plan_named
from medassay.campaign.room.content import columns_of
from medassay.campaign.room.kept import Place, Spoken
from medassay.campaign.room.records import Given
from medassay.campaign.room.room import Room
from medassay.campaign.room.schema import tables
from medassay.campaign.room.signed import MEANINGS, Signature, signatures_in, unsigned_in
from medassay.campaign.room.sql import Sql, sql
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Judgements, Preferences, Rubric
from medassay.judgements.campaign import Assignment, CampaignPlan, Item
from medassay.study.folder import Study
from medassay.study.intake.judgements import add_judgements, add_preferences
from medassay.tables import Sheet, csv_bytes, guarded
from medassay.text import count_of


def assigned(plan: CampaignPlan, places: Iterable[Place]) -> Mapping[str, Assignment]:
    """Find an assignment by its code.

    An answer that passed to another rater, or that somebody settled, has a code that the plan does
    not hold. It is about the same item as those codes of the plan that have the item's number.

    Args:
        plan: Who rates what, as it was drawn up.
        places: All assignments of the room.
    """
    places = list(places)
    upright: dict[int, Assignment] = {}
    for place in places:
        planned = plan.by_code.get(place.code)
        if planned is not None:
            item = planned.item.turned if place.turned else planned.item
            upright.setdefault(place.item, replace(planned, item=item))
    by_code = dict(plan.by_code)
    for place in places:
        like = upright[place.item]
        by_code[place.code] = replace(
            like,
            code=place.code,
            rater=place.rater,
            phase=place.phase,
            position=place.position,
            batch=place.batch,
            item=like.item.turned if place.turned else like.item,
            display=place.display,
        )
    return by_code


AUDIT: Final = "audit.csv"
DANGEROUS: Final = "dangerous.csv"
GUESSES: Final = "guesses.csv"
SIGNATURES: Final = "signatures.csv"
RECORDS: Final = (AUDIT, DANGEROUS, GUESSES, SIGNATURES)
"""What an export writes beside the rows of the study."""
_SIGNED: Final = (
    "time", "rater", "meaning", "in_words", "batch", "answers", "holds", "sha256", "codes",
)  # fmt: skip


@dataclass(frozen=True)
class RoomExport:
    """What an export wrote.

    Attributes:
        added: Rows of judgements or preferences that are new to the study.
        known: Rows that it had already.
        files: The study's files that were written.
        notes: What a lead should know.
    """

    added: int
    known: int
    files: list[str]
    notes: list[str] = field(default_factory=list)


def export_room(study: Study, room: Room) -> RoomExport:
    """Append what holds in the room, with its history, to the study's judgements or preferences.

    Each label that was said becomes a row, with the moment it was saved, so that a correction
    stands behind what it corrects; what was taken back in the end becomes none. Given again it adds
    what came since. Beside it stand, in the campaign's folder: the audit trail, the answers marked
    dangerous, the guesses of systems and the signatures.

    Args:
        study: The study.
        room: The campaign's room.

    Raises:
        InvalidInput: An answer that was rated has changed, or the rows do not fit the study.
    """
    name = room.design.settings.name
    plan = plan_named(study, name)
    with room.rating.folding, room.database.reading() as connection:
        by_code = assigned(plan, room.kept.places(connection))
        rows = list(_rows(connection, by_code, room.design.rubric))
        signatures = signatures_in(room.kept, connection)
        records = _records(connection, by_code, signatures)
        unsigned = unsigned_in(room.kept, connection, signatures)
        status = room.kept.status(connection)
    _refuse_changed(study, plan, {by_code[str(row["code"])].item for row in rows})
    pairs = plan.settings.kind == "preferences"
    columns = Preferences.schema() if pairs else Judgements.schema()
    sheet = _sheet(rows, [column for column in columns if column != "rater_kind"])
    notes = []
    added, known, files = 0, 0, list[str]()
    if rows:
        done = add_preferences(study, sheet) if pairs else add_judgements(study, sheet)
        added, known, files = done.added, done.known, [*done.files]
    files += write_files(study.path, name, records)
    if status == "open":
        notes.append("The campaign is open: run this again for later ratings.")
    if room.design.options.signatures:
        notes += [
            f"{count_of(count, 'judged answer')} of {rater}: not signed, or changed since."
            for rater, count in unsigned.items()
        ]
    room.lead.log("lead", "export", new=f"{added} rows")
    return RoomExport(added, known, files, notes)


def records_of(study: Study, room: Room) -> dict[str, bytes]:
    """Give the campaign's own records as an export writes them, of what the room holds now."""
    plan = plan_named(study, room.design.settings.name)
    with room.rating.folding, room.database.reading() as connection:
        by_code = assigned(plan, room.kept.places(connection))
        return _records(connection, by_code, signatures_in(room.kept, connection))


def _rows(
    connection: Sql, by_code: Mapping[str, Assignment], rubric: Rubric
) -> Iterable[dict[str, object]]:
    """Give a row for each thing that was said and that led to what holds now."""
    judgements, s = tables().judgements, sql()
    query = s.select(judgements).order_by(judgements.c.id)
    rows_of: dict[str, list[Sql]] = {}
    for row in connection.execute(query).all():
        rows_of.setdefault(row.code, []).append(row)
    for code, mine in rows_of.items():
        spoken = Spoken()
        spoken.add(mine)
        assignment = by_code[code]
        held = spoken.given.get(code, {})
        last = {
            (row.dimension, row.about): row.id
            for row in mine
            if row.label or row.reason or row.number is not None
        }
        for row in mine:
            key = (row.dimension, row.about)
            says = row.label or row.reason or row.number is not None
            if not row.dimension or not says or not held[key].holds:
                continue
            if not row.about and _marked(held, row.dimension):
                continue
            comment = row.comment
            if row.id == last[key]:
                # Words that came later, and those on the answer as a whole, go with what holds.
                first = next(iter(held)) == key
                words = (held[key].comment, spoken.comments.get(code, "") if first else "")
                comment = "\n".join(word for word in words if word)
            yield {
                "code": code,
                "rater": assignment.rater,
                "case": assignment.item.case,
                "dimension": row.dimension,
                "about": row.about,
                "phase": assignment.phase,
                "position": assignment.position,
                "time": row.saved,
                "seconds": row.seconds,
                "comment": comment or None,
                "confidence": _sure(assignment, row, rubric),
                "display": assignment.display or None,
                "number": row.number,
                "reason": row.reason,
                "carried": "yes" if row.carried else None,
                "language": row.language,
                **_systems(assignment, row.dimension, row.label, rubric),
            }


def _sure(assignment: Assignment, row: Sql, rubric: Rubric) -> str | None:
    """Give how sure the rater is, where the study has a place for it."""
    if not assignment.item.system_b and not rubric.dimension(row.dimension).confidence:
        return None
    share = None if row.confidence is None else f"{row.confidence:.15g}"
    return share if row.sure is None else str(row.sure)


def _marked(held: Mapping[tuple[str, str], Given], dimension: str) -> bool:
    """Say whether a rater marked something after all, having said that there is nothing."""
    return any(given.label for (name, about), given in held.items() if name == dimension and about)


def _systems(
    assignment: Assignment, dimension: str, label: str | None, rubric: Rubric
) -> dict[str, object]:
    item = assignment.item
    if not item.system_b:
        said = columns_of(rubric.dimension(dimension), label)
        return {"system": item.system, "sample": item.sample, **said}
    choice = None if label is None else label.lower()
    return {"system_a": item.system, "system_b": item.system_b, "choice": choice}


def _sheet(rows: list[dict[str, object]], columns: Iterable[str]) -> Sheet:
    # What a study's table has no column for yet is left out; the audit trail has all of it.
    known = [name for name in columns if any(row.get(name) is not None for row in rows)]
    cells = {name: [row.get(name) for row in rows] for name in known}
    return Sheet("the rating room", list(range(1, len(rows) + 1)), cells)


def _refuse_changed(study: Study, plan: CampaignPlan, rated: Collection[Item]) -> None:
    must = "be about an answer that has not changed since the raters read it"
    hint = "Put the answer back, and export again."
    changed = {
        f"{' and '.join(planned.item.pair)}, {planned.item.case}, which has changed since"
        for planned in {assignment.item: assignment for assignment in plan.assignments}.values()
        if not {planned.item, planned.item.turned}.isdisjoint(rated)
        and not is_as_read(study, plan, planned)
    }
    if changed:
        raise InvalidInput(Problem("answers", must, got, hint) for got in sorted(changed))


def _records(
    connection: Sql, by_code: Mapping[str, Assignment], signatures: Iterable[Signature]
) -> dict[str, bytes]:
    """Give the campaign's own records as tables."""
    t, s = tables(), sql()

    def read(table: Sql) -> list[Mapping[str, object]]:
        return list(connection.execute(s.select(table).order_by(table.c.id)).mappings())

    judgements = read(t.judgements)
    lines = [
        [row["time"], row["who"], row["what"], row["old"], row["new"], row["why"]]
        for row in read(t.events)
    ]
    lines += _history(judgements)
    lines.sort(key=lambda line: str(line[0]))
    marked: dict[str, list[object]] = {}
    for row in judgements:
        if row["dangerous"] is not None:
            item = by_code[str(row["code"])].item
            marked[str(row["code"])] = [
                row["saved"], row["rater"], row["code"], item.case, " / ".join(item.pair),
                "yes" if row["dangerous"] else "taken back", row["comment"],
            ]  # fmt: skip
    guesses = [
        [entry["rater"], item.system, item.case, entry["system"], entry["sure"], entry["saved"]]
        for entry in read(t.guesses)
        for item in [by_code[str(entry["code"])].item]
    ]
    signed = [
        [
            one.time, one.rater, one.meaning, MEANINGS[one.meaning], one.batch, len(one.codes),
            "yes" if one.holds else "no: changed since", one.sha256, " ".join(one.codes),
        ]
        for one in signatures
    ]  # fmt: skip
    return {
        name: csv_bytes(header, [[_cell(cell) for cell in line] for line in some])
        for name, header, some in (
            (AUDIT, ["time", "who", "what", "old", "new", "why"], lines),
            (
                DANGEROUS,
                ["time", "rater", "code", "case", "system", "dangerous", "comment"],
                list(marked.values()),
            ),
            (GUESSES, ["rater", "system", "case", "guess", "sure", "time"], guesses),
            (SIGNATURES, list(_SIGNED), signed),
        )
        if some
    }


def _history(judgements: Iterable[Mapping[str, object]]) -> list[list[object]]:
    """Give each judgement as a line of the trail: what it changed from what."""
    lines, before = [], dict[tuple[object, ...], str]()
    for row in judgements:
        key = (row["rater"], row["code"], row["dimension"], row["about"])
        parts = [row["label"], row["number"], row["reason"], row["comment"]]
        if (sure := row["confidence"] if row["sure"] is None else row["sure"]) is not None:
            parts.append(f"sure: {sure}")
        if row["dangerous"] is not None:
            parts.append("dangerous" if row["dangerous"] else "not dangerous")
        new = "; ".join(str(part) for part in parts if part is not None)
        what = " ".join(str(part) for part in (row["code"], row["dimension"], row["about"]) if part)
        lines.append([row["saved"], row["rater"], what, before.get(key, ""), new, row["why"]])
        before[key] = new
    return lines


def _cell(cell: object) -> object:
    return guarded(cell) if isinstance(cell, str) else cell
