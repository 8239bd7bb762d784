"""What would people give each system?"""

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_all_cases import AllCases
from medassay.exhibits import Names
from medassay.exhibits.columns import NONE, Shown, celled, estimate_fields, table_of
from medassay.exhibits.numbers import Style, bounds, listed
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Table
from medassay.stats import Combined
from medassay.validity import HumanScore
from medassay.validity import human_scores as scores_by_people

_SCORE: Final = Style(2)
_NEW: Final = "New cases"
_THESE: Final = "These answers"


def _table(scores: Sequence[HumanScore], names: Names) -> Table:
    """Put the methods side by side: judgements alone, PPI++, difference, and what each is worth."""
    named_metrics = {human_score.metric for human_score in scores if human_score.metric}
    warned = sum(bool(_warning(human_score)) for human_score in scores)
    caution = (
        f" In {warned} of {len(scores)} rows there are so few judgements that intervals may cover "
        "less than 95%: docs/validity.md says from which number on they hold."
        if warned
        else ""
    )
    return table_of(
        [(names.of_dimension(human_score.dimension), human_score) for human_score in scores],
        (
            celled("System", ("system", "metric"), lambda row: _system(row, names)),
            celled("Judged", ("judged", "answers"), _judged, numeric=True),
            _combined("Alone", "alone_new", _NEW),
            _combined("PPI++", "ppi", _NEW),
            _worth("ppi", _NEW),
            _combined("Alone", "alone_these", _THESE),
            _combined("Difference", "difference", _THESE),
            _worth("difference", _THESE),
            celled("Note", "warning", _note),
        ),
        id="human-scores",
        title="What people would give each system",
        caption="From the judgements there are and a metric's scores of all answers. New cases: "
        "the mean on cases like these; PPI++ with power tuning. These answers: their mean, had all "
        "been judged; the difference estimator with a fitted slope and the correction for a finite "
        "number. Alone: no metric takes part. Worth: how many judgements alone would be "
        f"as sure.{_chosen(named_metrics, names)} Intervals: 95%, t. All of it supposes that "
        f"chance chose which answers were judged.{caution}",
        grouped_by="dimension",
        empty="Nothing was judged.",
        stands="file",
    )


def _combined(heading: str, name: str, group: str) -> Shown[HumanScore]:
    get = attrgetter(name)
    fields = estimate_fields(name)
    return celled(heading, fields, lambda row: estimated(get(row)), numeric=True, group=group)


def _worth(name: str, group: str) -> Shown[HumanScore]:
    get, fields = attrgetter(name), (f"{name}_worth", f"{name}_no_help")
    return celled("Worth", fields, lambda row: worth_cell(get(row)), numeric=True, group=group)


def _system(human_score: HumanScore, names: Names) -> Cell:
    raw = (human_score.system, human_score.metric)
    return Cell(
        names.of_system(human_score.system), raw, detail=names.of_source(human_score.metric)
    )


def _judged(human_score: HumanScore) -> Cell:
    raw = (human_score.n, human_score.total)
    return Cell(f"{human_score.n:,}", raw, aside=f"of {human_score.total:,}")


def _chosen(metrics: set[str], names: Names) -> str:
    """Name the metrics that help, where they are few."""
    if not metrics:
        return " No metric scores all of these answers."
    text = listed(sorted(names.of_source(metric) for metric in metrics))
    return f" The metric was chosen on the other systems' judgements: {text}."


def estimated(combined: Combined) -> Cell:
    """Print the estimate even where there is no interval; the reason comes on demand."""
    if combined.estimate is None:
        raw = (None, None, None, combined.undefined)
        return Cell(NONE, raw, detail=as_sentence(combined.undefined), missing=True)
    low, high = (
        (combined.interval.low, combined.interval.high) if combined.interval else (None, None)
    )
    return Cell(
        _SCORE(combined.estimate),
        (combined.estimate, low, high, combined.undefined),
        aside=bounds(combined.interval, _SCORE),
        detail=as_sentence(combined.undefined) if combined.undefined else "",
    )


def worth_cell(combined: Combined) -> Cell:
    """Print how many judgements alone it is worth; where it does not help, why not."""
    if combined.no_help or combined.worth is None:
        why = combined.no_help or combined.undefined
        raw = (combined.worth, why)
        return Cell("no help", raw, detail=as_sentence(why), missing=True)
    return Cell(f"{combined.worth:.0f}", (combined.worth, ""))


def _note(human_score: HumanScore) -> Cell:
    warning = _warning(human_score)
    if not warning:
        return Cell("", ("",))
    return Cell("few", (warning,), detail=as_sentence(warning))


def _warning(human_score: HumanScore) -> str:
    return (
        human_score.ppi.warning or human_score.difference.warning or human_score.alone_new.warning
    )


@analysis(
    Declaration(
        id="human_scores",
        title="What people would give each system",
        question="What would people give each system, with each metric's help?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="methodologist",
        place=70,
        # Where everything is judged no method can add anything: the leaderboard says it all.
        tables=lambda scores, names: (
            [_table(scores, names)] if any(score.n < score.total for score in scores) else []
        ),
    )
)
def human_scores(held: AllCases) -> tuple[HumanScore, ...]:
    """Estimate the score of each system on all cases, with the help of each metric."""
    if not held.joined:
        return ()
    return tuple(
        scores_by_people(held.metrics, held.joined, given=held.given, clusters=held.clusters)
    )
