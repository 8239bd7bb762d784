"""What multiple-choice answers come to: accuracy, retrieval, confidence, safety."""

from typing import Final

from medassay.analyses.builtin.accuracy import accuracy
from medassay.analyses.builtin.safety import safety
from medassay.analyses.builtin.safety.tables import WITHOUT_HALLUCINATION
from medassay.analyses.results import Results
from medassay.exhibits.numbers import listed
from medassay.report.names import Names
from medassay.report.prose.cells import cell_of, raw, rows_where, shown
from medassay.report.prose.statement import Statement
from medassay.report.tables import Row, Table

__all__ = ["choice_statements"]

_MOST: Final = 6
"""Systems that a paragraph tells one by one."""
_RETRIEVAL: Final = ("precision@", "recall@", "average_precision", "reciprocal_rank", "ndcg@")


def choice_statements(results: Results, known: dict[str, Table]) -> list[Statement]:
    """Tell each system's accuracy, retrieval, calibration and safety, where there are choices."""
    if results.analyses.of(accuracy) is None:
        return []
    names = Names(results)
    systems = [system_result.id for system_result in results.systems][:_MOST]
    statements: list[Statement] = []
    for system in systems:
        statements += _accuracy(known, names, system)
        statements += _retrieval(known, names, system)
        statements += _confidence(known, names, system)
        statements += _safety(known, names, system)
    safe = results.analyses.of(safety)
    if (
        "safety" in known
        and safe is not None
        and any(
            own.score is None and own.score_without_hallucination is not None
            for own in safe.systems
        )
    ):
        statements.append(Statement(WITHOUT_HALLUCINATION, ("safety",)))
    statements += _pair(known)
    if len(results.systems) > _MOST:
        statements.append(Statement("The other systems are in the tables.", ("accuracy",)))
    return statements


def _accuracy(known: dict[str, Table], names: Names, system: str) -> list[Statement]:
    table_row = _row(known, "accuracy", system, "All questions")
    if table_row is None:
        return []
    table, row = table_row
    text = (
        f"{names.of_system(system)} chose the right option in {shown(table, row, 'accuracy')} of "
        f"{shown(table, row, 'questions')} questions"
    )
    return [Statement(f"{text}.", ("accuracy",))]


def _retrieval(known: dict[str, Table], names: Names, system: str) -> list[Statement]:
    table = known.get("standings")
    if table is None:
        return []
    lines = []
    for row in rows_where(table, "system", system):
        if row.group.startswith(_RETRIEVAL):
            value = shown(table, row, "mean")
            if value:
                lines.append(f"{names.of_source(row.group)} {value}")
    if not lines:
        return []
    return [Statement(f"Retrieval of {names.of_system(system)}: {listed(lines)}.", ("standings",))]


def _confidence(known: dict[str, Table], names: Names, system: str) -> list[Statement]:
    table_row = _row(known, "calibration", system)
    if table_row is None:
        return []
    table, row = table_row
    text = (
        f"On the {shown(table, row, 'answers')} answers with a confidence, "
        f"{names.of_system(system)} has a Brier score of {shown(table, row, 'brier')}"
    )
    area = shown(table, row, "auroc")
    if area:
        text += f" and an area under the curve of {area}"
    return [Statement(f"{text}.", ("calibration",))]


def _safety(known: dict[str, Table], names: Names, system: str) -> list[Statement]:
    table_row = _row(known, "safety", system)
    if table_row is None:
        return []
    table, row = table_row
    lines = []
    made_up = cell_of(table, row, "hallucinated")
    if made_up is not None:
        lines.append(
            f"{made_up.aside} {shown(table, row, 'hallucination_in')} ({made_up.text}) had more "
            "than half of their claims without support in the evidence"
        )
    danger = cell_of(table, row, "dangerous")
    if danger is not None:
        of, _, bounds = danger.aside.partition(" [")
        around = f" [{bounds}" if bounds else ""
        lines.append(f"{of} answers with a verdict were dangerous ({danger.text}{around})")
    else:
        lines.append("nobody has a verdict on danger yet")
    text = f"Of {names.of_system(system)}, {listed(lines)}."
    score, least = shown(table, row, "safety_score"), shown(table, row, "safety_at_least")
    which = "safety score"
    if not score:
        field = "safety_score_without_hallucination"
        score, least = shown(table, row, field), shown(table, row, f"{field}_at_least")
        which = "safety score without hallucination, which nothing measured,"
    if score:
        text += f" Its {which} is {score}"
        text += f", and at least {least}." if least else "."
    return [Statement(text, ("safety",))]


def _pair(known: dict[str, Table]) -> list[Statement]:
    """Tell the pair of systems that the test parts most clearly."""
    table = known.get("mcnemar")
    if table is None:
        return []
    best = min(table.rows, key=lambda row: (_number(table, row), row.cells[0].text))
    first, second = best.cells[0].text, best.cells[1].text
    names = tuple(cell.text for cell in best.cells[2:])
    return [
        Statement(
            f"On the same {names[0]} questions {first} alone was right on "
            f"{shown(table, best, 'only_a')} and {second} alone on {shown(table, best, 'only_b')} "
            f"(McNemar's exact test, adjusted p {_equals(shown(table, best, 'p_adjusted'))}).",
            ("mcnemar",),
        )
    ]


def _number(table: Table, row: Row) -> float:
    value = raw(table, row, "p_adjusted")
    return value if isinstance(value, float) else 1.0


def _equals(p: str) -> str:
    return p if p.startswith("<") else f"= {p}"


def _row(
    known: dict[str, Table], name: str, system: str, group: str | None = None
) -> tuple[Table, Row] | None:
    table = known.get(name)
    rows = rows_where(table, "system", system, group) if table is not None else []
    return (table, rows[0]) if table is not None and rows else None
