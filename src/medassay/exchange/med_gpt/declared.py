"""The med-gpt protocol's results files, in and out, all of them or none."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Final

from medassay.answers import Answer, Answers, Retrieved
from medassay.cases import Case, Cases, write_cases
from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Option, Reads, Writes
from medassay.exchange.entrusted import Full, refuse_old, refuse_unasked
from medassay.exchange.med_gpt.files import (
    ASPECTS,
    SCORES,
    Chunk,
    MedGptRatings,
    merge,
    read_med_gpt,
)
from medassay.exchange.other_tools.declaring import WrittenFiles
from medassay.exchange.other_tools.declaring import told as told_of_tool
from medassay.exchange.outcome import Outcome, told
from medassay.judgements import Dimension, Judgements, Rubric, load_rubric
from medassay.study import Study, only_writer
from medassay.study.contents.cases_and_answers import refuse_none_held
from medassay.study.files.names import RATERS_KEY
from medassay.study.intake.answers import add_answers
from medassay.study.intake.judgements import write_table
from medassay.study.new import new_study
from medassay.tables import Sheet, csv_bytes, file_bytes, jsonl_bytes, make_folder, write_atomically
from medassay.text import count_of

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
        + _import_notes(rated, tags, computed),
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


def _import_notes(
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


_OVERALL: Final = "overall"
_LEVELS: Final = frozenset("12345")
_SAID: Final = frozenset({"yes", "no", "unclear"})
_HEAD: Final = ("question", "answer", "model", "retrieved_chunks", *SCORES)
_Cells = dict[str, object]


def export_med_gpt(study: Study, into: Path, texts: str | None) -> WrittenFiles:
    """Write a row for each answer and rater: question, answer, model, and what was said of it.

    Raters are called by their pseudonyms unless the study names them. Scores that the study does
    not hold under the source's two names stay empty: what medassay computes is not theirs.

    Args:
        study: The study, whole.
        into: The file.
        texts: `full` where texts that the study keeps may be written.

    Raises:
        InvalidInput: The file is there, the study keeps its texts, it has no answers in words, two
            cases ask the same, or no dimension is known to be the one with scores from 1 to 5.
    """
    refuse_old(into)
    refuse_unasked(study, "full", texts, [into])
    refuse_none_held(study.answers, str(study.path), "have answers in words")
    exported = study if study.pseudonyms.named else study.with_pseudonyms()
    carried = _carried(exported)
    said_of = _said(exported, carried)
    asked = _questions(exported)
    left: Counter[str] = Counter()
    rows = [
        {**_answered(exported, answer, asked[answer.case], left), **judged}
        for answer in exported.answers
        if answer.text is not None
        for judged in said_of.get((answer.system, answer.case), [{}])
    ]
    if not rows:
        raise InvalidInput(Problem(str(study.path), "have answers in words", "none"))
    filled = {name for row in rows for name, value in row.items() if value is not None}
    more = [
        name for name in ("rater", "position", *carried.values(), "rationale") if name in filled
    ]
    if "human_score" not in more:
        more.append("human_score")
    tags = sorted(filled - {*_HEAD, *more})
    columns = [*_HEAD, *more, *tags]
    if said_of:
        with only_writer(study.path):
            study.pseudonyms.write_key(study.path)
    write_atomically(
        into, csv_bytes(columns, ([row.get(name) for name in columns] for row in rows))
    )
    counts = {
        "answer": sum(other.text is not None for other in exported.answers),
        "score": sum(row.get("human_score") is not None for row in rows),
    }
    return WrittenFiles(
        counts, [str(into)], _export_notes(study, carried, rows, left, hidden=bool(said_of))
    )


def _carried(study: Study) -> dict[str, str]:
    """Give each dimension that the file has a column for, and the column."""
    carried = {_score(study): "human_score"}
    for column, ours in ASPECTS.items():
        if ours in study.rubric.ids and _SAID.issuperset(study.rubric.dimension(ours).names):
            carried.setdefault(ours, column)
    return carried


def _score(study: Study) -> str:
    """Choose what becomes `human_score`: the protocol's own, the only one, or the primary one."""
    could = [
        dimension.id
        for dimension in study.rubric.dimensions
        if dimension.names and _LEVELS.issuperset(_levels(dimension).values())
    ]
    if _OVERALL in could:
        return _OVERALL
    primary = [name for name in study.config.report.primary_dimensions or () if name in could]
    if primary or len(could) == 1:
        return (primary or could)[0]
    must = "have a dimension of scores from 1 to 5, and say which if there are several"
    hint = 'Write primary_dimensions = ["NAME"] under [report] of study.toml.' if could else ""
    raise InvalidInput(Problem(str(study.path), must, ", ".join(could) or "none", hint))


def _levels(dimension: Dimension) -> dict[str, str]:
    """Give label to what stands for it: its score where it has one, else itself."""
    scores = dimension.scores or [None] * len(dimension.names)
    return {
        name: name if score is None else f"{score:g}"
        for name, score in zip(dimension.names, scores, strict=True)
    }


def _said(study: Study, carried: Mapping[str, str]) -> dict[tuple[str, str], list[_Cells]]:
    """Give what each rater said of each answer, raters in the order of their names."""
    rows = study.judgements.in_phases().sort("rater", "system", "case", "dimension")
    by_rater: dict[tuple[str, str], dict[str, _Cells]] = {}
    for row in rows.iter_rows(named=True):
        column = carried.get(row["dimension"])
        if column is None or row["label"] is None:
            continue
        levels = _levels(study.rubric.dimension(row["dimension"]))
        of = by_rater.setdefault((row["system"], row["case"]), {})
        cells = of.setdefault(row["rater"], {"rater": row["rater"]})
        cells[column] = levels[row["label"]] if column == "human_score" else row["label"]
        if column == "human_score":
            cells["position"] = row["position"]
            cells["rationale"] = row["comment"]
    return {key: list(of.values()) for key, of in by_rater.items()}


def _questions(study: Study) -> dict[str, str]:
    asked = {case.case: (case.prompt or case.narrative or "").strip() for case in study.cases}
    first: dict[str, str] = {}
    problems = []
    for case, question in asked.items():
        if not question:
            problems.append(Problem("cases", "ask something", f"nothing in {case}"))
        elif first.setdefault(question, case) != case:
            must = "ask each question once: the rating file knows its rows by the question"
            problems.append(Problem("cases", must, f"that of {first[question]} in {case} again"))
    if problems:
        raise InvalidInput(problems)
    return asked


def _answered(study: Study, answer: Answer, question: str, left: Counter[str]) -> _Cells:
    case = study.cases[answer.case]
    texts = {document.id: document.text for document in case.documents}
    chunks = None
    if answer.retrieved is not None:
        known = [retrieved for retrieved in answer.retrieved if texts.get(retrieved.document)]
        left["texts retrieved that the study does not hold"] += len(answer.retrieved) - len(known)
        chunks = json.dumps(
            [
                {"id": retrieved.document, "text": texts[retrieved.document]}
                | ({} if retrieved.score is None else {"score": retrieved.score})
                for retrieved in known
            ],
            ensure_ascii=False,
        )
    left["answers' own citations, reasoning and further columns"] += bool(
        answer.citations or answer.reasoning or answer.raw
    )
    taken = {*_HEAD, "rater", "position", "human_score", "rationale", *ASPECTS}
    return {
        **{name: value for name, value in case.tags.items() if name not in taken},
        "question": question,
        "answer": answer.text,
        "model": answer.system,
        "retrieved_chunks": chunks,
        **_scores(study, answer),
    }


def _scores(study: Study, answer: Answer) -> _Cells:
    """Give the study's scores under the source's two names, as far as it holds any."""
    scores: _Cells = {}
    for imported in study.imported:
        if not set(SCORES) & set(imported.table.sources):
            continue
        frame = imported.table.frame.filter(system=answer.system, case=answer.case)
        for source, value in frame.select("source", "value").iter_rows():
            if source in SCORES:
                scores[source] = value
    return scores


def _export_notes(
    study: Study,
    carried: Mapping[str, str],
    rows: Sequence[_Cells],
    left: Counter[str],
    *,
    hidden: bool,
) -> list[str]:
    notes = [f"not carried over: {what} ({n})." for what, n in left.items() if n]
    unread = study.answers.tally.not_held.total()
    if unread:
        notes.append(
            f"not carried over: {count_of(unread, 'answer')} with a text that is not held."
        )
    wordless = sum(answer.text is None for answer in study.answers) - unread
    if wordless:
        notes.append(f"not carried over: {count_of(wordless, 'answer')} without words.")
    frame = study.judgements.frame
    others = sorted(set(frame["dimension"].unique().to_list()) - carried.keys())
    if others:
        notes.append(f"not carried over: what was said of {', '.join(others)}.")
    phases = frame.filter(~frame["phase"].is_in(study.judgements.counts)).height
    if phases:
        notes.append(
            f"not carried over: {count_of(phases, 'judgement')} of phases that do not count."
        )
    reasons = frame.filter(frame["label"].is_null()).height
    if reasons:
        text = count_of(reasons, "judgement")
        notes.append(f"{text} without a label, such as cannot judge: an empty cell.")
    notes += [
        f"{name} is empty: the study holds no scores of that name."
        for name in SCORES
        if all(row.get(name) is None for row in rows)
    ]
    if hidden and study.pseudonyms.of and not study.pseudonyms.named:
        notes.append(f"Raters are called by their pseudonyms, as in {RATERS_KEY}.")
    if study.config.synthetic:
        notes.append("The study is made up. The file has no place to say so: say it yourself.")
    return notes


_OWN_COLUMNS: Final = ("retrieved_chunks", "relevance_score", "faithfulness_score", "human_score")
"""Columns that nobody else has: question, answer and model are everybody's."""


def _take(
    folder: Path,
    files: Sequence[Path],
    *,
    synthetic: Annotated[bool, Option("The data are made up: every page says so.")] = False,
) -> Outcome:
    taken = import_med_gpt(folder, files, synthetic=synthetic)
    counts = (
        (taken.cases, "question", "questions"),
        (taken.systems, "model", "models"),
        (taken.answers, "answer", "answers"),
        (taken.raters, "rater", "raters"),
        (taken.judgements, "judgement", "judgements"),
        (taken.documents, "text retrieved", "texts retrieved"),
    )
    return told(folder, asdict(taken), counts, files=taken.files, notes=taken.notes)


def _give(
    study: Study,
    into: Path,
    *,
    texts: Full = None,
) -> Outcome:
    return told_of_tool(export_med_gpt(study, into, texts))


MED_GPT: Final = Format(
    id="med-gpt",
    title="Med-GPT",
    reads=Reads(
        about="Med-GPT: question, answer, model, retrieved_chunks, two scores and a human_score "
        "1 to 5.",
        files="evaluation_results.csv; or one such file a rater.",
        is_one=lambda seen: (
            seen.has("question", "answer", "model")
            and any(name.startswith(_OWN_COLUMNS) for name in seen.columns)
        ),
        take=_take,
    ),
    writes=Writes(
        about="Med-GPT: evaluation_results.csv with human_score, the five aspects and rationales; "
        "a row for each answer and rater.",
        into="A new file.",
        metavar="CSV",
        give=_give,
    ),
)
