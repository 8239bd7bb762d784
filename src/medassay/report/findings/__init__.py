"""A few sentences that say what the numbers allow, and no more."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from medassay.analyses.builtin.better_than_length import DRAW
from medassay.analyses.results import Results
from medassay.exhibits.claim import Finding, ReaderQuestion, in_reading_order
from medassay.report.asked import asked_findings
from medassay.report.budget import refuse_undeclared
from medassay.report.findings import objectives
from medassay.report.findings.unasked import RATE, unasked
from medassay.report.names import Names
from medassay.report.objectives import ITS_OWN
from medassay.report.whose import Whose

__all__ = ["Finding", "findings"]

_DESCRIBED: Final = {
    "confidence": ReaderQuestion.CONFIDENT,
    "agreement": ReaderQuestion.AGREEMENT,
}
"""What a panel that describes only says of more than one objective's own ratings."""


_PREFERRED: Final = "preferences"


def findings(results: Results) -> list[Finding]:
    """Say what was found: who leads, how far raters agree, which metric they bear out.

    Made by rules from the numbers alone; the same results give the same sentences. No sentence says
    more than its interval and p allow, and where nothing can be said, the sentence says why. Where
    labels of a model are counted the first says so, and all of them name it.

    Args:
        results: All of a run.

    Returns:
        The findings in the order of the questions that readers come with.
    """
    if results.study.descriptive:
        described = [
            Finding(*sentence, _DESCRIBED.get(sentence[0], ReaderQuestion.DESCRIBED))
            for sentence in objectives.sentences(results)
        ]
        own = [(0, finding) for finding in described]
        placed = [*own, *asked_findings(results, but=ITS_OWN)]
    else:
        placed = [*asked_findings(results)]
        placed += [(0, finding) for finding in unasked(results, [found for _, found in placed])]
    placed = _one_way_to_begin(results, placed)
    refuse_undeclared([finding for _, finding in placed], Names(results))
    placed = _of_pairs_alone(results, placed)
    placed.sort(key=lambda finding: finding[0])
    return Whose(results).findings(in_reading_order([finding for _, finding in placed]))


def _one_way_to_begin(
    results: Results, placed: Sequence[tuple[int, Finding]]
) -> list[tuple[int, Finding]]:
    """Say one way to begin rating: scores that came with a file are tested on answers drawn."""
    imported = any(source.kind == "imported" for source in results.sources)
    ways = (DRAW, RATE) if imported else (RATE, DRAW)
    first = next((way for way in ways if any(own.id == way for _, own in placed)), "")
    return [(place, own) for place, own in placed if own.id not in ways or own.id == first]


def _of_pairs_alone(
    results: Results, placed: Sequence[tuple[int, Finding]]
) -> list[tuple[int, Finding]]:
    """Put first what raters preferred, where they compared answers and labelled none.

    No rater's label orders the systems there, so what a metric puts first stands behind; and that
    raters were not asked about harm is among what is missing.
    """
    counts = results.study.counts
    found = {finding.id for _, finding in placed}
    if not counts.preferences or counts.judgements or _PREFERRED not in found:
        return list(placed)
    moved = {
        _PREFERRED: ReaderQuestion.BETTER,
        "leaders": ReaderQuestion.FURTHER,
        "harm-unasked": ReaderQuestion.MISSING,
    }
    controls = {source.name for source in results.sources if source.direction == "none"}
    return [
        (place, replace(finding, answers=moved.get(finding.id, finding.answers)))
        for place, finding in placed
        if finding.id != "leaders" or results.primary not in controls
    ]
