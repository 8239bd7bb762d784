"""Which metrics are meant: by name, by what is usual, by what is at hand."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import product
from pkgutil import iter_modules
from typing import Final

from medassay.answers import Answer, Retrieved, Statement
from medassay.api_checks import checked
from medassay.cases import Case, Document, Evidence, Reference
from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.metrics import builtin
from medassay.metrics.bound import BoundMetric
from medassay.metrics.declaration import Declaration, Level
from medassay.metrics.registry import REGISTRY, Compute
from medassay.scores import Name

_PLAIN: Final = "answers"
_CASE: Final = Case(case="1", question="May I run?")
_ANSWER: Final = Answer(system="a", case="1", text="Rest for a day.")
_CUTOFF: Final = 5


@checked
def resolve(name: str) -> BoundMetric:
    """Find a metric by its canonical name, or by one with the same meaning.

    Raises:
        UnknownName: There is no such metric; suggests the nearest.
        InvalidInput: The name is malformed, or a parameter is unknown, missing or not allowed.

    Example:
        >>> str(resolve("rougeL( ref=human, measure=f )").name)
        'rougeL(ref=human)'
    """
    parsed = name if isinstance(name, Name) else Name.parse(name)
    declaration, compute = _find(parsed.base)
    named_values = dict(parsed.arguments)
    problems = _shape_problems(declaration, parsed)
    arguments: dict[str, str] = {} if parsed.k is None else {"k": str(parsed.k)}
    for parameter in declaration.parameters:
        value = named_values.get(parameter.name, parameter.default)
        if value is None:
            continue
        try:
            arguments[parameter.name] = parameter.canonical(value, metric=declaration.name)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems)
    shown = {
        p.name: arguments[p.name] for p in declaration.parameters if arguments[p.name] != p.default
    }
    canonical = Name.of(declaration.name, parsed.k, **shown)
    return BoundMetric(canonical, declaration, arguments, compute)


def _shape_problems(declaration: Declaration, parsed: Name) -> list[Problem]:
    """Say what is unknown in the name, and what it lacks."""
    base, named_values = parsed.base, dict(parsed.arguments)
    known = [parameter.name for parameter in declaration.parameters]
    problems = []
    for key in named_values:
        if key not in known:
            must = f"have only the parameters {', '.join(known)}" if known else "have no parameters"
            problems.append(Problem(base, must, f'"{key}"', nearest(key, known), column=key))
    if declaration.takes_k != (parsed.k is not None):
        must = "have a cut-off" if declaration.takes_k else "have no cut-off"
        try_ = f"For example {base}@5." if declaration.takes_k else ""
        problems.append(Problem(base, must, f'"{parsed}"', try_))
    for parameter in declaration.parameters:
        if parameter.name not in named_values and parameter.default is None:
            first = next(iter(parameter.values), None)
            try_ = "" if first is None else f"For example {base}({parameter.name}={first})."
            must = f"say {parameter.name}, {parameter.allowed}"
            problems.append(Problem(base, must, f'"{parsed}"', try_))
    return problems


@dataclass(frozen=True, slots=True)
class _Held:
    """What somebody has beside questions and answers, as the smallest case and answer with it.

    Attributes:
        words: What it is.
        case: A case that has it.
        answer: An answer that has it.
    """

    words: str
    case: Case
    answer: Answer


def _case(**more: object) -> Case:
    return Case.model_validate({**_CASE.model_dump(exclude_unset=True), **more})


def _answer(**more: object) -> Answer:
    return Answer.model_validate({**_ANSWER.model_dump(exclude_unset=True), **more})


_HELD: Final[Mapping[str, _Held]] = {
    _PLAIN: _Held("questions and answers, nothing else", _CASE, _ANSWER),
    "references": _Held(
        "an expert's answer to each question",
        _case(references=(Reference(text="Rest."),)),
        _ANSWER,
    ),
    "evidence": _Held(
        "the sentences that an answer should rest on, labelled by relevance",
        _case(evidence=(Evidence(id="1", text="Rest helps.", relevance="essential"),)),
        _answer(text=None, statements=(Statement(text="Rest.", citations=("1",)),)),
    ),
    "contexts": _Held(
        "the texts that each system retrieved",
        _case(documents=(Document(id="d", title="Sprains", text="Rest helps."),)),
        _answer(retrieved=(Retrieved(document="d"),)),
    ),
    "grades": _Held(
        "experts' grades of the documents that systems ranked",
        _case(documents=(Document(id="d", title="Sprains", text="Rest helps.", grade=1),)),
        _answer(retrieved=(Retrieved(document="d"),)),
    ),
    "options": _Held(
        "multiple-choice questions with the right option",
        _case(options={"A": "Rest.", "B": "Run."}, gold="A"),
        _answer(choice="A"),
    ),
    "reasoning": _Held(
        "each system's reasoning beside its answer",
        _case(options={"A": "Rest.", "B": "Run."}),
        _answer(choice="A", reasoning="The ankle is sprained, so it needs rest."),
    ),
}


AT_HAND: Final[Mapping[str, str]] = {name: held.words for name, held in _HELD.items()}
"""What somebody may have, to its meaning in words."""


def metrics_for(have: str) -> list[tuple[str, Declaration]]:
    """List the metrics that what somebody has makes possible, under their usual names.

    What questions and answers alone allow is listed for `answers` only. A metric is tried on the
    smallest case and answer that have the thing: no list has to be kept.

    Args:
        have: One of `AT_HAND`.

    Raises:
        InvalidInput: It is none of these.

    Example:
        >>> [name for name, _ in metrics_for("options")]
        ['exact_match', 'semantic_accuracy']
    """
    if have not in _HELD:
        hint = UnknownName("thing to have", have, list(AT_HAND)).hint
        raise InvalidInput(Problem("--for", "say what you have", f'"{have}"', hint))
    named = [(name, declared) for declared in declarations() for name in _names(declared)]
    return [
        (name, declared)
        for name, declared in named
        if _fits(name, _HELD[have]) and (have == _PLAIN or not _fits(name, _HELD[_PLAIN]))
    ]


def _names(declared: Declaration) -> list[str]:
    """Give a metric's usual names, and those by which it reads other things than usually."""
    names = []
    for usual in usual_names(declared):
        name = Name.parse(usual)
        written = dict(name.arguments)
        others = dict.fromkeys(need.when for need in declared.needs if need.when is not None)
        names.append(usual)
        for parameter, value in others:
            if parameter not in written:
                with suppress(InvalidInput):  # a combination that the metric does not allow
                    more = Name.of(name.base, name.k, **written, **{parameter: value})
                    names.append(str(resolve(more).name))
    return list(dict.fromkeys(names))


def _fits(name: str, held: _Held) -> bool:
    return all(
        (need.of_case is None or need.of_case(held.case) is not None)
        and (need.of_answer is None or need.of_answer(held.answer) is not None)
        for need in resolve(name).needs
    )


def usual_names(declared: Declaration) -> list[str]:
    """List a metric's names: every value of what must be chosen, or the choices it declares.

    None for a metric of whole systems, or where a value must be chosen and any word would do.

    Example:
        >>> from medassay.metrics import declarations
        >>> known = {one.name: one for one in declarations()}
        >>> usual_names(known["rouge1"]), usual_names(known["recall"])
        (['rouge1(ref=human)', 'rouge1(ref=note)'], ['recall@5'])
    """
    if declared.level is not Level.ANSWER:
        return []
    required = [p for p in declared.parameters if p.default is None]
    if declared.usual:
        required = [p for p in required if not any(p.name in usual for usual in declared.usual)]
    if not all(p.values for p in required):
        return []
    usual = declared.usual or ({},)
    cutoff = _CUTOFF if declared.takes_k else None
    keys = [p.name for p in required]
    return [
        str(Name.of(declared.name, cutoff, **more, **dict(zip(keys, values, strict=True))))
        for values in product(*(p.values for p in required))
        for more in usual
    ]


def declarations() -> tuple[Declaration, ...]:
    """List what every metric declares, sorted by name: the catalogue."""
    _load_built_in()
    return tuple(declared for declared, _ in REGISTRY.every())


def plugin_problems() -> tuple[Problem, ...]:
    """Load the metrics of other packages, once, and say which could not be loaded and why."""
    _load_built_in()
    return REGISTRY.load_plug_ins()


def _find(base: str) -> tuple[Declaration, Compute]:
    """Find a metric by the word before everything else in its name.

    Packages of others are loaded only when the name is not built in.

    Raises:
        UnknownName: There is no such metric.
        InvalidInput: There is no such metric, and a plug-in that may hold it is broken.
    """
    _load_built_in()
    return REGISTRY.find(base)


@cache
def _load_built_in() -> None:
    for module in iter_modules(builtin.__path__):
        import_module(f"{builtin.__name__}.{module.name}")
