"""What a judge of pairs of texts finds, and how such pairs are encoded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

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


Question: TypeAlias = tuple[str, Sequence[str]]
"""A statement, and the sentences of evidence that it is held against."""


class SupportVerdict(StrEnum):
    """How a statement stands to the evidence."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not found"


@dataclass(frozen=True, slots=True)
class SupportFinding:
    """A verdict with the sentence that decides.

    Attributes:
        verdict: Supported, contradicted or not found.
        decided_by: The place of the deciding sentence among the evidence; None where there is none.
        strength: How strongly the judge holds it, 0 to 1: of a model, the verdict's probability.
        why: The reason in a few words.
        cut: How many sentences of the evidence were, together with the statement, longer than the
            judge reads, so that an end was left out.
    """

    verdict: SupportVerdict
    decided_by: int | None
    strength: float
    why: str
    cut: int = 0


class Judge(Protocol):
    """Whatever can say how a statement stands to sentences of evidence."""

    @property
    def name(self) -> str:
        """Give the word that stands in a metric's name."""

    @property
    def settings(self) -> Mapping[str, str]:
        """Give all that the verdicts depend on, for the signature."""

    def reads(self, text: str) -> str:
        """Say why the judge cannot read a text, such as another language; empty if it can."""

    def judge(self, questions: Sequence[Question]) -> list[SupportFinding]:
        """Judge statements, as many findings as questions and in their order."""
