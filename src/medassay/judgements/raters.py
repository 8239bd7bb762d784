"""Who the raters are: what they know, what ties them, and who was left out and why."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, Literal

from medassay.annotations import RaterName, Text, record
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.rows import RATER_KINDS
from medassay.tables import Sheet, read_sheet

RaterKind = Literal["person", "model"]
FIRST_RATERS: Final = 3
"""Raters that every proposed command asks for: of three labels one is what most gave."""
_OPTIONAL: Final = (
    "rater_kind",
    "expertise",
    "external",
    "conflicts",
    "blinded",
    "shown",
    "status",
    "reason",
)
_STATUS: Final = ("qualified", "excluded")
_YES_NO: Final = ("yes", "no")
_OF_CAMPAIGNS: Final = ("email", "specialty", "built")


@record(infers=False)
class Rater:
    """One rater.

    Attributes:
        rater: The id that judgements use.
        kind: person or model.
        expertise: Such as "medical student" or "toxicology"; empty where it is not said.
        external: Whether they stand outside the team that made the systems; None: not said.
        conflicts: Conflicts of interest in words, "none" where they declared that they have none;
            empty where it is not said.
        blinded: Whether they declared that they saw neither scores of the system nor the rules that
            its confidence follows; None: not said.
        shown: What they saw, where raters saw different texts.
        excluded: Whether their judgements are left out.
        reason: Why they were excluded.
    """

    rater: RaterName
    kind: RaterKind = "person"
    expertise: Text = ""
    external: bool | None = None
    conflicts: Text = ""
    blinded: bool | None = None
    shown: Text = ""
    excluded: bool = False
    reason: Text = ""

    @property
    def declares_none(self) -> bool:
        """Say whether they declared that they have no conflict of interest."""
        return self.conflicts.strip().casefold() == "none"


class Raters:
    """The raters of a study, in the order of their ids.

    Args:
        raters: Each id once.

    Example:
        >>> raters = Raters.from_rows([
        ...     {"rater": "r1", "expertise": "physician", "external": "yes"},
        ...     {"rater": "r2", "status": "excluded", "reason": "did not finish calibration"},
        ... ])
        >>> [one.rater for one in raters.excluded], raters.get("r1").external
        (['r2'], True)
    """

    def __init__(self, raters: Iterable[Rater] = ()) -> None:
        self._of = {rater.rater: rater for rater in sorted(raters, key=lambda rater: rater.rater)}

    @classmethod
    def read(cls, path: Path, shown_as: str | None = None) -> "Raters":
        """Read a CSV, JSONL or Parquet file.

        Raises:
            InvalidInput: With every problem of the file.
        """
        return cls.from_sheet(read_sheet(path, shown_as))

    @classmethod
    def from_rows(cls, rows: Iterable[Mapping[str, object]], shown_as: str = "raters") -> "Raters":
        """Check rows that are already in memory; messages count them from 1.

        Raises:
            InvalidInput: With every problem of the rows.
        """
        return cls.from_sheet(Sheet.of_records(rows, shown_as, ("rater",)))

    @classmethod
    def from_sheet(cls, sheet: Sheet) -> "Raters":
        """Check a sheet: only rater is required.

        Raises:
            InvalidInput: With every problem of the sheet.
        """
        from medassay.judgements.intake import Intake

        _refuse_campaign_people(sheet)
        intake = Intake(sheet, ("rater",), _OPTIONAL)
        ids = intake.ids("rater")
        intake.refuse(ids.is_duplicated() & ~ids.is_first_distinct(), "rater", "be there once", ids)
        status = intake.closed("status", _STATUS, "qualified", fold=True)
        reason = intake.text("reason")
        hint = "Say why, in a few words: the report counts the reasons."
        intake.refuse(
            (status == "excluded") & reason.is_null(), "reason", "be filled where a rater is "
            "excluded", "an empty cell", hint,
        )  # fmt: skip
        hint = "A reason is why a rater was excluded: set status to excluded, or leave it empty."
        intake.refuse(
            (status == "qualified") & reason.is_not_null(), "reason", "be empty for a qualified "
            "rater", reason, hint,
        )  # fmt: skip
        kind = intake.closed("rater_kind", RATER_KINDS, "person")
        external, blinded = (
            intake.closed(name, _YES_NO, fold=True) for name in ("external", "blinded")
        )
        words = [intake.text(name).fill_null("") for name in ("expertise", "conflicts", "shown")]
        intake.finish()
        return cls(
            Rater(
                rater=ids[i],
                kind=kind[i],
                expertise=words[0][i],
                external=None if external[i] is None else external[i] == "yes",
                conflicts=words[1][i],
                blinded=None if blinded[i] is None else blinded[i] == "yes",
                shown=words[2][i],
                excluded=status[i] == "excluded",
                reason=reason[i] or "",
            )
            for i in range(len(ids))
        )

    def __len__(self) -> int:
        """Count the raters."""
        return len(self._of)

    def __iter__(self) -> Iterator[Rater]:
        """Go through the raters by id."""
        return iter(self._of.values())

    def get(self, rater: str) -> Rater:
        """Give one rater; of one who is not in the table only the id is known."""
        return self._of.get(rater, Rater(rater))

    @property
    def excluded(self) -> tuple[Rater, ...]:
        """List the excluded raters by id."""
        return tuple(rater for rater in self if rater.excluded)

    def refuse_third_party(self, file: str, kinds: Mapping[str, str]) -> None:
        """Refuse raters of another table who are not in this one, or are of another kind.

        Args:
            file: The other table, as messages name it.
            kinds: The raters of that table and their kinds.

        Raises:
            InvalidInput: With every such rater. Where this table is empty nothing is refused.
        """
        problems = []
        for rater, kind in sorted(kinds.items()) if self._of else ():
            if rater not in self._of:
                hint = nearest(rater, self._of) or "Add a row for this rater."
                must = "be a rater of the raters table"
                problems.append(Problem(file, must, f'"{rater}"', hint, None, "rater"))
            elif kind != self._of[rater].kind:
                must = f"be {self._of[rater].kind} for {rater}, as in the raters table"
                problems.append(Problem(file, must, kind, "", None, "rater_kind"))
        if problems:
            raise InvalidInput(problems)


def _refuse_campaign_people(sheet: Sheet) -> None:
    """Refuse the people of a campaign: their file has the same name, and lies outside the study."""
    theirs = [name for name in sheet.columns if name in _OF_CAMPAIGNS]
    if theirs:
        must = f"be the study's raters table (columns rater, {', '.join(_OPTIONAL)})"
        got = f"{', '.join(theirs)}, which campaign create --raters reads"
        hint = "Move that file out of the study's folder, and give --raters its new place."
        raise InvalidInput(Problem(sheet.file, must, got, hint, sheet.header, theirs[0]))
