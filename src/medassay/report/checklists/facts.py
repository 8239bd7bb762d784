"""What a run tells by itself, beside its tables."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from medassay.analyses.builtin.agreement import agreement
from medassay.analyses.builtin.rater_flow import rater_flow
from medassay.analyses.results import Results
from medassay.exhibits.numbers import count_of

__all__ = ["FACTS", "Fact"]


class Fact(NamedTuple):
    """What is known of one thing.

    Attributes:
        done: Whether it is reported; None where the run cannot tell.
        where: Where, or what is missing.
    """

    done: bool | None
    where: str


def _texts(results: Results) -> Fact:
    if results.study.texts == "full":
        return Fact(done=True, where="the report shows them")
    return Fact(
        done=False, where=f'the study keeps them ([privacy] texts = "{results.study.texts}")'
    )


def _kept(results: Results) -> Fact:
    texts = results.study.texts
    if texts == "full":
        return Fact(done=None, where="the report shows every text ([privacy] texts)")
    return Fact(done=True, where=f'no text leaves the study ([privacy] texts = "{texts}")')


def _raters(results: Results) -> Fact:
    counts = results.study.counts
    if not counts.raters:
        return Fact(done=False, where="no person rated the answers")
    counted = [count_of(counts.judgements, "judgement")] if counts.judgements else []
    counted += [count_of(counts.preferences, "preference")] if counts.preferences else []
    who = count_of(counts.raters, "rater")
    return Fact(done=True, where=f"{who}, {' and '.join(counted)}; their rubric")


def _expertise(results: Results) -> Fact:
    flow = results.analyses.of(rater_flow)
    people = (
        [] if flow is None else [line.rater for line in flow.raters if line.rater.kind == "person"]
    )
    if not people:
        return Fact(done=False, where="no person is listed")
    silent = sum(not line.expertise for line in people)
    if silent:
        return Fact(
            done=False,
            where=f"the expertise of {silent} of {len(people)} raters is not in raters.csv",
        )
    return Fact(done=True, where=f"expertise of {count_of(len(people), 'rater')}")


def _agreement(results: Results) -> Fact:
    agreed = results.analyses.of(agreement)
    known = agreed is not None and (
        any(part.value is not None for part in agreed.panel)
        or any(part.value is not None for part in agreed.passages)
    )
    return Fact(known, "agreement of the raters" if known else "no answer was judged by two raters")


def _methods(_: Results) -> Fact:
    return Fact(done=True, where="Methods of the report")


def _missing(results: Results) -> Fact:
    counts = results.study.counts
    none, empty = f"{counts.answers_missing:,} never given", f"{counts.answers_empty:,} empty"
    if counts.answers_not_asked:
        empty += f", {counts.answers_not_asked:,} not asked for"
    return Fact(done=True, where=f"answers: {none}, {empty}; each missing score has its reason")


def _compared(results: Results) -> Fact:
    systems = len(results.systems)
    if systems > 1:
        return Fact(done=True, where=f"{systems} systems on the same cases")
    return Fact(done=False, where="one system only")


def _software(results: Results) -> Fact:
    run = results.run
    return Fact(done=True, where=f"computed with {run.software}, run {run.name}, seed {run.seed}")


FACTS: Final[Mapping[str, Callable[[Results], Fact]]] = MappingProxyType(
    {
        "agreement": _agreement,
        "compared": _compared,
        "expertise": _expertise,
        "kept": _kept,
        "methods": _methods,
        "missing": _missing,
        "raters": _raters,
        "software": _software,
        "texts": _texts,
    }
)
"""What items may ask for, by name."""
