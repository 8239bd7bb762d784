"""How hard each case is, which separate systems best, and which look mislabelled."""

from collections.abc import Sequence
from typing import Final

from medassay.exhibits import Names
from medassay.exhibits.cells import NONE
from medassay.exhibits.columns import shown, table_of
from medassay.exhibits.numbers import PROPORTION, Style, p_value
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.validity import CaseDifficulty, Difficulty

__all__ = ["case_levels", "difficulty_tables", "every_case", "telling_cases"]

_LEVELS: Final = ("difficult", "moderate", "easy")
_BEST, _SUSPECTS = 5, 10
_TWO: Final = Style(2)


def difficulty_tables(difficulties: Sequence[Difficulty], names: Names) -> list[Table]:
    """Give the tables of the page: levels with the null, telling cases, every case."""
    if not any(difficulty.cases for difficulty in difficulties):
        return []
    return [
        case_levels(difficulties, names),
        telling_cases(difficulties, names),
        every_case(difficulties, names),
    ]


def case_levels(difficulties: Sequence[Difficulty], names: Names) -> Table:
    """Count difficult, moderate and easy cases, and hold their spread against the scale alone."""
    rows = []
    for difficulty in difficulties:
        of = {level: [c for c in difficulty.cases if c.level == level] for level in _LEVELS}
        cells = [
            Cell(
                names.of_dimension(difficulty.dimension), (difficulty.dimension, difficulty.source)
            )
        ]
        cells += [
            Cell(
                str(len(cases)),
                (len(cases), *_ends(cases)),
                aside=f"SD {_mean_spread(cases)}" if cases else "",
            )
            for cases in of.values()
        ]
        cells += [_rho(difficulty), _null(difficulty), _verdict(difficulty)]
        rows.append(Row(tuple(cells)))
    return Table(
        "case-levels",
        "How hard the cases are",
        "Difficult: mean over systems at or below the first quartile; easy: at or above the "
        "third; beside each number the mean SD over systems, divided by n. ρ: Spearman's "
        "correlation of a case's mean with that SD. A scale with ends makes easy cases agree by"
        " itself: the range holds 95 % of draws from a bounded scale alone (beta distributions "
        "with the means observed). Only a ρ outside it says something of the systems. "
        "Dimensions whose lower scores are the better ones are left out: a case whose answers "
        "do harm is not for that hard to answer.",
        (
            Column("Dimension", ("dimension", "source")),
            *(
                Column(
                    level.capitalize(),
                    (level, f"{level}_low", f"{level}_high", f"{level}_spread"),
                    numeric=True,
                )
                for level in _LEVELS
            ),
            Column("ρ", ("rho", "p"), numeric=True),
            Column("Scale alone", ("null_low", "null_high"), numeric=True),
            Column("Reads", ("reads", "left_out")),
        ),
        tuple(rows),
        empty="No dimension has scores of three systems on a case.",
    )


def _ends(cases: Sequence[CaseDifficulty]) -> tuple[float | None, float | None, float | None]:
    means, spreads = [c.mean for c in cases], [c.spread for c in cases]
    if not cases:
        return None, None, None
    return min(means), max(means), sum(spreads) / len(spreads)


def _mean_spread(cases: Sequence[CaseDifficulty]) -> str:
    return f"{sum(c.spread for c in cases) / len(cases):.2f}"


def _rho(difficulty: Difficulty) -> Cell:
    if difficulty.rho is None:
        return Cell(NONE, (None, difficulty.p), detail=as_sentence(difficulty.reason), missing=True)
    detail = "" if difficulty.p is None else f"Against the scale alone: {p_value(difficulty.p)}."
    return Cell(PROPORTION(difficulty.rho), (difficulty.rho, difficulty.p), detail=detail)


def _null(difficulty: Difficulty) -> Cell:
    if difficulty.null is None:
        return Cell(NONE, (None, None), detail=as_sentence(difficulty.reason), missing=True)
    text = f"{PROPORTION(difficulty.null.low)} to {PROPORTION(difficulty.null.high)}"
    return Cell(text, (difficulty.null.low, difficulty.null.high))


def _verdict(difficulty: Difficulty) -> Cell:
    if difficulty.rho is None or difficulty.null is None:
        return Cell("–", ("", difficulty.left_out))
    if difficulty.null.low <= difficulty.rho <= difficulty.null.high:
        text = "no more than the scale alone"
    elif difficulty.rho < difficulty.null.low:
        text = "systems agree more on easy cases than the scale makes them"
    else:
        text = "systems agree less on easy cases than the scale makes them"
    return Cell(text, (text, difficulty.left_out))


def telling_cases(difficulties: Sequence[Difficulty], names: Names) -> Table:
    """List the cases that separate systems best, and those whose labels deserve a second look."""
    rows: list[Row] = []
    for difficulty in difficulties:
        known = [case for case in difficulty.cases if case.discrimination is not None]
        best = sorted(known, key=lambda c: (-_rounded(c.discrimination), c.case))[:_BEST]
        odd = sorted(
            (case for case in known if case.suspect),
            key=lambda c: (_rounded(c.discrimination), c.case),
        )[:_SUSPECTS]
        title = names.of_dimension(difficulty.dimension)
        rows += [_telling(case, "separates best", title) for case in best]
        rows += [_telling(case, f"second look: {case.suspect}", title) for case in odd]
    return Table(
        "telling-cases",
        "Cases that tell most, and cases to look at again",
        "Discrimination: correlation of the systems' scores on the case with their means on all "
        f"other cases. The {_BEST} highest of each dimension separate systems best: keep them in a "
        "shorter study. Reversed: the order of the systems is turned round (p < .05 over orders of "
        "systems), so the reference or the labels may be wrong; some of many cases are so by luck, "
        "and only beyond chance allows for that (max-T).",
        (
            Column("Why", ("why",)),
            Column("Case", ("case",)),
            Column("Discrimination", ("discrimination", "p", "p_max_t"), numeric=True),
            Column("Mean", ("mean",), numeric=True),
            Column("SD", ("spread",), numeric=True),
            Column("Level", ("level",)),
        ),
        tuple(rows),
        group_field="dimension",
        empty="No case can be held against the others.",
    )


def _rounded(discrimination: float | None) -> float:
    """Put cases that differ only by rounding on one place, on every processor."""
    return round(discrimination or 0.0, 9)


def _telling(case: CaseDifficulty, why: str, dimension: str) -> Row:
    detail = "" if case.p is None else f"One case: {p_value(case.p)}."
    if case.p_adjusted is not None:
        detail += f" Against the most extreme of all cases: {p_value(case.p_adjusted)}."
    return Row(
        (
            Cell(why, (why,)),
            Cell(case.case, (case.case,)),
            Cell(
                _r(case.discrimination),
                (case.discrimination, case.p, case.p_adjusted),
                detail=detail,
            ),
            Cell(f"{case.mean:.2f}", (case.mean,)),
            Cell(f"{case.spread:.2f}", (case.spread,)),
            Cell(case.level, (case.level,)),
        ),
        dimension,
    )


_EACH: Final = (
    shown("Case", "case"),
    shown("Mean", "mean", _TWO),
    shown("SD", "spread", _TWO, adds=("null_low", "null_high")),
    shown("Level", "level"),
    shown("Discrimination", "discrimination", PROPORTION, adds={"p": "p", "p_max_t": "p_adjusted"}),
    shown("Suspect", "suspect"),
    shown("Systems", "n_systems", str),
)


def every_case(difficulties: Sequence[Difficulty], names: Names) -> Table:
    """List the cases: hardest first, how far they tell systems apart, which look mislabelled."""
    return table_of(
        (
            (names.of_dimension(difficulty.dimension), case)
            for difficulty in difficulties
            for case in difficulty.cases
        ),
        _EACH,
        id="case-difficulty",
        title="How hard each case is",
        caption="Hardest first. SD: over systems, divided by n. Discrimination: correlation of the "
        "systems' scores on the case with their means on all other cases; the larger, the better "
        "the case separates systems. Reversed: below 0 with p < .05 (orders of systems), where the "
        "reference or the labels are worth a second look; beyond chance: also against the most "
        "extreme of all cases (max-T), since of 100 cases some are reversed by luck.",
        empty="No dimension has scores of three systems on a case.",
        grouped_by="dimension",
        stands="file",
    )


def _r(value: float | None) -> str:
    return "–" if value is None else PROPORTION(value)
