"""Who rated, as a table."""

from typing import Final

from medassay.analyses.builtin.rater_flow.record import RaterCount, RaterFlow
from medassay.exhibits import Table, shown, table_of
from medassay.exhibits.cells import text
from medassay.exhibits.columns import Shown
from medassay.exhibits.natural_order import natural_order
from medassay.exhibits.numbers import listed
from medassay.exhibits.table import Cell, Column

__all__ = ["raters_table"]

_ORDER_UNKNOWN: Final = (
    " Order unknown: no position and no time says in which order raters judged, so a rater who "
    "grew stricter or milder cannot be told from a difference between systems."
)
_KNOWN: Final = ("Expertise", "External", "Conflicts", "Blinded", "Shown")


def raters_table(flow: RaterFlow) -> Table:
    """List who rated, what is known of them, and who was left out and why."""
    raters = sorted(flow.raters, key=lambda count: natural_order(count.rater.rater))
    known = [name for name in _KNOWN if any(_fact(count, name) for count in raters)]
    silent = [name.lower() for name in _KNOWN if name not in known]
    unsaid = f" The study does not say: {listed(silent)}." if silent else ""
    order = "" if flow.order_known else _ORDER_UNKNOWN
    return table_of(
        raters,
        (
            shown("Rater", "rater.rater", file="rater"),
            shown("Kind", "rater.kind", file="kind"),
            *(_known(name) for name in known),
            Shown(Column("Status", ("status", "reason")), _status),
            shown("Judgements", "judgements", "{:,}".format),
        ),
        id="raters",
        title="The raters",
        caption="Judgements and preferences that hold now; those of excluded raters are in no "
        f"number, those of models held apart in none about people.{unsaid}{order}",
        empty="There are no raters.",
    )


def _known(name: str) -> Shown[RaterCount]:
    return Shown(Column(name, (name.lower(),)), lambda count: _told(_fact(count, name)))


def _fact(count: RaterCount, name: str) -> str:
    rater = count.rater
    said = {True: "yes", False: "no", None: ""}
    facts = {
        "Expertise": rater.expertise,
        "External": said[rater.external],
        "Conflicts": rater.conflicts,
        "Blinded": said[rater.blinded],
        "Shown": rater.shown,
    }
    return facts[name]


def _status(count: RaterCount) -> Cell:
    """Say who is left out and why, and of a model whether its labels count as people's do."""
    rater = count.rater
    if rater.excluded:
        return Cell("excluded", ("excluded", rater.reason), aside=rater.reason)
    if not count.apart:
        return Cell("qualified", ("qualified", ""))
    some = "" if count.apart == count.judgements else f"{count.apart:,} of {count.judgements:,}"
    return Cell("held apart", ("held apart", some), aside=some)


def _told(words: str) -> Cell:
    return text(words) if words else Cell("not said", (None,), missing=True)
