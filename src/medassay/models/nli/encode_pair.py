"""Two texts as one row of word pieces, cut where both are longer than a model reads."""

from typing import Any

__all__ = ["encode_pair"]


def encode_pair(
    tokenizer: Any,  # noqa: ANN401 - of an untyped package
    first: str,
    second: str,
    *,
    limit: int,
) -> tuple[dict[str, list[int]], bool]:
    """Give what a model reads of a pair, and whether it had to be cut.

    The first text is cut; where the second alone is too long, whichever is longer.

    Args:
        tokenizer: A tokenizer of transformers.
        first: The context or premise.
        second: The claim or hypothesis.
        limit: How many pieces the model reads, its marks included.
    """
    whole = dict(tokenizer(first, second, truncation=False, verbose=False))
    if len(whole["input_ids"]) <= limit:
        return whole, False
    alone = len(tokenizer(second, add_special_tokens=False, verbose=False)["input_ids"])
    marks = tokenizer.num_special_tokens_to_add(pair=True)
    cut = "only_first" if alone + marks < limit else "longest_first"
    return dict(tokenizer(first, second, truncation=cut, max_length=limit)), True
