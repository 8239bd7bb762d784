"""Who rated in a study, what they said, scales put right, and what study.toml knows of labels."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.answers import Answers
from medassay.cases import Cases
from medassay.consensus import KnownToModel, find_method
from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.judgements import (
    HARM_READINGS,
    NO_SPAN,
    Dimension,
    Judgements,
    Preferences,
    Raters,
    Rubric,
)
from medassay.judgements.campaign import FOLDER, find_plans
from medassay.scores import Unit
from medassay.study.config.study_toml import ConsensusChoice, CorrectionChoice, StudyConfig
from medassay.study.contents.cases_and_answers import describe_not_held
from medassay.study.contents.known_ids import KnownIds, read_checked
from medassay.study.files.names import STUDY_FILE, read_table
from medassay.tables import write_atomically
from medassay.text import called_otherwise, count_of

if TYPE_CHECKING:
    import polars as pl

_USED = {"controls": "used", "priors": "given"}


def given_in(choice: ConsensusChoice | None, rubric: Rubric) -> dict[str, KnownToModel]:
    """Give each dimension's control items and label priors, aliases read as their labels."""
    if choice is None:
        return {}
    givens = {}
    for dimension in rubric.dimensions:
        known = {
            Unit(control_item.system, control_item.case): dimension.words[control_item.label]
            for control_item in choice.controls
            if control_item.dimension == dimension.id
        }
        priors = choice.priors.get(dimension.id)
        if known or priors:
            givens[dimension.id] = KnownToModel(known, priors)
    return givens


def given_signature(choice: ConsensusChoice | None, method: str) -> dict[str, str]:
    """Give what goes into the signature of a method that reads control items or label priors."""
    if choice is None:
        return {}
    name = find_method(method)[1]
    contents: dict[str, object] = {
        "controls": sorted([o.dimension, o.system, o.case, o.label] for o in choice.controls),
        "priors": choice.priors,
    }
    return {
        key: hashlib.sha256(json.dumps(contents[key], sort_keys=True).encode()).hexdigest()[:12]
        for key, word in _USED.items()
        if name.get(key) == word
    }


def given_problems(config: StudyConfig, rubric: Rubric, cases: Cases | None) -> list[Problem]:
    """Say which control items and priors refer to nothing, and which nobody reads."""
    choice = config.consensus or ConsensusChoice()
    problems = []
    seen = set()
    for control_item in choice.controls:
        problems += _of_dimension(
            rubric, control_item.dimension, [control_item.label], "consensus.controls"
        )
        if cases is not None and control_item.case not in cases.ids:
            hint = nearest(control_item.case, cases.ids)
            problems.append(
                _wrong_in_toml("name a case of the study", control_item.case, hint, "controls")
            )
        key = control_item.dimension, control_item.system, control_item.case
        if key in seen:
            got = f"{control_item.system}, {control_item.case} on {control_item.dimension} twice"
            problems.append(_wrong_in_toml("know each answer's label once", got, "", "controls"))
        seen.add(key)
    for dimension, shares in choice.priors.items():
        column = f"priors.{dimension}"
        wrong = _of_dimension(rubric, dimension, list(shares), f"consensus.{column}")
        problems += wrong
        if not wrong and set(shares) != set(rubric.dimension(dimension).names):
            labels = ", ".join(rubric.dimension(dimension).names)
            got = ", ".join(shares)
            problems.append(_wrong_in_toml(f"give each label a share: {labels}", got, "", column))
    return [*problems, *_unread(config, rubric), *lacking_for(config)]


def _of_dimension(
    rubric: Rubric, dimension: str, labels: Sequence[str], column: str
) -> list[Problem]:
    try:
        words = rubric.dimension(dimension).words
    except UnknownName as error:
        return [Problem(STUDY_FILE, "name a dimension", f'"{dimension}"', error.hint, None, column)]
    names = ", ".join(rubric.dimension(dimension).names)
    return [
        Problem(STUDY_FILE, f"be one of {names}", f'"{label}"', nearest(label, words), None, column)
        for label in labels
        if label not in words
    ]


def lacking_for(config: StudyConfig) -> list[Problem]:
    """Name what a method reads and study.toml does not give."""
    choice = config.consensus or ConsensusChoice()
    return [
        _wrong_in_toml(f"be there for {read[0]}", "nothing", f"Add {key} under [consensus].", key)
        for key, read in _readers(config).items()
        if read and not getattr(choice, key)
    ]


def _unread(config: StudyConfig, rubric: Rubric) -> list[Problem]:
    """Name what study.toml gives and nothing reads: no method, and no test of a judge."""
    choice = config.consensus or ConsensusChoice()
    return [
        _wrong_in_toml(
            "be read by a method",
            "no method that reads them",
            f'Write "mace({key}={_USED[key]})" among the methods.',
            key,
        )
        for key, read in _readers(config).items()
        if getattr(choice, key) and not read
        and not (key == "controls" and _tests_judges(config, choice, rubric))
    ]  # fmt: skip


def _tests_judges(config: StudyConfig, choice: ConsensusChoice, rubric: Rubric) -> bool:
    """Say whether judges are declared, and answers known to be harmful that they are tested on."""
    of_harm = {
        (dimension.id, word)
        for dimension in rubric.dimensions
        for word, label in dimension.words.items()
        if any(dimension.mappings.get(read, {}).get(label) == read for read in HARM_READINGS)
    }
    return bool(config.judges) and any((c.dimension, c.label) in of_harm for c in choice.controls)


def _readers(config: StudyConfig) -> dict[str, list[str]]:
    """Give the methods that read each kind of knowledge; unknown methods are told of elsewhere."""
    names = []
    for method in config.rules.consensus:
        try:
            names.append(find_method(method)[1])
        except (InvalidInput, UnknownName):
            continue
    return {key: [str(n) for n in names if n.get(key) == word] for key, word in _USED.items()}


def _wrong_in_toml(must: str, got: str, hint: str, column: str) -> Problem:
    return Problem(STUDY_FILE, must, got, hint, None, f"consensus.{column}")


def read_raters(
    folder: Path,
    judgements: Judgements | None,
    preferences: Preferences | None,
    notes: list[Problem],
) -> Raters:
    """Read the raters table, where there is one, and hold the raters of other tables against it.

    Args:
        folder: The study's folder.
        judgements: What raters judged, where that could be read.
        preferences: What raters preferred, where that could be read.
        notes: Where it is added what was odd about the table, and was read all the same.

    Raises:
        InvalidInput: Everything that is wrong with it, and raters who are not in it.
    """
    sheet = read_table(folder, "raters")
    notes += sheet.notes if sheet is not None else ()
    raters = Raters() if sheet is None else Raters.from_sheet(sheet)
    problems: list[Problem] = []
    for file, table in (("judgements", judgements), ("preferences", preferences)):
        if table is None:
            continue
        kinds = dict(table.frame.select("rater", "rater_kind").unique().iter_rows())
        try:
            raters.refuse_third_party(file, kinds)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems)
    return raters


def count_left_out(
    raters: Raters, judgements: Judgements, preferences: Preferences
) -> dict[str, int]:
    """Count what each excluded rater said, as it holds now; nothing of it is read further."""
    names = [
        *judgements.current()["rater"].to_list(),
        *preferences.current()["rater"].to_list(),
    ]
    return {rater.rater: names.count(rater.rater) for rater in raters.excluded}


def print_left_out(raters: Raters, left_out: dict[str, int]) -> list[str]:
    """Say how much is left out and why, or nothing."""
    lines = []
    for rater, count in left_out.items():
        if count:
            noun = "judgement" if count == 1 else "judgements"
            why = raters.get(rater).reason
            lines.append(f"{rater}, {count} {noun} ({why})")
    if not lines:
        return []
    return [f"Left out of every number, since their raters were excluded: {'; '.join(lines)}."]


def describe_not_given(answers: Answers, judgements: Judgements) -> list[str]:
    """Say how many answers were judged that the study does not have, or nothing."""
    if not len(answers):
        return []
    judged = judgements.current().select("system", "case").unique().sort("system", "case")
    count = sum(not answers.gave(system, case) for system, case in judged.iter_rows())
    if not count:
        return []
    text = "1 answer was" if count == 1 else f"{count} answers were"
    return [f"{text} judged that the study does not have; the judgements are kept."]


def read_judgements(
    folder: Path, rubric: Rubric | None, known: KnownIds, notes: list[Problem]
) -> Judgements | None:
    """Read the judgements; None where no rubric says what they may be."""
    sheet = read_table(folder, "judgements")
    notes += sheet.notes if sheet is not None else ()
    if rubric is None:
        return None
    if sheet is None:
        return Judgements.from_rows([], rubric)
    return read_checked(sheet, lambda rows: Judgements.from_sheet(rows, rubric), known)


def read_preferences(folder: Path, known: KnownIds, notes: list[Problem]) -> Preferences:
    """Read which of two answers people prefer."""
    sheet = read_table(folder, "preferences")
    notes += sheet.notes if sheet is not None else ()
    if sheet is None:
        return Preferences.from_rows([])
    return read_checked(sheet, Preferences.from_sheet, known)


_DESIGN: Final = "design.json"


def describe_unsaid(folder: Path, answers: Answers, judgements: Judgements) -> list[str]:
    """Say which texts are not held, which answers judged were never given, what nobody said."""
    return [
        *describe_not_held(answers),
        *describe_not_given(answers, judgements),
        *_describe_silent(folder, judgements),
    ]


def _describe_silent(folder: Path, judgements: Judgements) -> list[str]:
    """Say of each campaign how many such rows there are; they are read as they stand.

    Rooms now ask for it, and their design says so. Whoever rated in an earlier one and went on
    without a mark was recorded as having found nothing.

    Args:
        folder: The study's folder.
        judgements: Its judgements.
    """
    if not of_rooms(judgements.frame).height:
        return []
    nothing = of_rooms(judgements.current())
    lines = []
    for name, raters in _unasked(folder).items():
        if count := nothing.filter(nothing["rater"].is_in(list(raters))).height:
            lines.append(
                f"Campaign {name}: {count_of(count, 'row')} with the kind {NO_SPAN} may come from "
                "raters who never looked for passages. The room recorded it without asking. Ask "
                "these raters, and take out the rows of those who did not look."
            )
    return lines


def unasked_raters(folder: Path) -> frozenset[str]:
    """Give the raters of rooms that recorded "nothing found" without asking for passages."""
    return frozenset(rater for raters in _unasked(folder).values() for rater in raters)


def _unasked(folder: Path) -> dict[str, tuple[str, ...]]:
    """Give the raters of each campaign whose room did not ask."""
    homes = sorted(path.parent for path in (folder / FOLDER).glob(f"*/{_DESIGN}"))
    names = [home.name for home in homes if not _asked(home / _DESIGN)]
    plans = find_plans(folder) if names else {}
    return {name: plans[name].settings.raters for name in names if name in plans}


def of_rooms(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Give the rows that a room recorded of answers without a mark: sheets know no seconds."""
    import polars as pl

    return frame.filter(
        (pl.col("kind") == NO_SPAN) & (pl.col("about") == "") & pl.col("seconds").is_not_null()
    )


def _asked(path: Path) -> bool:
    """Say whether a room's design asks raters to say that there is no passage."""
    try:
        record = json.loads(path.read_text("utf-8"))
    except ValueError:
        return False
    design = record.get("design") if isinstance(record, dict) else None
    return isinstance(design, dict) and design.get("asks_passages") is True


_COLUMN: Final = "corrections"
_TALKED: Final = "adjudication"


def turned(judgements: Judgements, corrections: Iterable[CorrectionChoice]) -> Judgements:
    """Turn round the labels of whoever read a scale so; those that were settled after a talk stay.

    What was the highest becomes the lowest. The files keep the labels as they were given.
    """
    import polars as pl

    for one in corrections:
        if one.labels == "as-given":
            continue
        dimension = judgements.rubric.dimension(one.dimension)
        theirs = (
            (pl.col("rater") == one.rater)
            & (pl.col("dimension") == one.dimension)
            & (pl.col("phase") != _TALKED)
        )
        labels = pl.col("label").replace(_mirrored(dimension))
        changed = [pl.when(theirs).then(labels).otherwise("label").alias("label")]
        scale = dimension.number
        if scale is not None and scale.low is not None and scale.high is not None:
            number = scale.low + scale.high - pl.col("number")
            changed = [pl.when(theirs).then(number).otherwise("number").alias("number")]
        judgements = judgements.of_rows(judgements.frame.with_columns(changed))
    return judgements


def as_given(
    corrections: Iterable[CorrectionChoice], rubric: Rubric, row: Mapping[str, object]
) -> str:
    """Give what a rater gave, where a correction reads it as something else; else nothing.

    Args:
        corrections: The study's corrections.
        rubric: Its rubric.
        row: A row of corrected judgements: rater, dimension, phase, label, number.
    """
    about = row["rater"], row["dimension"]
    reversed_ = {(one.rater, one.dimension) for one in corrections if one.labels == "reversed"}
    if about not in reversed_ or row["phase"] == _TALKED:
        return ""
    dimension = rubric.dimension(str(row["dimension"]))
    scale, number = dimension.number, row["number"]
    if isinstance(number, float) and scale and scale.low is not None and scale.high is not None:
        given = scale.low + scale.high - number
        return "" if given == number else f"{given:g}"
    # To turn round twice gives the same again.
    given_label = _mirrored(dimension).get(str(row["label"]), "")
    return "" if given_label == row["label"] else given_label


def _mirrored(dimension: Dimension) -> Mapping[str, str]:
    """Give each label its counterpart from the other end; nothing where they have no order."""
    labels = list(dimension.labels)
    if dimension.scale == "nominal":
        scores = [label.score for label in labels]
        if None in scores or len({*scores}) < len(scores):
            return {}
        labels.sort(key=lambda label: label.score or 0.0)
    names = [label.label for label in labels]
    return dict(zip(names, reversed(names), strict=True))


def correction_problems(
    config: StudyConfig, rubric: Rubric, judgements: Judgements | None
) -> Iterator[Problem]:
    """Say which corrections are of nobody, of nothing that can be turned round, or there twice."""
    if judgements is None:
        return
    frame = judgements.frame
    people = sorted({*frame.filter(frame["rater_kind"] == "person")["rater"]})
    seen: set[tuple[str, str]] = set()
    for one in config.corrections:
        if one.rater not in people:
            must = "name a person with judgements"
            yield _wrong(must, one.rater, nearest(one.rater, people), "rater")
        if one.dimension not in rubric.ids:
            must = f"be a dimension: {', '.join(rubric.ids)}"
            yield _wrong(must, one.dimension, nearest(one.dimension, rubric.ids), "dimension")
        elif not _can_turn(rubric.dimension(one.dimension)):
            must = "be a dimension with an order of labels, or numbers with a lowest and a highest"
            yield _wrong(must, one.dimension, "", "dimension")
        if (one.rater, one.dimension) in seen:
            hint = f"Delete the earlier [[{_COLUMN}]] in {STUDY_FILE}."
            yield _wrong("settle each rater's scale once", f"{one.rater} twice", hint, "rater")
        seen.add((one.rater, one.dimension))


def _can_turn(dimension: Dimension) -> bool:
    scale = dimension.number
    if scale is not None:
        return scale.low is not None and scale.high is not None
    return bool(_mirrored(dimension))


def _wrong(must: str, got: str, hint: str, column: str) -> Problem:
    return Problem(STUDY_FILE, must, f'"{got}"', hint, None, f"{_COLUMN}.{column}")


def of_people(config: StudyConfig, of: Mapping[str, str]) -> StudyConfig:
    """Give the settings with raters called otherwise, in the reasons of corrections too."""
    return config.model_copy(update={"corrections": renamed_corrections(config.corrections, of)})


def renamed_corrections(
    corrections: Sequence[CorrectionChoice], of: Mapping[str, str]
) -> list[CorrectionChoice]:
    """Give the corrections with pseudonyms, in their reasons too.

    Example:
        >>> one = CorrectionChoice(
        ...     rater="Klein", dimension="tone", labels="reversed", reason="Klein said so"
        ... )
        >>> renamed_corrections([one], {"Klein": "rater-1"})[0].reason
        'rater-1 said so'
    """
    return [
        one.model_copy(
            update={
                "rater": of.get(one.rater, one.rater),
                "reason": called_otherwise(one.reason, of),
            }
        )
        for one in corrections
    ]


def with_correction(
    config: StudyConfig, rubric: Rubric, judgements: Judgements, correction: CorrectionChoice
) -> StudyConfig:
    """Give the settings with one correction more.

    Raises:
        InvalidInput: It is of nobody, of nothing that can be turned round, or settled already.
    """
    more = config.model_copy(update={"corrections": [*config.corrections, correction]})
    problems = list(correction_problems(more, rubric, judgements))
    if problems:
        typed = {f"{_COLUMN}.rater": "RATER", f"{_COLUMN}.dimension": "DIMENSION"}
        raise InvalidInput(
            [replace(one, file=typed[one.column or ""], column=None) for one in problems]
        )
    return more


def write_correction(folder: Path, correction: CorrectionChoice) -> None:
    """Add a correction to study.toml; the labels in the study's files stay as they were given."""
    path = folder / STUDY_FILE
    lines = [
        f"{key} = {json.dumps(value, ensure_ascii=False)}"
        for key, value in correction.model_dump().items()
    ]
    text = "\n".join([path.read_text(encoding="utf-8").rstrip(), "", f"[[{_COLUMN}]]", *lines, ""])
    write_atomically(path, text.encode())
