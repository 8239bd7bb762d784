"""The ArchEHR-QA shared tasks' files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from medassay.exchange.archehr.exporting import export_archehr
from medassay.exchange.archehr.importing import import_archehr
from medassay.exchange.archehr.outcome import told
from medassay.exchange.archehr.readings import Reading
from medassay.exchange.archehr.submission import Form
from medassay.exchange.declaration import Format, Option, Reads, Writes
from medassay.exchange.entrusted import Full
from medassay.exchange.glimpse import Glimpse
from medassay.exchange.outcome import Outcome
from medassay.study import Study

__all__ = ["ARCHEHR"]


def _take(
    folder: Path,
    files: Sequence[Path],
    *,
    cases: Annotated[Path, Option("The shared task's cases.", metavar="XML")],
    key: Annotated[Path | None, Option("The key.", metavar="JSON")] = None,
    form: Annotated[Form, Option("The form of the submissions.", ("--format",))] = "archehr2025",
    reading: Annotated[
        Reading, Option("Take what the official scorer reads, or what was meant.")
    ] = "official",
) -> Outcome:
    return told(import_archehr(folder, cases, key, files, form=form, reading=reading), folder)


def _give(
    study: Study,
    into: Path | None,
    *,
    form: Annotated[
        Form | None, Option("The form; that of the study's protocol if not given.", ("--format",))
    ] = None,
    system: Annotated[str | None, Option("Whose answers become a submission.")] = None,
    cases: Annotated[
        Path | None,
        Option("Write cases.xml and key.json into this folder.", metavar="FOLDER"),
    ] = None,
    texts: Full = None,
) -> Outcome:
    chosen, written = export_archehr(
        study, form=form, submission=(system, into), cases=cases, texts=texts
    )
    files = [str(path) for path in written]
    return Outcome([f"wrote {file}" for file in files], {"format": chosen, "files": files})


def _is_one(seen: Glimpse) -> bool:
    return "case_id" in seen.first and not {"answer", "prediction"}.isdisjoint(seen.first)


ARCHEHR: Final = Format(
    id="archehr",
    title="ArchEHR-QA",
    reads=Reads(
        about="ArchEHR-QA: cases as XML, the key, and submissions of 2025 or 2026.",
        files="Submissions as JSON; each is a system called after its file.",
        is_one=_is_one,
        take=_take,
        none=True,
    ),
    writes=Writes(
        about="ArchEHR-QA: a system's submission, or the cases with their key.\n\n"
        "What is written is read again first: it holds the same, or nothing is written and "
        "the reason is said.",
        into="With --system: the submission.",
        metavar="JSON",
        give=_give,
    ),
)
