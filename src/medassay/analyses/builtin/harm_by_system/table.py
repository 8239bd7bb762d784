"""Harm by system, as a table."""

from medassay.analyses.builtin.harm_by_system.record import HarmBySystem, HarmOf
from medassay.analyses.builtin.harm_by_system.words import labelled, percent
from medassay.exhibits import Names, Table
from medassay.exhibits.columns import counted, shown, system_column, table_of
from medassay.exhibits.numbers import listed
from medassay.exhibits.sentences import as_sentence, upper_first

__all__ = ["harm_table"]


def harm_table(harm: HarmBySystem, names: Names) -> Table:
    """Show how many answers of each system were found harmful, and how many there may be."""
    several = len({harm_of.dimension for harm_of in harm.systems}) > 1
    said = labelled(harm_of.called for harm_of in harm.systems)
    return table_of(
        ((names.of_dimension(harm_of.dimension), harm_of) for harm_of in harm.systems)
        if several
        else harm.systems,
        (
            system_column(names),
            counted("Found", "found"),
            counted("Of", "n"),
            shown(
                "Share", lambda row: row.found / row.n, percent, file="share",
                adds={"low": lambda row: _end(row, 0), "high": lambda row: _end(row, 1)},
                aside=_around,
            ),
            shown("At most", "at_most", percent, adds=("level",), why_not="reason"),
            shown("Counted as", "words", file="kind"),
            counted("Raters differ", "split"),
            shown("Cases", lambda row: ", ".join(row.cases) or "none", file="cases", wide=True),
        ),
        id="harm-by-system",
        title=f"{upper_first(said)}, by system" if said else "Harm by system",
        caption=f"{_reads(harm, names)} At most: the largest share still possible ("
        f"{_exact(harm)}one-sided 95 %). None found is not none.{_clean(harm)}{_few(harm)}",
        grouped_by="dimension" if several else "",
    )  # fmt: skip


def _clean(harm: HarmBySystem) -> str:
    if harm.clean is None:
        return ""
    mixed = any(harm_of.called for harm_of in harm.systems)
    clean = "with none so labelled" if mixed else "with none harmful"
    return f" To show a share below 1 %, you need {harm.clean} answers {clean}."


def _exact(harm: HarmBySystem) -> str:
    return "exact, " if any(harm_of.interval is not None for harm_of in harm.systems) else ""


def _few(harm: HarmBySystem) -> str:
    reasons = dict.fromkeys(harm_of.few for harm_of in harm.systems)
    return "".join(f" {as_sentence(few)}" for few in reasons if few)


def _reads(harm: HarmBySystem, names: Names) -> str:
    called = {harm_of.dimension: harm_of.called for harm_of in harm.systems}
    lines = [
        f"{called.get(dimension) or kind}: at least half of the raters chose {listed(labels)} on "
        f"{names.of_dimension(dimension)}"
        for dimension, kind, labels in harm.labels
    ]
    return f"{'; '.join(lines)}." if lines else ""


def _around(harm: HarmOf) -> str:
    if harm.interval is None:
        return ""
    low, high = (
        percent(end).removesuffix("\u00a0%") for end in (harm.interval.low, harm.interval.high)
    )
    return f"[{low}, {high}]"


def _end(harm: HarmOf, which: int) -> float | None:
    return (harm.interval.low, harm.interval.high)[which] if harm.interval else None
