"""Weighing options by evidence alone: no model reasons, lines of passages are compared.

It knows no medicine: an option that is near some line of the guideline in meaning, alone and
together with what is asked, weighs more. It is a floor for systems that reason.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.cases import Case
from medassay.models.encoders import sentence_vectors
from medassay.systems.dialogue import Dialogue
from medassay.systems.passages import Passage
from medassay.systems.reasoning.weighing import Step, Weighing
from medassay.text import content_terms, split_sentences

__all__ = ["EvidenceWeigher", "Weights"]

_PURPOSE: Final = "weighing options by meaning"
_MARKS: Final = "*-#• "
_BEST_LINES: Final = 5
_SHOWN_FINDINGS: Final = 6
_LONGEST_QUOTE: Final = 200


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each of two readings of the evidence counts, and how sure a lead makes.

    Tuned on 50 named questions of the clinical set, and on nothing else
    (`python -m tools.tune_evidence`, design/models.md).

    Attributes:
        alone: The cosine of the option with the nearest line.
        together: The mean cosine of what is asked and the option together with the five nearest
            lines.
        sureness: What a lead of one standard deviation is multiplied by before it becomes a share.
    """

    alone: float = 0.5
    together: float = 1.0
    sureness: float = 0.2


class EvidenceWeigher:
    """Weighs options by the lines of passages, without a model that reasons.

    Args:
        corpus: All passages, which say how rare a word is.
        weights: How much each reading counts.
        model: The sentence encoder.

    Raises:
        MissingBackend: The encoder is not installed.
    """

    def __init__(
        self, corpus: Sequence[Passage], weights: Weights | None = None, model: str = "minilm"
    ) -> None:
        self._weights = weights or Weights()
        self._model = model
        self._having = Counter(term for p in corpus for term in set(content_terms(p.searched)))

    @property
    def reads(self) -> int | None:
        """Read all of the first document: what was tuned."""
        return None

    def weigh(
        self, case: Case, letters: Sequence[str], passages: Sequence[Passage]
    ) -> Dialogue[Weighing]:
        """Weigh options: each reading is brought to mean 0 and deviation 1 over the options."""
        return self._weighed(case, letters, passages)
        yield  # a dialogue that asks nobody

    def _weighed(self, case: Case, letters: Sequence[str], passages: Sequence[Passage]) -> Weighing:
        lines = _lines(passages)
        options = [case.options[letter] for letter in letters]
        if not lines or not options:
            return Weighing(None, {}, "No passage was found to weigh the options by.", ())
        weights = np.asarray([self._weights.alone, self._weights.together])
        total = _standardised(self.readings(case, options, lines)) @ weights
        shares = dict(zip(letters, _shares(total, self._weights.sureness), strict=True))
        chosen = min(letters, key=lambda letter: (-shares[letter], letter))
        nearest = self._near(case, [case.options[chosen]], lines)[0].argmax()
        line, document = lines[int(nearest)]
        read = dict.fromkeys([document, *(passage.document for passage in passages)])
        says = f'For ({chosen}) {case.options[chosen]} {document} says: "{_cut(line)}"'
        return Weighing(chosen, shares, says, tuple(read))

    def readings(
        self, case: Case, options: Sequence[str], lines: Sequence[tuple[str, str]]
    ) -> NDArray[np.float64]:
        """Give the two readings of each option, shape (options, 2)."""
        line_vectors = self._vectors([line for line, _ in lines])
        alone = (self._vectors(options) @ line_vectors.T).max(axis=1)
        nearest = np.sort(self._near(case, options, lines), axis=1)[:, -_BEST_LINES:]
        return np.column_stack([alone, nearest.mean(axis=1)])

    def _near(
        self, case: Case, options: Sequence[str], lines: Sequence[tuple[str, str]]
    ) -> NDArray[np.float64]:
        """Give the cosine of what is asked and each option together with each line."""
        together = self._vectors([f"{_asked(case)} {option}" for option in options])
        near: NDArray[np.float64] = together @ self._vectors([line for line, _ in lines]).T
        return near

    def step(
        self, case: Case, step: Step, said: Sequence[str], passages: Sequence[Passage]
    ) -> Dialogue[str]:
        """Say a step in words that stand in the question, the options or the passages."""
        del said  # what was said before changes nothing that stands there
        return self._steps(case, passages)[step]
        yield  # a dialogue that asks nobody

    def _steps(self, case: Case, passages: Sequence[Passage]) -> Mapping[Step, str]:
        asked = sorted(set(content_terms(case.question or "")), key=lambda t: (self._having[t], t))
        read = frozenset(term for p in passages for term in content_terms(p.searched))
        shared = [term for term in asked if term in read][:_SHOWN_FINDINGS]
        first = passages[0] if passages else None
        opening = split_sentences(case.question or "") or [""]
        return {
            "presentation": f"Clinical presentation: {opening[0]}",
            "findings": f"Findings that the passages have too: {', '.join(shared) or 'none'}.",
            "differential": f"Differential: {'; '.join(case.options.values())}.",
            "guideline": f"Guideline read first: {first.title or first.document}"
            f" ({first.document})."
            if first
            else "No guideline was found.",
        }

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Give the vector of each text, all asked for at once; 0 where the model sees nothing."""
        vectors = sentence_vectors(self._model, texts, purpose=_PURPOSE)
        width = next((len(vector) for vector in vectors if vector is not None), 1)
        return np.vstack([np.zeros(width) if vector is None else vector for vector in vectors])


def _lines(passages: Sequence[Passage]) -> list[tuple[str, str]]:
    """Give the sentences of passages, once each, with their document."""
    lines: dict[tuple[str, str], None] = {}
    for passage in passages:
        for sentence in split_sentences(passage.text):
            line = sentence.strip(_MARKS)
            if re.search(r"\w", line):
                lines[line, passage.document] = None
    return list(lines)


def _asked(case: Case) -> str:
    """Give the question's last sentence: what is asked, after the story."""
    sentences = split_sentences(case.question or "")
    return sentences[-1] if sentences else ""


def _standardised(table: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = table.std(axis=0)
    centred: NDArray[np.float64] = table - table.mean(axis=0)
    spread[spread == 0] = 1.0  # a reading that is the same for all options tells none apart
    standardised: NDArray[np.float64] = centred / spread
    return standardised


def _shares(total: NDArray[np.float64], sureness: float) -> list[float]:
    # Rounded: the last digits of a sum must not decide a choice.
    powers = [exp(sureness * round(float(value - total.max()), 9)) for value in total]
    return [power / fsum(powers) for power in powers]


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST_QUOTE else f"{line[: _LONGEST_QUOTE - 1].rstrip()}…"
