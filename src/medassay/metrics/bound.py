"""A metric bound to its parameters: what enters it, what it read, and what its words may say."""

import hashlib
import json
import marshal
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial, wraps
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput, MissingBackend, Problem
from medassay.metrics.batch import Batch
from medassay.metrics.declaration import (
    NOT_HELD,
    Content,
    Declaration,
    Need,
    Reads,
    beside_chain,
    of_chain,
)
from medassay.metrics.registry import Compute, Pair, provided_by
from medassay.models import installed_versions, python_version
from medassay.plugins import code_of, unheard, words_of
from medassay.scores import Name, Reason, Score, Signature, Unscored
from medassay.tables import holds_halves
from medassay.text import count_of, listed, plural

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SILENT: Final = Answer(system="none", case="none", text="")
"""Whoever gave it, and to whatever case: no metric reads these."""
_Record = TypeVar("_Record")
_SIZE: Final = hashlib.sha256().digest_size
_PLAIN: Final = 2  # the last version of marshal that writes equal values as equal bytes
_HALF: Final = 0.5
_CaseOrAnswer = TypeVar("_CaseOrAnswer", Case, Answer)
_Cautions = Callable[[Sequence[Pair], Mapping[str, str]], list[str]]
_KEPT: Final = "kept back, since [privacy] keeps this study's words and the metric is a package's"
_READS: Final = "letters that its package names"
_NEED: Final = "part that its package reads"


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

    def _faults(self, scores: Sequence[Score | Unscored], answers: int) -> str:
        """Say how what came back breaks the declaration; empty if it does not."""
        if len(scores) != answers:
            return f"gave {len(scores)} scores for {answers} answers"
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


_ROWS, _JSON = b"\0", b"\1"  # neither begins what marshal writes


class Contents:
    """The digests of what needs find in some pairs.

    A digest is made once for each function that reads, whichever metric asks for it, and once for
    each case, however many systems answered it.

    Example:
        >>> from medassay.answers import Answer
        >>> from medassay.cases import Case
        >>> pair = (Case(case="1"), Answer(system="S", case="1", text="Rest."))
        >>> text = Need(words="text", of_answer=lambda answer: answer.text)
        >>> [len(one) for one in Contents([pair]).digests([text])]
        [32]
    """

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs = pairs
        # End to end, one string a function: as many objects would take three times the memory.
        self._found: dict[Hashable, bytes] = {}
        self._lacking: dict[Hashable, NDArray[np.bool_]] = {}
        self._joined: dict[tuple[Hashable, ...], list[bytes]] = {}

    @classmethod
    def of(cls, pairs: "Sequence[Pair] | Contents") -> "Contents":
        """Give the contents of pairs; contents stay themselves."""
        return pairs if isinstance(pairs, Contents) else cls(pairs)

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self._pairs)

    def digests(self, needs: Sequence[Need]) -> list[bytes]:
        """Give a digest a pair, of all that these needs find in it; made once, to be read only."""
        self._look(needs)
        reads = tuple(map(_reads, needs))
        if reads not in self._joined:
            parts = [self._found[name] for name in reads]
            self._joined[reads] = [
                hashlib.sha256(b"".join([part[at : at + _SIZE] for part in parts])).digest()
                for at in range(0, _SIZE * len(self), _SIZE)
            ]
        return self._joined[reads]

    def batch(self, places: Sequence[int], needs: Sequence[Need]) -> Batch:
        """Give the pairs at some places, with what is known already of what they lack."""
        self._look(needs)
        lacking = {
            need: np.flatnonzero(self._lacking[_reads(need)][places]).tolist() for need in needs
        }
        return Batch([self._pairs[place] for place in places], lacking)

    def pairs(self, places: Sequence[int]) -> tuple[Pair, ...]:
        """Give the pairs at some places, for whoever reads them elsewhere."""
        return tuple(self._pairs[place] for place in places)

    def read(self, needs: Sequence[Need], places: slice) -> list[bytes]:
        """Read what each need finds in some of the pairs; hand it to `take`, in their order."""
        pairs = self._pairs[places]
        return [_read(need, pairs) for need in needs]

    def take(self, needs: Sequence[Need], read: Iterable[Sequence[bytes]]) -> None:
        """Take in what was read of all pairs, part after part."""
        for need, parts in zip(needs, zip(*read, strict=True), strict=False):
            joined = self._found[_reads(need)] = b"".join(parts)
            digests = np.frombuffer(joined, dtype=np.uint8).reshape(-1, _SIZE)
            self._lacking[_reads(need)] = (digests == _NOTHING).all(axis=1)

    def _look(self, needs: Sequence[Need]) -> None:
        """Read what was not read yet."""
        new = [need for need in needs if _reads(need) not in self._found]
        self.take(new, [self.read(new, slice(None))])


def _reads(need: Need) -> Hashable:
    """Give what two needs share that find the same."""
    return need.of_case, need.of_answer


def _read(need: Need, pairs: Sequence[Pair]) -> bytes:
    if need.of_case is not None:
        return _digests(need.of_case, [case for case, _ in pairs])
    if need.of_answer is not None:
        return _digests(need.in_answer, [answer for _, answer in pairs])
    message = f'the need for "{need.words}" reads neither the case nor the answer'
    raise ValueError(message)


def _digests(reads: Callable[[_Record], object], records: Sequence[_Record]) -> bytes:
    """Digest what a function finds, once for each record, end to end."""
    made: dict[int, bytes] = {}
    for record in records:
        if id(record) not in made:
            made[id(record)] = _digest(reads(record))
    return b"".join([made[id(entry)] for entry in records])


def _digest(content: object) -> bytes:
    """Hash what a need finds; rows of words, such as documents, by the hashes of the rows."""
    if isinstance(content, tuple) and content and isinstance(content[0], tuple):
        try:
            return hashlib.sha256(_ROWS + b"".join(map(_row_digest, content))).digest()
        except TypeError:
            pass  # something else than words, or what has no hash
    return hashlib.sha256(_bytes(content)).digest()


def _bytes(content: object) -> bytes:
    """Write content so that equal bytes mean equal content, ten times as quickly as JSON."""
    try:
        return marshal.dumps(content, _PLAIN)  # type: ignore[arg-type]  # it raises, see below
    except ValueError:  # such as a text or number of a class of its own
        return _JSON + json.dumps(content).encode()


class _NoWordsError(TypeError):
    """A row holds something else than words."""


@lru_cache(maxsize=4096)
def _row_digest(row: object) -> bytes:
    """Hash a row of words once, however many cases share it."""
    if not isinstance(row, tuple) or not all(cell is None or isinstance(cell, str) for cell in row):
        raise _NoWordsError
    # Words of a class of their own equal plain ones, whose hash may be here already.
    plain = tuple(cell if cell is None else str.__str__(cell) for cell in row)
    return hashlib.sha256(_bytes(plain)).digest()


_NOTHING: Final = np.frombuffer(hashlib.sha256(_bytes(None)).digest(), dtype=np.uint8)


@dataclass
class Reading:
    """What a metric could read of some answers.

    Attributes:
        what: What it reads.
        cases: Ids of the cases that it was to read.
        unread: Those of which it cannot read what answers are compared with.
        flat: Those on which even the reference's own text would not get the best value.
        full: Those on which it would.
        answers: How many answers there were.
        worst: How many count as its worst value, since it cannot read them.
        without: How many have no value, since it cannot read them.
    """

    what: str
    cases: set[str] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)
    flat: set[str] = field(default_factory=set)
    full: set[str] = field(default_factory=set)
    answers: int = 0
    worst: int = 0
    without: int = 0


def readings_of(metrics: Sequence[BoundMetric], pairs: Iterable[Pair]) -> dict[str, Reading]:
    """Count what each metric that declares what it reads could not read; all in one pass."""
    tallies: dict[str, tuple[BoundMetric, Reading]] = {}
    for metric in metrics:
        reads = metric.declaration.reads
        if reads is not None and metric.missing is None:
            tallies[str(metric.name)] = metric, Reading(reads.what)
    for pair in pairs if tallies else ():
        for name, (metric, tally) in list(tallies.items()):
            try:
                _count(metric, tally, pair)
            except Exception:  # noqa: BLE001 - other people's code; its scores say that it failed
                del tallies[name]
    return {name: tally for name, (_, tally) in tallies.items()}


def _count(metric: BoundMetric, tally: Reading, pair: Pair) -> None:
    reads = metric.declaration.reads
    if reads is None or metric.why_not(*pair) is not None:
        return
    case, answer = pair
    tally.answers += 1
    tally.cases.add(case.case)
    if metric.not_read(case, answer) is not None:
        tally.unread.add(case.case)
        return
    if case.case not in tally.flat and case.case not in tally.full:
        (tally.full if metric.tells(case) else tally.flat).add(case.case)
    if not reads.answer_is_read(answer, metric.arguments):
        if reads.of_case is None or not isinstance(metric.declaration.if_no_answer, float | int):
            tally.without += 1
        else:
            tally.worst += 1


def describe_readings(readings: Mapping[str, Reading]) -> list[str]:
    """Say what metrics could not read, metrics of one outcome together.

    Example:
        >>> seen = Reading("a–z", {"1", "2"}, {"2"}, answers=4, worst=1)
        >>> sentences = describe_readings({"rouge1": seen, "rouge2": seen})
        >>> sentences[1]
        'rouge1 and rouge2 cannot read 1 of 4 answers, which counts as their worst value.'
    """
    together: dict[tuple[object, ...], list[str]] = {}
    for name, seen in readings.items():
        outcome = (
            *(seen.what, len(seen.cases), len(seen.unread), len(seen.flat)),
            *(seen.answers, seen.worst, seen.without),
        )
        together.setdefault(outcome, []).append(name)
    return [
        sentence
        for names in together.values()
        for sentence in _sentences(names, readings[names[0]])
    ]


def _sentences(names: Sequence[str], seen: Reading) -> list[str]:
    who = listed(names)
    read, they, their = ("reads", "it", "its") if len(names) == 1 else ("read", "they", "their")
    of_cases, of_answers = count_of(len(seen.cases), "case"), count_of(seen.answers, "answer")
    sentences = []
    if seen.unread:
        has = plural(len(seen.unread), "has", "have")
        sentences.append(
            f"{who} {read} {seen.what} only: {len(seen.unread):,} of {of_cases} {has} texts that"
            f" {they} cannot read, and no score."
        )
    if seen.worst:
        counts = plural(seen.worst, "counts", "count")
        sentences.append(
            f"{who} cannot read {seen.worst:,} of {of_answers}, which {counts} as {their} worst"
            " value."
        )
    if seen.without:
        has = plural(seen.without, "has", "have")
        sentences.append(
            f"{who} {read} {seen.what} only: {they} cannot read {seen.without:,} of {of_answers},"
            f" which {has} no score."
        )
    if seen.flat:
        ranked = (
            " No system is ranked by it, and it is not tested against raters."
            if _is_flat(seen)
            else ""
        )
        sentences.append(
            f"By its published rule {who} is not at its best on {len(seen.flat):,} of {of_cases},"
            f" even for the reference's own text.{ranked}"
        )
    return sentences


def why_nothing_rests(metric: BoundMetric, pairs: Iterable[Pair]) -> str:
    """Say why no rank and no sentence rests on a metric; empty where they may."""
    reads = metric.declaration.reads
    if reads is None or reads.tells is None:
        return ""
    seen = Reading(reads.what)
    try:
        for pair in pairs:
            if pair[0].case not in seen.flat and pair[0].case not in seen.full:
                _count(metric, seen, pair)
    except Exception:  # noqa: BLE001 - other people's code; its scores say that it failed
        return ""
    if not _is_flat(seen):
        return ""
    return (
        f"by its published rule {metric.name} is not at its best on {len(seen.flat):,} of"
        f" {count_of(len(seen.cases), 'case')}, even for the reference's own text"
    )


def _is_flat(seen: Reading) -> bool:
    return bool(seen.cases) and len(seen.flat) >= _HALF * len(seen.cases)


def without_own_words(metric: BoundMetric) -> BoundMetric:
    """Give a metric that says nothing in words of its own; medassay's own metrics stay themselves.

    Values, parts, kept scores and signatures are the same. Reasons keep their kind. What the
    package prints, warns or logs while it scores is dropped.

    Example:
        >>> from medassay.metrics import resolve
        >>> length = resolve("length")
        >>> without_own_words(length) is length
        True
    """
    if metric.is_ours:
        return metric
    package = provided_by(metric.compute) or metric.compute.__module__
    return replace(
        metric,
        declaration=_unsaid(metric.declaration, package),
        compute=_quiet(metric.compute, metric.declaration.name),
    )


def _unsaid(own: Declaration, package: str) -> Declaration:
    return replace(
        own,
        title="",
        question=f"What this asks is {_KEPT}.",
        unit="its own units",
        undefined_when="its package says so",
        reference=package,
        cost="",
        blind_spots=(),
        cautions=None if own.cautions is None else _counted(own.cautions),
        reads=None if own.reads is None else replace(own.reads, what=_READS),
        needs=tuple(_need(need, package) for need in own.needs),
    )


def _need(need: Need, package: str) -> Need:
    of_case = None if need.of_case is None else _reader(need.of_case, package)
    of_answer = None if need.of_answer is None else _reader(need.of_answer, package)
    return replace(need, words=_NEED, of_case=of_case, of_answer=of_answer)


def _reader(
    read: Callable[[_CaseOrAnswer], Content | None], package: str
) -> Callable[[_CaseOrAnswer], Content | None]:
    @wraps(read)
    def quiet(record: _CaseOrAnswer) -> Content | None:
        with _told_without_words(package), unheard():
            return read(record)

    return quiet


def _quiet(compute: Compute, name: str) -> Compute:
    @wraps(compute)
    def quiet(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
        try:
            with unheard():
                scores = compute(pairs, arguments)
        except MissingBackend:
            lacks = "a part that its package names"
            raise MissingBackend(lacks, name, "what its package says") from None
        return [
            Unscored(score.reason) if isinstance(score, Unscored) else score for score in scores
        ]

    return quiet


def _counted(say: _Cautions) -> _Cautions:
    @wraps(say)
    def quiet(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[str]:
        with unheard():
            count = len(say(pairs, arguments))
        return [f"{count:,} {plural(count, 'caution')} {_KEPT}"] if count else []

    return quiet


@contextmanager
def _told_without_words(package: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # noqa: BLE001 - other people's code may raise anything
        must, got = "read every case and answer without an error", type(error).__name__
        problem = Problem(package, must, got, "Update or uninstall it.", counted=got)
        raise InvalidInput(problem) from None
