"""Did what a template warns raters of happen, and did they do what it asks?"""

from medassay.analyses.builtin.human_evaluation.compute import kappa_of
from medassay.analyses.builtin.rater_template.checklist import checklist_of
from medassay.analyses.builtin.rater_template.pitfalls import pitfalls_of
from medassay.analyses.builtin.rater_template.record import RaterTemplate
from medassay.analyses.builtin.rater_template.tables import template_tables
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.rater_agreement import Agreed
from medassay.analyses.inputs.rater_traits import Diagnosed
from medassay.analyses.inputs.readable import About, Rules
from medassay.answers import Answers
from medassay.judgements import Judgements, Rubric

__all__ = ["rater_template"]


@analysis(
    Declaration(
        id="rater_template",
        title="What the template asks of raters",
        question="Did what the template warns of happen, and is its checklist met?",
        section="panel",
        part="panel-template",
        infers=True,
        reader="organiser",
        place=5,
        tables=template_tables,
    )
)
def rater_template(
    rules: Rules,
    judgements: Judgements,
    rubric: Rubric,
    answers: Answers,
    agreed: Agreed,
    diagnosed: Diagnosed,
    about: About,
) -> RaterTemplate | None:
    """Measure the pitfalls and answer the checklist, where the protocol has a template."""
    rule = rules.paper
    if rule is None:
        return None
    kappa = kappa_of(agreed, rule.dimension)
    return RaterTemplate(
        rule.dimension,
        tuple(pitfalls_of(judgements, rule.dimension, diagnosed.effects)),
        tuple(
            checklist_of(
                judgements,
                rubric,
                rule.dimension,
                answers=len(answers),
                kappa=kappa.value if kappa else None,
                diagnostics=diagnosed.effects,
                originals=about.originals,
            )
        ),
    )
