"""A metric with its parameters chosen: what scores a batch."""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Final

import numpy as np

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput, MissingBackend, Problem
from medassay.metrics.batch import Batch
from medassay.metrics.contents import Contents
from medassay.metrics.declaration import Declaration
from medassay.metrics.needs import NOT_HELD, Need, beside_chain, of_chain
from medassay.metrics.reads import Reads
from medassay.metrics.registry import Compute, Pair, provided_by
from medassay.models import installed_versions, python_version
from medassay.plugins import code_of, words_of
from medassay.scores import Name, Reason, Score, Signature, Unscored
from medassay.tables import holds_halves

__all__ = ["BoundMetric"]

_SILENT: Final = Answer(system="none", case="none", text="")
"""Whoever gave it, and to whatever case: no metric reads these."""


@dataclass(frozen=True)
class BoundMetric:
    """A metric with its parameters chosen; made by `resolve`.

    Attributes:
        name: The canonical name: keys sorted, defaults left out.
        declaration: What the metric is.
        arguments: Every parameter's value, defaults filled in, and the cut-off under `k`.
        compute: The arithmetic.
        unusable: What could not be used when it was first loaded; empty as long as all could.
    """

    name: Name
    declaration: Declaration
    arguments: Mapping[str, str] = field(compare=False)  # the name holds what matters
    compute: Compute
    unusable: list[MissingBackend] = field(default_factory=list, compare=False, repr=False)

    @cached_property
    def signature(self) -> Signature:
        """Give everything that the number depends on; defaults are named among the settings."""
        shown = dict(self.name.arguments)
        defaults = {k: v for k, v in self.arguments.items() if k not in shown and k != "k"}
        facts = {"backend": "missing"} if self._not_found is not None else self._backend
        settings = {
            **defaults,
            **self.declaration.settings(self.arguments),
            **installed_versions(*self.declaration.libraries),
            **facts,
        }
        return Signature(str(self.name), self.declaration.version, settings)

    @cached_property
    def made_by(self) -> str:
        """Hash all that a value depends on beside what is read: kept scores lie under it.

        That is the signature, and what no reader of a paper needs to know: the version of the
        package that brings the metric, the code of one that is not medassay's own, and Python's
        version, whose tables of letters decide what a word is.
        """
        facts = [self.signature.digest, provided_by(self.compute), python_version()]
        if not self.is_ours:
            facts.append(code_of(self._made.__module__))
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    @property
    def missing(self) -> MissingBackend | None:
        """Give what the metric runs on and is not on this machine; None if nothing is missing.

        Where a model is found depends on the `medassay.models.ModelSetup` in force when this is
        first asked. That a model is damaged shows when it is loaded: it is missing from then on.
        """
        return next(iter(self.unusable), self._not_found)

    @cached_property
    def _not_found(self) -> MissingBackend | None:
        try:
            _ = self._backend
        except MissingBackend as error:
            return error
        return None

    @cached_property
    def _backend(self) -> Mapping[str, str]:
        find = self.declaration.backend
        return {} if find is None else find(self.arguments)

    @property
    def is_ours(self) -> bool:
        """Say whether medassay itself brings the metric."""
        return self._made.__module__.partition(".")[0] == __name__.partition(".")[0]

    @property
    def _made(self) -> Compute:
        # A metric that is bound to a model is a partial function, whose module is Python's own.
        return self.compute.func if isinstance(self.compute, partial) else self.compute

    @property
    def range(self) -> tuple[float | None, float | None]:
        """Give the least and the largest value possible with these arguments; None if unbounded."""
        narrowed = self.declaration.range_with
        if narrowed is None:
            return self.declaration.low, self.declaration.high
        return narrowed(self.arguments)

    @property
    def runs_a_model(self) -> bool:
        """Say whether its work is a model's: slow enough to be done on other machines."""
        return self.declaration.backend is not None and not self.parallel

    @property
    def parallel(self) -> bool:
        """Say whether several processes may share its work."""
        return self.declaration.parallel(self.arguments)

    @cached_property
    def needs(self) -> tuple[Need, ...]:
        """List what the metric reads with these arguments."""
        needs = (need for need in self.declaration.needs if need.applies(self.arguments))
        return tuple(map(of_chain, needs) if self._of_chain else needs)

    @property
    def _of_chain(self) -> bool:
        return self.arguments.get("of") == "reasoning"

    def _is_empty(self, answer: Answer) -> bool:
        return (beside_chain(answer) if self._of_chain else answer).is_blank

    def content_keys(self, pairs: "Sequence[Pair] | Contents") -> list[str]:
        """Give for each pair the key under which its score may be kept.

        The key covers what made the score (`made_by`) and exactly what the metric reads: not the
        system's name, and nothing of the case or the answer that the metric does not need. Hand on
        the same `Contents` to several metrics: what they all read is hashed once.
        """
        opening, sha256 = self.made_by.encode(), hashlib.sha256
        digests = Contents.of(pairs).digests(self.needs)
        return [sha256(opening + digest).hexdigest() for digest in digests]

    def content_key(self, case: Case, answer: Answer) -> str:
        """Give the key of one pair; see `content_keys`."""
        return self.content_keys([(case, answer)])[0]

    def score_batch(self, pairs: Sequence[Pair]) -> list[Score | Unscored]:
        """Score answers, as many scores as pairs and in their order.

        Nothing is raised for what is wrong with a case, an answer or the arithmetic: each pair that
        cannot be scored says why. A batch that fails is halved until the pairs at fault are alone,
        so an answer's score does not depend on its neighbours.
        """
        batch = Batch.of(pairs)
        outcomes: dict[int, Score | Unscored] = {**self._why_not(batch)}
        lacking = self._lacks_backend()
        if lacking is not None:
            return [outcomes.get(i, lacking) for i in range(len(batch))]
        if self.declaration.reads is not None:
            batch = self._read(batch, self.declaration.reads, outcomes)
        if not outcomes:
            return self._compute(batch)
        computed = iter(self._compute([pair for i, pair in enumerate(batch) if i not in outcomes]))
        return [outcomes[i] if i in outcomes else next(computed) for i in range(len(batch))]

    def score_no_answer(self, case: Case) -> Score | Unscored:
        """Score an answer that the system never gave, by the declared rule.

        Parts are those of an empty answer: whoever does not answer gains nothing when pooled.
        """
        lacking = self.case_lacks(case) or self._lacks_backend()
        if lacking is not None:
            return lacking
        outcome = self.declaration.if_no_answer
        if isinstance(outcome, Reason):
            return Unscored(outcome)
        return self._worst(case, outcome)

    def cautions(self, pairs: Sequence[Pair]) -> list[str]:
        """Say what a reader should know of texts that can be scored all the same."""
        say = self.declaration.cautions
        if say is None or self.missing is not None:
            return []
        if not all(answer.held for _, answer in pairs):
            pairs = [(case, answer) for case, answer in pairs if answer.held]
        try:
            lines = say(pairs, self.arguments) if pairs else []
        except Exception as error:  # noqa: BLE001 - other people's code may raise anything
            # Only the kind: its words may quote a text, and a warning is passed on.
            lines = [f"what it says of these texts could not be had ({type(error).__name__})"]
        return [f"{self.name}: {words}" for words in lines]

    def pooled(self, scores: Iterable[Score | Unscored]) -> Score | Unscored:
        """Pool scores into one micro value from the sums of their parts; the unscored are left out.

        Raises:
            InvalidInput: The metric declares no pooling.
        """
        pool = self.declaration.pool
        if pool is None:
            raise InvalidInput(Problem(str(self.name), "declare how it pools", "no pool"))
        parts = [score.parts for score in scores if isinstance(score, Score)]
        if not parts:
            return Unscored(Reason.UNDEFINED, "no scored answer to pool")
        sums = np.asarray(parts, dtype=np.float64).sum(axis=0)
        value = float(pool(sums, self.arguments))
        if math.isnan(value):
            return Unscored(Reason.UNDEFINED, self.declaration.undefined_when)
        return Score(value, tuple(sums.tolist()))

    def case_lacks(self, case: Case) -> Unscored | None:
        """Say what the case lacks for this metric, whoever answers; None if nothing."""
        for need in self.needs:
            if need.of_case is not None and need.of_case(case) is None:
                return Unscored(Reason.CASE_LACKS, f"no {need.words}")
        return None

    def why_not(self, case: Case, answer: Answer) -> Unscored | None:
        """Say why the answer cannot be scored, without scoring it; None if it can be tried."""
        if any(need.in_answer(answer) is NOT_HELD for need in self.needs):
            return Unscored(Reason.NOT_HELD)
        lacking = self.case_lacks(case)
        if lacking is not None:
            return lacking
        for need in self.needs:
            if need.of_answer is not None and need.of_answer(answer) is None:
                return Unscored(Reason.ANSWER_LACKS, f"no {need.words}")
        if self._is_empty(answer) and isinstance(self.declaration.if_empty, Reason):
            return Unscored(self.declaration.if_empty)
        return None

    def _why_not(self, batch: Batch) -> dict[int, Unscored]:
        """Say of a whole batch what `why_not` says of one answer."""
        refused: dict[int, Unscored] = {}
        if isinstance(self.declaration.if_empty, Reason):
            empty = [place for place in batch.blank() if self._is_empty(batch[place][1])]
            refused = dict.fromkeys(empty, Unscored(self.declaration.if_empty))
        # In this order: what is not held is said first, then what the case lacks, and of several
        # needs the first.
        for reason in (Reason.ANSWER_LACKS, Reason.CASE_LACKS):
            for need in reversed(self.needs):
                if (need.of_case is None) == (reason is Reason.ANSWER_LACKS):
                    refused |= dict.fromkeys(
                        batch.lacking(need), Unscored(reason, f"no {need.words}")
                    )
        for need in self.needs:
            refused |= dict.fromkeys(batch.not_held(need), Unscored(Reason.NOT_HELD))
        return refused

    def not_read(self, case: Case, answer: Answer) -> Unscored | None:
        """Say that the metric cannot read what the answer is compared with; None if it can."""
        reads = self.declaration.reads
        if reads is None or reads.case_is_read(case, answer, self.arguments):
            return None
        return Unscored(Reason.NOT_READ, f"it reads {reads.what} only: under half of the reference")

    def tells(self, case: Case) -> bool:
        """Say whether an answer equal to the reference gets the best value on this case."""
        reads = self.declaration.reads
        return reads is None or reads.tells is None or reads.tells(case, self.arguments)

    def _worst(self, case: Case, value: float) -> Score | Unscored:
        """Give the value of an answer never given, with the parts of an empty one."""
        if not self.declaration.parts:
            return self.not_read(case, _SILENT) or Score(value)
        empty = self.score_batch([(case, _SILENT)])[0]
        return empty if isinstance(empty, Unscored) else Score(value, empty.parts)

    def _read(self, batch: Batch, reads: Reads, outcomes: dict[int, Score | Unscored]) -> Batch:
        """Leave out the references that cannot be read, and score what cannot be read at all."""
        pairs = list(batch)
        for place, (case, answer) in enumerate(batch):
            if place not in outcomes:
                try:
                    outcome = self._unread(case, answer, reads)
                    pairs[place] = reads.readable(case, self.arguments), answer
                except Exception as error:  # noqa: BLE001 - other people's code may raise anything
                    outcome = Unscored(Reason.FAILED, words_of(error))
                if outcome is not None:
                    outcomes[place] = outcome
        same = all(pair[0] is case for pair, (case, _) in zip(pairs, batch, strict=True))
        return batch if same else Batch(pairs)

    def _unread(self, case: Case, answer: Answer, reads: Reads) -> Score | Unscored | None:
        """Give the outcome of what cannot be read; None where it can be."""
        refused = self.not_read(case, answer)
        if refused is not None or reads.answer_is_read(answer, self.arguments):
            return refused
        worst = self.declaration.if_no_answer
        if isinstance(worst, Reason) or reads.of_case is None:
            return Unscored(
                Reason.NOT_READ, f"it reads {reads.what} only: under half of the answer"
            )
        return self._worst(case, worst)

    def _lacks_backend(self) -> Unscored | None:
        if self.missing is None:
            return None
        return Unscored(Reason.BACKEND_MISSING, str(self.missing))

    def _compute(self, pairs: Sequence[Pair]) -> list[Score | Unscored]:
        if not pairs:
            return []
        scores: list[Score | Unscored] = []
        try:
            scores += self.compute(pairs, self.arguments)
        except MissingBackend as error:
            self.unusable.append(error)
            return [Unscored(Reason.BACKEND_MISSING, str(error))] * len(pairs)
        except KeyboardInterrupt:
            raise  # whoever stops us means us
        except BaseException as error:  # noqa: BLE001 - a metric may raise anything; the run goes on
            detail = words_of(error)
        else:
            detail = self._faults(scores, len(pairs))
        if not detail:
            return scores
        if len(pairs) == 1:
            return [Unscored(Reason.FAILED, detail)]
        half = len(pairs) // 2
        return self._compute(pairs[:half]) + self._compute(pairs[half:])

    def _faults(self, scores: Sequence[Score | Unscored], asked: int) -> str:
        """Say how what came back breaks the declaration; empty if it does not."""
        if len(scores) != asked:
            return f"gave {len(scores)} scores for {asked} answers"
        for score in {
            id(score_or_reason): score_or_reason for score_or_reason in scores
        }.values():  # equal scores are often one object
            if isinstance(score, Score):
                if not self.declaration.holds(score.value):
                    return f"gave {score.value}, outside its declared range"
                if len(score.parts) != len(self.declaration.parts):
                    return f"gave {len(score.parts)} parts, not {len(self.declaration.parts)}"
            elif holds_halves(score.detail):
                return "gave words with half of a character"
        return ""
