"""What experts say of single documents: relevance.csv, one row an expert and document.

The labels of relevance.csv rule wherever there are any: a document's grade in the cases is used
only where no expert whose labels count has labelled it. The page design/agreement.md says
why.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

from medassay.answers import Answers
from medassay.cases import Case, Cases, Document, Id, LabelledDocument
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Raters
from medassay.study.files.names import RELEVANCE, read_table
from medassay.tables import changed, read_record, wrong
from medassay.text import count_of

_COLUMNS: Final = ("rater", "case", "document", "relevance")


def _as_label(value: object) -> object:
    if str(value) in {"0", "1"}:
        return int(str(value))
    raise wrong("be 0 or 1", f'"{value}"', "1 where the document bears on the query.")


class DocumentLabel(BaseModel):
    """One expert's label of one document.

    Attributes:
        rater: Who.
        case: The query that it was returned for.
        document: Which.
        relevance: 1 where it bears on the query.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    rater: Id
    case: Id
    document: Id
    relevance: Annotated[Literal[0, 1], BeforeValidator(_as_label)]


def read_relevance(
    folder: Path, cases: Collection[str] | None, raters: Raters | None = None
) -> tuple[DocumentLabel, ...]:
    """Read the labels; nothing where there is no such file.

    Args:
        folder: The study's folder.
        cases: The cases that rows may name; None where they could not be read.
        raters: Who may label, where the study says; None where that could not be read.

    Raises:
        InvalidInput: Every problem of the file.
    """
    sheet = read_table(folder, RELEVANCE)
    if sheet is None:
        return ()
    lacking = [name for name in _COLUMNS if name not in sheet.columns]
    if lacking:
        must, got = f"have the columns {', '.join(_COLUMNS)}", f"no {', '.join(lacking)}"
        raise InvalidInput(Problem(sheet.file, must, got, "", sheet.header))
    problems: list[Problem] = []
    document_labels: dict[tuple[str, str, str], DocumentLabel] = {}
    for row, cells in sheet.records():
        document_label = read_record(
            DocumentLabel, cells, file=sheet.file, row=row, problems=problems
        )
        if document_label is None:
            continue
        key = (document_label.case, document_label.document, document_label.rater)
        if key in document_labels:
            got = (
                f"{document_label.document} of {document_label.case} by "
                f"{document_label.rater} again"
            )
            problems.append(Problem(sheet.file, "label a document once", got, "", row, "document"))
        if cases is not None and document_label.case not in cases:
            hint = nearest(document_label.case, cases)
            must, got = "be a case of the study", f'"{document_label.case}"'
            problems.append(Problem(sheet.file, must, got, hint, row, "case"))
        document_labels[key] = document_label
    if raters is not None:
        kinds = {label.rater: raters.get(label.rater).kind for label in document_labels.values()}
        try:
            raters.refuse_third_party(sheet.file, kinds)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems)
    return tuple(document_labels[key] for key in sorted(document_labels))


@dataclass(frozen=True, slots=True)
class JointLabel:
    """What experts jointly say of one document of one case.

    Attributes:
        labels: How many experts labelled it.
        relevant: How many of them find it relevant.

    Example:
        >>> [JointLabel(3, relevant).grade for relevant in (0, 1, 2)], JointLabel(2, 1).grade
        ([0.0, 0.0, 1.0], None)
    """

    labels: int
    relevant: int

    @property
    def share(self) -> float:
        """Give the share of experts who find it relevant."""
        return self.relevant / self.labels

    @property
    def grade(self) -> float | None:
        """Give 1 or 0 as more than half of the experts say; None where as many say the other.

        One expert alone is more than half.
        """
        if 2 * self.relevant == self.labels:
            return None
        return float(2 * self.relevant > self.labels)


def joint_labels(labels: Iterable[DocumentLabel]) -> dict[tuple[str, str], JointLabel]:
    """Count the labels of each case and document."""
    by_document: dict[tuple[str, str], list[int]] = {}
    for label in labels:
        by_document.setdefault((label.case, label.document), []).append(label.relevance)
    return {
        key: JointLabel(len(labels_of), sum(labels_of)) for key, labels_of in by_document.items()
    }


def counted_labels(
    labels: Sequence[DocumentLabel], raters: Raters, models: Collection[str]
) -> tuple[tuple[DocumentLabel, ...], list[str]]:
    """Leave out what counts in no number, and say how much.

    Args:
        labels: All that are on file.
        raters: Who the raters are.
        models: Model raters whose labels do not count like a person's.
    """
    why = dict.fromkeys(models, "a model: its labels are held apart, as its judgements are")
    why |= {rater.rater: f"excluded: {rater.reason}" for rater in raters.excluded}
    lost: dict[str, int] = {}
    for label in labels:
        if label.rater in why:
            lost[label.rater] = lost.get(label.rater, 0) + 1
    lines = [f"{count_of(n, 'label')} of {name} ({why[name]})" for name, n in sorted(lost.items())]
    notes = [f"In no number about documents: {'; '.join(lines)}."] if lines else []
    return tuple(
        document_label for document_label in labels if document_label.rater not in why
    ), notes


def labelled_documents(labels: Iterable[DocumentLabel]) -> dict[str, list[str]]:
    """List for each case the documents that have labels."""
    by_case: dict[str, dict[str, None]] = {}
    for label in labels:
        by_case.setdefault(label.case, {})[label.document] = None
    return {case: list(documents) for case, documents in by_case.items()}


def with_labels(
    cases: Cases, labels: Sequence[DocumentLabel], answers: Answers
) -> tuple[Cases, list[Problem]]:
    """Give each case's documents the grade that its experts jointly give them.

    Returns:
        The cases, and what a reader should know: grades that the labels overrule, and labels of
        documents that nobody listed or returned.
    """
    joint: dict[str, dict[str, JointLabel]] = {}
    for (case, document), label in joint_labels(labels).items():
        joint.setdefault(case, {})[document] = label
    if not joint:
        return cases, []
    known = {
        name: {own_document.id for own_document in cases[name].documents}
        for name in joint
        if name in cases
    }
    for answer in answers:
        if answer.case in known:
            known[answer.case] |= {retrieved.document for retrieved in answer.retrieved or ()}
    records = changed(
        lambda case: _labelled(case, joint[case.case]) if case.case in joint else case,
        cases.records,
    )
    notes = [*_overruled(cases, joint), *_unknown(joint, known)]
    return cases.with_records(records), notes


def _labelled(case: Case, joint: Mapping[str, JointLabel]) -> Case:
    listed = {document.id for document in case.documents}
    more = [Document(id=name) for name in sorted(joint.keys() - listed)]
    documents = tuple(
        LabelledDocument(
            id=document.id,
            title=document.title,
            text=document.text,
            grade=joint[document.id].grade,
            share=joint[document.id].share,
        )
        if document.id in joint
        else document
        for document in (*case.documents, *more)
    )
    return case.model_copy(update={"documents": documents})


def _overruled(cases: Cases, joint: Mapping[str, Mapping[str, JointLabel]]) -> list[Problem]:
    """Name the grades in the cases that say something else than the experts."""
    apart = [
        (case.case, graded_document.id, graded_document.grade, label.grade)
        for case in cases
        for graded_document in case.documents
        for label in [joint.get(case.case, {}).get(graded_document.id)]
        if label is not None
        and graded_document.grade is not None
        and graded_document.grade != label.grade
    ]
    if not apart:
        return []
    name, document, grade, joined = apart[0]
    says = "a tie of the experts" if joined is None else f"{joined:g}"
    more = f", and {len(apart) - 1} more" if apart[1:] else ""
    got = f'{says} for "{document}" of {name}, where the cases have {grade:g}{more}'
    hint = "The experts' labels count; take the grades out of the cases."
    counted = f"{len(apart)} that say something else"
    must = "agree with the grades in the cases"
    return [Problem("relevance", must, got, hint, counted=counted)]


def _unknown(
    joint: Mapping[str, Mapping[str, JointLabel]], known: Mapping[str, Collection[str]]
) -> list[Problem]:
    """Name labels of documents that no case lists and no system returned."""
    strange = [
        (case, document)
        for case, labels in joint.items()
        for document in labels
        if case in known and document not in known[case]
    ]
    if not strange:
        return []
    case, document = strange[0]
    more = f", and {len(strange) - 1} more" if strange[1:] else ""
    got = f'"{document}" of {case}{more}'
    must = "label documents that a case lists or a system returned"
    hint = "Are the names those that the answers have under retrieved?"
    counted = f"labels of {len(strange)} others"
    return [Problem("relevance", must, got, hint, counted=counted)]
