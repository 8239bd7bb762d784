"""Make a study of a tool's rows, or add them to one: asked first, then all of it or nothing."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Final

from medassay.answers import Answer, Retrieved
from medassay.cases import Cases
from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Option
from medassay.exchange.outcome import Outcome
from medassay.exchange.proposal import ImportQuestion, Undecided
from medassay.exchange.spreadsheet.account import Account, ColumnAccount
from medassay.exchange.spreadsheet.checked import checked_labels
from medassay.exchange.spreadsheet.collected import Collected, ImportedScore
from medassay.exchange.spreadsheet.columns import Layout, ReadColumn
from medassay.exchange.spreadsheet.grown import grow
from medassay.exchange.spreadsheet.importing import known_cases
from medassay.exchange.spreadsheet.plan import Plan, rubric_asked
from medassay.exchange.spreadsheet.raters import is_like_a_model, kinds_of, typed_raters
from medassay.exchange.spreadsheet.read import Table
from medassay.exchange.spreadsheet.rows import dimension_of
from medassay.exchange.spreadsheet.scales import Scales, called_by, read_scales
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

Rater = Annotated[
    list[str] | None,
    Option(
        "Who gave the ratings, if no field says so. Also what the raters are: people, models, or "
        "by name, as anna=person,gpt-4=model. May be given several times.",
        ("--rater",),
        "NAME|people|models",
    ),
]
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
_NEEDLESS: Final = "say what a rater is, as in anna=person, where every rating names its rater"


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What a user says beside the files.

    Attributes:
        rater: Who rated, where no field names anybody; and whether raters are people or models,
            where the files do not say so.
        scales: Pairs DIMENSION=LOW-HIGH.
        labels: Pairs DIMENSION.LABEL=WORD.
        synthetic: Whether the data are made up.
    """

    rater: Sequence[str] = ()
    scales: Sequence[str] = ()
    labels: Sequence[str] = ()
    synthetic: bool = False


@gc_paused()
def make_study(into: Path, files: Sequence[Path], rows: ToolRows, said: ImportOptions) -> Outcome:
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
    _name_apart(rows)
    who, asked = _who(shown, rows, said)
    known = known_cases(into)
    layouts = _layouts(shown, rows)
    chosen, fixed = rubric_asked(into, "")
    rated = {rating.dimension for rating in rows.ratings}
    told = {
        "scale": _with_own(said.scales, rows.scales, "=", rated),
        "label": _with_own(said.labels, rows.labels, ".", rated),
    }
    scales = read_scales(layouts, fixed, chosen, told)
    asked += _scales_asked(partial(read_scales, layouts, fixed, chosen), told, scales.questions)
    if asked:
        raise Undecided(asked)
    collected, cases = _collected(into, rows, who, scales)
    labels = checked_labels(collected, scales.dimensions)
    grown = grow(known, cases if known else (), (), ())
    plan = Plan([], scales, scales.notes, (), Wishes(synthetic=said.synthetic))
    notes = [*_folded(rows.notes), *scales.notes, *_odd(rows), *grown.notes]
    account = _account(rows, collected, scales)
    found = Found(plan, known, collected, cases, account, [], grown, notes, labels)
    if found.known and found.new:
        got = f'{count_of(len(found.new), "other")}, "{found.new[0].case}" first'
        hint = "Make a new study: give another --into."
        raise InvalidInput(Problem("cases.jsonl", "hold every question of the files", got, hint))
    with unchanged_if_refused(into):
        summary = write_found(into, files, found)
    verdicts = bool(rows.ratings or rows.preferences or rows.scores)
    return told_of(summary, into, verdicts=verdicts)


def _with_own(
    typed: Sequence[str], own: Sequence[str], end: str, rated: Collection[str]
) -> list[str]:
    """Give what was typed of dimensions, then what the tool says of the others that were rated."""
    untold = set(rated) - {word.partition(end)[0] for word in typed}
    return [*typed, *(word for word in own if word.partition(end)[0] in untold)]


@dataclass(frozen=True, slots=True)
class _Who:
    """Who rated: whether each is a person or a model, and whose the ratings of nobody are."""

    kinds: Mapping[str, str]
    nobody: str


def _scales_asked(
    read: Callable[[Mapping[str, Sequence[str]]], Scales],
    told: Mapping[str, Sequence[str]],
    asked: Sequence[ImportQuestion],
) -> list[ImportQuestion]:
    """Give what is asked about scales, and what would be asked once each has its first answer."""
    every = list(asked)
    told = {option: list(words) for option, words in told.items()}
    while asked:
        for question in asked:
            told[question.option] = [*told[question.option], *next(iter(question.answers.values()))]
        asked = [question for question in read(told).questions if question not in every]
        every += asked
    return every


def _name_apart(rows: ToolRows) -> None:
    """Give a model another name than a person who is called as it is."""
    kinds: dict[str, set[str]] = {}
    for rating in (*rows.ratings, *rows.preferences):
        kinds.setdefault(rating.rater, set()).add(rating.kind)
    both = {name for name, own in kinds.items() if own >= {"person", "model"}}
    for listed in (rows.ratings, rows.preferences) if both else ():
        listed[:] = [
            own._replace(rater=f"{own.rater} (model)")
            if own.rater in both and own.kind == "model"
            else own
            for own in listed
        ]


def _who(shown: str, rows: ToolRows, said: ImportOptions) -> tuple[_Who, list[ImportQuestion]]:
    """Say who rated, and of each whether it is a person or a model; and ask what no file says.

    Raises:
        InvalidInput: What was typed says something else than the files, or is not needed.
    """
    named = [*rows.ratings, *rows.preferences]
    theirs = {rating.rater for rating in named}
    names, typed, every = typed_raters(said.rater)
    unnamed = "" in theirs
    if unnamed and not names:  # a name whose kind was typed, and that no rating has
        names = [name for name in typed if name not in theirs]
    if names[1:] or (names and not unnamed):
        must = "name one rater where ratings name nobody" if unnamed else _NEEDLESS
        raise InvalidInput(Problem("--rater", must, ", ".join(f'"{name}"' for name in names)))
    nobody = names[0] if names else "rater-1"
    found: dict[str, str] = {}
    for rating in named:
        name = rating.rater or nobody
        found[name] = rating.kind or found.get(name, "")
    told = kinds_of(found, typed, every)
    asked = []
    if unnamed and not names:
        ask = "Who gave the ratings? No field names anybody"
        asked.append(
            ImportQuestion(shown, ask, "rater", {"one rater, called rater-1": ["rater-1"]})
        )
    unknown = sorted(name for name, kind in told.items() if not kind)
    if unknown:
        listed = first_of([f'"{name}"' for name in unknown], 5)
        ask = f"Who rated: are {listed} people or models? The file does not say"
        models = [name for name in unknown if is_like_a_model(name)]
        ways = {"people": ["people"], "models": ["models"]}
        if len(models) == len(unknown):  # a model is never taken for a person
            ways = dict(reversed(ways.items()))
        elif unknown[1:]:
            whole = models or unknown[1:2]
            kinds = ",".join(f"{n}={'model' if n in whole else 'person'}" for n in unknown)
            some = {"some of each": [kinds]}
            ways = some | ways if models else ways | some
        asked.append(ImportQuestion(shown, ask, "rater", ways))
    return _Who(told, nobody), asked


def _layouts(shown: str, rows: ToolRows) -> list[Layout]:
    """Give the labels as a table of what was rated and how, whose scales can be read."""
    if not rows.ratings:
        return []
    columns: dict[str, list[object]] = {
        "dimension": [rating.dimension for rating in rows.ratings],
        "label": [rating.said for rating in rows.ratings],
    }
    sheet = Sheet(shown, list(range(1, len(rows.ratings) + 1)), columns)
    own = (ReadColumn("dimension", "dimension"), ReadColumn("label", "label"))
    return [Layout(Table(sheet, shown), own)]


def _collected(into: Path, rows: ToolRows, who: "_Who", scales: Scales) -> tuple[Collected, Cases]:
    before = _documents(into)
    collected = Collected(documents_before=before, tool=rows.tool)
    collected.asked = rows.asked
    found: dict[str, Retrieved] = {}  # most texts are retrieved for many answers
    for key, own in rows.answers.items():
        passages = rows.passages.get(key)
        retrieved = None
        if passages is not None:
            ids = dict.fromkeys(map(collected.document, passages))
            retrieved = tuple(
                found.get(name) or found.setdefault(name, Retrieved(document=name)) for name in ids
            )
        system, case, sample = key
        collected.answers[key] = Answer(
            system=system, case=case, sample=sample, retrieved=retrieved, **own
        )
        collected.places[key] = case
        collected.rows.add(key[:2])
    outside = _ranges(rows)
    for (source, key), value in rows.scores.items():
        collected.scores[source, key] = ImportedScore(*key, source, value, outside[source])
    if rows.ratings:
        places = [rating.place for rating in rows.ratings]
        collected.ratings.add_all(places, *_labels(rows.ratings, scales, who))
    for choice in rows.preferences:
        rater = choice.rater or who.nobody
        collected.preferences.add(choice.place, {
            "rater": rater, "rater_kind": who.kinds[rater], "case": choice.key[1],
            "system_a": choice.key[0], "system_b": choice.other, "choice": choice.said,
            "comment": choice.comment,
        })  # fmt: skip
    if unheld := collected.rated - collected.answers.keys():
        collected.rows |= {key[:2] for key in unheld}
        count = count_of(len(unheld), "answer was", "answers were")
        rows.notes.append(f"{count} scored, rated or compared, and the files hold no text of it.")
    return collected, collected.cases()


def _labels(
    ratings: Sequence[ToolRating], scales: Scales, who: _Who
) -> tuple[list[str], list[tuple[str | None, ...]]]:
    """Give the columns of a study's labels, and what each rating says in them."""
    own = {name: labels for (name, _), labels in scales.labels.items()}
    of = {name: own[dimension_of(scales.labels, name)]
          for name in dict.fromkeys(rating.dimension for rating in ratings)}  # fmt: skip
    said = list(dict.fromkeys(labels.dimension.column for labels in of.values()))
    several = any(rating.key[2] for rating in ratings)
    names = ["rater", "rater_kind", "system", "case", "dimension", "comment", *said]
    lines = []
    for _, rater, _, (system, case, sample), dimension, word, comment, _ in ratings:
        labels, name = of[dimension], rater or who.nobody
        meant = labels.words.get(word, word) or None
        cells = [meant if kind == labels.dimension.column else None for kind in said]
        about = name, who.kinds[name], system, case, labels.dimension.id, comment or None
        lines.append((*about, *cells, *([str(sample)] if several else [])))
    return [*names, *(["sample"] if several else [])], lines


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
    for name, times in rows.scored_again.items():
        twice = count_of(times, "answer has", "answers have")
        lines.append(f"{name}: {twice} two scores that differ; the last one is taken.")
    lines += [
        f"{name}: {count_of(times, 'record says', 'records say')} otherwise than the first of the "
        "question; the first is kept."
        for name, times in rows.otherwise.items()
    ]
    why: dict[str, dict[str, None]] = {}
    for (_, path), uses in rows.fates.items():
        for use in uses:
            if use.role == "left":
                why.setdefault(use.of, {})[path] = None
    lines += [f"left out ({reason}): {first_of([*paths], 6)}." for reason, paths in why.items()]
    return lines


def _account(rows: ToolRows, collected: Collected, scales: Scales) -> Account:
    """Add up what became of every filled cell of the files."""
    columns, called = [], called_by(scales)
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
        Counter(called[name] for name in collected.ratings.of("dimension")),
        given,
    )


def _role(use: Use) -> str:
    if use.role == "left":
        return "left out"
    words = {"score": "scores", "rating": f"labels of {use.of}", "tag": "tags", "option": "options"}
    return words.get(use.role, use.role)
