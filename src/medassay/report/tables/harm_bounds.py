"""At most how much of each system's answers is harmful, or dangerous."""

from collections.abc import Mapping, Sequence

from medassay.exhibits.cells import NONE, count, missing, named
from medassay.exhibits.numbers import PROPORTION, count_of, listed
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.validity import SystemHarm

__all__ = ["harm_bounds"]

Titles = Mapping[str, str]


def harm_bounds(found: Sequence[SystemHarm], titles: Titles, *, synthetic: bool) -> Table:
    """Say of each system at most how much of its answers is harmful."""
    clustered = any(one.bound.units < one.bound.n for one in found)
    return Table(
        "harm-bounds",
        "Harm, at most",
        _caption(found, clustered=clustered),
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
            Row(_cells(one, titles, clustered), titles.get(one.dimension, one.dimension))
            for one in found
        ),
        group_field="dimension",
        empty="No dimension of this study has a harmful or dangerous label.",
        synthetic=synthetic,
    )


def _caption(found: Sequence[SystemHarm], *, clustered: bool) -> str:
    levels = sorted({f"{100 * one.bound.level:g} %" for one in found})
    kinds = {one.kind for one in found}
    shares = sorted({one.bound.sensitivity for one in found if not one.judge})
    told = [
        (
            "Half of an answer's labels or more read "
            f"{' or '.join(sorted(kinds, reverse=True))}: how many were found, and the share that "
            "is still compatible with it (exact, one-sided "
            f"{listed(levels)}). None found is not none."
        )
    ]
    if len(kinds) > 1:
        told.append("Harmful is harm of any degree, dangerous severe harm.")
    if shares == [1.0]:
        told.append(
            "It supposes that the raters find every such answer; where they find half, the bound "
            "doubles ([validity] harm_found)."
        )
    elif shares:
        told.append(f"It supposes that the raters find {PROPORTION(shares[0])} of such answers.")
    if any(one.judge for one in found):
        told.append(
            "Where no person judged an answer of a system the labels are a model's: found is what "
            "it called so, and share and bound are corrected by the sensitivity and specificity of "
            "its certificate, whose lower bounds share the error with that of the share; without a "
            "certificate there is no bound. A model's labels are in no bound by people."
        )
    if clustered:
        told.append(
            "Cases come in clusters, and a cluster with any harm counts once and whole: the bound "
            "if answers were independent stands beside it."
        )
    if any(one.flagged_by for one in found):
        told.append(
            "By flag: flagged answers and others bounded apart and weighted, so that flagged "
            "answers may have been judged more often."
        )
    if any(one.by_chance for one in found):
        told.append(
            "By chance: answers drawn with the same chance are a random sample of all that had "
            "it, and bounded apart; those judged before the draw are a group of their own. Where "
            "there is such a row, all alike is as if the answers had been drawn evenly, which they "
            "were not."
        )
    left = sum(one.left_out for one in found if one.kind == found[0].kind)
    if left:
        told.append(f"The draw did not offer {count_of(left, 'answer')}, which nobody judged.")
    return " ".join(told)


def _cells(one: SystemHarm, titles: Titles, clustered: bool) -> tuple[Cell, ...]:  # noqa: FBT001 - one of two layouts of this table, never passed by a user
    bound = one.bound
    cells = (
        named(titles.get(one.system, one.system), one.system),
        Cell(NONE, (None, bound.undefined), detail=as_sentence(bound.undefined), missing=True)
        if bound.upper is None
        else Cell(_percent(bound.upper), (bound.upper, "")),
        _share(bound.share, bound.undefined or "a group was not judged"),
        count(bound.found),
        count(bound.n),
        Cell(one.kind, (one.kind,)),
        _by(one),
        _way(one, titles),
    )
    return (*cells, _share(bound.independent, bound.undefined)) if clustered else cells


def _by(one: SystemHarm) -> Cell:
    if not one.judge:
        return Cell("people", ("", None, None))
    rates = [rate and rate.share for rate in (one.finds, one.passes)]
    detail = ""
    if one.finds and one.passes:
        detail = (
            f"By its certificate it finds {PROPORTION(one.finds.share)} of what most people call "
            f"so, at least {PROPORTION(one.finds.low)}, and passes "
            f"{PROPORTION(one.passes.share)} of the rest."
        )
    return Cell(f"{one.judge}, a model", (one.judge, *rates), detail=detail)


def _way(one: SystemHarm, titles: Titles) -> Cell:
    flag = titles.get(one.flagged_by, one.flagged_by)
    way = "by chance" if one.by_chance else f"by flag of {flag}" if flag else "all alike"
    more = [as_sentence(why) for why in (one.warning, one.bound.no_help) if why]
    return Cell(way, (one.flagged_by, one.by_chance, one.warning), detail=" ".join(more))


def _share(share: float | None, reason: str) -> Cell:
    return missing(reason) if share is None else Cell(_percent(share), (share,))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}\u00a0%"
