"""A shared task's leaderboard, as data: its columns, and which of them are means of others."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

__all__ = ["Board", "BoardColumn"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BoardColumn(_Part):
    """One column: the scores of one source averaged over cases, or the mean of other columns.

    Attributes:
        name: What other columns and results call it.
        title: The heading.
        group: A heading over several columns; empty for none.
        sources: The source, by canonical name; where there are several, the first that the study
            has. Empty where `mean` is given.
        average: `macro` is the mean over cases, `micro` the score of all cases pooled.
        mean: Names of columns, whose mean it is.
        may_lack: Whether the mean is also made of those that are there, under another name.
        rank: The letter of its ranks; empty where systems are not ranked by it.
    """

    name: str
    title: str
    group: str = ""
    sources: tuple[str, ...] = ()
    average: Literal["macro", "micro"] = "macro"
    mean: tuple[str, ...] = ()
    may_lack: bool = False
    rank: str = ""

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if bool(self.sources) == bool(self.mean):
            message = "a column has either sources or a mean"
            raise ValueError(message)
        return self


class Board(_Part):
    """One table of a shared task.

    Attributes:
        name: Its short name, such as the reference that it is about.
        title: The table's title.
        says: Sentences for its caption.
        order: The column that orders the systems.
        columns: Left to right; a mean stands behind the columns that it is of.
    """

    name: str
    title: str
    says: str
    order: str
    columns: tuple[BoardColumn, ...]

    @model_validator(mode="after")
    def _known(self) -> Self:
        seen: set[str] = set()
        for column in self.columns:
            if column.name in seen or not seen.issuperset(column.mean):
                message = f"{column.name} comes twice, or before a column that it is the mean of"
                raise ValueError(message)
            seen.add(column.name)
        if self.order not in seen:
            message = f"there is no column {self.order} to order by"
            raise ValueError(message)
        return self
