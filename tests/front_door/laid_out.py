"""Lay a drawn study out as one of the tables that people make, and say what of it is there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from tests.front_door.cells import Pen, accepted_ends, doubts_about_scales
from tests.front_door.clutter import legend_sheet, lived_in, with_notes
from tests.front_door.drawn import Drawn, draw
from tests.front_door.layouts import LAYOUTS
from tests.front_door.plans import Plan, draw_plan
from tests.front_door.written import write

__all__ = ["Laid", "laid_by_seed", "lay_out"]

Ends = tuple[float, float] | None


@dataclass(frozen=True)
class Laid:
    """A study laid out.

    Attributes:
        seed: What it was drawn by.
        plan: How it is laid out.
        shown: The truth, as far as the table holds it.
        files: Name to content.
        arguments: What is told beside the files.
        ends: Dimension to the ends of scale that may be read; None stands for numbers without ends.
        unsettled: Why a careful person would ask; empty where the table settles its reading.
        texts: Whether the table holds questions and answers, or ids and labels alone.
        named_systems: Whether the table names the systems.
    """

    seed: int
    plan: Plan
    shown: Drawn
    files: Mapping[str, bytes]
    arguments: tuple[str, ...] = ()
    ends: Mapping[str, frozenset[Ends]] = field(default_factory=dict)
    unsettled: tuple[str, ...] = ()
    texts: bool = True
    named_systems: bool = True

    @property
    def settled(self) -> bool:
        """Say whether a careful person could read the table without a question."""
        return not self.unsettled


def laid_by_seed(seed: int) -> Laid:
    """Draw a plan, a study, and lay it out."""
    rng = np.random.default_rng(seed)
    plan = draw_plan(rng)
    return lay_out(draw(plan, rng), plan, rng, seed)


def lay_out(study: Drawn, plan: Plan, rng: np.random.Generator, seed: int = 0) -> Laid:
    """Lay a study out by a plan."""
    pen = Pen(plan, rng)
    rows = lived_in(LAYOUTS[plan.layout](study, pen), pen)
    tables = [with_notes(table, rows, pen) for table in rows.tables]
    if plan.notes == "sheet":
        tables.append(legend_sheet(rows, pen))
    shown = rows.shown
    return Laid(
        seed,
        plan,
        shown,
        write(tables, plan, str(rng.choice(_STEMS))),
        rows.arguments,
        {dimension.name: accepted_ends(dimension, plan) for dimension in shown.dimensions},
        (*rows.unsettled, *doubts(shown, plan)),
        rows.texts,
        rows.named_systems,
    )


_STEMS: Final = ("results", "ratings_final", "Auswertung", "Table S2", "evaluation v3", "export")


def doubts(shown: Drawn, plan: Plan) -> list[str]:
    """Say why a careful person would ask, whatever the layout."""
    found = list(doubts_about_scales(shown, plan))
    if plan.sampled:
        found.append("each case was asked of some systems only")
    if plan.rater_place == "nowhere" and shown.ratings:
        found.append("nobody says who rated")
    return found
