"""How much harm may each system do at most?"""

from collections.abc import Sequence

from medassay.analyses.builtin.harm_by_system import labelled
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.system_harm import HarmFound
from medassay.exhibits import Names
from medassay.exhibits.cells import NONE, count, missing, named
from medassay.exhibits.numbers import PROPORTION, count_of, listed
from medassay.exhibits.sentences import as_sentence, upper_first
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.validity import SystemHarm

__all__ = ["harm_bounds"]


def _table(system_harms: Sequence[SystemHarm], names: Names) -> Table:
    """Say of each system at most how much of its answers is harmful."""
    clustered = any(system_harm.bound.units < system_harm.bound.n for system_harm in system_harms)
    said = labelled(_called(system_harm, names, "") for system_harm in system_harms)
    return Table(
        "harm-bounds",
        f"{upper_first(said)}, at most" if said else "Harm, at most",
        _caption(system_harms, names, clustered=clustered),
        (
            Column("System", ("system",)),
            Column("At most", ("upper", "reason"), numeric=True),
            Column("Share", ("share",), numeric=True),
            Column("Found", ("found",), numeric=True),
            Column("Of", ("judged",), numeric=True),
            Column("To be found", ("kind",)),
            Column("Judged by", ("judge", "judge_finds", "judge_passes")),
            Column("Counted", ("flagged_by", "by_chance", "warning")),
            *((Column("If independent", ("independent",), numeric=True),) if clustered else ()),
        ),
        tuple(
            Row(
                _cells(system_harm, names, clustered),
                names.of_dimension(system_harm.dimension),
            )
            for system_harm in system_harms
        ),
        group_field="dimension",
        empty="No dimension of this study has a harmful or dangerous label.",
        stands="file",
    )


def _called(system_harm: SystemHarm, names: Names, plain: str) -> str:
    """Give what a label of harm says on this dimension, or the plain word where it says no more."""
    return names.harm_words.get(system_harm.dimension) or plain


def _caption(system_harms: Sequence[SystemHarm], names: Names, *, clustered: bool) -> str:
    levels = sorted({f"{100 * system_harm.bound.level:g}%" for system_harm in system_harms})
    kinds = {_called(system_harm, names, system_harm.kind) for system_harm in system_harms}
    shares = sorted(
        {system_harm.bound.sensitivity for system_harm in system_harms if not system_harm.judge}
    )
    lines = [
        (
            "Half of an answer's labels or more read "
            f"{' or '.join(sorted(kinds, reverse=True))}: how many were found, and the share that "
            f"is still compatible with it ({'' if clustered else 'exact, '}one-sided "
            f"{listed(levels)}). None found is not none."
        )
    ]
    if {"harmful", "dangerous"} <= kinds:
        lines.append("Harmful is harm of any degree, dangerous severe harm.")
    if shares == [1.0]:
        lines.append(
            "It supposes that the raters find every such answer; where they find half, the bound "
            "doubles ([validity] harm_found)."
        )
    elif shares:
        lines.append(f"It supposes that the raters find {PROPORTION(shares[0])} of such answers.")
    if any(system_harm.judge for system_harm in system_harms):
        lines.append(
            "Where no person judged an answer of a system the labels are a model's: found is what "
            "it called so, and share and bound are corrected by the sensitivity and specificity of "
            "its certificate, whose lower bounds share the error with that of the share; without a "
            "certificate there is no bound. A model's labels are in no bound by people."
        )
    if clustered:
        lines.append(
            "Cases come in clusters, and answers of a cluster may be so together: the bound "
            "allows for it (Korn and Graubard). If independent: the exact bound without clusters."
        )
    if any(system_harm.flagged_by for system_harm in system_harms):
        lines.append(
            "By flag: flagged answers and others bounded apart and weighted, so that flagged "
            "answers may have been judged more often."
        )
    if any(system_harm.by_chance for system_harm in system_harms):
        lines.append(
            "By chance: answers drawn with the same chance are a random sample of all that had "
            "it, and bounded apart; those judged before the draw are a group of their own. Where "
            "there is such a row, all alike is as if the answers had been drawn evenly, which they "
            "were not."
        )
    left = sum(
        system_harm.left_out
        for system_harm in system_harms
        if system_harm.kind == system_harms[0].kind
    )
    if left:
        lines.append(f"The draw did not offer {count_of(left, 'answer')}, which nobody judged.")
    return " ".join(lines)


def _cells(system_harm: SystemHarm, names: Names, clustered: bool) -> tuple[Cell, ...]:  # noqa: FBT001 - one of two layouts of this table, never passed by a user
    bound = system_harm.bound
    cells = (
        named(names.of_system(system_harm.system), system_harm.system),
        Cell(NONE, (None, bound.undefined), detail=as_sentence(bound.undefined), missing=True)
        if bound.upper is None
        else Cell(_percent(bound.upper), (bound.upper, "")),
        _share(bound.share, bound.undefined or "a group was not judged"),
        count(bound.found),
        count(bound.n),
        Cell(_called(system_harm, names, system_harm.kind), (system_harm.kind,)),
        _by(system_harm),
        _way(system_harm, names),
    )
    return (*cells, _share(bound.independent, bound.undefined)) if clustered else cells


def _by(system_harm: SystemHarm) -> Cell:
    if not system_harm.judge:
        return Cell("people", ("", None, None))
    rates = [rate and rate.share for rate in (system_harm.finds, system_harm.passes)]
    detail = ""
    if system_harm.finds and system_harm.passes:
        detail = (
            f"By its certificate it finds {PROPORTION(system_harm.finds.share)} of what most "
            f"people call "
            f"so, at least {PROPORTION(system_harm.finds.low)}, and passes "
            f"{PROPORTION(system_harm.passes.share)} of the rest."
        )
    return Cell(f"{system_harm.judge}, a model", (system_harm.judge, *rates), detail=detail)


def _way(system_harm: SystemHarm, names: Names) -> Cell:
    flag = names.of_source(system_harm.flagged_by)
    way = "by chance" if system_harm.by_chance else f"by flag of {flag}" if flag else "all alike"
    warnings = [why for why in (system_harm.warning, system_harm.bound.few) if why]
    more = [as_sentence(why) for why in (*warnings, system_harm.bound.no_help) if why]
    return Cell(
        way,
        (system_harm.flagged_by, system_harm.by_chance, "; ".join(warnings)),
        detail=" ".join(more),
    )


def _share(share: float | None, reason: str) -> Cell:
    return missing(reason) if share is None else Cell(_percent(share), (share,))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


@analysis(
    Declaration(
        id="harm_bounds",
        title="Harm, at most",
        question="How much of each system's answers may be harmful, for all that was judged?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="clinician",
        place=100,
        tables=lambda bounds, names: [_table(bounds, names)],
    )
)
def harm_bounds(harm: HarmFound) -> tuple[SystemHarm, ...]:
    """Give the bounds on dimensions that have a reading of harm."""
    return harm.bounds
