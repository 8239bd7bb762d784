"""The inputs of a study, and what study.toml chooses by name, found or refused."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from medassay.agreement import band_sources, find_coefficient
from medassay.cases import Case, Cases
from medassay.consensus import find_method, source_name
from medassay.errors import InvalidInput, MedassayError, Problem, UnknownName, nearest
from medassay.judgements import Rubric, Translation, load_rubric
from medassay.metrics import BoundMetric, Level, resolve
from medassay.models import use_models
from medassay.scores import Name
from medassay.study.certificates.certificate import certificate_files
from medassay.study.config.protocol import Protocol, outside_problem
from medassay.study.config.study_toml import NEAR_EQUAL, StudyConfig, model_setup_of, own_rules
from medassay.study.contents.metric_scores import Imported
from medassay.study.files.names import (
    ANSWERS,
    SCORES,
    STUDY_FILE,
    TABLES,
    file_hash,
    table_file,
    tables_of,
    unreadable,
)
from medassay.study.files.placed import FETCHED
from medassay.study.opening.stand_ins import COMPUTED, IMPORTED, MetricPlace, decide, place_problems

_EARLIER = "earlier run"
"""What its hash is called among the inputs, wherever it lies."""


def earlier_report(folder: Path, config: StudyConfig) -> Path | None:
    """Give the report.json of the earlier run that stands beside this one; None where none does.

    Raises:
        InvalidInput: It is not there, or study.toml names one outside of the study.
    """
    where = f"{STUDY_FILE}, [report] against" if config.earlier is None else "--against"
    if config.earlier is None and config.report.against is None:
        return None
    if config.earlier is None and config.report.against is not None:
        outside = outside_problem(folder, config.report.against, "report.against")
        if outside is not None:
            raise InvalidInput(outside)
    named = config.earlier or folder / (config.report.against or "")
    path = named / "report.json" if named.is_dir() else named
    if not path.is_file():
        must = "be the report.json of an earlier run, or the folder that holds it"
        runs = sorted(run.parent.name for run in (folder / "results").glob("*/report.json"))
        hint = f"Runs of this study: {', '.join(f'results/{run}' for run in runs)}." if runs else ""
        raise InvalidInput(
            Problem(where, must, f'"{config.earlier or config.report.against}"', hint)
        )
    return path


def input_hashes(folder: Path, config: StudyConfig) -> dict[str, str]:
    """Give the SHA-256 of every file that a study is read from, by its place in the folder.

    What was fetched from a URL has the place that it would have in the study: the same files give
    the same run, wherever they lie.

    Raises:
        InvalidInput: Several files hold one table, one that is there cannot be read, or the
            earlier run is not there.
    """
    problems = unreadable(folder)
    if problems:
        raise InvalidInput(problems)
    paths = [folder / STUDY_FILE]
    paths += [path for stem in TABLES if (path := table_file(folder, stem)) is not None]
    paths += tables_of(folder, ANSWERS)
    for table in tables_of(folder, SCORES):
        paths += [table, table.with_suffix(".toml")]
    paths += [folder / file for file in config.own_files]
    paths += [folder / file for file in own_rules(config).values()]
    paths += [folder / judge.prompt for judge in config.judges.values()]
    paths += certificate_files(folder)
    fetched = folder / FETCHED
    earlier = earlier_report(folder, config)
    beside = {} if earlier is None else {_EARLIER: file_hash(earlier)}
    return beside | {
        path.relative_to(fetched if path.is_relative_to(fetched) else folder).as_posix(): file_hash(
            path
        )
        for path in paths
        if path.is_file()
    }


_Place: TypeAlias = tuple[str, str]
"""A file, and a column in it."""


def rubric_in_use(folder: Path, config: StudyConfig) -> Rubric:
    """Put the dimensions of all rubrics in use together.

    Raises:
        InvalidInput: A rubric or a dimension is not known, or a dimension is there twice.
    """
    rubrics: list[Rubric] = []
    problems: list[Problem] = []
    where = config.said_in("rubric", "dimensions.rubric", own=bool(config.dimensions))
    for choice in config.rubrics:
        try:
            rubric = rubric_of(folder, choice.rubric, *where)
        except InvalidInput as error:
            problems += error.problems
            continue
        for name in choice.only:
            if name not in rubric.ids:
                must = f"be a dimension of {rubric.name}: {', '.join(rubric.ids)}"
                hint = nearest(name, rubric.ids)
                problems.append(_wrong(must, name, hint, "dimensions.only"))
        chosen_dimensions = tuple(
            d for d in rubric.dimensions if not choice.only or d.id in choice.only
        )
        rubrics.append(rubric.with_dimensions(chosen_dimensions))
    dimensions = tuple(dimension for rubric in rubrics for dimension in rubric.dimensions)
    ids = [dimension.id for dimension in dimensions]
    for name in sorted({name for name in ids if ids.count(name) > 1}):
        must = "have each dimension in one rubric"
        got = f'"{name}" twice'
        problems.append(Problem(STUDY_FILE, must, got, "Choose with `only`.", None, "dimensions"))
    if problems:
        raise InvalidInput(problems)
    joined = {
        "name": "+".join(used_rubric.name for used_rubric in rubrics),
        "source": _all((used_rubric.source for used_rubric in rubrics), "; "),
        "wording": _all(used_rubric.wording for used_rubric in rubrics),
        "rationale": _all(used_rubric.rationale for used_rubric in rubrics),
        "language": rubrics[0].language if len({one.language for one in rubrics}) == 1 else "",
        "translations": _translations(rubrics),
    }
    return rubrics[0].model_copy(update={**joined, "dimensions": dimensions})


def _translations(rubrics: Sequence[Rubric]) -> dict[str, Translation]:
    """Join the translations of several rubrics, language by language."""
    joined = {}
    for language in sorted({language for rubric in rubrics for language in rubric.translations}):
        some = [one.translations[language] for one in rubrics if language in one.translations]
        dimensions = {name: words for one in some for name, words in one.dimensions.items()}
        told = {
            "by": _all((one.by for one in some), "; "),
            "rationale": _all(one.rationale for one in some),
            "dimensions": dimensions,
        }
        joined[language] = some[0].model_copy(update=told)
    return joined


def _all(sayings: Iterable[str], between: str = " ") -> str:
    """Put together what several rubrics say, each thing once."""
    return between.join(dict.fromkeys(saying for saying in sayings if saying))


def resolve_metrics(
    names: Sequence[str], file: str = STUDY_FILE, column: str | None = "metrics"
) -> tuple[BoundMetric, ...]:
    """Resolve metrics by name; every wrong name is reported at once.

    Args:
        names: The names.
        file: Where they stand, for messages.
        column: Under which key; None where there is none, as in an option.

    Raises:
        InvalidInput: A name is unknown, lacks a parameter, or means what an earlier one means.
    """
    names_given: dict[str, str] = {}
    metrics, problems = [], []
    for name in names:
        try:
            metric = resolve(name)
        except InvalidInput as error:
            cause = error.__cause__
            if isinstance(cause, UnknownName):
                # A package that may bring it is broken: it is named as what it is.
                problems += [_wrong("name a metric", name, cause.hint, column, file)]
                problems += error.problems
                continue
            problems += [
                Problem(
                    file, problem.must, problem.got, problem.try_, None,
                    f"{column}, {name}" if column else None,
                )
                for problem in error.problems
            ]  # fmt: skip
            continue
        except UnknownName as error:
            problems.append(_wrong("name a metric", name, error.hint, column, file))
            continue
        canonical = str(metric.name)
        if metric.declaration.level is not Level.ANSWER:
            problems.append(_wrong("name metrics of single answers", name, "", column, file))
        if canonical in names_given:
            same = (
                f'It means what "{names_given[canonical]}" means.'
                if name != names_given[canonical]
                else ""
            )
            problems.append(_wrong("name each metric once", name, same, column, file))
        names_given.setdefault(canonical, name)
        metrics.append(metric)
    if problems:
        raise InvalidInput(dict.fromkeys(problems))
    return tuple(metrics)


def named_problems(
    rules: Protocol, *, metrics: _Place, consensus: _Place, agreement: _Place
) -> tuple[list[str], list[str], list[Problem]]:
    """Find the metrics, methods and coefficients that a protocol names.

    Args:
        rules: What names them.
        metrics: The file and the column where the metrics stand, for messages.
        consensus: Those of the consensus methods.
        agreement: Those of the coefficients.

    Returns:
        The canonical names of the metrics and of the methods, and what is wrong with any name.
    """
    problems: list[Problem] = []
    computed: list[str] = []
    try:
        computed = [str(metric.name) for metric in resolve_metrics(rules.metrics, *metrics)]
    except InvalidInput as error:
        problems += error.problems
    methods, unknown = _found(
        rules.consensus, lambda name: find_method(name)[1], "consensus method", consensus
    )
    problems += unknown
    problems += _found(
        rules.agreement,
        lambda name: find_coefficient(name)[1],
        "coefficient of agreement",
        agreement,
    )[1]
    return computed, methods, problems


def choice_problems(
    config: StudyConfig, rubric: Rubric, cases: Cases | None, imported: Sequence[Imported]
) -> list[Problem]:
    """Say which names in study.toml refer to nothing, or to two things."""
    computed, methods, problems = named_problems(
        config.rules,
        metrics=config.said_in("metrics", "metrics", own=bool(config.metrics)),
        consensus=config.said_in(
            "consensus",
            "consensus.methods",
            own=config.consensus is not None and config.consensus.methods is not None,
        ),
        agreement=config.said_in(
            "agreement", "agreement.coefficients", own=config.agreement is not None
        ),
    )
    joint = [str(source_name(method, dimension)) for method in methods for dimension in rubric.ids]
    sources = [*computed, *joint]
    problems += _import_problems(imported, joint)
    sources += [source for scores_file in imported for source in scores_file.table.sources]
    if not problems:
        problems += place_problems(config, imported)
    tag = config.ranking.clusters
    asked_for = tag is not None or config.domain.tags
    tags = {name for case in cases or () for name in case.tags} if asked_for else set()
    if tag not in {None, NEAR_EQUAL} and cases is not None and tag not in tags:
        known = {*tags, NEAR_EQUAL}
        hint = nearest(tag, known) or f"Known: {', '.join(sorted(known))}."
        wanted = f"name a tag that cases have, or be {NEAR_EQUAL}"
        problems.append(_wrong(wanted, tag, hint, "ranking.clusters"))
    for tag in config.domain.tags if cases is not None else ():
        if tag not in tags:
            hint = nearest(tag, tags) or f"Known: {', '.join(sorted(tags)) or 'none'}."
            problems.append(_wrong("name tags that cases have", tag, hint, "domain.tags"))
    # With a metric or method unknown, what the ranking may name is not known either.
    if config.ranking.by is not None and not problems:
        problems += _ranking_problems(config.ranking.by, sources)
    if not problems:
        imports = [source for scores in imported for source in scores.table.sources]
        problems += _primary_problems(config, [*computed, *imports], rubric.ids)
    if config.targets and not problems:
        problems += _target_problems(config.targets, sources)
    if config.rules.margins and not problems:
        problems += _margin_problems(config, sources, rubric)
    return problems


def _import_problems(imported: Sequence[Imported], joint: Sequence[str]) -> list[Problem]:
    """Refuse the names of consensus; what takes a metric's name a run may put in its place."""
    must = "bring scores of a name that the raters' labels do not have"
    return [
        Problem(scores_file.file, must, f'"{source}"', "Give it another name.")
        for scores_file in imported
        for source in scores_file.table.sources
        if source in joint
    ]


def _found(
    names: Sequence[str], find: Callable[[str], Name], what: str, where: _Place
) -> tuple[list[str], list[Problem]]:
    """Find what is named; give the canonical names, and the problems with the others."""
    file, column = where
    canonicals: list[str] = []
    problems: list[Problem] = []
    for name in names:
        try:
            canonical = str(find(name))
        except InvalidInput as error:
            cause = error.__cause__
            if isinstance(cause, UnknownName):
                problems += [_wrong(f"name a {what}", name, cause.hint, column, file)]
                problems += [problem for problem in error.problems if problem not in problems]
                continue
            problems += [
                _wrong(problem.must, name, problem.try_, column, file) for problem in error.problems
            ]
            continue
        except MedassayError as error:
            hint = error.hint if isinstance(error, UnknownName) else str(error)
            problems.append(_wrong(f"name a {what}", name, hint, column, file))
            continue
        if canonical in canonicals:
            problems.append(_wrong(f"name each {what} once", name, "", column, file))
        canonicals.append(canonical)
    return canonicals, problems


def _ranking_problems(by: str, sources: Sequence[str]) -> list[Problem]:
    try:
        canonical = str(Name.parse(by))
    except InvalidInput as error:
        return [_wrong(problem.must, by, problem.try_, "ranking.by") for problem in error.problems]
    if canonical in sources:
        return []
    hint = nearest(canonical, sources) or f"Known: {', '.join(sources)}."
    return [_wrong("name a column of scores that the study has", by, hint, "ranking.by")]


def rubric_of(folder: Path, name: str, file: str, column: str) -> Rubric:
    """Load a rubric by its name, or from a file of the study.

    Args:
        folder: The study's folder.
        name: The rubric.
        file: Where it is named, for messages.
        column: Under which key.

    Raises:
        InvalidInput: There is none, it leads out of the study, or it does not hold together.
    """
    if name.endswith(".toml"):
        outside = outside_problem(folder, name, column, file)
        if outside is not None:
            raise InvalidInput(outside)
        return load_rubric(folder / name)
    try:
        return load_rubric(name)
    except UnknownName as error:
        raise InvalidInput(_wrong("name a rubric", name, error.hint, column, file)) from error


def _wrong(must: str, got: str, try_: str, column: str | None, file: str = STUDY_FILE) -> Problem:
    return Problem(file, must, f'"{got}"', try_, None, column)


def primary_metrics(config: StudyConfig) -> frozenset[str] | None:
    """Give the canonical names of the primary metrics; None where study.toml names none."""
    named = config.report.primary_metrics
    return None if named is None else frozenset(_canonical(name) for name in named)


def _primary_problems(
    config: StudyConfig, metrics: Sequence[str], dimensions: Sequence[str]
) -> list[Problem]:
    """Say which primary metric or dimension is none of the study's.

    Args:
        config: What study.toml says.
        metrics: Canonical names of the study's metrics, and of imported scores.
        dimensions: Ids of its dimensions.
    """
    report = config.report
    asked = (
        ("primary_metrics", "metric", report.primary_metrics, list(metrics)),
        ("primary_dimensions", "dimension", report.primary_dimensions, list(dimensions)),
    )
    return [
        Problem(
            STUDY_FILE,
            f"name a {kind} of this study: {', '.join(known) or 'there is none'}",
            f'"{name}"',
            nearest(name, known),
            None,
            f"report.{key}",
        )
        for key, kind, names, known in asked
        for name in names or ()
        if (_canonical(name) if kind == "metric" else name) not in known
    ]


def _canonical(name: str) -> str:
    """Give a metric's canonical name; imported scores are called what they are called."""
    try:
        return str(resolve(name).name)
    except (InvalidInput, UnknownName):
        return name


_SHORT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "accuracy": "exact_match",
        "map": "average_precision",
        "mrr": "reciprocal_rank",
    }
)
"""Words for metrics that reports use, beside the metrics' own names."""


def target_source(name: str) -> str:
    """Give the source that a target is about.

    Example:
        >>> target_source("accuracy"), target_source("precision@5")
        ('exact_match', 'precision@5')
    """
    wanted = _SHORT.get(name, name)
    try:
        return str(resolve(wanted).name)
    except (InvalidInput, UnknownName):
        return wanted


def _target_problems(targets: Mapping[str, float], sources: Sequence[str]) -> list[Problem]:
    """Name the targets that are about nothing the study measures."""
    known = [*sources, *(short for short, name in _SHORT.items() if name in sources)]
    return [
        Problem(
            STUDY_FILE, "name something that the study measures", f'"{name}"',
            nearest(name, known) or f"Known: {', '.join(sorted(known))}.", None, f"targets.{name}",
        )
        for name in targets
        if target_source(name) not in sources
    ]  # fmt: skip


def margin_of(margins: Mapping[str, float], column: str, dimension: str | None) -> float | None:
    """Give the margin of a column of scores: its own, else that of the dimension it is of.

    Args:
        margins: As the protocol and study.toml write them.
        column: The column's canonical name.
        dimension: The dimension of a consensus on that dimension's scale; None for others.

    Example:
        >>> margin_of({"accuracy": 0.05, "tone": 0.3}, "mean(dimension=tone)", "tone")
        0.3
        >>> margin_of({"accuracy": 0.05}, "exact_match", None)
        0.05
    """
    own = (margin for name, margin in margins.items() if target_source(name) == column)
    return next(own, None if dimension is None else margins.get(dimension))


def _margin_problems(
    config: StudyConfig, sources: Sequence[str], rubric: Rubric
) -> Iterator[Problem]:
    """Name the margins that are about nothing the study has, or that no difference can pass."""
    short = (short for short, name in _SHORT.items() if name in sources)
    known = [*rubric.ids, *sources, *short]
    for name, margin in config.rules.margins.items():
        file, place = config.said_in(
            f"margins.{name}", f"margins.{name}", own=name in config.margins
        )
        ends = rubric.dimension(name).ends if name in rubric.ids else None
        if name not in rubric.ids and target_source(name) not in sources:
            must = "name a dimension, or a column of scores, of the study"
            hint = nearest(name, known) or f"Known: {', '.join(sorted(known))}."
            yield Problem(file, must, f'"{name}"', hint, None, place)
        elif ends is not None and margin >= ends[1] - ends[0]:
            must = f"be less than the scale is long, {ends[1] - ends[0]:g}"
            yield Problem(file, must, f"{margin:g}", "", None, place)


STARTERS: Final = "starters"
"""The folder of invented files that new studies begin with."""
_LEVELS: Final = {"High", "Medium", "Low"}


def own_protocol_problems(folder: Path, config: StudyConfig) -> list[Problem]:
    """Say what is wrong with a study's protocol where it does not ship with medassay."""
    file = config.protocol_file
    return protocol_problems(folder, config.whole_protocol, file) if file else []


def protocol_problems(folder: Path, protocol: Protocol, file: str) -> list[Problem]:
    """Say which of the names in a protocol refer to nothing.

    Whether the analyses are there is asked where analyses are known (`check_analyses`).

    Args:
        folder: Where its rubric lies, if that is a file.
        protocol: The protocol.
        file: What messages call it.
    """
    computed, methods, problems = named_problems(
        protocol,
        metrics=(file, "metrics"),
        consensus=(file, "consensus"),
        agreement=(file, "agreement"),
    )
    known = sorted(entry.name for entry in (files("medassay") / "data" / STARTERS).iterdir())
    if protocol.starter and protocol.starter not in known:
        must = f"be one of {', '.join(known)}"
        hint = nearest(protocol.starter, known)
        problems.append(Problem(file, must, f'"{protocol.starter}"', hint, None, "starter"))
    problems += [*_unnamed(protocol, file), *_unlisted(protocol, file)]
    try:
        rubric = rubric_of(folder, protocol.rubric, file, "rubric")
    except InvalidInput as error:
        return [*problems, *error.problems]
    problems += _dimensions(protocol, rubric, file)
    # With a metric or method unknown, what may rank is not known either.
    if not problems:
        joint = [
            str(source_name(method, dimension)) for method in methods for dimension in rubric.ids
        ]
        problems += _ranking(protocol.rank_by, [*computed, *joint], file)
    return problems


def _ranking(by: str, sources: list[str], file: str) -> Iterator[Problem]:
    canonical = str(Name.parse(by))
    if canonical not in sources:
        must = "name a column of scores that the protocol makes"
        hint = nearest(canonical, sources) or f"Known: {', '.join(sources)}."
        yield Problem(file, must, f'"{by}"', hint, None, "rank_by")


def _dimensions(protocol: Protocol, rubric: Rubric, file: str) -> Iterator[Problem]:
    """Hold the dimensions that rules are about against the rubric."""
    rules = {"confidence": protocol.confidence, "paper": protocol.paper}
    for key, rule in rules.items():
        if rule is not None and rule.dimension not in rubric.ids:
            must = f"be a dimension of {rubric.name}: {', '.join(rubric.ids)}"
            hint = nearest(rule.dimension, rubric.ids)
            yield Problem(file, must, f'"{rule.dimension}"', hint, None, f"{key}.dimension")
    confidence, paper = protocol.confidence, protocol.paper
    if confidence is not None and confidence.dimension in rubric.ids:
        labels = rubric.dimension(confidence.dimension).names
        if set(labels) != _LEVELS:
            must = "name a dimension with the labels High, Medium and Low"
            yield Problem(file, must, ", ".join(labels), "", None, "confidence.dimension")
    if (
        paper is not None
        and paper.dimension in rubric.ids
        and not rubric.dimension(paper.dimension).scored
    ):
        must, got = "name a dimension whose labels have scores", f'"{paper.dimension}"'
        yield Problem(file, must, got, "", None, "paper.dimension")


def _unlisted(protocol: Protocol, file: str) -> Iterator[Problem]:
    for name in protocol.headline:
        if name not in protocol.agreement:
            must = "name coefficients of `agreement`, as they are written there"
            hint = nearest(name, protocol.agreement)
            yield Problem(file, must, f'"{name}"', hint, None, "headline")


def _unnamed(protocol: Protocol, file: str) -> Iterator[Problem]:
    """Name words for agreement that nobody gives, and boards that are there twice."""
    bands = [band_source.name for band_source in band_sources()]
    if protocol.paper is not None and protocol.paper.bands not in bands:
        got, hint = f'"{protocol.paper.bands}"', nearest(protocol.paper.bands, bands)
        yield Problem(file, f"be one of {', '.join(bands)}", got, hint, None, "paper.bands")
    boards = [board.name for board in protocol.boards]
    for name in dict.fromkeys(board for board in boards if boards.count(board) > 1):
        yield Problem(file, "name each board once", f'"{name}" twice', "", None, "boards")


def computable(metrics: Sequence[BoundMetric]) -> set[str]:
    """Name the metrics that this machine can compute, under the models in force."""
    return {str(metric.name) for metric in metrics if metric.missing is None}


def opening_problems(
    folder: Path, config: StudyConfig, cases: Iterable[Case] | None, imported: Sequence[Imported]
) -> list[Problem]:
    """Name the imports of a study's folder that cannot lie beside the metrics of the study."""
    with use_models(model_setup_of(folder, config, cases or ())):
        return same_name_problems(config, imported, resolve_metrics(config.rules.metrics))


def same_name_problems(
    config: StudyConfig, imported: Sequence[Imported], metrics: Sequence[BoundMetric]
) -> list[Problem]:
    """Name imports that have the name of a metric and do not take its place, nor give way to it."""
    named = {source for scores_file in imported for source in scores_file.table.sources}
    clashing = [metric for metric in metrics if str(metric.name) in named]
    if not clashing:
        return []
    could = computable(clashing)
    places = decide(config, imported, could)
    return [
        problem
        for scores_file in imported
        for metric in map(str, (bound_metric.name for bound_metric in clashing))
        if metric in scores_file.table.sources and places[metric].imported is None
        for problem in _conflicts(scores_file.file, places[metric], computed=metric in could)
    ]


def twice_problem(file: str, name: str) -> Problem:
    """Say that a name would have two columns of scores."""
    must = "bring scores of a name that the study does not compute"
    hint = f'Give them another name, or choose in study.toml: [scores] "{name}" = '
    return Problem(file, must, f'"{name}"', f'{hint}"{IMPORTED}" or "{COMPUTED}".')


def scale_problem(file: str, name: str, unfit: str) -> Problem:
    """Say that scores cannot be the metric's."""
    must, hint = f"be on the scale of {name}", "Or import them under another name."
    return Problem(file, must, unfit, hint, None, "value")


def _conflicts(file: str, place: MetricPlace, *, computed: bool) -> list[Problem]:
    """Say why scores of a metric's very name cannot lie beside it; nothing if it is chosen."""
    if place.choice == COMPUTED:
        return []
    unfit = next(
        (
            candidate.unfit
            for candidate in place.rivals
            if candidate.unfit and candidate.file == file
        ),
        "",
    )
    if unfit and (place.choice or not computed):
        return [scale_problem(file, place.slot.metric, unfit)]
    return [twice_problem(file, place.slot.metric)]
