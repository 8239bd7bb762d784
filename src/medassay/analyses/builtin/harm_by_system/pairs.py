"""Which systems differ in harm: every two of them, as a table."""

from medassay.analyses.builtin.harm_by_system.record import HarmBySystem
from medassay.analyses.builtin.harm_by_system.words import labelled
from medassay.exhibits import Names, Table
from medassay.exhibits.cells import how
from medassay.exhibits.columns import counted, estimated, shown, system_column, table_of
from medassay.exhibits.numbers import Style, shown_p
from medassay.exhibits.sentences import upper_first

__all__ = ["harm_pair_table"]

_SHARE = Style(2)


def harm_pair_table(harm: HarmBySystem, names: Names) -> Table:
    """Show by how much the shares of harmful answers of every two systems differ."""
    several = len({(pair.dimension, pair.kind) for pair in harm.pairs}) > 1
    said = labelled(harm_of.called for harm_of in harm.systems)
    alone = any(pair.compared.alone for pair in harm.pairs)
    over = (
        "over all cases of the two, which were allotted by chance"
        if alone
        else "over the cases that both have"
    )
    return table_of(
        (
            (names.of_dimension(pair.dimension), pair.compared)
            for pair in harm.pairs
        )
        if several
        else [pair.compared for pair in harm.pairs],
        (
            system_column(names, "First", "system_a"),
            system_column(names, "Second", "system_b"),
            estimated("Difference", "difference", _SHARE, file="difference"),
            shown("p", "p", shown_p, why_not="reason"),
            shown("Adjusted p", "p_adjusted", shown_p, why_not="reason"),
            counted("Cases", "n", file="cases"),
            counted("Of one alone", "alone", file="cases_of_one_alone"),
        ),
        id="harm-pairs",
        title=f"{upper_first(said or 'harm')}, pairs of systems",
        caption=f"Share of {said or 'harmful answers'}: the first system's less the second's, "
        f"{over}. {how(pair.compared.interval for pair in harm.pairs)} "
        "Adjusted: for all pairs at once" + (", on all dimensions." if several else "."),
        grouped_by="dimension" if several else "",
        stands="file",
    )  # fmt: skip
