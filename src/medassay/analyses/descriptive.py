"""Results of a protocol that describes only: whatever infers is taken out, and what is left named.

A source that says "no hypothesis testing, no inferential claims" is held to it here, in one place,
after everything was computed: no page, table or file can then show what the results do not hold.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, TypeVar, get_args

from medassay.agreement import Agreement
from medassay.analyses.results import Results
from medassay.annotations import Describing, Inference, NamedRaters, pruned
from medassay.annotations.record import fields_of, is_record
from medassay.errors import InvalidInput, Problem
from medassay.stats import Interval
from medassay.study.folder import Study

_Record = TypeVar("_Record")


def as_told(study: Study, finding: _Record) -> _Record:
    """Give what was found as the study's readers are told it: `without_inference`, and by name.

    Everything is computed under pseudonyms; where raters are `named`, people have their names here.
    """
    described = without_inference(study, finding)
    return pruned(described, NamedRaters(study.people)) if study.people else described


def without_inference(study: Study, finding: _Record) -> _Record:
    """Take every interval, test and comparison out where the study's protocol describes only.

    Which those are, the types of the records say. Raters' agreement stays: a kappa describes these
    raters on these answers. Its interval goes.
    """
    return pruned(finding, Describing()) if study.config.rules.descriptive else finding


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
    name = study.config.rules.name
    must = f"be of a protocol that allows a study to be {what}"
    got = f"{name}, whose source makes no tests and no inferential claims"
    hint = "medassay run describes the study; medassay agree gives kappa without intervals."
    raise InvalidInput(Problem(str(study.path / "study.toml"), must, got, hint))


def kinds_of_statistics(results: Results) -> list[str]:
    """Name the kinds of statistics that results hold, for machines to check."""
    # Cases hold single scores and texts, and may be many.
    whole = results.model_copy(update={"cases": []})
    kinds = {kind for part in _parts(whole) for kind in _kinds(part)}
    return sorted(kinds)


def _parts(value: object) -> Iterator[object]:
    """Walk through all records, whatever they are made of."""
    inside: Iterable[object] = ()
    record: type = type(value)
    if isinstance(value, Mapping):
        inside = value.values()
    elif isinstance(value, list | tuple):
        inside = value
    elif is_record(record):
        yield value
        inside = (getattr(value, name) for name in _names(record))
    for part in inside:
        if not isinstance(part, _BARE):
            yield from _parts(part)


@cache
def _names(record: type) -> tuple[str, ...]:
    return tuple(fields_of(record))


_BARE: Final = (str, int, float, type(None))


_DESCRIBES: Final = {
    "mean": "mean", "sd": "standard deviation", "median": "median", "share": "proportion",
    "count": "count", "kappa": "agreement",
}  # fmt: skip


def _kinds(part: object) -> Iterator[str]:
    if isinstance(part, Interval):
        yield Inference.INTERVAL
    if isinstance(part, Agreement) and part.value is not None:
        yield "agreement"
    record: type = type(part)
    for name, kind in _named_kinds(record):
        if getattr(part, name) not in (None, "", ()):
            yield kind


@cache
def _named_kinds(record: type) -> tuple[tuple[str, str], ...]:
    """Give the kinds of statistics that a record's fields say they are, by type or by name."""
    hints = fields_of(record)
    marks = {name: _mark(hint) or _DESCRIBES.get(name) for name, hint in hints.items()}
    return tuple((name, kind) for name, kind in marks.items() if kind)


def _mark(hint: object) -> str | None:
    """Give the mark on a type, or on what it is where it is something at all."""
    marks = (Describing.mark_of(hint_part) for hint_part in (hint, *get_args(hint)))
    return next(
        (str(inference) for inference in marks if inference not in {None, Inference.WHOLE}), None
    )
