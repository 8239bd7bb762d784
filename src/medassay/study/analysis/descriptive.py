"""Results of a protocol that describes only: whatever infers is taken out, and what is left named.

A source that says "no hypothesis testing, no inferential claims" is held to it here, in one place,
after everything was computed: no page, table or file can then show what the results do not hold.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeVar

from medassay.errors import InvalidInput, Problem
from medassay.study.folder import Study
from medassay.study.results import Results
from medassay.study.results.agreement import AgreementResult
from medassay.study.results.plain import IntervalResult, Plain

__all__ = [
    "INFERENTIAL",
    "describe_only",
    "kinds_of_statistics",
    "refuse_to_infer",
    "without_inference",
]

_OfPlain = TypeVar("_OfPlain", bound=Plain)

_WHOLE: Final = (
    "comparisons", "trust", "correlations", "human_scores", "harm_bounds", "diagnostics", "budget",
    "without_rater", "calibration", "difficulty", "scheme_ranks", "overalls", "boards",
    "preferences", "judges", "unjudged", "unjudged_trust", "judged_shares", "drawn_scores", "harm",
    "quality",
    "consensus_notes", "ties", "fits",
)  # fmt: skip
"""Parts that are about more than the data at hand, rest on tests, or on a model of the raters."""
_NONE: Final = ("validity", "choices", "plan", "errors", "safety", "reasoning", "paper")
_FIELDS: Final = {
    "p": "test", "p_adjusted": "test", "p_method": "test", "letters": "test",
    "minimal_detectable_effect": "test", "rank_low": "interval", "rank_high": "interval",
    "reliability_metric": "reliability", "reliability_consensus": "reliability",
}  # fmt: skip
"""Fields that hold the outcome of an inference, to its kind."""
INFERENTIAL: Final = frozenset({"interval", "test", "reliability"})


def describe_only(results: Results) -> Results:
    """Take every interval, test and comparison out of results.

    Raters' agreement stays: a kappa describes these raters on these answers. Its interval goes.
    """
    emptied = _emptied(results) | dict.fromkeys(_NONE)
    without: Results = _stripped(results.model_copy(update=emptied))
    return without


def _emptied(found: Plain) -> dict[str, object]:
    names = [name for name in _WHOLE if name in type(found).model_fields]
    return {name: type(getattr(found, name))() for name in names}


def without_inference(study: Study, found: _OfPlain) -> _OfPlain:
    """Take intervals and tests out of a report where the study's protocol describes only."""
    if not study.config.rules.descriptive:
        return found
    stripped: _OfPlain = _stripped(found.model_copy(update=_emptied(found)))
    return stripped


def refuse_to_infer(study: Study, what: str) -> None:
    """Refuse what would go beyond the data at hand, where the study's protocol describes only.

    Args:
        study: The study.
        what: What was asked for: the words after "be".

    Raises:
        InvalidInput: The protocol's source makes no inferential claims.
    """
    rules = study.config.rules
    if not rules.descriptive:
        return
    name = study.config.protocol.name
    must = f"be of a protocol that allows a study to be {what}"
    got = f"{name}, whose source makes no tests and no inferential claims"
    hint = "medassay run describes the study; medassay agree gives kappa without intervals."
    raise InvalidInput(Problem(str(study.path / "study.toml"), must, got, hint))


def kinds_of_statistics(results: Results) -> list[str]:
    """Name the kinds of statistics that results hold, for machines to check."""
    # Cases hold single scores and texts, and may be many.
    whole = results.model_copy(update={"cases": []})
    kinds = {kind for one in _parts(whole) for kind in _kinds(one)}
    return sorted(kinds)


def _parts(value: object) -> Iterator[Plain]:
    inside: Iterable[object] = ()
    if isinstance(value, Plain):
        yield value
        inside = (getattr(value, name) for name in type(value).model_fields)
    elif isinstance(value, dict):
        inside = value.values()
    elif isinstance(value, list | tuple):
        inside = value
    for one in inside:
        if isinstance(one, _HOLDS_PARTS):
            yield from _parts(one)


_HOLDS_PARTS: Final = (Plain, list, tuple, dict)


_DESCRIBES: Final = {
    "mean": "mean", "sd": "standard deviation", "median": "median", "share": "proportion",
    "count": "count", "kappa": "agreement",
}  # fmt: skip


def _kinds(one: Plain) -> Iterator[str]:
    if isinstance(one, IntervalResult):
        yield "interval"
    if isinstance(one, AgreementResult) and one.value is not None:
        yield "agreement"
    for name in type(one).model_fields:
        kind = _FIELDS.get(name) or _DESCRIBES.get(name)
        if kind is not None and getattr(one, name) not in (None, "", ()):
            yield kind


def _stripped(value: Any) -> Any:  # noqa: ANN401 - it walks through data of every shape
    if isinstance(value, IntervalResult):
        return None
    if isinstance(value, Plain):
        changed: dict[str, object] = {}
        for name in type(value).model_fields:
            old = getattr(value, name)
            if name in _FIELDS:
                new: object = "" if isinstance(old, str) else None
            else:
                new = _stripped(old)
            if new is not old:
                changed[name] = new
        return value.model_copy(update=changed) if changed else value
    if isinstance(value, list | tuple):
        made = type(value)(_stripped(one) for one in value)
        return value if all(a is b for a, b in zip(made, value, strict=True)) else made
    if isinstance(value, dict):
        return {key: _stripped(one) for key, one in value.items()}
    return value
