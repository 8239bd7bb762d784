"""Each answer looked at once, as it is read: against its case, and against those before it."""

from typing import Final, Literal

from medassay.answers.chosen_letter import letter_meant
from medassay.answers.record import Answer
from medassay.answers.tally import Tally
from medassay.cases import Case, Cases
from medassay.errors import Problem, nearest
from medassay.text import Counted

__all__ = ["LookedAt"]

_MOST_HINTS: Final = 50
"""Looking for the nearest of many ids takes long; after so many strangers a hint helps no more."""
_Key = tuple[str, str, int]
_What = Literal["letter", "citations", "choice"]


class LookedAt:
    """What was found of the answers that were looked at: to read very many anew takes long.

    Attributes:
        rows: System, case and sample of each answer in their order, with its file and row.
        problems: What is wrong.
        tally: What is counted of them.
        odd: What is odd by system: a letter read as an option's, citations or a choice that the
            case does not have.
        hints: Case that was not asked to the id that may be meant; of these answers, and of those
            before them.
    """

    def __init__(self, cases: Cases | None, before: "LookedAt | None" = None) -> None:
        """Begin with none.

        Args:
            cases: The cases that were asked; None where they are not known.
            before: What was found of answers before these.
        """
        self.rows: dict[_Key, tuple[str, int]] = {}
        self.problems: list[Problem] = []
        self.tally = Tally()
        self._cases = cases
        self.odd: dict[tuple[str, _What], Counted] = {}
        self.hints: dict[str, str] = {} if before is None else dict(before.hints)
        self._earlier: dict[_Key, tuple[str, int]] = {} if before is None else before.rows

    def look(self, file: str, row: int, answer: Answer) -> Answer:
        """Look at the next answer, and give it with the choice as its case writes the option."""
        known = self._cases is not None and answer.case in self._cases
        if self._cases is not None and not known:
            self._unknown(file, row, answer)
        elif (earlier := self._earlier.get(answer.key) or self.rows.get(answer.key)) is not None:
            first = f"{earlier[0]}, row {earlier[1]}"
            got = f'"{answer.system}" answering "{answer.case}" again, as in {first}'
            must = "hold one answer for a system, case and sample"
            hint = "Number repeated answers in the column sample: 0, 1, 2."
            self.problems.append(Problem(file, must, got, hint, row=row, column="case"))
        self.rows.setdefault(answer.key, (file, row))
        self.tally.look(answer)
        if self._cases is None or not known:
            return answer
        case = self._cases[answer.case]
        kept = self._with_letter(answer, case)
        self._hold_against(kept, case)
        return kept

    def join(self, later: "LookedAt") -> None:
        """Take in what was found of the answers behind these."""
        if self.rows:
            for key, place in later.rows.items():
                self.rows.setdefault(key, place)
        else:
            self.rows = later.rows
        self.hints = later.hints
        self.problems += later.problems
        self.tally.join(later.tally)
        for which, odd in later.odd.items():
            self.odd.setdefault(which, Counted()).join(odd)

    def read_so(self, file: str) -> list[Problem]:
        """Say how many choices were read as an option that is written otherwise."""
        hint = "Capitals, brackets and a full stop were looked past."
        must = "write each choice as its case writes the option"
        return [
            _told(file, must, system, odd, "choice", hint)
            for (system, what), odd in sorted(self.odd.items())
            if what == "letter"
        ]

    def strange(self, file: str) -> list[Problem]:
        """Count what systems named and the case does not have: their fault, so it is kept."""
        hint = "They are kept and count against the system."
        of_case = {"citations": "evidence", "choice": "options"}
        return [
            _told(file, f"name {of_case[what]} of its case", system, odd, what, hint)
            for (system, what), odd in sorted(self.odd.items())
            if what != "letter"
        ]

    def _found(self, answer: Answer, what: _What, first: str) -> None:
        self.odd.setdefault((answer.system, what), Counted()).add(first)

    def _unknown(self, file: str, row: int, answer: Answer) -> None:
        must, case = "be the id of a case that was asked", answer.case
        if self._cases is not None and case not in self.hints and len(self.hints) < _MOST_HINTS:
            self.hints[case] = nearest(case, self._cases.ids)
        hint = self.hints.get(case, "")
        self.problems.append(Problem(file, must, f'"{case}"', hint, row=row, column="case"))

    def _with_letter(self, answer: Answer, case: Case) -> Answer:
        if answer.choice is None:
            return answer
        letter = letter_meant(answer.choice, case.options)
        if letter is None or letter == answer.choice:
            return answer
        self._found(answer, "letter", f'{answer.case} first: "{answer.choice}" as {letter}')
        return answer.model_copy(update={"choice": letter})

    def _hold_against(self, answer: Answer, case: Case) -> None:
        if answer.citations:
            known = {e.id for e in case.evidence} | {d.id for d in case.documents}
            # `document#3` names a sentence of a document that the system itself returned.
            own = {retrieved.document for retrieved in answer.retrieved or ()}
            for cited in answer.citations:
                if cited not in known and cited.rpartition("#")[0] not in own:
                    self._found(answer, "citations", "")
        if answer.choice is not None and case.options and answer.choice not in case.options:
            self._found(answer, "choice", f'{answer.case} first: "{answer.choice}"')


def _told(file: str, must: str, system: str, odd: Counted, column: str, hint: str) -> Problem:
    counted = f'{odd.count} of "{system}" that do not'
    got = f"{counted}, {odd.first}" if odd.first else counted
    return Problem(file, must, got, hint, None, column, counted=counted)
