"""Open a room for a campaign: its plan and the texts of its answers go into a database."""

import json
from typing import TYPE_CHECKING

from medassay.campaign.asked import asked_parts, asked_rubric, hash_of
from medassay.campaign.displays import with_displays
from medassay.campaign.options import OPTIONS, RoomOptions
from medassay.campaign.room.content import content_of
from medassay.campaign.room.database import Database
from medassay.campaign.room.design import Design
from medassay.campaign.room.migrations import migrate
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER, Assignment, CampaignPlan, Secret
from medassay.study.folder import Study

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["create_room", "design_of", "mark_of", "place_of"]


def design_of(study: Study, plan: CampaignPlan, options: RoomOptions) -> Design:
    """Give the design of a room for a plan.

    Raises:
        InvalidInput: `ask_confidence` asks what the study's rubric has no place for.
    """
    _refuse_without_place(study, plan, options)
    systems = {system for assignment in plan.assignments for system in assignment.item.pair}
    who = [[row.code, row.rater, row.phase, row.position, row.batch] for row in plan.assignments]
    return Design(
        title=study.config.title,
        settings=plan.settings,
        rubric=asked_rubric(study, plan.settings.kind),
        reveals=len(asked_parts(study, plan.settings.kind)) > 1,
        asks_passages=True,
        render=options.render or "markdown",
        plan=hash_of(who),
        answers=plan.answers,
        primary=options.primary,
        systems=tuple(sorted(systems)),
        options=options,
    )


def create_room(
    study: Study, plan: CampaignPlan, secret: Secret, where: "str | Path", options: RoomOptions
) -> Design:
    """Make the tables, and fill them with a plan.

    Args:
        study: The study.
        plan: Who rates what.
        secret: What the order of items and the arms of display follow from.
        where: A file, or an address of a database in which there is no room yet.
        options: What `campaign.toml` says.
    """
    design = design_of(study, plan, options)
    t = tables()
    items = sorted({assignment.item.upright for assignment in plan.assignments})
    turn = secret.draws(plan.settings.name, "items").permutation(len(items))
    numbers = {items[at]: number for number, at in enumerate(turn, start=1)}
    contents = [
        {
            "item": number,
            "content": json.dumps(content_of(study, item, plan.settings), ensure_ascii=False),
        }
        for item, number in sorted(numbers.items(), key=lambda pair: pair[1])
    ]
    drawn = plan.assignments
    if not any(row.display for row in drawn):
        drawn = with_displays(drawn, secret, plan.settings.name, options.display)
    places = [place_of(row, numbers[row.item.upright]) for row in drawn]
    people: list[dict[str, str]] = [
        {"rater": rater, "role": "rater"} for rater in plan.settings.raters
    ]
    people += [{"rater": "lead", "role": "lead"}, {"rater": "reviewer", "role": "reviewer"}]
    facts = [
        {"name": "design", "value": design.model_dump_json(exclude_defaults=True)},
        {"name": "hash", "value": design.hash},
        {"name": "status", "value": "open"},
        {"name": "campaign", "value": mark_of(plan)},
    ]

    def fill(connection: Sql) -> None:
        for table, rows in (
            (t.facts, facts), (t.people, people), (t.items, contents), (t.assignments, places),
        ):  # fmt: skip
            connection.execute(table.insert(), rows)

    with Database(where, new=True) as database:
        migrate(database)
        database.write(fill)
    return design


def _refuse_without_place(study: Study, plan: CampaignPlan, options: RoomOptions) -> None:
    """Refuse to ask how sure raters are where the study could not take in what they say."""
    if not options.ask_confidence or plan.settings.kind == "preferences":
        return
    rubric = asked_rubric(study, plan.settings.kind)
    silent = [dimension.id for dimension in rubric.dimensions if not dimension.confidence]
    if silent:
        must = "be left out where the rubric does not ask how sure a rater is"
        hint = 'Write confidence = "0-1", or words from unsure to sure, into its questions.'
        file = f"{FOLDER}/{plan.settings.name}/{OPTIONS}"
        got = f"true, and none asked in {', '.join(silent)}"
        raise InvalidInput(Problem(file, must, got, hint, None, "room.ask_confidence"))


def mark_of(plan: CampaignPlan) -> str:
    """Give what tells the room of one campaign from that of another."""
    return f"{plan.settings.name} {plan.rubric} {plan.answers}"


def place_of(row: Assignment, item: int) -> dict[str, object]:
    """Give an assignment as a row of the table `assignments`."""
    return {
        "code": row.code,
        "rater": row.rater,
        "item": item,
        "phase": row.phase,
        "position": row.position,
        "batch": row.batch,
        "display": row.display,
        "turned": row.item != row.item.upright,
        "ended": row.ended or None,
        "instead_of": row.instead_of or None,
    }
