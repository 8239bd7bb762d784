"""Other packages' metrics in a study that keeps its words: their numbers pass, their words do not.

A metric of ours is tested never to quote. Whoever wrote another one may not have thought of it, and
what its package says of itself may name a case as well, so nothing of it is shown but the name that
study.toml calls it by.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from typing import Final, TypeVar

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput, MissingBackend, Problem
from medassay.metrics.bound import BoundMetric
from medassay.metrics.declaration import Declaration
from medassay.metrics.needs import Content, Need
from medassay.metrics.registry import Compute, Pair, provided_by
from medassay.plugins import unheard
from medassay.scores import Score, Unscored
from medassay.text import plural

__all__ = ["without_own_words"]

_Record = TypeVar("_Record", Case, Answer)
_Cautions = Callable[[Sequence[Pair], Mapping[str, str]], list[str]]

_KEPT: Final = "kept back, since [privacy] keeps this study's words and the metric is a package's"
_READS: Final = "letters that its package names"
_NEED: Final = "part that its package reads"


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
    read: Callable[[_Record], Content | None], package: str
) -> Callable[[_Record], Content | None]:
    @wraps(read)
    def quiet(record: _Record) -> Content | None:
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
