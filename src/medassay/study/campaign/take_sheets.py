"""Take in the sheets that raters send back; nothing that is there already is changed or lost."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.formats.rating_sheet import read_returned
from medassay.judgements.campaign import FOLDER, CampaignPlan, Progress, find_plans
from medassay.study.campaign.asked import asked_rubric, hash_of
from medassay.study.campaign.export import judged_texts
from medassay.study.campaign.new_rows import NewRows, add_new_rows, say_what_is_not_kept
from medassay.study.campaign.reading import Given, campaign_of, read_given
from medassay.study.campaign.status import progress_now
from medassay.study.campaign.texts import texts_of
from medassay.study.folder import Study
from medassay.study.intake import file_stem, write_table
from medassay.tables import write_atomically

__all__ = ["TakenSheets", "take_sheets"]

RETURNED: Final = "returned"


@dataclass(frozen=True)
class TakenSheets:
    """What an import of sheets did.

    Attributes:
        added: Judgements or preferences that are new.
        corrected: How many of those correct an earlier one.
        known: How many the study had already.
        files: The study's files that were written.
        progress: For each campaign how far its raters have come.
        notes: What was odd and was read all the same, and what is missing.
    """

    added: int
    corrected: int
    known: int
    files: list[str]
    progress: dict[str, list[Progress]]
    notes: list[str] = field(default_factory=list)


def take_sheets(study: Study, paths: Sequence[Path], name: str | None = None) -> TakenSheets:
    """Read files that came back and append what is new; all of them or none.

    A label that differs from what the study holds becomes a new row that corrects it. A file that
    was imported before changes nothing, whatever was imported since.

    Args:
        study: The study.
        paths: The files, in any order.
        name: The campaign; found by the codes if not given.

    Raises:
        InvalidInput: Every problem of every file, each with the address of its cell.
    """
    plans = _plans(study, name)
    notes: list[str] = []
    problems: list[Problem] = []
    given: dict[str, list[tuple[Given, bool]]] = {}
    copies: dict[str, bytes] = {}
    for path in paths:
        try:
            returned = read_returned(path)
            plan = campaign_of(returned, plans, name)
            rubric = asked_rubric(study, plan.settings.kind)
            rows = read_given(returned, plan, plans, rubric, notes)
        except InvalidInput as error:
            problems += error.problems
            continue
        notes += map(str, returned.notes)
        copy = _copy_of(plan, path, returned.content)
        was_here = (study.path / copy).is_file()
        if was_here:
            notes.append(f"{returned.file} was imported before.")
        copies[copy] = returned.content
        given.setdefault(plan.settings.name, []).extend((row, was_here) for row in rows)
    found = NewRows()
    for campaign, pairs in given.items():
        # What was imported before was checked then, and a newer file may well differ from it.
        rows = [row for row, was_here in pairs if not was_here]
        problems += _contradictions(rows) + _changed(study, plans[campaign], rows)
        notes += _rubric_changed(study, plans[campaign])
        notes += say_what_is_not_kept(study, plans[campaign], pairs)
        add_new_rows(found, study, plans[campaign], pairs)
    if problems:
        raise InvalidInput(problems)
    judgements, preferences = found.laid_over(study)
    files = [write_table(study, judgements)] if found.judgements else []
    files += [write_table(study, preferences)] if found.preferences else []
    # The copies come last: a file that is there has been taken in whole.
    for copy, content in copies.items():
        if not (study.path / copy).is_file():
            write_atomically(study.path / copy, content)
            files.append(copy)
    progress = {
        campaign: progress_now(plans[campaign], judgements, preferences)
        for campaign in sorted(given)
    }
    return TakenSheets(found.added, found.corrected, found.known, files, progress, notes)


def _plans(study: Study, name: str | None) -> dict[str, CampaignPlan]:
    plans = find_plans(study.path)
    if plans and (name is None or name in plans):
        return plans
    must = "be a campaign of the study"
    got = "no campaign" if name is None else f'"{name}"'
    known = f"Known: {', '.join(plans)}." if plans else "Make one: medassay campaign export."
    raise InvalidInput(Problem("--name" if name else str(study.path), must, got, known))


def _copy_of(plan: CampaignPlan, path: Path, content: bytes) -> str:
    digest = hashlib.sha256(content).hexdigest()[:12]
    stem = file_stem(path.stem)
    return f"{FOLDER}/{plan.settings.name}/{RETURNED}/{digest}-{stem}{path.suffix.lower()}"


def _contradictions(given: Sequence[Given]) -> list[Problem]:
    """Name labels that differ though they stand for the same thing."""
    first: dict[tuple[str, str], Given] = {}
    problems = []
    for row in given:
        for dimension, said in row.labels.items():
            one = first.setdefault((row.code, dimension), row)
            if one.labels[dimension] == said:
                continue
            there = one.addresses[dimension]
            where = there if one.file == row.file else f"{one.file}, {there}"
            words = " ".join(word for word in one.labels[dimension] if word)
            must = f"say what the code {row.code} says elsewhere"
            got = f'"{" ".join(word for word in said if word)}", and {where} says "{words}"'
            hint = "Keep one of them. Of two files import the earlier first, on its own."
            at = row.addresses[dimension]
            problems.append(Problem(row.file, must, got, hint, column=dimension, cell=at))
    return problems


def _changed(study: Study, plan: CampaignPlan, given: Sequence[Given]) -> list[Problem]:
    """Name answers that are no longer what the rater read."""
    problems = []
    for row in given:
        one = plan.by_code[row.code]
        if not row.labels:
            continue
        item = one.item
        here = all(study.answers.get(name, item.case) is not None for name in item.pair)
        if item.case in study.cases and here:
            texts = texts_of(study, item, plan.settings.parts)
            if hash_of(judged_texts(texts)) == one.shown:
                continue
        must = "be about an answer that is still what the rater read"
        got = f"{' and '.join(item.pair)}, {item.case}, which has changed since the export"
        hint = "Put the answer back, or ask for it again in a new campaign."
        problems.append(Problem(row.file, must, got, hint, cell=row.address))
    return problems


def _rubric_changed(study: Study, plan: CampaignPlan) -> list[str]:
    now = hash_of(asked_rubric(study, plan.settings.kind).model_dump(mode="json"))
    if now == plan.rubric:
        return []
    said = f"The rubric has changed since {plan.settings.name} was exported"
    return [f"{said}; the labels were read by the rubric as it is now."]
