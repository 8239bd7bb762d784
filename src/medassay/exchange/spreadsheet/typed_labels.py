"""What a user typed of labels is of this table, or it is refused: nothing typed goes unread."""

from collections.abc import Mapping, Sequence

from medassay.errors import InvalidInput, Problem
from medassay.exchange.spreadsheet.label_words import RatedDimension
from medassay.judgements import Dimension

__all__ = ["refuse_other_labels", "refuse_unread"]


def refuse_other_labels(
    typed: Sequence[tuple[str, str]], rated: Mapping[str, RatedDimension]
) -> None:
    """Refuse what was typed of a label that stands nowhere.

    Raises:
        InvalidInput: A dimension that was not rated, or a label that nobody gave.
    """
    for cell, told in typed:
        one = rated.get(told.rpartition(".")[0])
        if one is None:
            known = ", ".join(rated) or "none"
            must, got = "begin with a dimension that was rated", f'"{told}={cell}"'
            raise InvalidInput(Problem("--label", must, got, f"Known: {known}."))
        if cell not in one.every:
            shown = ", ".join(f'"{known}"' for known in list(one.every)[:8])
            must = f'be of a label under "{one.title}": {shown}'
            raise InvalidInput(Problem("--label", must, f'"{cell}"'))


def refuse_unread(one: RatedDimension, dimension: Dimension, words: Mapping[str, str]) -> None:
    """Refuse what was typed of a label and says nothing on its scale.

    Raises:
        InvalidInput: It is neither one of the scale's labels nor the sense of a yes or no.
    """
    names = set(dimension.names)
    senses = {"harm", "good", "plain"} if names == {"yes", "no"} else set()
    for cell, told in words.items():
        of, _, sense = told.rpartition(".")
        if of == one.id and sense not in names | senses:
            labels = ", ".join(dimension.names) or "numbers"
            must = f'name a label of "{one.title}" ({labels})'
            hint = "Only of yes and no one can say harm, good or plain. For other words write the "
            hint += (
                "scale down: --rubric FILE.toml; medassay rubric new makes a file to begin with."
            )
            raise InvalidInput(Problem("--label", must, f'"{told}={cell}"', hint))
