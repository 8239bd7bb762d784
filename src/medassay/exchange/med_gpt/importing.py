"""Take results files of the med-gpt protocol into a study, all of them or none."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from medassay.answers import Answer, Answers, Retrieved
from medassay.cases import Case, Cases, write_cases
from medassay.errors import InvalidInput, Problem
from medassay.exchange.med_gpt.files import Chunk, read_med_gpt
from medassay.exchange.med_gpt.rows import SCORES, MedGptRatings, merge
from medassay.judgements import Judgements, Rubric, load_rubric
from medassay.study.folder import Study
from medassay.study.intake.answers import add_answers
from medassay.study.intake.judgements import write_table
from medassay.study.new import new_study
from medassay.tables import (
    Sheet,
    csv_bytes,
    file_bytes,
    jsonl_bytes,
    make_folder,
    write_atomically,
)
from medassay.text import count_of

__all__ = ["ResultsImport", "import_med_gpt"]

_PROTOCOL: Final = "med-gpt"
_ONE: Final = "rater-1"
_COLUMNS: Final = ("system", "case", "source", "value", "reason", "detail")
_OURS: Final = {
    "relevance_score": ("embedding_similarity(ref=question)", "context_coverage@5"),
    "faithfulness_score": (
        "faithfulness(against=retrieved)",
        "lexical_support(against=retrieved)",
    ),
}
"""The metrics of ours that stand in where the file lacks a score."""
_ASKS: Final = {
    "relevance_score": "How relevant is the answer, as the results file says?",
    "faithfulness_score": "How faithful is the answer to what was retrieved, as the results file "
    "says?",
}
_OFF: Final = "# synthetic = true           # prints a banner on every page and figure\n"


@dataclass(frozen=True)
class ResultsImport:
    """What an import of results files did.

    Attributes:
        cases: Questions.
        systems: Models.
        answers: Answers.
        raters: Who scored.
        judgements: Their scores, and what they said of the five aspects.
        documents: Texts retrieved, each once.
        files: The study's files that were written.
        notes: What was odd about the files, and what became of their columns.
    """

    cases: int
    systems: int
    answers: int
    raters: int
    judgements: int
    documents: int
    files: list[str]
    notes: list[str]


def import_med_gpt(
    folder: Path, paths: Sequence[Path], *, synthetic: bool = False
) -> ResultsImport:
    """Make a study of the protocol out of results files, which may be called anything.

    Everything is read and checked before anything is written. The files themselves are kept, byte
    by byte, under `original/`.

    Args:
        folder: The study's folder, new or empty.
        paths: One file, or one a rater; or files with a column `rater`, or with a column
            `human_score_NAME` for each rater.
        synthetic: Whether the data are made up: every page and figure then says so.

    Raises:
        InvalidInput: Every problem of every file, or the folder holds something already.
    """
    sheets = read_med_gpt(paths)
    problems: list[Problem] = []
    rated = merge(sheets, _raters(paths, sheets, problems), problems)
    asked = dict.fromkeys(question for question, _ in rated.answers)
    ids = {question: f"q{i}" for i, question in enumerate(asked, 1)}
    table = _judgements(rated, ids, load_rubric(_PROTOCOL), problems)
    if problems:
        raise InvalidInput(problems)
    documents = _documents(rated)
    tags = _tags(rated)
    contents = _contents(rated, ids, documents)
    for path in paths:
        contents[f"original/{path.name}"] = file_bytes(path, path.name)
    new_study(folder, _PROTOCOL, empty=True)
    computed = _choose_metrics(folder, rated, synthetic=synthetic)
    cases = [Case(case=name, question=q, tags=tags.get(q, {})) for q, name in ids.items()]
    write_cases(folder / "cases.jsonl", Cases.of(cases))
    for name, content in contents.items():
        make_folder((folder / name).parent)
        write_atomically(folder / name, content)
    study = Study.open_whole(folder)
    answers = _answers(rated, ids, documents, tags)
    answered = add_answers(study, Answers.of(answers), "the files").files
    if len(table):
        write_table(study, table)
    return ResultsImport(
        cases=len(cases),
        systems=len({system for _, system in rated.answers}),
        answers=len(answers),
        raters=table.frame["rater"].n_unique(),
        judgements=len(table),
        documents=len(documents),
        files=[
            "study.toml",
            "cases.jsonl",
            *contents,
            *answered,
            *(["judgements.csv"] * bool(len(table))),
        ],
        notes=[str(note) for sheet in sheets for note in sheet.notes]
        + _notes(rated, tags, computed),
    )


def _raters(paths: Sequence[Path], sheets: Sequence[Sheet], problems: list[Problem]) -> list[str]:
    """Name who rated in each file: the file's name without its ending; one file alone has none."""
    names = [_ONE] if len(paths) == 1 else [path.stem for path in paths]
    for i, name in enumerate(names):
        if name in names[:i]:
            hint = "A rater is called after the file: rename one."
            problems.append(Problem(sheets[i].file, "be named once", "two files", hint))
    return names


def _judgements(
    rated: MedGptRatings, ids: Mapping[str, str], rubric: Rubric, problems: list[Problem]
) -> Judgements:
    table = Judgements.from_rows([], rubric)
    groups: dict[tuple[str, str], list[tuple[int, dict[str, object]]]] = {}
    for file, row, column, judgement in rated.labels:
        cells = {**judgement, "case": ids[str(judgement["question"])], "rater_kind": "person"}
        del cells["question"]
        groups.setdefault((file, column), []).append((row, cells))
    for (file, column), rows in groups.items():
        columns = {name: [cells[name] for _, cells in rows] for name in rows[0][1]}
        sheet = Sheet(file, [row for row, _ in rows], columns)
        try:
            table = table.append(Judgements.from_sheet(sheet, rubric))
        except InvalidInput as error:
            shown = {"label": column, "case": "question", "system": "model"}
            problems += [
                replace(problem, column=shown.get(problem.column or "", problem.column))
                for problem in error.problems
            ]
    return table


def _documents(rated: MedGptRatings) -> dict[Chunk, str]:
    """Name each text that was retrieved, once: as the file does, else by its turn."""
    names: dict[Chunk, str] = {}
    texts: dict[str, str] = {}
    for answer in rated.answers.values():
        for chunk in answer.chunks or ():
            key = _unscored(chunk)
            if key in names or not chunk.text:
                continue
            name = chunk.name if chunk.name.isprintable() else ""
            if not name or texts.get(name, chunk.text) != chunk.text:
                name = f"chunk-{len(names) + 1}"
            names[key] = name.strip()
            texts[names[key]] = chunk.text
    return names


def _unscored(chunk: Chunk) -> Chunk:
    return replace(chunk, score=None)


def _contents(
    rated: MedGptRatings, ids: Mapping[str, str], documents: Mapping[Chunk, str]
) -> dict[str, bytes]:
    contents = {}
    if documents:
        texts = {name: chunk.text for chunk, name in documents.items()}
        contents["documents.jsonl"] = jsonl_bytes({"id": n, "text": t} for n, t in texts.items())
    for name in SCORES:
        rows = [
            (system, ids[question], name, answer.scores[name], None, None)
            for (question, system), answer in rated.answers.items()
            if name in answer.scores
        ]
        if rows:
            contents[f"scores/{name}.toml"] = f'question = "{_ASKS[name]}"\n'.encode()
            contents[f"scores/{name}.csv"] = csv_bytes(_COLUMNS, rows)
    return contents


def _answers(
    rated: MedGptRatings,
    ids: Mapping[str, str],
    documents: Mapping[Chunk, str],
    tags: Mapping[str, Mapping[str, str]],
) -> list[Answer]:
    answers = []
    for (question, system), merged in rated.answers.items():
        by_document: dict[str, Retrieved] = {}
        for chunk in merged.chunks or ():
            name = documents.get(_unscored(chunk))
            if name is not None:
                by_document.setdefault(name, Retrieved(document=name, score=chunk.score))
        extra = {k: v for k, v in merged.extra.items() if k not in tags.get(question, {})}
        answers.append(
            Answer(
                system=system,
                case=ids[question],
                text=merged.text,
                retrieved=None if merged.chunks is None else tuple(by_document.values()),
                raw=json.dumps(extra, ensure_ascii=False, sort_keys=True) if extra else None,
            )
        )
    return answers


def _tags(rated: MedGptRatings) -> dict[str, dict[str, str]]:
    """Make tags of the extra columns that say the same of every answer to a question."""
    values: dict[str, dict[str, set[str | None]]] = {}
    names = dict.fromkeys(name for merged in rated.answers.values() for name in merged.extra)
    for (question, _), answer in rated.answers.items():
        for name in names:
            values.setdefault(name, {}).setdefault(question, set()).add(answer.extra.get(name))
    tags_of: dict[str, dict[str, str]] = {}
    for name, of in values.items():
        if all(len(distinct) == 1 for distinct in of.values()) and name.isprintable():
            cells = {
                question: str(next(iter(distinct)) or "").strip()
                for question, distinct in of.items()
            }
            if all(cell.isprintable() for cell in cells.values()):
                for question, cell in cells.items():
                    if cell:
                        tags_of.setdefault(question, {})[name] = cell
    return tags_of


def _choose_metrics(folder: Path, rated: MedGptRatings, *, synthetic: bool) -> list[str]:
    """Say in study.toml which metrics of ours are computed: those for scores that are not there."""
    lacking = [
        name
        for name in SCORES
        if any(name not in merged.scores for merged in rated.answers.values())
    ]
    ours = [metric for name in lacking for metric in _OURS[name]]
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    if synthetic:
        text = text.replace(_OFF, "synthetic = true\n")
    if len(lacking) < len(SCORES):
        chosen = "".join(f'[[metrics]]\nname = "{name}"\n' for name in [*ours, "length"])
        text += f"\n# The file's own scores are in scores/; ours where it lacks some.\n{chosen}"
    write_atomically(path, text.encode())
    return ours


def _notes(
    rated: MedGptRatings, tags: Mapping[str, Mapping[str, str]], computed: Sequence[str]
) -> list[str]:
    notes = []
    if rated.forms:
        read = ", ".join(f"{form} ({n})" for form, n in rated.forms.items())
        notes.append(f"retrieved_chunks was read as: {read}.")
    for name, n in rated.empty.items():
        verb = "holds" if n == 1 else "hold"
        text = f"{count_of(n, 'cell')} of {name} {verb} a word for nothing, such as nan"
        notes.append(f"{text}: read as empty.")
    n = len(rated.answers)
    if not any(cells["dimension"] == "overall" for *_, cells in rated.labels):
        notes.append("no answer has human_score: nobody's scores were taken.")
    for name in SCORES:
        have = sum(name in merged.scores for merged in rated.answers.values())
        if have < n:
            where = "no answer has" if not have else f"{n - have} of {n} answers have no"
            stands = " and ".join(metric for metric in _OURS[name] if metric in computed)
            notes.append(
                f"{where} {name}: medassay's own {stands} is computed beside it, under that name."
            )
    extra = dict.fromkeys(name for merged in rated.answers.values() for name in merged.extra)
    tagged = [name for name in extra if any(name in of for of in tags.values())]
    raw = [name for name in extra if name not in tagged]
    if tagged:
        notes.append(f"kept as tags of the questions: {', '.join(tagged)}.")
    if raw:
        notes.append(f"kept with each answer, in its field raw: {', '.join(raw)}.")
    empty = sum(not merged.text.strip() for merged in rated.answers.values())
    if empty:
        notes.append(f"{count_of(empty, 'answer')} {'is' if empty == 1 else 'are'} empty.")
    return notes
