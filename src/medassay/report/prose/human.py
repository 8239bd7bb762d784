"""How human scores go with scores by machines, as the med-gpt template asks."""

from medassay.analyses.results import Results
from medassay.report.names import Names
from medassay.report.prose.cells import raw, shown
from medassay.report.prose.statement import Statement
from medassay.report.tables import Table

__all__ = ["human_statements"]

_TABLE = "human-correlations"
_OVER = {"all answers": "over all answers", "within models": "within models"}


def human_statements(results: Results, known: dict[str, Table]) -> list[Statement]:
    """Say of each score by a machine how closely human scores go with it."""
    table = known.get(_TABLE)
    if table is None:
        return []
    names = Names(results)
    parts: dict[str, list[str]] = {}
    for row in table.rows:
        over, value = row.cells[1].text, shown(table, row, "spearman")
        if over in _OVER and value:
            source = str(raw(table, row, "source"))
            parts.setdefault(names.of_source(source), []).append(f"{value} {_OVER[over]}")
    if not parts:
        return []
    text = "; ".join(f"with {source} {' and '.join(own)}" for source, own in parts.items())
    return [
        Statement(
            f"Spearman's correlation of each answer's mean human score was {text}. Over all "
            "answers a score may only know which model is good.",
            (_TABLE,),
        )
    ]
