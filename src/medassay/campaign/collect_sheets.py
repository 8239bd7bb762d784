"""Take in the sheets that raters send back; nothing that is there already is changed or lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from medassay.campaign.against_export import describe_differs
from medassay.campaign.asked import asked_rubric, hash_of
from medassay.campaign.changes import LabelChange, with_changes
from medassay.campaign.collected_file import CollectedFile, read_file, rows_of_owners
from medassay.campaign.new_rows import NewRows, add_new_rows, describe_is_not_kept
from medassay.campaign.plans import is_as_read, making
from medassay.campaign.reading import Given
from medassay.campaign.sheets import sent_to
from medassay.campaign.status import progress_now
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import CampaignPlan, Progress, find_plans
from medassay.study.folder import Study
from medassay.study.intake.judgements import write_table
from medassay.tables import write_atomically

__all__ = ["CollectedSheets", "collect_sheets"]


@dataclass(frozen=True)
class CollectedSheets:
    """What an import of sheets did.

    Attributes:
        added: Judgements or preferences that are new.
        corrected: How many of those correct an earlier one.
        known: How many the study had already.
        files: The study's files that were written.
        progress: For each campaign how far its raters have come.
        changes: Each label or comment of the study that the sheets do not repeat.
        notes: What was odd and was read all the same, and what is missing.
    """

    added: int
    corrected: int
    known: int
    files: list[str]
    progress: dict[str, list[Progress]]
    changes: list[LabelChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def collect_sheets(
    study: Study,
    paths: Sequence[Path],
    name: str | None = None,
    *,
    again: bool = False,
    dry_run: bool = False,
) -> CollectedSheets:
    """Read files that came back and append what is new; all of them or none.

    A label that differs from what the study holds becomes a new row that corrects it, and is
    listed; an empty cell takes nothing away. A file that was imported before changes nothing,
    whatever was imported since.

    Args:
        study: The study.
        paths: The files, in any order.
        name: The campaign; found by the codes if not given.
        again: Whether a file that was imported before is read as if it came now, to go back to it.
        dry_run: Whether to say what would be done, and to write nothing.

    Raises:
        InvalidInput: Every problem of every file, each with the address of its cell.
    """
    study.require_whole()
    plans = _plans(study, name)
    notes: list[str] = []
    problems: list[Problem] = []
    files: list[CollectedFile] = []
    for path in paths:
        try:
            files.append(read_file(study, path, plans, name, notes, again=again))
        except InvalidInput as error:
            problems += error.problems
    new_rows = NewRows()
    changes: dict[str, list[LabelChange]] = {}
    for campaign in sorted({file.plan.settings.name for file in files}):
        plan = plans[campaign]
        mine = [file for file in files if file.plan is plan]
        pairs, others = rows_of_owners(study, plan, mine, notes)
        # What was imported before was checked then, and a newer file may well differ from it.
        rows = [row for row, was_here in pairs if not was_here]
        problems += others + _contradictions(rows) + _changed(study, plan, rows)
        problems += _no_longer_raters(study, plan, rows)
        notes += _rubric_changed(study, plan)
        before = len(new_rows.changes)
        notes += describe_is_not_kept(new_rows, study, plan, pairs)
        add_new_rows(new_rows, study, plan, pairs)
        changes[campaign] = new_rows.changes[before:]
        for collected_file in mine:
            notes += describe_differs(
                collected_file.returned,
                collected_file.owner,
                sent_to(
                    study, plan, collected_file.owner, {row.code for row in collected_file.rows}
                ),
            )
    if problems:
        raise InvalidInput(problems)
    notes += _older(new_rows.changes)
    judgements, preferences = new_rows.laid_over(study)
    written = [] if dry_run else _write(study, new_rows, changes, files)
    progress = {
        campaign: progress_now(study, plans[campaign], judgements, preferences)
        for campaign in changes
    }
    return CollectedSheets(
        new_rows.added,
        new_rows.corrected,
        new_rows.known,
        written,
        progress,
        new_rows.changes,
        notes,
    )


def _write(
    study: Study,
    new_rows: NewRows,
    changes: Mapping[str, Sequence[LabelChange]],
    files: Sequence[CollectedFile],
) -> list[str]:
    judgements, preferences = new_rows.laid_over(study)
    listed = [with_changes(study.path, name, some) for name, some in changes.items() if some]
    for file, content in listed:
        write_atomically(study.path / file, content)
    written = [write_table(study, judgements)] if new_rows.judgements else []
    written += [write_table(study, preferences)] if new_rows.preferences else []
    written += [file for file, _ in listed]
    # The copies come last: a file that is there has been taken in whole.
    for collected_file in files:
        if not (study.path / collected_file.copy).is_file():
            write_atomically(study.path / collected_file.copy, collected_file.returned.content)
            written.append(collected_file.copy)
    return written


def _older(changes: Sequence[LabelChange]) -> list[str]:
    """Warn of sheets that look older than what the study holds: they differ, and lack labels."""
    notes = []
    for file in dict.fromkeys(change.file for change in changes):
        outcomes = [change.outcome for change in changes if change.file == file]
        differ, lack = outcomes.count("changed"), outcomes.count("kept")
        if differ and lack:
            must = "be the newest sheet of its rater"
            got = f"labels that differ ({differ}), and empty cells where the study has one ({lack})"
            hint = "Was it saved earlier? To go back: import the newest once more, with --again."
            notes.append(str(Problem(file, must, got, hint)))
    return notes


def _no_longer_raters(study: Study, plan: CampaignPlan, rows: Sequence[Given]) -> list[Problem]:
    """Name raters who have left the raters table since the export."""
    if not len(study.raters):
        return []
    people = {person.rater for person in study.raters if person.kind == "person"}
    files = {plan.by_code[row.code].rater: row.file for row in rows if row.labels}
    must = "be of a person in the raters table"
    hint = "Put the row of this rater back; status excluded keeps what they say out of numbers."
    return [
        Problem(file, must, f'"{rater}"', hint)
        for rater, file in files.items()
        if rater not in people
    ]


def _plans(study: Study, name: str | None) -> dict[str, CampaignPlan]:
    plans = find_plans(study.path)
    if plans and (name is None or name in plans):
        return plans
    must = "be a campaign of the study"
    got = "no campaign" if name is None else f'"{name}"'
    known = f"Known: {', '.join(plans)}." if plans else making(study.path)
    raise InvalidInput(Problem("--name" if name else str(study.path), must, got, known))


def _contradictions(rows: Sequence[Given]) -> list[Problem]:
    """Name labels that differ though they stand for the same thing."""
    first: dict[tuple[str, str, str], Given] = {}
    problems = []
    for row in rows:
        for dimension, label in row.labels.items():
            earlier = first.setdefault((row.code, row.about, dimension), row)
            if earlier.labels[dimension] == label:
                continue
            there = earlier.addresses[dimension]
            where = there if earlier.file == row.file else f"{earlier.file}, {there}"
            must = f"say what the code {row.code} says elsewhere"
            got = f'"{label}", and {where} says "{earlier.labels[dimension]}"'
            hint = "Keep one of them. Of two files import the earlier first, on its own."
            at = row.addresses[dimension]
            problems.append(Problem(row.file, must, got, hint, column=dimension, cell=at))
    return problems


def _changed(study: Study, plan: CampaignPlan, rows: Sequence[Given]) -> list[Problem]:
    """Name answers that are no longer what the rater read."""
    problems = []
    for row in rows:
        assignment = plan.by_code[row.code]
        if not row.labels:
            continue
        if is_as_read(study, plan, assignment):
            continue
        item = assignment.item
        must = "be about an answer that is still what the rater read"
        got = f"{' and '.join(item.pair)}, {item.case}, which has changed since the export"
        hint = "Put the answer back, or ask for it again in a new campaign."
        problems.append(Problem(row.file, must, got, hint, cell=row.address))
    return problems


def _rubric_changed(study: Study, plan: CampaignPlan) -> list[str]:
    now = hash_of(asked_rubric(study, plan.settings.kind).model_dump(mode="json"))
    if now == plan.rubric:
        return []
    text = f"The rubric has changed since {plan.settings.name} was exported"
    return [f"{text}; the labels were read by the rubric as it is now."]
