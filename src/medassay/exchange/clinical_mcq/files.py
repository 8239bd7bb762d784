"""The clinical framework's own files: questions, guidelines, what was retrieved and chosen."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

from pydantic import AfterValidator, BaseModel, ConfigDict

from medassay.cases import Case, Id
from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Glimpse, json_at
from medassay.tables import decode, file_bytes, read_record, wrong

GUIDELINE: Final = "guideline_"


def guideline_number(name: str) -> str:
    """Give the number in the name of a guideline's file, with three digits; nothing of another.

    Example:
        >>> guideline_number("guideline_05_asthma.txt"), guideline_number("glossary_acs.txt")
        ('005', '')
    """
    path = Path(name)
    number = path.name.removeprefix(GUIDELINE).split("_")[0].removesuffix(".txt")
    ours = path.name.startswith(GUIDELINE) and path.suffix == ".txt" and number.isdecimal()
    return number.zfill(3) if ours and number.isascii() else ""


def guideline_of(path: Path) -> dict[str, str]:
    """Read a guideline.

    Raises:
        InvalidInput: It cannot be read.
    """
    text = decode(file_bytes(path, path.name), path.name)[0].strip()
    title = text.splitlines()[0].removeprefix("# ") if text else ""
    return {"id": f"GL_{guideline_number(path.name)}", "title": title, "text": text}


RETRIEVED: Final = ("retrieved_docs", "retrieved_documents")
"""The keys that the source's programs write a ranking under; both may be there, and agree."""
_NAMED_BY: Final = ("guideline_id", "document_id", "doc_id", "id", "guideline", "document")
_SCORE: Final = "score"
_HINT: Final = (
    'List guidelines as ["GL_001", "GL_002"] or [{"guideline_id": "GL_001"}, ...], the first first.'
)


def unread(cells: Mapping[str, Any]) -> set[str]:
    """Name what a ranking holds beside its documents and their scores, such as their texts."""
    read = {*_NAMED_BY, *([_SCORE] if scores_of(cells) else [])}
    lists = {key: cells[key] for key in RETRIEVED if isinstance(cells.get(key), list)}
    return {
        f"{key}.{name}"
        for key, documents in lists.items()
        for document in documents
        if isinstance(document, Mapping)
        for name in document.keys() - read
    }


def ranked(cells: Mapping[str, Any], file: str, row: int) -> tuple[list[str], int] | None:
    """Give the ids of the documents by rank, each at its first place, and how often one came again.

    None where the results say nothing of it.

    Raises:
        InvalidInput: A list is none, names something that is no document, or two lists differ.

    Example:
        >>> found = [{"guideline_id": "GL_002"}, {"guideline": "guideline_01_a.txt"}]
        >>> ranked({"retrieved_documents": [*found, {"id": "GL_002"}]}, "r.json", 1)
        (['GL_002', 'GL_001'], 1)
    """
    lists = {
        key: _ids(cells[key], file, row, key) for key in RETRIEVED if cells.get(key) is not None
    }
    if not lists:
        return None
    ids, *others = lists.values()
    if any(other != ids for other in others):
        must = f"name the documents of {RETRIEVED[0]} in their order"
        raise InvalidInput(Problem(file, must, "another list", "", row, RETRIEVED[1]))
    first = list(dict.fromkeys(ids))
    return first, len(ids) - len(first)


def scores_of(cells: Mapping[str, Any]) -> dict[str, float]:
    """Give the score of each document at its first place; nothing where they rank otherwise.

    Example:
        >>> rows = [{"id": "GL_002", "score": 0.9}, {"id": "GL_001", "score": 0.4}]
        >>> scores_of({"retrieved_documents": rows})
        {'GL_002': 0.9, 'GL_001': 0.4}
        >>> scores_of({"retrieved_documents": rows[::-1]})
        {}
    """
    for documents in (cells.get(key) for key in RETRIEVED):
        if not isinstance(documents, list):
            continue
        scores: dict[str, float] = {}
        for document in documents:
            score = document.get(_SCORE) if isinstance(document, Mapping) else None
            name = _id(document)
            if name is None or isinstance(score, bool) or not isinstance(score, int | float):
                break
            scores.setdefault(name, float(score))
        else:
            # Where every document has a score, the scores rank them, and equal ones their ids.
            ranking = [(score, name) for name, score in scores.items()]
            if all(map(isfinite, scores.values())) and ranking == sorted(ranking, reverse=True):
                return scores
    return {}


def _ids(value: object, file: str, row: int, key: str) -> list[str]:
    if not isinstance(value, list):
        got = f'"{value}"' if isinstance(value, str) else "no list"
        raise InvalidInput(Problem(file, "be a list of documents", got, _HINT, row, key))
    ids = [_id(document) for document in value]
    if None in ids:
        must, place = "name each document", f"none at place {ids.index(None) + 1}"
        raise InvalidInput(Problem(file, must, place, _HINT, row, key))
    return [name for name in ids if name is not None]


def _id(document: object) -> str | None:
    if isinstance(document, Mapping):
        names: Sequence[object] = [document.get(key) for key in _NAMED_BY]
        document = next((name for name in names if name is not None), None)
    if not isinstance(document, str | int) or isinstance(document, bool):
        return None
    name = str(document).strip()
    number = guideline_number(name)
    return f"GL_{number}" if number else name or None


_TAGS: Final = {
    "specialty": "category",
    "condition": "condition_category",
    "kind": "question_type",
    "difficulty": "difficulty",
    "stated relevance": "relevance_level",
}
_NONE: Final = "default"
"""What the source writes where it has no condition."""
_THEIRS: Final = {"case": "question_id", "gold": "correct_answer", "documents": "guideline_id"}
_PER_QUESTION: Final = "per_question_results"
_BY_CONDITION: Final = "similarity_analysis"
_LISTS: Final = ("correct_predictions", "similar_condition_errors", "unrelated_condition_errors")
_RIGHT: Final = "correct_predictions."
_CHOSEN: Final = {
    "choice": ("predicted_answer", "selected_answer", "predicted", "answer"),
    "confidence": ("confidence", "confidence_score"),
    "gold": ("gold_answer", "correct_answer", "true_answer"),
    "reasoning": ("reasoning_chain",),
}
"""What we take of an answer, and the keys that the source's programs write it under."""
_FOLLOWS: Final = ("question", "options", "is_correct", "correct", "error_type")
"""What the study has already, or what follows from the rest."""
_READ: Final = {*chain(*_CHOSEN.values()), *RETRIEVED, *_THEIRS.values(), *_FOLLOWS}
_MEANS: Final = ("pipeline_results", "detailed_metrics", "overall_metrics", "error_analysis")


def _asking(question: str) -> str:
    if not question.strip():
        raise wrong("ask something", "nothing")
    return question


def _choices(options: dict[str, str]) -> dict[str, str]:
    if len(options) < len("AB"):
        raise wrong("be two options or more", ", ".join(options) or "none")
    return options


class _Question(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    question_id: Id
    question: Annotated[str, AfterValidator(_asking)]
    options: Annotated[dict[Id, str], AfterValidator(_choices)]
    correct_answer: Id
    guideline_id: Id | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a pipeline chose for one question, as one file says.

    Attributes:
        file: The file.
        row: Its place in the file's list.
        system: The pipeline, where the file names it.
        case: The question.
        columns: Our names to the keys that hold them: choice, confidence, gold, reasoning,
            retrieved.
        cells: Our names to what these keys hold.
        again: How often a document came again in what was retrieved.
    """

    file: str
    row: int
    system: str | None
    case: str
    columns: Mapping[str, str]
    cells: Mapping[str, object]
    again: int = 0


@dataclass
class ClinicalFiles:
    """What the files hold.

    Attributes:
        cases: Id to the question, its file and its row.
        documents: Id to the guideline, as a line of documents.jsonl.
        chosen: What pipelines chose.
        left: Key of a question that is not taken, to how many questions have it.
        unread: Keys of results that are not taken.
        passed: Files of folders that hold nothing to take.
    """

    cases: dict[str, tuple[Case, str, int]] = field(default_factory=dict)
    documents: dict[str, dict[str, str]] = field(default_factory=dict)
    chosen: list[Chosen] = field(default_factory=list)
    left: dict[str, int] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)
    passed: list[str] = field(default_factory=list)


def is_clinical(seen: Glimpse) -> bool:
    """Say whether it is one of the files, or a folder with guidelines."""
    if seen.path.is_dir():
        return seen.holds(f"{GUIDELINE}*.txt")
    asked = _listed(seen.json, "questions")
    if asked and isinstance(asked[0], dict):
        return {"question_id", "options", "correct_answer"} <= asked[0].keys()
    if {_PER_QUESTION, _BY_CONDITION} & seen.first.keys():
        return True
    return bool(guideline_number(seen.path.name)) and seen.words[:1] == ("#",)


def read_clinical(paths: Sequence[Path]) -> ClinicalFiles:
    """Read questions, guidelines and results, in any order; a folder stands for its files.

    Raises:
        InvalidInput: Every problem of every file.
    """
    clinical_files, problems = ClinicalFiles(), list[Problem]()
    for path, named in _each(paths):
        try:
            _add(clinical_files, path, problems, named=named)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems)
    return clinical_files


def case_of(question: Mapping[str, Any]) -> dict[str, object]:
    """Lay out one question as a case; the guideline that it was written from is graded 1.

    Example:
        >>> case_of({"question_id": "Q_1", "question": "Rest?", "options": {"A": "Yes", "B": "No"},
        ...     "correct_answer": "A", "guideline_id": "GL_001", "category": "Sport"})["tags"]
        {'specialty': 'Sport'}
    """
    guideline = question.get("guideline_id")
    return {
        "case": question.get("question_id"),
        "question": question.get("question"),
        "options": question.get("options"),
        "gold": question.get("correct_answer"),
        "documents": [] if guideline is None else [{"id": guideline, "grade": 1}],
        "tags": {
            ours: question[name]
            for ours, name in _TAGS.items()
            if str(question.get(name) or "") not in {"", _NONE}
        },
    }


def _each(paths: Sequence[Path]) -> Iterator[tuple[Path, bool]]:
    """Give each file, and whether it was named itself."""
    for path in paths:
        if not path.is_dir():
            yield path, True
            continue
        yield from ((file, False) for file in sorted(path.iterdir()) if file.is_file())


def _listed(held: object, key: str) -> list[Any]:
    value = held.get(key) if isinstance(held, dict) else None
    return value if isinstance(value, list) else []


def _add(
    clinical_files: ClinicalFiles, path: Path, problems: list[Problem], *, named: bool
) -> None:
    if guideline_number(path.name):
        guideline = guideline_of(path)
        if guideline["id"] in clinical_files.documents:
            got = f"{guideline['id']} again"
            problems.append(Problem(path.name, "have its own number", got))
        clinical_files.documents[guideline["id"]] = guideline
        return
    held = json_at(path) if path.suffix.lower() == ".json" else None
    if _listed(held, "questions"):
        _add_questions(clinical_files, path.name, _listed(held, "questions"), problems)
        return
    lists = _lists_of(held)
    if lists:
        about = held.get("metadata") if isinstance(held, dict) else None
        system = about.get("system") if isinstance(about, dict) else None
        for name, rows in lists.items():
            where = path.name, name, system if isinstance(system, str) else None
            _add_chosen(clinical_files, where, rows, problems)
    elif named:
        problems.append(_strange(path, held))
    else:
        clinical_files.passed.append(path.name)


def _lists_of(held: object) -> dict[str, list[Any]]:
    """Give the lists of what was chosen, by what is put before their keys in messages."""
    if _listed(held, _PER_QUESTION):
        return {"": _listed(held, _PER_QUESTION)}
    by_condition = held.get(_BY_CONDITION) if isinstance(held, dict) else None
    return {f"{name}.": rows for name in _LISTS if (rows := _listed(by_condition, name))}


def _strange(path: Path, held: object) -> Problem:
    must = f'hold questions, or answers under "{_PER_QUESTION}" or "{_BY_CONDITION}"'
    if isinstance(held, dict) and set(_MEANS) & held.keys():
        hint = "Leave it out: medassay computes its own from what was answered."
        return Problem(path.name, must, "means and counts alone", hint)
    hint = "Guidelines are text files called guideline_NUMBER_NAME.txt."
    return Problem(path.name, must, "neither", hint)


def _add_questions(
    clinical_files: ClinicalFiles, file: str, questions: Sequence[Any], problems: list[Problem]
) -> None:
    for row, question in enumerate(questions, 1):
        if not isinstance(question, dict):
            problems.append(Problem(file, "be an object", "another value", "", row))
            continue
        ours: list[Problem] = []
        case = None
        if read_record(_Question, question, file=file, row=row, problems=problems):
            case = read_record(Case, case_of(question), file=file, row=row, problems=ours)
        problems += [_in_their_words(problem) for problem in ours]
        if case is None:
            continue
        if case.case in clinical_files.cases:
            _, other, at = clinical_files.cases[case.case]
            got = f"the question of {other}, row {at} again"
            problems.append(Problem(file, "be asked once", got, "", row, "question_id"))
        clinical_files.cases[case.case] = case, file, row
        for name in question.keys() - {*_Question.model_fields, *_TAGS.values()}:
            clinical_files.left[name] = clinical_files.left.get(name, 0) + 1


def _in_their_words(problem: Problem) -> Problem:
    first, _, rest = (problem.column or "").partition(".")
    if first == "tags":
        first, rest = _TAGS.get(rest, rest), ""
    column = _THEIRS.get(first, first)
    return replace(problem, column=f"{column}.{rest}" if rest else column or None)


def _add_chosen(
    clinical_files: ClinicalFiles,
    where: tuple[str, str, str | None],
    rows: Sequence[Any],
    problems: list[Problem],
) -> None:
    file, prefix, system = where
    for row, row_cells in enumerate(rows, 1):
        case = row_cells.get("question_id") if isinstance(row_cells, dict) else None
        if not isinstance(case, str | int) or isinstance(case, bool) or not str(case).strip():
            must = "name its question"
            problems.append(Problem(file, must, "nothing", "", row, f"{prefix}question_id"))
            continue
        columns = {
            ours: next((name for name in names if name in row_cells), None)
            for ours, names in _CHOSEN.items()
        }
        try:
            found = ranked(row_cells, file, row)
        except InvalidInput as error:
            problems += error.problems
            continue
        if columns["choice"] is None and found is None:
            hint = f"It is called {' or '.join(_CHOSEN['choice'])}."
            problems.append(Problem(file, "say what was chosen", "nothing", hint, row))
            continue
        known = {ours: name for ours, name in columns.items() if name is not None}
        cells = {ours: row_cells[name] for ours, name in known.items()}
        again = 0
        if found is not None:
            documents, again = found
            scores = scores_of(row_cells)
            cells["retrieved"] = [
                {"document": document, "score": scores.get(document)} for document in documents
            ]
            known["retrieved"] = next(key for key in RETRIEVED if row_cells.get(key) is not None)
        clinical_files.unread |= (row_cells.keys() - _READ) | unread(row_cells)
        if prefix == _RIGHT and "choice" in cells:
            cells["gold"] = cells["choice"]
        shown = {ours: f"{prefix}{name}" for ours, name in known.items()}
        chosen = Chosen(file, row, system, str(case).strip(), shown, cells, again)
        clinical_files.chosen.append(chosen)
