"""How hard each case is, which separate systems best, and which look mislabelled."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.results import Results
from medassay.exhibits.cells import NONE
from medassay.exhibits.numbers import PROPORTION, p_value
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names
from medassay.validity import CaseDifficulty, Difficulty

__all__ = ["case_difficulty", "case_levels", "difficulty_tables", "telling_cases"]

_LEVELS: Final = ("difficult", "moderate", "easy")
_BEST, _SUSPECTS = 5, 10


def difficulty_tables(results: Results) -> list[Table]:
    """Give the tables of the page: levels with the null, telling cases, every case."""
    if not any(one.cases for one in results.difficulty):
        return []
    return [case_levels(results), telling_cases(results), case_difficulty(results)]


def case_levels(results: Results) -> Table:
    """Count difficult, moderate and easy cases, and hold their spread against the scale alone."""
    names = Names(results)
    rows = []
    for one in results.difficulty:
        of = {level: [c for c in one.cases if c.level == level] for level in _LEVELS}
        cells = [Cell(names.of_dimension(one.dimension), (one.dimension, one.source))]
        cells += [
            Cell(
                str(len(cases)),
                (len(cases), *_ends(cases)),
                aside=f"SD {_mean_spread(cases)}" if cases else "",
            )
            for cases in of.values()
        ]
        cells += [_rho(one), _null(one), _verdict(one)]
        rows.append(Row(tuple(cells)))
    return Table(
        "case-levels",
        "How hard the cases are",
        "Difficult: mean over systems at or below the first quartile; easy: at or above the third; "
        "beside each number the mean SD over systems. ρ: Spearman's correlation of a case's "
        "mean with that SD. A scale with ends makes easy cases agree by itself: the range holds "
        "95 % of draws from a bounded scale alone (beta distributions with the means observed). "
        "Only a ρ outside it says something of the systems. Dimensions whose lower scores are the "
        "better ones are left out: a case whose answers do harm is not for that hard to answer.",
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
        synthetic=results.study.synthetic,
    )


def _ends(cases: Sequence[CaseDifficulty]) -> tuple[float | None, float | None, float | None]:
    means, spreads = [c.mean for c in cases], [c.spread for c in cases]
    if not cases:
        return None, None, None
    return min(means), max(means), sum(spreads) / len(spreads)


def _mean_spread(cases: Sequence[CaseDifficulty]) -> str:
    return f"{sum(c.spread for c in cases) / len(cases):.2f}"


def _rho(one: Difficulty) -> Cell:
    if one.rho is None:
        return Cell(NONE, (None, one.p), detail=as_sentence(one.reason), missing=True)
    detail = "" if one.p is None else f"Against the scale alone: {p_value(one.p)}."
    return Cell(PROPORTION(one.rho), (one.rho, one.p), detail=detail)


def _null(one: Difficulty) -> Cell:
    if one.null is None:
        return Cell(NONE, (None, None), detail=as_sentence(one.reason), missing=True)
    text = f"{PROPORTION(one.null.low)} to {PROPORTION(one.null.high)}"
    return Cell(text, (one.null.low, one.null.high))


def _verdict(one: Difficulty) -> Cell:
    if one.rho is None or one.null is None:
        return Cell("–", ("", one.left_out))
    if one.null.low <= one.rho <= one.null.high:
        said = "no more than the scale alone"
    elif one.rho < one.null.low:
        said = "systems agree more on easy cases than the scale makes them"
    else:
        said = "systems agree less on easy cases than the scale makes them"
    return Cell(said, (said, one.left_out))


def telling_cases(results: Results) -> Table:
    """List the cases that separate systems best, and those whose labels deserve a second look."""
    names, rows = Names(results), []
    for one in results.difficulty:
        known = [case for case in one.cases if case.discrimination is not None]
        best = sorted(known, key=lambda c: (-(c.discrimination or 0.0), c.case))[:_BEST]
        odd = sorted(
            (case for case in known if case.suspect),
            key=lambda c: (c.discrimination or 0.0, c.case),
        )[:_SUSPECTS]
        title = names.of_dimension(one.dimension)
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
        synthetic=results.study.synthetic,
    )


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


def case_difficulty(results: Results) -> Table:
    """List the cases: hardest first, how far they tell systems apart, which look mislabelled."""
    names = Names(results)
    rows = [
        Row(
            (
                Cell(case.case, (case.case,)),
                Cell(f"{case.mean:.2f}", (case.mean,)),
                Cell(f"{case.spread:.2f}", (case.spread, case.null_low, case.null_high)),
                Cell(case.level, (case.level,)),
                Cell(_r(case.discrimination), (case.discrimination, case.p, case.p_adjusted)),
                Cell(case.suspect, (case.suspect,)),
                Cell(str(case.n_systems), (case.n_systems,)),
            ),
            names.of_dimension(one.dimension),
        )
        for one in results.difficulty
        for case in one.cases
    ]
    columns = (
        Column("Case", ("case",)),
        Column("Mean", ("mean",), numeric=True),
        Column("SD", ("spread", "null_low", "null_high"), numeric=True),
        Column("Level", ("level",)),
        Column("Discrimination", ("discrimination", "p", "p_max_t"), numeric=True),
        Column("Suspect", ("suspect",)),
        Column("Systems", ("n_systems",), numeric=True),
    )
    return Table(
        "case-difficulty",
        "How hard each case is",
        "Hardest first. SD: over systems. Discrimination: correlation of the systems' scores on "
        "the case with their means on all other cases; the larger, the better the case separates "
        "systems. Reversed: below 0 with p < .05 (orders of systems), where the reference or the "
        "labels are worth a second look; beyond chance: also against the most extreme of all cases "
        "(max-T), since of 100 cases some are reversed by luck.",
        columns,
        tuple(rows),
        group_field="dimension",
        empty="No dimension has scores of three systems on a case.",
        synthetic=results.study.synthetic,
    )


def _r(value: float | None) -> str:
    return "–" if value is None else PROPORTION(value)
