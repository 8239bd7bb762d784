"""A judge that asks an NLI model about each sentence of the evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.models.cache import result_cache
from medassay.models.device import device_of
from medassay.models.find import FoundModel, find_model
from medassay.models.nli.finding import Question, SupportFinding, SupportVerdict
from medassay.models.nli.labels import read_labels
from medassay.models.nli.pairs import PairModel, class_names, open_pairs, runtime_of
from medassay.models.sound import numbers_in

__all__ = ["ModelJudge", "judge_by_probability"]

_LEAST: Final = 0.5
_HALF: Final = 0.5
_CUT: Final = 3  # the column behind those of the three meanings
_ENDS: Final = ((0, 1),) * (_CUT + 1)
_PURPOSE: Final = "judging statements with an NLI model"


class ModelJudge:
    """Judges by an NLI model: premise is one sentence of the evidence, hypothesis the statement.

    The sentence with the highest probability of entailment, or of contradiction, decides; a verdict
    needs a probability of at least one half, and the larger of the two wins. A model of two classes
    contradicts nothing.
    """

    def __init__(self, found_model: FoundModel, labels: tuple[str, ...]) -> None:
        self._found, self._labels = found_model, labels

    @classmethod
    def find(cls, name: str, labels: str = "config") -> "ModelJudge":
        """Find a model by folder or hub id; nothing is loaded yet.

        Raises:
            MissingBackend: The model is not on this machine and may not be fetched.
            InvalidInput: It is not clear what its classes mean.
        """
        found_model = find_model(name, _PURPOSE)
        meanings = read_labels(labels, class_names(found_model.path), name)
        return cls(found_model, meanings)

    @property
    def name(self) -> str:
        """Give the word that stands in a metric's name."""
        return self._found.name

    @property
    def settings(self) -> Mapping[str, str]:
        """Give all that the verdicts depend on: the weights, what runs them, what classes mean.

        Raises:
            NoSuchDevice: A GPU is asked for that torch cannot use here.
        """
        return {
            "nli": self._found.digest[:12],
            "classes": "/".join(self._labels),
            **runtime_of(self._found.path, device_of(self.name)),
        }

    def reads(self, text: str) -> str:
        """Say why the model cannot read a text; empty if it can."""
        if self._model.unknown(text) > _HALF:
            return "the model's vocabulary does not know more than half of the answer"
        return ""

    def judge(self, questions: Sequence[Question]) -> list[SupportFinding]:
        """Judge statements, as many findings as questions and in their order."""
        pairs = [
            (sentence, statement)
            for statement, evidence_of in questions
            for sentence in evidence_of
        ]
        numbers = self._read(pairs)
        findings, start = [], 0
        for _, evidence in questions:
            rows = numbers[start : start + len(evidence)]
            finding = judge_by_probability(rows[:, :_CUT])
            findings.append(replace(finding, cut=int(rows[:, _CUT].sum())))
            start += len(evidence)
        return findings

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Give entailment, neutral and contradiction of each pair, shape (pairs, 3).

        The `other` of a model of two classes stands under neutral.
        """
        return self._read(pairs)[:, :_CUT]

    def _read(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Give the same, and 1 where a pair was cut, shape (pairs, 4); each pair is asked once."""
        cache = result_cache("nli-pairs", self.settings, reveals_text=False)
        keys = {pair: cache.key(*pair) for pair in pairs}
        contents = cache.get(keys.values(), lambda _, row: numbers_in(row, _ENDS))
        todo = sorted(pair for pair, key in keys.items() if key not in contents)
        if todo:
            logits, cut = self._model.read(todo)
            rows = np.column_stack([self._by_meaning(logits), cut])
            fresh = {keys[pair]: row.tobytes() for pair, row in zip(todo, rows, strict=True)}
            cache.keep(fresh)
            contents |= fresh
        row_values = [np.frombuffer(contents[keys[pair]], dtype=np.float64) for pair in pairs]
        return np.asarray(row_values, dtype=np.float64).reshape(-1, _CUT + 1)

    @cached_property
    def _model(self) -> PairModel:
        return _opened(self._found.path, self._found.digest, device_of(self.name))

    def _by_meaning(self, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        if logits.shape[1] == 1 and len(self._labels) > 1:  # one number: how far it is entailed
            logits = np.hstack([np.zeros_like(logits), logits])
            logits = logits if self._labels.index("entailment") else logits[:, ::-1]
        if logits.shape[1] != len(self._labels):
            must = f"have as many classes as labels, {len(self._labels)}"
            raise InvalidInput(Problem(f"model {self.name}", must, str(logits.shape[1])))
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = powers / powers.sum(axis=1, keepdims=True)
        by_meaning = np.zeros((len(logits), 3))
        for column, meaning in enumerate(self._labels):
            place = {"entailment": 0, "contradiction": 2}.get(meaning, 1)
            by_meaning[:, place] += shares[:, column]
        return by_meaning


@lru_cache(maxsize=1)
def _opened(path: Path, digest: str, device: str) -> PairModel:  # noqa: ARG001 - other weights, another model
    """Open a model once, however many batches it judges."""
    return open_pairs(path, device)


def judge_by_probability(numbers: NDArray[np.float64]) -> SupportFinding:
    """Give the verdict for one statement.

    Args:
        numbers: Probability of entailment, neutral and contradiction for each sentence of the
            evidence, shape (sentences, 3).

    Example:
        >>> rows = np.array([[0.2, 0.7, 0.1], [0.1, 0.2, 0.7]])
        >>> finding = judge_by_probability(rows)
        >>> print(finding.verdict, finding.decided_by, finding.strength)
        contradicted 1 0.7
    """
    if not len(numbers):
        return SupportFinding(SupportVerdict.NOT_FOUND, None, 0.0, "nothing to hold it against")
    supports, contradicts = int(numbers[:, 0].argmax()), int(numbers[:, 2].argmax())
    support, contradiction = float(numbers[supports, 0]), float(numbers[contradicts, 2])
    if support >= _LEAST and support >= contradiction:
        return SupportFinding(
            SupportVerdict.SUPPORTED, supports, support, f"entailment {support:.2f}"
        )
    if contradiction >= _LEAST:
        why = f"contradiction {contradiction:.2f}"
        return SupportFinding(SupportVerdict.CONTRADICTED, contradicts, contradiction, why)
    strength = 1 - max(support, contradiction)
    why = f"entailment {support:.2f}, contradiction {contradiction:.2f}"
    return SupportFinding(SupportVerdict.NOT_FOUND, supports, strength, why)
