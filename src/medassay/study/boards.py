"""A shared task's leaderboard, as data: its columns, and which of them are means of others."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

from medassay.errors import InvalidInput, nearest
from medassay.scores import Name
from medassay.tables import wrong

__all__ = ["Board", "BoardColumn", "SourceName"]


def _parsed(name: str) -> str:
    try:
        Name.parse(name)
    except InvalidInput as error:
        [problem] = error.problems
        raise wrong(problem.must, f'"{name}"', problem.try_) from error
    return name


SourceName = Annotated[str, AfterValidator(_parsed)]
"""The name of a column of scores, whether a study has it or not."""


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
    sources: tuple[SourceName, ...] = ()
    average: Literal["macro", "micro"] = "macro"
    mean: tuple[str, ...] = ()
    may_lack: bool = False
    rank: str = ""

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if bool(self.sources) == bool(self.mean):
            got = "both" if self.mean else "neither"
            raise wrong("have either sources or a mean of columns", got)
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
                lacks = ", ".join(name for name in column.mean if name not in seen)
                how = "twice" if column.name in seen else f"before {lacks}"
                got = f'"{column.name}" {how}'
                raise wrong("have each column once, and a mean behind what it is the mean of", got)
            seen.add(column.name)
        if self.order not in seen:
            hint = nearest(self.order, seen)
            raise wrong("be ordered by one of its columns", f'"{self.order}"', hint)
        return self
