"""What an analysis says of itself before it computes anything."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from types import UnionType
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    Protocol,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from medassay.errors import InvalidInput, Problem
from medassay.exhibits import Names
from medassay.exhibits.claim import Claim, Finding, VerdictKind, says_verdict, shared_out, to_check
from medassay.exhibits.drawing import Picture
from medassay.exhibits.overview import Overview
from medassay.exhibits.table import Stands, Table

API: Final = 1
"""The version of what an analysis declares and gets. One that was written for another is named."""

_Record = TypeVar("_Record")
_Found_co = TypeVar("_Found_co", covariant=True)
Cost = Literal["cheap", "dear"]
ShownIn = Literal["all", "described", "compared"]
Reader = Literal["clinician", "developer", "organiser", "methodologist"]
BEHIND_OURS: Final = 1_000_000


class UndeclaredVerdict(InvalidInput):
    """A sentence carries a verdict, and its analysis does not say how often that is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Declaration:
    """One question about a study, and how its answer is shown.

    Attributes:
        id: Names it in study.toml, in report.json and in files.
        title: A few words.
        question: What it answers, in plain words.
        section: The id of the section that it stands in (`analyses.sections`).
        infers: Whether it says more than what the data at hand are. A report that describes only
            does not run one that does.
        reader: Who reads it first.
        cost: `dear` where it takes so long that it runs only when asked for; the page says how.
        place: Its place in the section, counted from 1; behind all of ours where not given.
        part: The id of the section's part whose heading it shares with others; a heading of its
            own, its title, where not given.
        tables: Makes tables of the record, in reading order.
        stands: Where a report has those that do not say it themselves: on its page, or in files
            only, as what few readers need does.
        pictures: Draws figures of it, by their id. Each needs a caption to stand on the page.
        notes: Says what no reader of its tables may miss, a sentence each; they stand before them.
        cautions: Says what stands among the report's warnings, a sentence each.
        opens: Gives the figure of the report's first screen where this analysis answers what the
            study was made for, else None: title, rows and marks, drawn by the report.
        shown_in: The reports in which its tables, figures and sentences stand: all, those that
            describe only, or those that compare.
        finding: Says in a sentence what was found, and which question of a reader that answers;
            several sentences where it answers several, None where there is nothing to say.
        verdicts: What kinds of verdict those sentences may carry; a sentence of an analysis that
            declares none, or no claim of its own, may carry no word of a verdict.
        claims: Says which questions they may answer with a verdict, and the p of their tests; the
            sentences learn the level of each from `Names.level`.
        finding_place: Those sentences' place among others that answer the same question, the most
            important first; behind all of ours where not given.
        apart: Whether a copy of the process may compute it while other questions are answered,
            where the study is large: it takes long, and is plain Python and numpy. Heeded of
            medassay's own.
        api: The version of this declaration that it was written for.
    """

    id: str
    title: str
    question: str
    section: str
    infers: bool
    reader: Reader
    cost: Cost = "cheap"
    place: int = BEHIND_OURS
    part: str = ""
    tables: Callable[[Any, Names], Sequence[Table]] | None = None
    stands: Stands = "page"
    pictures: Callable[[Any, Names], Mapping[str, Picture]] | None = None
    notes: Callable[[Any, Names], Sequence[str]] | None = None
    cautions: Callable[[Any], Sequence[str]] | None = None
    finding: Callable[[Any, Names], Finding | Sequence[Finding] | None] | None = None
    verdicts: tuple[VerdictKind, ...] = ()
    claims: Callable[[Any, Names], Iterable[Claim]] | None = None
    finding_place: int = BEHIND_OURS
    opens: Callable[[Any, Names], Overview | None] | None = None
    shown_in: ShownIn = "all"
    apart: bool = False
    api: int = API

    def claimed(self, record: object, names: Names) -> tuple[Claim, ...]:
        """Give the questions that a record may answer with a verdict, each without its level.

        Raises:
            UndeclaredVerdict: A claim is of a kind that the analysis does not declare.
        """
        claims = tuple(self.claims(record, names)) if self.claims else ()
        for claim in claims:
            if claim.kind not in self.verdicts:
                must = f"declare verdicts of the kind {claim.kind.name} (Declaration.verdicts)"
                got = ", ".join(kind.name for kind in self.verdicts) or "none"
                raise UndeclaredVerdict(Problem(f"the analysis {self.id}", must, got))
        return claims

    def findings(
        self, record: object, names: Names, claims: Sequence[Claim] | None = None
    ) -> tuple[Finding, ...]:
        """Give the sentences on a record; none where there is nothing to say.

        Args:
            record: The record.
            names: What things are called.
            claims: What it claims, with the level of each; without them it is tested by itself.
                A sentence that only warns says so (`to_check`).

        Raises:
            UndeclaredVerdict: A sentence carries a verdict that no claim answers for.
        """
        if self.finding is None:
            return ()
        if claims is None:
            claims = shared_out({self.id: self.claimed(record, names)})[self.id]
        made = self.finding(record, names.tested(claims))
        findings = () if made is None else (made,) if isinstance(made, Finding) else tuple(made)
        return tuple(self._declared(finding, claims, names) for finding in findings)

    def _declared(self, finding: Finding, claims: Sequence[Claim], names: Names) -> Finding:
        own = tuple(claim for claim in claims if claim.finding == finding.id)
        if not own and says_verdict(finding.text, names.given):
            raise UndeclaredVerdict(
                Problem(
                    f"the analysis {self.id}",
                    f'claim the verdict of its finding "{finding.id}" (Declaration.claims), so '
                    "that the report can say how often it is wrong",
                    f'no claim, and "{finding.text}"',
                )
            )
        warns = bool(own) and all(claim.kind is VerdictKind.WARNING for claim in own)
        if warns and says_verdict(finding.text, names.given):
            return replace(finding, text=to_check(finding.text, own[0].row), claims=own)
        return replace(finding, claims=own)


@dataclass(frozen=True, slots=True, eq=False)
class Analysis(Generic[_Found_co]):
    """What is declared, and the function that computes it; made by `analysis`.

    Attributes:
        declared: What it says of itself.
        compute: From what it reads to its record, or to a row of records of one kind; None or no
            row where the study has nothing to ask about.
        record: The type of that record, or of a tuple of records.
        reads: What it is given, by parameter: nothing else of the study is within its reach.
    """

    declared: Declaration
    compute: Callable[..., _Found_co | None]
    record: type[_Found_co]
    reads: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Give its id."""
        return self.declared.id

    @property
    def infers(self) -> bool:
        """Say whether what it finds goes beyond the data at hand."""
        return bool(_kind_of(self.record).infers)


class Declares(Protocol):
    """Turns a function into an analysis."""

    def __call__(self, compute: Callable[..., _Record | None], /) -> Analysis[_Record]:
        """Give the analysis that computes so."""


def analysis(declared: Declaration) -> Declares:
    """Declare the function below it as what an analysis computes.

    The function's parameters say by their types what it reads (`analyses.inputs`), its return type
    says what it gives: a record (`medassay.annotations.record`) or `tuple[Record, ...]`, and None
    where the study has nothing to ask it about.

    Raises:
        TypeError: A parameter or what it returns has no type, what it returns is no record, or the
            record infers and the analysis says that it does not.

    Example:
        >>> from medassay.judgements import Judgements
        >>> from medassay.annotations import record
        >>> @record(infers=False)
        ... class Silence:
        ...     comments: int
        >>> @analysis(Declaration(id="silence", title="Comments", section="ratings", infers=False,
        ...                       question="How often did raters comment?", reader="organiser"))
        ... def silence(judgements: Judgements) -> Silence | None:
        ...     return Silence(int((judgements.frame["comment"] != "").sum()))
        >>> silence.reads, silence.record.__name__
        ({'judgements': <class 'medassay.judgements.table.Judgements'>}, 'Silence')
    """

    def declare(compute: Callable[..., _Record | None]) -> Analysis[_Record]:
        reads, record = _types_of(compute, declared.id)
        wrong, kind = "", _kind_of(record)
        if not hasattr(kind, "infers"):
            wrong = f"must return a record (medassay.annotations.record); got {record!r}"
        elif kind.infers and not declared.infers:
            wrong = f"says that it describes, and its record {kind.__name__} infers"
        if wrong:
            message = f"{declared.id}: {wrong}"
            raise TypeError(message)
        return Analysis(declared, compute, record, reads)

    return declare


def _types_of(compute: Callable[..., object], name: str) -> tuple[dict[str, Any], Any]:
    hints = get_type_hints(compute)
    untyped = [
        parameter
        for parameter in (*signature(compute).parameters, "return")
        if parameter not in hints
    ]
    if untyped:
        message = f"{name}: {', '.join(untyped)} must have a type: it says what is read and given"
        raise TypeError(message)
    returned = hints.pop("return")
    optional = isinstance(returned, UnionType) or get_origin(returned) is Union
    inside = (
        [member for member in get_args(returned) if member is not type(None)]
        if optional
        else [returned]
    )
    return hints, inside[0] if len(inside) == 1 else returned


def _kind_of(record: Any) -> Any:  # noqa: ANN401 - a type of any shape
    """Give the type of each record, where there are several."""
    several = get_origin(record) is tuple and get_args(record)[1:] == (...,)
    return get_args(record)[0] if several else record
