"""What a campaign was drawn up with."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from medassay.marks import Guarded
from medassay.tables import wrong

__all__ = ["PARTS", "Kind", "Part", "Settings"]

Kind = Literal["answers", "preferences"]
Part = Literal["narrative", "evidence", "retrieved", "documents", "references", "reasoning"]
PARTS: tuple[Part, ...] = (
    "narrative", "evidence", "retrieved", "documents", "references", "reasoning",
)  # fmt: skip
"""What may stand beside an answer, apart from the question."""


class Settings(BaseModel):
    """The choices behind a campaign's plan.

    Attributes:
        name: The campaign's name, and its folder's.
        kind: Whether single answers are rated or one answer is preferred to another.
        raters: The raters.
        overlap: How many raters each answer gets.
        repeats: How many answers each rater meets twice.
        own_first: How many of each rater's own answers come first, as a calibration of that rater.
        batch: About how many answers lie between two breaks.
        dimensions: The dimensions that raters are asked about.
        parts: What stands beside an answer.
        form: The form of the sheets.
        texts: How much text the sheets hold; see `[privacy]`.
        synthetic: Whether the study is made up.
        phase: What the labels are: ratings, or the settling of ratings that differ.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Guarded("medassay.judgements.campaign.plan.CampaignPlan.read")]
    kind: Kind
    raters: Annotated[tuple[str, ...], Field(min_length=1)]
    overlap: Annotated[int, Field(ge=1)]
    repeats: Annotated[int, Field(ge=0)] = 0
    own_first: Annotated[int, Field(ge=0)] = 0
    batch: Annotated[int, Field(ge=1)] = 12
    dimensions: tuple[str, ...] = ()
    parts: tuple[Part, ...] = PARTS
    form: Literal["xlsx", "csv"] = "xlsx"
    texts: Literal["full", "ids", "none"] = "full"
    synthetic: bool = False
    phase: Literal["main", "adjudication"] = "main"

    @property
    def shared_out(self) -> tuple[str, ...]:
        """Give the phases of answers that pass to somebody else where a rater leaves."""
        # A calibration of each rater's own answers is no answer that everybody rates.
        return ("calibration", self.phase) if self.own_first else (self.phase,)

    @model_validator(mode="after")
    def _fit(self) -> Self:
        if len(set(self.raters)) < len(self.raters):
            raise wrong("name each rater once", ", ".join(self.raters))
        if self.overlap > len(self.raters):
            must = f"give an answer at most the {len(self.raters)} raters there are"
            raise wrong(must, f"an overlap of {self.overlap}")
        return self
