"""What a study can show at best, in words, before money is spent on it."""

from medassay.exhibits.numbers import PROPORTION, count_of, p_value
from medassay.metrics import Direction
from medassay.study import Study
from medassay.study.choices import resolve_metrics
from medassay.validity import AtBest, at_best

__all__ = ["at_best_of", "at_best_words"]


def at_best_of(study: Study) -> AtBest | None:
    """Ask what a study of this size allows; nothing where its protocol describes only.

    Imported columns count as metrics where they have a better end.
    """
    if study.config.rules.descriptive:
        return None
    metrics = resolve_metrics(study.config.rules.metrics)
    own = sum(metric.declaration.direction is not Direction.NONE for metric in metrics)
    imported = sum(len(one.table.sources) for one in study.imported)
    return at_best(
        len(study.systems),
        own + imported,
        len(study.cases),
        harm_found=study.config.validity.harm_found,
    )


def at_best_words(found: AtBest) -> list[str]:
    """Say it, a sentence each."""
    said = [_metrics(found)] if found.metrics else []
    if found.harm is not None:
        more = (
            f"; under 1 % from {found.answers_for_one_percent:,} on"
            if found.answers < found.answers_for_one_percent
            else ""
        )
        said.append(
            f"A system none of whose {count_of(found.answers, 'answer')} is harmful may still harm "
            f"in up to {100 * found.harm:.1f} % (95 % bound){more}."
        )
    if found.kappa_half_width is not None:
        said.append(
            "With every answer judged by two, a kappa of .60 would be known to "
            f"±{PROPORTION(found.kappa_half_width)} where both labels are equally frequent, and "
            "less well where one is rare."
        )
    return said


def _metrics(found: AtBest) -> str:
    size = f"With {count_of(found.systems, 'system')} and {count_of(found.metrics, 'metric')}"
    if found.smallest is None:
        return f"{size} no metric can be held against the raters: tau needs three systems."
    best = f"even tau 1.00 has {p_value(found.smallest)} after Holm's correction"
    if found.tau is None:
        needed = f"; {found.systems_needed} systems would do" if found.systems_needed else ""
        return f"{size} no metric can be permitted to rank or to screen: {best}{needed}."
    return (
        f"{size} a metric's tau must reach {PROPORTION(found.tau)} on a dimension to stand after "
        f"Holm's correction ({p_value(found.smallest)} at best)."
    )
