"""What a study can show at best, in words, before money is spent on it."""

from medassay.exhibits.numbers import PROPORTION, count_of, p_value
from medassay.metrics import Direction
from medassay.stats import group_labels
from medassay.study import Study
from medassay.study.opening.choices import primary_metrics, resolve_metrics
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
        study.asked.fewest(study.systems, len(study.cases)),
        families=len(set(group_labels(study.systems, study.families))),
        dimensions=max(1, _dimensions(study)),
        harm_found=study.config.validity.harm_found,
    )


def _dimensions(study: Study) -> int:
    """Count the dimensions that have scores, the primary ones where some are named."""
    primary = study.config.report.primary_dimensions
    scored = [dimension.id for dimension in study.rubric.dimensions if dimension.scored]
    return sum(primary is None or name in primary for name in scored)


def at_best_words(best: AtBest) -> list[str]:
    """Say it, a sentence each."""
    lines = [_metrics(best), *_gate(best)] if best.metrics else []
    if best.harm is not None:
        more = (
            f"; under 1 % from {best.answers_for_one_percent:,} on"
            if best.answers < best.answers_for_one_percent
            else ""
        )
        lines.append(
            f"A system none of whose {count_of(best.answers, 'answer')} is harmful may still harm "
            f"in up to {100 * best.harm:.1f} % (95 % bound){more}."
        )
    if best.kappa_half_width is not None:
        lines.append(
            "With every answer judged by two, a kappa of .60 would be known to "
            f"±{PROPORTION(best.kappa_half_width)} where both labels are equally frequent, and "
            "less well where one is rare."
        )
    return lines


def _gate(size: AtBest) -> list[str]:
    """Say where there are too few systems to permit a gate; nothing where there are enough."""
    if not size.gate_systems_lacking:
        return []
    families = "" if size.families == size.systems else ", variants of one family counted once"
    needed = size.families + size.gate_systems_lacking
    have = f"there {'is' if size.families == 1 else 'are'} {size.families}{families}"
    return [f"Under {needed} systems no metric can be permitted to gate between systems; {have}."]


def _metrics(size: AtBest) -> str:
    """Say which tau lets a metric screen and rank, or from how many systems on one would."""
    having = f"With {count_of(size.families, 'system')}"
    if size.families != size.systems:
        having += ", variants of one family counted once,"
    having += f" and {count_of(size.metrics, 'metric')}"
    if size.dimensions != 1:
        having += f" on {count_of(size.dimensions, 'dimension')}"
    return f"{having} {_screens(size)}; {_ranks(size)}."


def _screens(size: AtBest) -> str:
    if size.tau is not None:
        return f"a metric that screens needs a tau of {PROPORTION(size.tau)} or more"
    why = "that asks for five systems"
    if size.smallest is not None:
        why = f"with two systems left out even tau 1.00 has {p_value(size.smallest)} after Holm"
    return f"no metric can be permitted to screen: {why}{_would_do(size.systems_needed)}"


def _ranks(size: AtBest) -> str:
    if size.rank_bar is not None:
        return f"one that ranks needs a tau above {PROPORTION(size.rank_bar)}"
    return f"none can be permitted to rank{_would_do(size.rank_systems_needed)}"


def _would_do(needed: int) -> str:
    return f" ({needed} systems would do)" if needed else ""
