"""What a study can show at best, in words, before money is spent on it."""

from math import ceil
from typing import Final

from medassay.analyses.permit_words import limits
from medassay.exhibits.numbers import PROPORTION, count_of, p_value
from medassay.metrics import Direction
from medassay.stats import group_labels
from medassay.study import Study
from medassay.study.opening.choices import primary_metrics, resolve_metrics
from medassay.validity import AtBest, DifferencesAtBest, GateFloor, at_best, differences_at_best

_EXACT: Final = 1e-9


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
        none, harm = (
            count_of(best.answers, "answer"),
            f"{ceil(1000 * best.harm - _EXACT) / 10:.1f}%",
        )
        lines.append(
            f"With no harmful answer in {none}, the true rate could be up to {harm} (95% bound)."
        )
        if best.answers < best.answers_for_one_percent:
            many = f"{best.answers_for_one_percent:,}"
            lines.append(
                f"To show a harm rate below 1%, you need {many} answers with none harmful."
            )
    if best.kappa_half_width is not None:
        lines.append(
            "With two raters for every answer, the 95% CI of a kappa of 0.60 would be about "
            f"±{PROPORTION(best.kappa_half_width)} (wider where one label is rare)."
        )
    return lines


def _gate(size: AtBest) -> list[str]:
    """Say what a gate between systems will not show, and where there are too few for one."""
    scope = f"gate between systems is {limits('gate between systems')}."
    if not size.gate_systems_lacking:
        return [f"A {scope}"]
    families = "" if size.families == size.systems else ", variants of one family counted once"
    needed = size.families + size.gate_systems_lacking
    have = f"there {'is' if size.families == 1 else 'are'} {size.families}{families}"
    return [
        f"A metric can gate between systems only from {needed} systems on; {have}. Such a {scope}"
    ]


def _metrics(size: AtBest) -> str:
    """Say which tau lets a metric screen and rank, or from how many systems on one would."""
    having = f"With {count_of(size.families, 'system')}"
    if size.families != size.systems:
        having += ", variants of one family counted once"
    having += f" and {count_of(size.metrics, 'metric')}"
    if size.dimensions != 1:
        having += f" on {count_of(size.dimensions, 'dimension')}"
    scope = "" if size.tau is None else f" Either use is {limits('rank')}."
    return f"{having}, {_screens(size)}; {_ranks(size)}.{scope}"


def _screens(size: AtBest) -> str:
    if size.tau is not None:
        return f"a metric that screens needs a tau of {PROPORTION(size.tau)} or more"
    why = "screening needs five systems"
    if size.smallest is not None:
        why = f"with two systems left out even tau 1.00 has {p_value(size.smallest)} after Holm"
    return f"no metric can screen, since {why}{_would_do(size.systems_needed)}"


def _ranks(size: AtBest) -> str:
    if size.rank_bar is not None:
        return f"one that ranks needs a tau above {PROPORTION(size.rank_bar)}"
    return f"none can rank{_would_do(size.rank_systems_needed)}"


def _would_do(needed: int) -> str:
    return f" ({needed} systems would be enough)" if needed else ""


MARGIN: Final = 0.02
"""The largest loss that a gate accepts unless told otherwise, in the metric's unit."""


def differences_at_best_of(study: Study, margin: float = MARGIN) -> DifferencesAtBest | None:
    """Ask what a study of this size allows; nothing where its protocol describes only.

    Raises:
        InvalidInput: The margin is not above 0.
    """
    if study.config.rules.descriptive:
        return None
    metrics = [
        metric
        for metric in resolve_metrics(study.config.rules.metrics)
        if metric.declaration.direction is not Direction.NONE
    ]
    ranges = {str(metric.name): metric.range for metric in metrics if metric.declaration.harm}
    ranges |= {
        source: (scores_file.meaning.low, scores_file.meaning.high)
        for scores_file in study.imported
        if scores_file.meaning.harm
        for source in scores_file.table.sources
    }
    imported = sum(
        len(scores_file.table.sources)
        for scores_file in study.imported
        if scores_file.meaning.direction != "none"
    )
    harms = {
        name: high - low
        for name, (low, high) in ranges.items()
        if low is not None and high is not None
    }
    each = study.asked.fewest(study.systems, len(study.cases))
    return differences_at_best(
        len(study.systems), len(metrics) + imported, each, margin=margin, harms=harms
    )


def differences_at_best_words(differences: DifferencesAtBest) -> list[str]:
    """Say it, a sentence each."""
    sentences = [*smallest_difference(differences)]
    sentences += [_floor(differences, floor) for floor in differences.floors]
    sentences.append(_floor(differences, differences.other, "any other score from 0 to 1"))
    together = (
        f", its {count_of(differences.tests, 'test')} together" if differences.tests > 1 else ""
    )
    sentences.append(
        "False-alarm rate: of 100 changes that lose nothing, a gate on all metrics and systems "
        f"calls up to {differences.false_alarms:g} worse{together}."
    )
    return sentences


def smallest_difference(differences: DifferencesAtBest) -> list[str]:
    """Say which difference sets two systems apart; nothing without two, or without an answer."""
    if not (differences.pairs and differences.answers):
        return []
    together = f" (corrected for {differences.pairs} pairs)" if differences.pairs > 1 else ""
    exact = (
        "no difference in right answers can decide which of two systems is better"
        if differences.right_or_wrong is None
        else "the order of two systems is decided from a difference in right answers of "
        f"{PROPORTION(differences.right_or_wrong)}"
    )
    sentences = [f"With {count_of(differences.answers, 'answer')} each{together}, {exact}."]
    if differences.standard_deviations is not None:
        sentences.append(
            "A difference of means is found with 80% power from "
            f"{PROPORTION(differences.standard_deviations)} standard deviations within a case"
            f"{_on_a_scale(differences)}."
        )
    return sentences


def _on_a_scale(differences: DifferencesAtBest) -> str:
    share = differences.share_of_scale
    assumed = PROPORTION(differences.assumed_spread)
    if share is None:
        return f" (more than the scale has, if one is {assumed} of it: assumed, not measured)"
    return f" ({PROPORTION(share)} of the scale, if one is {assumed} of it: assumed, not measured)"


def _floor(differences: DifferencesAtBest, floor: GateFloor, named: str = "") -> str:
    what = named or floor.metric or "a score of harm from 0 to 1"
    together = (
        f" ({floor.together:,} for all {differences.tests:,} tests together)"
        if differences.tests > 1
        else ""
    )
    return (
        f"If nothing changed, a gate with a margin of {differences.margin:g} on {what} says "
        f"'metric not worse' from {floor.alone:,} answers on{together}; here are "
        f"{differences.answers:,}."
    )
