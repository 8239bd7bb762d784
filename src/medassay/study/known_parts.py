"""Criteria, statements, documents and samples in a table that the study does not have."""

from collections.abc import Iterator, Sequence

from medassay.answers import Answers
from medassay.cases import Cases
from medassay.errors import Problem, nearest
from medassay.judgements import About, parts_of, statements_of
from medassay.tables import Sheet

__all__ = ["unknown_parts"]


def unknown_parts(sheet: Sheet, cases: Cases | None, answers: Answers | None) -> list[Problem]:
    """Name each part that a judgement is about and that is not there, with its first row.

    What cannot be read, and cases and systems that are not known, are left to other checks.
    """
    if not {"about", "sample"} & set(sheet.columns):
        return []
    columns = [_column(sheet, name) for name in ("system", "case", "sample", "about")]
    known = _Known(cases, answers)
    first: dict[tuple[str, ...], int] = {}
    for row, key in zip(sheet.rows, zip(*columns, strict=True), strict=True):
        if not known.holds(*key):
            first.setdefault(key, row)
    return [
        Problem(sheet.file, must, got, hint, row, column)
        for (system, case, sample, about), row in first.items()
        for column, must, got, hint in (
            *_unknown_sample(answers, system, case, sample),
            *_unknown_about(cases, answers, (system, case, sample), about),
        )
    ]


class _Known:
    """What most rows are about: a criterion of the case, of an answer that is there."""

    def __init__(self, cases: Cases | None, answers: Answers | None) -> None:
        self._abouts = {
            case.case: {
                "",
                *(About("criterion", criterion.id).written for criterion in case.criteria),
            }
            for case in cases or ()
        }
        self._samples = {
            (answer.system, answer.case, sample)
            for answer in answers or ()
            for sample in ("", str(answer.sample))
        }

    def holds(self, system: str, case: str, sample: str, about: str) -> bool:
        """Say whether a row is sound at the first look; others are looked at closely."""
        return about in self._abouts.get(case, ()) and (system, case, sample) in self._samples


def _column(sheet: Sheet, name: str) -> Sequence[str]:
    cells = sheet.columns.get(name) or [None] * len(sheet)
    return ["" if cell is None else str(cell).strip() for cell in cells]


_Found = tuple[str, str, str, str]


def _unknown_sample(
    answers: Answers | None, system: str, case: str, sample: str
) -> Iterator[_Found]:
    its_samples = () if answers is None else answers.samples(system, case)
    numbers = [str(answer.sample) for answer in its_samples]
    if its_samples and sample and sample not in numbers:
        must = "be the number of an answer that the system gave to the case"
        yield "sample", must, f'"{sample}"', f"Known: {', '.join(numbers)}."


def _unknown_about(
    cases: Cases | None, answers: Answers | None, key: tuple[str, str, str], text: str
) -> Iterator[_Found]:
    about, (system, case, sample) = About.read(text), key
    if about is None or cases is None or case not in cases:
        return
    record = cases[case]
    answer = None
    if answers is not None and (not sample or sample.isdecimal()):
        answer = answers.get(system, case, int(sample) if sample else None)
    if about.kind in {"criterion", "document"}:
        known = [part.id for part in parts_of(record, answer, about.kind)]
        yield from _unless_known(f"a {about.kind} of its case", about.id, known)
    if answer is None or not answer.held:
        return  # what nobody here has read may have as many statements as it is said to
    length = len(statements_of(answer))
    if about.place > length:
        must = "be about a statement that the answer has"
        yield "about", must, f'"{text}"', f"It has {length}."
    size = len(answer.text or "")
    if about.span[1] > size:
        must = "lie within the answer"
        yield "about", must, f'"{text}"', f"The answer has {size} characters."


def _unless_known(what: str, name: str, known: Sequence[str]) -> Iterator[_Found]:
    if name not in known:
        few = 8
        listed = f"Known: {', '.join(known[:few])}." if known else "Its case has none."
        yield "about", f"name {what}", f'"{name}"', nearest(name, known) or listed
