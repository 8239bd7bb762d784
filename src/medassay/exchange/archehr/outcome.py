"""What is said of submissions to the ArchEHR-QA shared tasks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from medassay.exchange.archehr.finding import EFFECTS, Finding, tally
from medassay.exchange.archehr.importing import ArchehrImport
from medassay.exchange.outcome import Outcome, Overview
from medassay.text import count_of

__all__ = ["said_of", "tally_of", "told"]

_MOST: Final = 20


def told(taken: ArchehrImport, study: Path) -> Outcome:
    """Say what an import took, and what it found."""
    were = "was" if taken.known == 1 else "were"
    there = f", {taken.known} {were} there already" if taken.known else ""
    cases, answers = count_of(taken.cases, "case"), count_of(taken.answers, "answer")
    lines: list[str | Overview] = [f"note: {warning}" for warning in taken.warnings]
    lines += [*said_of(taken.findings), *tally_of(taken.findings)]
    lines.append(f"{cases} and {answers} added{there}.")
    if taken.differing:
        other = "tolerant" if taken.reading == "official" else "official"
        lines.append(
            f"The official scorer does not read {count_of(taken.differing, 'answer')} as meant. "
            f"This is the {taken.reading} reading; for the other: --reading {other}."
        )
    lines += [f"wrote {study / file}" for file in taken.files]
    facts = asdict(taken) | {"findings": [finding.as_dict() for finding in taken.findings]}
    return Outcome(lines, facts | {"summary": [asdict(row) for row in tally(taken.findings)]})


def said_of(findings: Sequence[Finding]) -> list[str]:
    """Say each thing, but of one kind in one file no more than a reader can take in."""
    lines = []
    times_said: Counter[tuple[str, str]] = Counter()
    for finding in findings:
        place = finding.file, finding.kind
        times_said[place] += 1
        if times_said[place] <= _MOST:
            lines.append(f"{finding.effect}: {finding}")
    for (file, kind), times in times_said.items():
        if times > _MOST:
            what = kind.replace("-", " ")
            lines.append(f"{file}: {what}, {times - _MOST:,} more times; --json lists them all.")
    return lines


def tally_of(findings: Sequence[Finding]) -> list[Overview]:
    """Count what was found; nothing where nothing was."""
    if not findings:
        return []
    rows = [
        (row.effect, row.kind.replace("-", " "), str(row.times), str(row.cases or ""),
         EFFECTS[row.effect])
        for row in tally(findings)
    ]  # fmt: skip
    return [Overview(("effect", "what", "times", "cases", "the effect means"), rows)]
