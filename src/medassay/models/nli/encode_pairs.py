"""Two texts as one row of word pieces, cut where both are longer than a model reads."""

from collections.abc import Sequence
from typing import Any

__all__ = ["encode_pairs"]

Encoded = tuple[dict[str, list[int]], bool]


def encode_pairs(
    tokenizer: Any,  # noqa: ANN401 - of an untyped package
    pairs: Sequence[tuple[str, str]],
    *,
    limit: int,
) -> list[Encoded]:
    """Give what a model reads of each pair, and whether it had to be cut.

    The first text is cut; where the second alone is too long, whichever is longer.

    Args:
        tokenizer: A tokenizer of transformers.
        pairs: Contexts or premises, each with its claim or hypothesis.
        limit: How many pieces the model reads, its marks included.
    """
    if not pairs:
        return []
    # All in one call: a call for each pair costs more than its pieces.
    first, second = ([pair[i] for pair in pairs] for i in range(2))
    whole = dict(tokenizer(first, second, truncation=False, verbose=False))
    rows = [{name: values[i] for name, values in whole.items()} for i in range(len(pairs))]
    return [
        (row, False)
        if len(row["input_ids"]) <= limit
        else (_cut(tokenizer, *pair, limit=limit), True)
        for row, pair in zip(rows, pairs, strict=True)
    ]


def _cut(
    tokenizer: Any,  # noqa: ANN401 - as above
    first: str,
    second: str,
    *,
    limit: int,
) -> dict[str, list[int]]:
    alone = len(tokenizer(second, add_special_tokens=False, verbose=False)["input_ids"])
    marks = tokenizer.num_special_tokens_to_add(pair=True)
    cut = "only_first" if alone + marks < limit else "longest_first"
    return dict(tokenizer(first, second, truncation=cut, max_length=limit))
