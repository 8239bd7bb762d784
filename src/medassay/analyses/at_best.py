"""What a study can show at best, in words, before money is spent on it."""

from medassay.exhibits.numbers import PROPORTION, count_of, p_value
from medassay.metrics import Direction
from medassay.stats import group_labels
from medassay.study import Study
from medassay.study.choices import resolve_metrics
from medassay.study.primary import primary_metrics
from medassay.validity import AtBest, at_best

__all__ = ["at_best_of", "at_best_words"]


def at_best_of(study: Study) -> AtBest | None:
    """Ask what a study of this size allows; nothing where its protocol describes only.

    Imported columns count as metrics where they have a better end. Where study.toml names primary
    metrics, these alone count: Holm corrects for no others.
    """
    if study.config.rules.descriptive:
        return None
    metrics = resolve_metrics(study.config.rules.metrics)
    own = [
        str(metric.name) for metric in metrics if metric.declaration.direction is not Direction.NONE
    ]
    imported = [source for scores in study.imported for source in scores.table.sources]
    primary = primary_metrics(study.config)
    return at_best(
        len(study.systems),
        sum(primary is None or name in primary for name in [*own, *imported]),
        len(study.cases),
        families=len(set(group_labels(study.systems, study.families))),
        harm_found=study.config.validity.harm_found,
    )


def at_best_words(found: AtBest) -> list[str]:
    """Say it, a sentence each."""
    lines = [_metrics(found), *_gate(found)] if found.metrics else []
    if found.harm is not None:
        more = (
            f"; under 1 % from {found.answers_for_one_percent:,} on"
            if found.answers < found.answers_for_one_percent
            else ""
        )
        lines.append(
            f"A system none of whose {count_of(found.answers, 'answer')} is harmful may still harm "
            f"in up to {100 * found.harm:.1f} % (95 % bound){more}."
        )
    if found.kappa_half_width is not None:
        lines.append(
            "With every answer judged by two, a kappa of .60 would be known to "
            f"±{PROPORTION(found.kappa_half_width)} where both labels are equally frequent, and "
            "less well where one is rare."
        )
    return lines


def _gate(size: AtBest) -> list[str]:
    """Say where there are too few systems to permit a gate; nothing where there are enough."""
    if not size.gate_systems_lacking:
        return []
    families = "" if size.gate_systems == size.systems else ", variants of one family counted once"
    needed = size.gate_systems + size.gate_systems_lacking
    have = f"there {'is' if size.gate_systems == 1 else 'are'} {size.gate_systems}{families}"
    return [f"Under {needed} systems no metric can be permitted to gate; {have}."]


def _metrics(this_at_best: AtBest) -> str:
    size = (
        f"With {count_of(this_at_best.systems, 'system')} and "
        f"{count_of(this_at_best.metrics, 'metric')}"
    )
    if this_at_best.smallest is None:
        return f"{size} no metric can be held against the raters: tau needs three systems."
    best = f"even tau 1.00 has {p_value(this_at_best.smallest)} after Holm's correction"
    if this_at_best.tau is None:
        needed = (
            f"; {this_at_best.systems_needed} systems would do"
            if this_at_best.systems_needed
            else ""
        )
        return f"{size} no metric can be permitted to rank or to screen: {best}{needed}."
    return (
        f"{size} a metric's tau must reach {PROPORTION(this_at_best.tau)} on a dimension to "
        f"stand after "
        f"Holm's correction ({p_value(this_at_best.smallest)} at best)."
    )
