"""Which figure a study's first screen has, and the words and facts beside it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from medassay.analyses.builtin.accuracy import accuracy
from medassay.analyses.builtin.criteria import criteria
from medassay.analyses.results import Results
from medassay.exhibits.claim import Finding
from medassay.exhibits.overview import Overview
from medassay.exhibits.table import Table
from medassay.report.asked import asked_names, asked_opening
from medassay.report.budget import of_earlier, refuse_undeclared
from medassay.report.names import Names
from medassay.report.opening.criteria import criteria_overview
from medassay.report.opening.pairs import pairs_overview
from medassay.report.opening.panel import panel_overview
from medassay.report.opening.pipeline import pipeline_overview
from medassay.report.opening.ratings import ratings_overview
from medassay.report.opening.task import board_overview, ranks_overview
from medassay.report.opening.words import Told, beside, facts, plain_title
from medassay.report.panel import MANY_ROWS
from medassay.report.whose import Whose


@dataclass(frozen=True, slots=True)
class Opening:
    """What stands first.

    Attributes:
        title: What was found.
        overview: The figure; None where there is nothing to show.
        told: Sentences beside it, 80 words at most.
        facts: What was evaluated, by whom and when, what the intervals are.
        rows: The rows of the register that have how often the title's verdicts are wrong.
    """

    title: str
    overview: Overview | None
    told: tuple[Told, ...]
    facts: tuple[str, ...]
    rows: tuple[str, ...] = ()

    def table(self, tables: Sequence[Table]) -> str:
        """Give the id of the one table that stands open: a short one beyond the figure.

        Args:
            tables: Those of the first screen, in their order.
        """
        shown = self.overview.shows if self.overview else ()
        more = (table for table in tables if table.id not in shown)
        return next((table.id for table in more if len(table.rows) <= MANY_ROWS), "")


def opening_of(results: Results, findings: Sequence[Finding]) -> Opening:
    """Lay out the first screen.

    Args:
        results: All of a run.
        findings: Its sentences, in the order of the questions.

    Raises:
        UndeclaredVerdict: The title carries a verdict that its finding does not claim.
    """
    whose = Whose(results)
    overview = overview_of(results)
    rows: tuple[str, ...] = ()
    if overview is not None:
        claims = tuple(c for own in findings if own.id == overview.finding for c in own.claims)
        said = Finding("opening", overview.title, (), claims=(*claims, *of_earlier(results)))
        refuse_undeclared([said], Names(results))
        rows = said.rows
    title = whose.sentence(overview.title) if overview else plain_title(results, findings)
    return Opening(
        title,
        overview,
        tuple(beside(results, findings, overview)),
        tuple(facts(results, overview)),
        rows,
    )


def overview_of(results: Results) -> Overview | None:
    """Give the figure by the study's design; None where nothing has a mark or a reason."""
    overview = _overview_of(results)
    if overview is None:
        return None
    return replace(overview, caption=Whose(results).of_cases(overview.caption, ""))


def _overview_of(results: Results) -> Overview | None:
    declared = asked_opening(results)
    if declared is not None:
        return declared
    names = Names(results)
    if results.study.descriptive:
        return panel_overview(results, names)
    counts = results.study.counts
    if counts.preferences and not counts.judgements:
        pairs = pairs_overview(results, asked_names(results, "preferences"))
        if pairs is not None:
            return pairs
    if results.analyses.of(accuracy) is not None:
        return pipeline_overview(results, asked_names(results, accuracy.id))
    by_criteria = results.analyses.of(criteria)
    if by_criteria is not None and by_criteria.scores:
        return criteria_overview(results, by_criteria, asked_names(results, "leaderboards"))
    ranked = asked_names(results, "leaderboards")
    return (
        board_overview(results, ranked)
        or ranks_overview(results, ranked)
        or ratings_overview(results, ranked)
    )
