"""Which coefficient heads what is said of agreement, and what is said beside it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from medassay.judgements import Dimension, Units
from medassay.marks import DesignName, record

if TYPE_CHECKING:
    from medassay.agreement.on_units import Agreement

__all__ = ["ICC_FORMS", "PLAIN", "RULE", "Headline", "alpha_of", "headlines"]

ICC_FORMS: Final = ("icc(form=2)", "icc")
"""ICC(A,1), and ICC(1) where raters differ from answer to answer."""
RULE: Final = (
    "The headline of each dimension is the coefficient that the protocol names, else "
    "Krippendorff's alpha for its scale: interval for numbers, ordinal for labels with an order, "
    "nominal for others and for two labels."
)
PLAIN: Final = ("mean_pairwise", "commonest")
"""Per cent agreement, and how common the commonest label is."""


@record(infers=False)
class Headline:
    """What heads agreement on one dimension.

    Attributes:
        dimension: The dimension.
        coefficient: The first that the protocol names and that has a value, else the alpha of the
            scale.
        beside: What is said with it: the intraclass correlation, per cent agreement, the share of
            the commonest label.
    """

    dimension: DesignName
    coefficient: DesignName
    beside: tuple[DesignName, ...]

    def rows_of(self, panel: "Sequence[Agreement]") -> "list[Agreement]":
        """Give the headline's values on the labels as given, then those beside it."""
        return [
            row
            for name in (self.coefficient, *self.beside)
            for row in panel
            if (row.dimension, row.mapping, row.coefficient) == (self.dimension, "full", name)
        ]


def alpha_of(scale: Units | Dimension) -> str:
    """Name Krippendorff's alpha for a scale: of numbers, of ordered labels, of any others.

    Example:
        >>> alpha_of(Units.from_codes([[0, 1]], ["bad", "fair", "good"], scale="ordinal"))
        'krippendorff(level=ordinal)'
        >>> alpha_of(Units.from_codes([[0, 1]], ["no", "yes"], scale="ordinal"))
        'krippendorff'
    """
    numbers = scale.of_numbers if isinstance(scale, Units) else scale.number is not None
    two = len(scale.labels) == 2 and not numbers  # noqa: PLR2004 - two labels have no order
    return (
        "krippendorff" if two or scale.scale == "nominal" else f"krippendorff(level={scale.scale})"
    )


def headlines(
    panel: "Sequence[Agreement]", dimensions: Sequence[Dimension], named: Sequence[str]
) -> Iterator[Headline]:
    """Choose for each dimension what heads its agreement.

    Args:
        panel: What is known.
        dimensions: The dimensions.
        named: Canonical names of the coefficients that the protocol wants first.
    """
    for dimension in dimensions:
        own = [row for row in panel if (row.dimension, row.mapping) == (dimension.id, "full")]
        known = {row.coefficient for row in own}
        # Of one answer alpha is 0, whatever the labels.
        valued = {row.coefficient for row in own if row.value is not None and row.n_units > 1}
        wanted = [name for name in (*named, alpha_of(dimension)) if name in known]
        if wanted:
            chosen = next((name for name in wanted if name in valued), wanted[-1])
            icc = next((name for name in ICC_FORMS if name in known), "")
            beside = tuple(name for name in (icc, *PLAIN) if name in known - {chosen})
            yield Headline(dimension.id, chosen, beside)
