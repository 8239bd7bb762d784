"""Could raters tell whose answers they read?"""

from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.rater_traits import Guesses, GuessOf
from medassay.annotations import RaterName, SystemName, record
from medassay.exhibits import (
    PROPORTION,
    Claim,
    Finding,
    Names,
    Table,
    VerdictKind,
    VerdictRow,
    shown,
    table_of,
)
from medassay.exhibits.claim import implied_p
from medassay.exhibits.columns import counted, estimated, how
from medassay.exhibits.names import natural_order
from medassay.exhibits.numbers import ci
from medassay.stats.blinding import BlindingIndex, Guessed, bang_index, bang_index_of_raters
from medassay.stats.intervals import Interval
from medassay.text import count_of

_BLIND: Final = 0.2
"""Up to here raters are taken to be blind: a fifth of the guesses right beyond chance."""


@record(infers=True)
class GuessIndex:
    """Bang's index of some guesses.

    Attributes:
        right: Guesses that named the system.
        wrong: Guesses that named another.
        no_idea: Guesses of which the rater said that they had no idea.
        value: The index: 0 by chance, 1 where every guess is right.
        interval: What is compatible with the guesses.
        standard_error: Bang's own, for large samples.
    """

    right: int
    wrong: int
    no_idea: int
    value: float
    interval: Interval
    standard_error: float


@record(infers=True)
class OfRater:
    """The guesses of a rater."""

    rater: RaterName
    index: GuessIndex


@record(infers=True)
class OfSystem:
    """The guesses about answers of a system."""

    system: SystemName
    index: GuessIndex


@record(infers=True)
class Blinding:
    """How far raters could tell whose answers they read.

    Attributes:
        raters: How many guessed.
        systems: Among how many systems they chose.
        overall: All guesses together.
        by_rater: Those of each rater.
        by_system: Those about each system.
    """

    raters: int
    systems: int
    overall: GuessIndex
    by_rater: tuple[OfRater, ...]
    by_system: tuple[OfSystem, ...]


def _counted(made: list[GuessOf]) -> Guessed:
    no_idea = sum(not one.guess for one in made)
    right = sum(one.guess == one.system for one in made)
    return Guessed(right, len(made) - right - no_idea, no_idea)


def _index(guessed: Guessed, index: BlindingIndex) -> GuessIndex:
    return GuessIndex(
        guessed.right,
        guessed.wrong,
        guessed.no_idea,
        index.value,
        index.interval,
        index.standard_error,
    )


def _tables(found: Blinding, names: Names) -> list[Table]:
    rows = [("All guesses", ("all", found.overall))]
    rows += [("By rater", (one.rater, one.index)) for one in found.by_rater]
    rows += [("By system", (names.of_system(one.system), one.index)) for one in found.by_system]
    return [
        table_of(
            rows,
            (
                shown("Guesses of", lambda row: row[0], file="of"),
                estimated("Bang's index", lambda row: row[1].value, file="index",
                          interval=lambda row: row[1].interval, why_not=lambda _: "",
                          axis=(-1, 1)),
                counted("Right", lambda row: row[1].right, file="right"),
                counted("Wrong", lambda row: row[1].wrong, file="wrong"),
                counted("No idea", lambda row: row[1].no_idea, file="no_idea"),
            ),
            id="blinding",
            title="Whether raters could tell whose answers they read",
            caption="At the end each rater guessed the systems behind some answers. Bang's index "
            f"is the share right less the share wrong{_counting(found.systems)}: 0 is chance, 1 "
            "all right. Guesses of a rater go together, which the rows by system do not allow for. "
            f"{how(index.interval for _, (_, index) in rows)}",
            grouped_by="group",
        )
    ]  # fmt: skip


def _counting(systems: int) -> str:
    return "" if systems == 2 else f", a wrong guess counting one part in {systems - 1}"  # noqa: PLR2004 - one other to take it for


def _finding(found: Blinding, names: Names) -> Finding:
    del names
    index = found.overall
    total = index.right + index.wrong + index.no_idea
    guesses, raters = count_of(total, "guess", "guesses"), count_of(found.raters, "rater")
    value, around = PROPORTION(index.value), ci(index.interval, beside=0.0)
    what = f"Bang's index {value}, 0 by chance; {around}; {guesses} of {raters}"
    if index.interval.low > 0:
        text = f"Raters recognised systems better than by chance ({what})."
    elif index.interval.high < 0:
        text = f"Raters took systems for one another more often than by chance ({what})."
    elif index.interval.high <= _BLIND:
        text = f"Raters could hardly tell whose answers they read ({what})."
    else:
        text = f"Whether raters could tell whose answers they read is undecided ({what})."
    return Finding("blinding", text, ("blinding",))


@analysis(
    Declaration(
        id="blinding",
        title="Whether blinding held",
        question="Could raters tell whose answers they read?",
        section="panel",
        part="panel-flow",
        infers=True,
        reader="methodologist",
        place=15,
        tables=_tables,
        finding=_finding,
        verdicts=(VerdictKind.WARNING,),
        claims=lambda found, _: [
            Claim.of(
                "blinding",
                "blinding",
                VerdictKind.WARNING,
                [implied_p(found.overall.value, found.overall.interval)],
                row=VerdictRow.BLINDING,
            )
        ],
        finding_place=70,
    )
)
def blinding(guesses: Guesses) -> Blinding | None:
    """Count the guesses of all, of each rater and about each system; None where nobody guessed."""
    systems = max((one.among for one in guesses.made), default=0)
    made = [one for one in guesses.made if one.among == systems]
    if systems < 2:  # noqa: PLR2004 - among one there is nothing to guess
        return None
    of_rater: dict[str, list[GuessOf]] = {}
    of_system: dict[str, list[GuessOf]] = {}
    for one in made:
        of_rater.setdefault(one.rater, []).append(one)
        of_system.setdefault(one.system, []).append(one)

    def one_index(some: list[GuessOf]) -> GuessIndex:
        guessed = _counted(some)
        return _index(guessed, bang_index(guessed, systems, estimand="these guesses"))

    by_rater = [_counted(some) for some in of_rater.values()]
    overall = bang_index_of_raters(by_rater, systems, estimand="raters such as these")
    return Blinding(
        len(of_rater),
        systems,
        _index(_counted(made), overall),
        tuple(OfRater(r, one_index(of_rater[r])) for r in sorted(of_rater, key=natural_order)),
        tuple(OfSystem(s, one_index(of_system[s])) for s in sorted(of_system, key=natural_order)),
    )
