"""What an evaluation found, statement by statement."""

from collections.abc import Sequence
from dataclasses import replace

from medassay.analyses.builtin.accuracy import accuracy
from medassay.analyses.builtin.human_evaluation import human_evaluation, paper_sentence
from medassay.analyses.results import Results
from medassay.exhibits.finding import ReaderQuestion
from medassay.report.contents import tables_of
from medassay.report.findings import findings
from medassay.report.names import Names
from medassay.report.prose.cells import by_id
from medassay.report.prose.choices import choice_statements
from medassay.report.prose.human import human_statements
from medassay.report.prose.statement import Statement
from medassay.report.tables import Table
from medassay.report.whose import Whose

__all__ = ["found_statements"]


def found_statements(results: Results, tables: Sequence[Table] | None = None) -> list[Statement]:
    """Say what was found, the protocol's own question first.

    Every number stands in one of the tables named beside it, with the same digits. What a study
    cannot tell is said once.

    Args:
        results: The run.
        tables: Every table of its report, where they are made already.
    """
    known = by_id(tables_of(results) if tables is None else tables)
    chosen = results.analyses.of(accuracy) is not None
    statements = [
        Statement(finding.text, finding.basis)
        for finding in findings(results)
        # What is right is told below, with its intervals, for a paper.
        if not (chosen and finding.answers is ReaderQuestion.BETTER and finding.id == "right")
    ]
    own: list[Statement] = []
    paper = results.analyses.of(human_evaluation)
    if paper is not None:
        sentence = paper_sentence(paper, Names(results))
        own.append(Statement(sentence, ("human-evaluation", "agreement")))
        own += human_statements(results, known)
    own += choice_statements(results, known)
    if chosen:
        statements = [statement for statement in statements if "leaderboard" not in statement.basis]
    whose = Whose(results)
    own = [replace(statement, text=whose.marked(statement.text)) for statement in own]
    return [
        replace(statement, text=whose.text(statement.text)) for statement in (*own, *statements)
    ]
