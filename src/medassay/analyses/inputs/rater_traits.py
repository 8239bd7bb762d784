"""What each rater does that others do not, whom they met, and what they guessed of systems."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from medassay.analyses.inputs.consensus_fits import Fitted, aggregation_of
from medassay.analyses.inputs.study_columns import ranking_cases, step_rng
from medassay.consensus import mace_settings
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER, find_plans
from medassay.study.allotted import RaterShares, rater_shares
from medassay.study.folder import Study
from medassay.tables import read_sheet, unguarded
from medassay.validity import RaterDiagnostic, diagnose_raters

_MOST_REPLICATES: Final = 500
"""The competence of a rater is fitted anew in a tenth of them."""


_MEANT: Final = "the rater was asked, and meant the labels as they were given"


@dataclass(frozen=True)
class Diagnosed:
    """What each rater does that the others do not.

    Attributes:
        effects: By dimension, rater and kind.
    """

    effects: tuple[RaterDiagnostic, ...]


def diagnosed_of(study: Study, fitted: Fitted) -> Diagnosed:
    """Compare each rater with the others on the same answers.

    The competences are those of each MACE that the study names; there are none where it names none.
    """
    own = [name for name in aggregation_of(study).own if mace_settings(name) is not None]
    meant = {
        (one.rater, one.dimension) for one in study.config.corrections if one.labels == "as-given"
    }
    return Diagnosed(
        tuple(
            replace(found, effect=None, interval=None, reason=_MEANT)
            if found.kind == "reversed" and (found.rater, found.dimension) in meant
            else found
            for found in diagnose_raters(
                study.judgements,
                rng=step_rng(study, "s53"),
                fits=[fit for fit in fitted.ways if fit.method in own],
                clusters=study.clusters,
                replicates=min(_MOST_REPLICATES, study.config.run.replicates),
            )
        )
    )


@dataclass(frozen=True)
class RatersMet:
    """Which raters each system met on the ranking cases.

    Attributes:
        dimensions: Each judged dimension to how its raters fell to the systems.
    """

    dimensions: Mapping[str, RaterShares]


def raters_met(study: Study) -> RatersMet:
    """Look at how raters fell to systems on the ranking cases."""
    return RatersMet(rater_shares(study, ranking_cases(study)))


GUESSES: Final = "guesses.csv"


@dataclass(frozen=True)
class GuessOf:
    """One guess.

    Attributes:
        rater: Who guessed.
        system: Whose answer it was.
        guess: Whose it was taken for; empty where the rater had no idea.
        among: Among how many systems one could choose.
    """

    rater: str
    system: str
    guess: str
    among: int


@dataclass(frozen=True)
class Guesses:
    """All guesses of a study's campaigns; none of raters who were left out."""

    made: tuple[GuessOf, ...] = ()


def guesses_of(study: Study) -> Guesses:
    """Read the guesses of every campaign that rates single answers.

    A guess that its rater called no idea at all counts as none. Of pairs it cannot be said which
    of the two answers was meant.

    Raises:
        InvalidInput: How sure somebody was is no number.
    """
    files = sorted((study.path / FOLDER).glob(f"*/{GUESSES}"))
    if not files:
        return Guesses()
    called = {}
    if not study.pseudonyms.of:
        # The study is told under pseudonyms already: which are whose, only its files say.
        called = dict(Study.open_whole(study.path).pseudonyms.of)
    left_out = {rater.rater for rater in study.raters.excluded}
    made = [guess for path in files for guess in _read(study.path, path)]
    named = [
        GuessOf(called.get(one.rater, one.rater), one.system, one.guess, one.among)
        for one in made
        if not called or one.rater in called
    ]
    return Guesses(tuple(one for one in named if one.rater not in left_out))


def _read(study: Path, path: Path) -> Iterator[GuessOf]:
    plan = find_plans(study).get(path.parent.name)
    if plan is None or plan.settings.kind != "answers":
        return
    systems = {assignment.item.system for assignment in plan.assignments}
    sheet = read_sheet(path, f"{FOLDER}/{path.parent.name}/{GUESSES}")
    for row, record in sheet.records():
        cells = {name: unguarded(str(cell or "")) for name, cell in record.items()}
        sure = cells.get("sure", "")
        try:
            no_idea = bool(sure) and float(sure) == 0
        except ValueError as error:
            must = "be a number from 0 to 1"
            raise InvalidInput(
                Problem(sheet.file, must, f'"{sure}"', row=row, column="sure")
            ) from error
        guess = "" if no_idea else cells["guess"]
        yield GuessOf(cells["rater"], cells["system"], guess, len(systems))
