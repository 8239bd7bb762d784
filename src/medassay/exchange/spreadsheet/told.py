"""What people and machines are told of an import that makes a study of rows."""

from dataclasses import asdict, replace
from pathlib import Path

from medassay.exchange.outcome import Outcome, Overview
from medassay.exchange.spreadsheet.writing import SpreadsheetImport
from medassay.text import count_of, shell_line


def told_of(summary: SpreadsheetImport, into: Path, *, verdicts: bool) -> Outcome:
    """Tell what became of every cell, what was imported, and what comes next.

    Args:
        summary: What was done.
        into: The study's folder.
        verdicts: Whether the study has labels or scores, so that a run comes next.
    """
    counts = (
        (summary.cases, "question", "questions"),
        (summary.systems, "system", "systems"),
        (summary.answers, "answer", "answers"),
        (summary.raters, "rater", "raters"),
        (summary.judgements, "rating", "ratings"),
        (summary.preferences, "preference", "preferences"),
        (summary.scores, "score", "scores"),
        (summary.documents, "text retrieved", "texts retrieved"),
    )
    held = ", ".join(count_of(count, *words) for count, *words in counts if count)
    follows = ["run", str(into)] if verdicts else ["campaign", "create", str(into), "--raters", "3"]
    lines: list[str | Overview] = [
        *summary.account.lines(),
        *(f"note: {note}" for note in summary.notes),
        f"Imported: {held}." if held else "Everything was there already.",
        *(f"wrote {file}" for file in summary.files),
        f"Next: {shell_line(['medassay', *follows])}",
    ]
    told = replace(summary, people=None)
    facts = {name: own for name, own in asdict(told).items() if name not in {"facts", "people"}}
    return Outcome(lines, {**facts, "account": summary.facts}, summary.people)
