"""Which metrics rank the systems as the raters do?"""

from medassay.analyses.builtin.correlations.picture import tau_picture
from medassay.analyses.builtin.correlations.record import FEWEST_TOLD, Correlations, Lacks
from medassay.analyses.builtin.correlations.tables import tau_maps, tau_table
from medassay.analyses.builtin.correlations.words import correlation_claims, correlation_findings
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_choices import Choices
from medassay.analyses.inputs.readable import Columns, Design, Leading, OnFile, Randomness
from medassay.analyses.results.records import Records
from medassay.answers import Answers
from medassay.exhibits import VerdictKind
from medassay.validity import BestByChance, Validity, best_by_chance

__all__ = ["correlations", "correlations_in"]


@analysis(
    Declaration(
        id="correlations",
        title="Tau of every metric",
        question="Does a metric put the systems in the order that the raters do?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="methodologist",
        place=20,
        finding_place=80,
        tables=lambda record, names: [*tau_maps(record, names), tau_table(record, names)],
        pictures=tau_picture,
        finding=correlation_findings,
        verdicts=(VerdictKind.CLAIM,),
        claims=correlation_claims,
    )
)
def correlations(
    validities: tuple[Validity, ...],
    leading: Leading,
    columns: Columns,
    design: Design,
    choices: Choices,
    on_file: OnFile,
    answers: Answers,
    randomness: Randomness,
) -> Correlations:
    """Give every tau, and which of them is told; or say what a study without any lacks."""
    lacks = _lacks(columns, design, gold=bool(choices.by_system))
    if lacks == "ratings" and on_file.models & set(on_file.judgements.current()["rater"]):
        lacks = "ratings of people"
    if not lacks and _no_texts(validities, answers):
        lacks = "texts"
    methods = list(dict.fromkeys(validity.method for validity in validities))
    method = leading.method if leading.method in methods else next(iter(methods), "")
    by_chance = _by_chance(columns, method, randomness)
    return Correlations(validities, method, leading.dimension, lacks, by_chance)


def _by_chance(columns: Columns, method: str, randomness: Randomness) -> BestByChance | None:
    """Ask what the best of the metrics reaches by chance; of few systems nothing is said."""
    of = {
        kind: [
            columns.sources[column.name]
            for column in columns.score_columns.columns
            if (column.kind == "consensus", column.control) == kind
            and (column.kind != "consensus" or column.method == method)
        ]
        for kind in ((False, False), (True, False), (False, True))
    }
    metrics, joined, controls = of.values()
    if not metrics or not joined or len(metrics[0].grid.systems) < FEWEST_TOLD:
        return None
    rng = randomness.stream("s70")
    return best_by_chance(metrics, joined, controls=controls, rng=rng)


def _lacks(columns: Columns, design: Design, *, gold: bool) -> Lacks:
    kinds = {
        (column.kind == "consensus", column.control) for column in columns.score_columns.columns
    }
    if (False, False) not in kinds:
        return "metrics"
    if not any(consensus for consensus, _ in kinds):
        return "ratings, gold decides" if gold else "ratings"
    return "systems" if len(design.systems) < 2 else ""  # noqa: PLR2004 - a ranking needs two


def _no_texts(validities: tuple[Validity, ...], answers: Answers) -> bool:
    """Say whether no metric has a tau, and no answer a text."""
    known = any(v.tau is not None and not v.control for v in validities)
    return not known and 0 < len(answers) == answers.tally.not_held.total()


def correlations_in(records: Records) -> tuple[Validity, ...]:
    """Give every tau of a run; nothing where it was not asked."""
    record = records.of(correlations)
    return record.tried if record else ()
