"""Make a study of a tool's rows, or add them to one: asked first, then all of it or nothing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

from medassay.answers import Answer, Retrieved
from medassay.cases import Case, Cases
from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Option
from medassay.exchange.outcome import Outcome
from medassay.exchange.proposal import Question, Undecided
from medassay.exchange.spreadsheet.account import Account, ColumnAccount
from medassay.exchange.spreadsheet.checked import checked_labels
from medassay.exchange.spreadsheet.collected import Collected, Given
from medassay.exchange.spreadsheet.columns import Column, Layout
from medassay.exchange.spreadsheet.grown import grow
from medassay.exchange.spreadsheet.importing import known_cases
from medassay.exchange.spreadsheet.plan import Plan, rubric_asked
from medassay.exchange.spreadsheet.read import Table
from medassay.exchange.spreadsheet.rows import dimension_of
from medassay.exchange.spreadsheet.scales import Labels, Scales, read_scales
from medassay.exchange.spreadsheet.told import told_of
from medassay.exchange.spreadsheet.unchanged import unchanged_if_refused
from medassay.exchange.spreadsheet.wishes import Wishes
from medassay.exchange.spreadsheet.words import Metric
from medassay.exchange.spreadsheet.writing import Found, write_found
from medassay.exchange.tool_rows.rows import ToolRating, ToolRows, Use
from medassay.study.files.names import table_file
from medassay.study.files.placed import refuse_at_urls
from medassay.tables import Sheet, gc_paused
from medassay.text import count_of, first_of

__all__ = ["LabelWords", "Rater", "Raters", "Said", "Scale", "Synthetic", "System", "make_study"]

Raters = Annotated[
    str | None,
    Option(
        "Who rated, where the file does not say: people, models, or by name, as "
        "anna=person,gpt-4=model.",
        metavar="people|models",
    ),
]
Rater = Annotated[str | None, Option("Who gave the ratings, where no field says so.")]
System = Annotated[str | None, Option("Whose the answers are, where the file does not say.")]
Scale = Annotated[
    list[str] | None,
    Option(
        "Ratings of DIMENSION were given from LOW to HIGH; `,lower` or `,higher` behind it says "
        "which end is best.",
        ("--scale",),
        "DIMENSION=LOW-HIGH",
    ),
]
LabelWords = Annotated[
    list[str] | None,
    Option(
        "The word WORD of the file means this label: safety.unsafe=ja.",
        ("--label",),
        "DIMENSION.LABEL=WORD",
    ),
]
Synthetic = Annotated[bool, Option("The data are made up: every page says so.")]
_KINDS: Final = {"people": "person", "person": "person", "models": "model", "model": "model"}


@dataclass(frozen=True, slots=True)
class Said:
    """What a user says beside the files.

    Attributes:
        raters: Whether raters are people or models, where the files do not say so.
        rater: Who rated, where no field names anybody.
        scales: Pairs DIMENSION=LOW-HIGH.
        labels: Pairs DIMENSION.LABEL=WORD.
        synthetic: Whether the data are made up.
    """

    raters: str = ""
    rater: str = ""
    scales: Sequence[str] = ()
    labels: Sequence[str] = ()
    synthetic: bool = False


@gc_paused()
def make_study(into: Path, files: Sequence[Path], rows: ToolRows, said: Said) -> Outcome:
    """Take all that a tool's files say, or nothing.

    Args:
        into: The study's folder: a new one, or a study of these cases.
        files: The files, for the account.
        rows: What they say.
        said: What the user says beside them.

    Raises:
        InvalidInput: Every problem of the files, or what somebody has to decide first.
    """
    if rows.problems:
        raise InvalidInput(rows.problems)
    shown = ", ".join(file.name for file in files)
    if not rows.asked:
        raise InvalidInput(Problem(shown, "hold a question or an answer", "none"))
    for part in ("cases", "documents", "answers"):
        refuse_at_urls(into, part)
    kinds = _kinds(shown, rows, said)
    known = known_cases(into)
    layouts = _layouts(shown, rows)
    chosen, fixed = rubric_asked(into, "")
    typed = {word.partition(".")[0] for word in said.labels}
    rated = {rating.dimension for rating in rows.ratings}
    own = [word for word in rows.labels if word.partition(".")[0] in rated - typed]
    told = {"scale": said.scales, "label": [*said.labels, *own]}
    scales = read_scales(layouts, fixed, chosen, told)
    if scales.questions:
        raise Undecided(scales.questions[:3])
    collected, cases = _collected(into, rows, kinds, scales, said)
    checked_labels(collected, scales.dimensions)
    grown = grow(known, cases if known else (), (), ())
    plan = Plan([], scales, scales.notes, (), Wishes(synthetic=said.synthetic))
    notes = [*_folded(rows.notes), *scales.notes, *_odd(rows), *grown.notes]
    account = _account(rows, collected)
    found = Found(plan, known, collected, cases, account, [], grown, notes)
    if found.known and found.new:
        got = f'{count_of(len(found.new), "other")}, "{found.new[0].case}" first'
        hint = "Make a new study: give another --into."
        raise InvalidInput(Problem("cases.jsonl", "hold every question of the files", got, hint))
    with unchanged_if_refused(into):
        summary = write_found(into, files, found)
    verdicts = bool(rows.ratings or rows.preferences or rows.scores)
    return told_of(summary, into, verdicts=verdicts)


def _kinds(shown: str, rows: ToolRows, said: Said) -> dict[str, str]:
    """Say of each rater whether it is a person or a model; what no file says is asked.

    Raises:
        InvalidInput: Nobody says so, or what was typed says something else.
    """
    told: dict[str, str] = {}
    named = [*rows.ratings, *rows.preferences]
    asked: list[Question] = []
    if not said.rater and any(not rating.rater for rating in named):
        ask = "Who gave the ratings? No field names anybody"
        asked.append(Question(shown, ask, "rater", {"one rater, called rater-1": ["rater-1"]}))
    for rating in named:
        name = rating.rater or said.rater or "rater-1"
        if rating.kind or name not in told:
            told[name] = rating.kind or told.get(name, "")
    typed = dict(_pairs(said.raters))
    every = typed.pop("", "")
    strange = [name for name in typed if name not in told]
    if strange:
        hint = f"There are: {first_of(sorted(told), 8)}." if told else ""
        raise InvalidInput(
            Problem("--raters", "name a rater of the files", f'"{strange[0]}"', hint)
        )
    for name, kind in told.items():
        wanted = typed.get(name, "")
        if wanted and kind and wanted != kind:
            must = f"not call {name} a {wanted}"
            raise InvalidInput(Problem("--raters", must, f"a file that says {kind}"))
        told[name] = kind or wanted or every
    unknown = sorted(name for name, kind in told.items() if not kind)
    if unknown:
        listed = first_of([f'"{name}"' for name in unknown], 5)
        ask = f"Who rated: are {listed} people or models? The file does not say"
        ways = {"people": ["people"], "models": ["models"]}
        if unknown[1:]:
            ways["some of each"] = [f"{unknown[0]}=person,{unknown[1]}=model"]
        asked.append(Question(shown, ask, "raters", ways))
    if asked:
        raise Undecided(asked)
    return told


def _pairs(typed: str) -> list[tuple[str, str]]:
    pairs = []
    for word in filter(None, map(str.strip, typed.split(","))):
        name, _, kind = word.rpartition("=")
        if kind not in _KINDS:
            must = "be people, models, or pairs such as anna=person,gpt-4=model"
            raise InvalidInput(Problem("--raters", must, f'"{word}"'))
        pairs.append((name, _KINDS[kind]))
    return pairs


def _layouts(shown: str, rows: ToolRows) -> list[Layout]:
    """Give the labels as a table of what was rated and how, whose scales can be read."""
    if not rows.ratings:
        return []
    columns: dict[str, list[object]] = {
        "dimension": [rating.dimension for rating in rows.ratings],
        "label": [rating.said for rating in rows.ratings],
    }
    sheet = Sheet(shown, list(range(1, len(rows.ratings) + 1)), columns)
    own = (Column("dimension", "dimension"), Column("label", "label"))
    return [Layout(Table(sheet, shown), own)]


def _collected(
    into: Path, rows: ToolRows, kinds: Mapping[str, str], scales: Scales, said: Said
) -> tuple[Collected, Cases]:
    before = _documents(into)
    collected = Collected(documents_before=before)
    collected.asked = rows.asked
    for key, own in rows.answers.items():
        passages = rows.passages.get(key)
        retrieved = None
        if passages is not None:
            ids = dict.fromkeys(map(collected.document, passages))
            retrieved = tuple(Retrieved(document=name) for name in ids)
        system, case, sample = key
        collected.answers[key] = Answer(
            system=system, case=case, sample=sample, retrieved=retrieved, **own
        )
        collected.places[key] = case
        collected.rows.add(key[:2])
    outside = _ranges(rows)
    for (source, key), value in rows.scores.items():
        collected.scores[source, key] = Given(*key, source, value, outside[source])
    several = any(rating.key[2] for rating in rows.ratings)
    names = {rating.dimension: dimension_of(scales.labels, rating.dimension)
             for rating in rows.ratings}  # fmt: skip
    labels = {name: own for (name, _), own in scales.labels.items()}
    for rating in rows.ratings:
        own_labels = labels[names[rating.dimension]]
        collected.ratings.add(rating.place, _label(rating, own_labels, kinds, said, several))
    for choice in rows.preferences:
        rater = choice.rater or said.rater
        collected.preferences.add(choice.place, {
            "rater": rater, "rater_kind": kinds[rater], "case": choice.key[1],
            "system_a": choice.key[0], "system_b": choice.other, "choice": choice.said,
            "comment": choice.comment,
        })  # fmt: skip
    return collected, _cases(rows, collected)


def _label(
    rating: ToolRating, labels: Labels, kinds: Mapping[str, str], said: Said, several: bool  # noqa: FBT001 - of all
) -> dict[str, str]:  # fmt: skip
    rater = rating.rater or said.rater
    system, case, sample = rating.key
    dimension = labels.dimension
    return {
        "rater": rater, "rater_kind": kinds[rater], "system": system, "case": case,
        "dimension": dimension.id, dimension.column: labels.words.get(rating.said, rating.said),
        "comment": rating.comment, **({"sample": str(sample)} if several else {}),
    }  # fmt: skip


def _documents(into: Path) -> dict[str, str]:
    from medassay.cases import read_documents

    path = table_file(into, "documents")
    held = [] if path is None else read_documents(path).values()
    return {document.text or document.id: document.id for document in held}


def _ranges(rows: ToolRows) -> dict[str, Metric]:
    """Give each metric without the ends that its own scores go beyond."""
    ends: dict[str, tuple[float, float]] = {}
    for (source, _), value in rows.scores.items():
        if value is not None:
            least, most = ends.get(source, (value, value))
            ends[source] = (min(least, value), max(most, value))
    told = dict(rows.metrics)
    for source, (least, most) in ends.items():
        metric = rows.metrics[source]
        low = metric.low if metric.low is None or least >= metric.low else None
        high = metric.high if metric.high is None or most <= metric.high else None
        if (low, high) != (metric.low, metric.high):
            told[source] = replace(metric, low=low, high=high)
            rows.notes.append(
                f"{source}: scores from {least:g} to {most:g}, beyond its usual ends."
            )
    return told


def _cases(rows: ToolRows, collected: Collected) -> Cases:
    if not rows.criteria:
        return collected.cases()
    return Cases.of(
        case
        if case.case not in rows.criteria
        else Case.model_validate(
            case.model_dump()
            | {"criteria": [{"text": text, "points": points}
                            for text, points in rows.criteria[case.case].items()]}
        )
        for case in collected.cases()
    )  # fmt: skip


def _folded(notes: Sequence[str]) -> list[str]:
    few = list(dict.fromkeys(notes))
    return [*few[:5], *([f"and {len(few) - 5} more such notes."] if few[5:] else [])]


def _odd(rows: ToolRows) -> list[str]:
    lines = []
    if rows.repeated:
        lines.append(
            f"{count_of(len(rows.repeated), 'answer')} of a system to a question that it had "
            "answered: read as repeated samples."
        )
    why: dict[str, dict[str, None]] = {}
    for (_, path), uses in rows.fates.items():
        for use in uses:
            if use.role == "left":
                why.setdefault(use.of, {})[path] = None
    lines += [f"left out ({reason}): {first_of([*paths], 6)}." for reason, paths in why.items()]
    return lines


def _account(rows: ToolRows, collected: Collected) -> Account:
    """Add up what became of every filled cell of the files."""
    columns = []
    for (file, path), counts in rows.fates.items():
        fates: Counter[str] = Counter()
        roles: Counter[str] = Counter()
        for use, n in counts.items():
            fates[use.fate] += n
            roles[_role(use)] += n
        told = sorted(roles, key=lambda role: (role == "left out", -roles[role]))
        role = ", ".join(told[:1] if told[-1] == "left out" else told[:2])
        columns.append(
            ColumnAccount(file, path, role, sum(fates.values()), dict(fates), role.split(":")[0])
        )
    given = Counter(
        source for (source, _), one in collected.scores.items() if one.value is not None
    )
    return Account(
        columns,
        sum(own.filled for own in columns),
        Counter(system for system, *_ in collected.answers),
        Counter(collected.ratings.of("rater")) + Counter(collected.preferences.of("rater")),
        Counter(collected.ratings.of("dimension")),
        given,
    )


def _role(use: Use) -> str:
    if use.role == "left":
        return "left out"
    words = {"score": "scores", "rating": f"labels of {use.of}", "tag": "tags", "option": "options"}
    return words.get(use.role, use.role)
