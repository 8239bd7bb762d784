"""What do the raters score each system, told as the protocol's source wants it in a paper?"""

from medassay.agreement import Agreement, band_sources, borne_out_band
from medassay.analyses.builtin.human_evaluation.by_answer import answer_notes, answer_scores
from medassay.analyses.builtin.human_evaluation.compute import (
    kappa_of,
    paper_rows,
    score_correlations,
)
from medassay.analyses.builtin.human_evaluation.record import HumanEvaluation
from medassay.analyses.builtin.human_evaluation.tables import paper_tables
from medassay.analyses.builtin.human_evaluation.words import paper_sentence
from medassay.analyses.builtin.summaries.compute import dimension_summaries
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.rater_agreement import Agreed
from medassay.analyses.inputs.readable import Columns, Design, Randomness, Rules
from medassay.cases import Cases
from medassay.judgements import Judgements, Rubric
from medassay.scores import Unscored

__all__ = ["human_evaluation"]


@analysis(
    Declaration(
        id="human_evaluation",
        title="For the paper",
        question="What do the raters score each system, and do machines' scores go with theirs?",
        section="panel",
        part="panel-paper",
        infers=True,
        reader="organiser",
        place=4,
        tables=paper_tables,
        notes=lambda paper, names: [
            paper_sentence(paper, names),
            f"Words for κ are those of: {paper.bands}. {paper.bands_rule}",
        ],
    )
)
def human_evaluation(
    rules: Rules,
    judgements: Judgements,
    rubric: Rubric,
    cases: Cases,
    columns: Columns,
    design: Design,
    agreed: Agreed,
    randomness: Randomness,
) -> HumanEvaluation | None:
    """Lay out what the protocol's source wants told; nothing where it names nothing."""
    rule = rules.paper
    if rule is None:
        return None
    judged = judgements.counted
    main = judged.filter(judged["dimension"] == rule.dimension)
    raters = main["rater"].n_unique()
    kappa = kappa_of(agreed, rule.dimension)
    word = _word(kappa, rule.bands)
    bands = next(source for source in band_sources() if source.name == rule.bands)
    summaries = dimension_summaries(rubric, judgements, design.systems, cases)
    return HumanEvaluation(
        dimension=rule.dimension,
        rows=tuple(paper_rows(rule.dimension, summaries)),
        questions=main["case"].n_unique(),
        raters=raters,
        kappa=None if kappa is None else kappa.value,
        kappa_reason="no two raters scored the same answers" if kappa is None else kappa.reason,
        pairs=raters * (raters - 1) // 2,
        word=word if isinstance(word, str) else "",
        word_reason=str(word) if isinstance(word, Unscored) else "",
        bands=bands.source,
        bands_rule=f"Rounded to {bands.decimals} decimals, then looked up. {bands.note}".strip(),
        correlations=tuple(
            score_correlations(columns.score_columns, rule.dimension, design, cases, randomness)
        ),
        answers=tuple(answer_scores(rule.dimension, rubric, judgements, design.systems, cases)),
        notes=tuple(answer_notes(judgements, design.systems, cases)),
    )


def _word(kappa: Agreement | None, bands: str) -> str | Unscored | None:
    if kappa is None or kappa.value is None:
        return None
    return borne_out_band(kappa.value, kappa.interval, bands)
