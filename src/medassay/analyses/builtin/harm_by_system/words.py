"""The sentences about harm: what was found by system, and what 'none found' still allows."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from medassay.analyses.builtin.harm_by_system.record import HarmBySystem, HarmOf, HarmPair
from medassay.analyses.inputs.system_harm import harm_differs
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import count_of, listed_few
from medassay.exhibits.sentences import as_sentence

__all__ = ["harm_claims", "harm_findings", "labelled", "percent"]

_MOST: Final = 4
"""Systems that the sentence names one by one; the table has all."""
_BASIS: Final = ("harm-by-system",)
_FINDING: Final = "harm"
_OF_WHAT: Final = " These bounds are for new cases."
"""Said of cases chosen as these were, where nothing says how they were drawn (`report.whose`)."""


def harm_claims(harm: HarmBySystem) -> Iterator[Claim]:
    """Claim how much harm there may be at most, and which systems differ in it."""
    own = VerdictKind.OWN_RATE
    yield Claim.of(_FINDING, "at most so much harm", own, row=VerdictRow.HARM_BOUND)
    p = [pair.compared.p_adjusted for pair in harm.pairs]
    if any(value is not None for value in p):
        yield Claim.of(_FINDING, "harm", VerdictKind.WARNING, p, row=VerdictRow.HARM_APART)


def harm_findings(harm: HarmBySystem, names: Names) -> tuple[Finding, ...]:
    """Say what was found on each dimension, and how many clean answers would settle more."""
    groups = dict.fromkeys((harm_of.dimension, harm_of.kind) for harm_of in harm.systems)
    several = len(groups) > 1
    text = " ".join(
        _said(
            [harm_of for harm_of in harm.systems if (harm_of.dimension, harm_of.kind) == group],
            names,
            [pair for pair in harm.pairs if (pair.dimension, pair.kind) == group],
            several,
        )
        for group in groups
    )
    if any(own.interval is not None or own.at_most is not None for own in harm.systems):
        text += _OF_WHAT
    findings = [Finding(_FINDING, text, _BASIS, ReaderQuestion.UNSAFE)]
    if (next_said := _next(harm)) != "":
        findings.append(Finding("harm-next", next_said, _BASIS, ReaderQuestion.NEXT))
    return tuple(findings)


def percent(share: float) -> str:
    r"""Print a share of answers in whole percent, below 10 with a decimal.

    Example:
        >>> percent(0.65), percent(0.0582), percent(0.0)
        ('65\xa0%', '5.8\xa0%', '0\xa0%')
    """
    digits = 1 if 0 < share < 0.0995 else 0  # noqa: PLR2004 - what rounds to 10 needs no decimal
    return f"{100 * share:.{digits}f}\u00a0%"


def labelled(called: Iterable[str]) -> str:
    """Name answers by what their labels say; empty where each label says harm alone.

    Example:
        >>> labelled(["poor or harmful", "poor or harmful", "refuted", ""])
        'answers labelled poor or harmful, and those labelled refuted, and those labelled harmful'
        >>> labelled(["", ""])
        ''
    """
    words = dict.fromkeys(called)
    each = ", and those labelled ".join(each or "harmful" for each in words)
    return f"answers labelled {each}" if any(words) else ""


def _said(harms: Sequence[HarmOf], names: Names, pairs: Sequence[HarmPair], several: bool) -> str:  # noqa: FBT001 - whether to name the dimension, chosen by one caller
    bad = sorted(
        (system_harm for system_harm in harms if system_harm.found),
        key=lambda system_harm: -system_harm.found / system_harm.n,
    )
    parts = [_found(system_harm, names, first=not at) for at, system_harm in enumerate(bad[:_MOST])]
    if len(bad) > _MOST:
        parts.append(f"{count_of(len(bad) - _MOST, 'more system')} gave some")
    sentences = [f"{'; '.join(parts)}."] if parts else []
    sentences += _none(harms, names)
    if bad and (fewer := _who_differs(pairs, bad[0].system, names)):
        sentences.append(fewer)
    sentences += [as_sentence(few) for few in dict.fromkeys(own.few for own in harms) if few]
    split = sum(system_harm.split for system_harm in harms)
    if split:
        sentences.append(f"Raters differed on {count_of(split, 'answer')}.")
    where = f"On {names.of_dimension(harms[0].dimension)}, " if several else ""
    return where + " ".join(sentences)


def _found(harm: HarmOf, names: Names, *, first: bool) -> str:
    who = names.of_system(harm.system)
    by = f" by {harm.judge}, a model" if harm.judge else ""
    gave = f"gave {harm.words} answers to" if first else "to"
    text = f"{who} {gave} {harm.found:,} of {count_of(harm.n, 'case')}{by}"
    share = percent(harm.found / harm.n)
    if harm.interval is not None:
        low, high = (percent(end).removesuffix("\u00a0%") for end in _ends(harm))
        span = "95 % interval " if first else ""
        return f"{text} ({share}; {span}{low} to {high}\u00a0%)"
    if harm.at_most is None:
        return f"{text}; {harm.reason or 'how many more there may be is not known'}"
    return f"{text} ({share}), and up to {percent(harm.at_most)} is possible"


def _ends(harm: HarmOf) -> tuple[float, float]:
    return (harm.interval.low, harm.interval.high) if harm.interval else (0.0, 1.0)


def _none(harms: Sequence[HarmOf], names: Names) -> Iterator[str]:
    """Say of those without any, by how much that still allows."""
    alike: dict[tuple[int, float | None], list[HarmOf]] = {}
    for system_harm in harms:
        if not system_harm.found:
            alike.setdefault((system_harm.n, system_harm.at_most), []).append(system_harm)
    groups = sorted(alike.items(), key=lambda item: -len(item[1]))
    for (n, at_most), own in groups[:_MOST]:
        who = listed_few([names.of_system(system_harm.system) for system_harm in own], _MOST)
        each = " each" if len(own) > 1 else ""
        kind = "" if any(system_harm.found for system_harm in harms) else f" {own[0].words}"
        allows = (
            f"which still allows up to {percent(at_most)} (one-sided 95 % bound)"
            if at_most is not None
            else (own[0].reason or "which bounds nothing")
        )
        yield f"{who}: none{kind} of {n:,}{each}, {allows}."
    if len(groups) > _MOST:
        more = sum(len(own) for _, own in groups[_MOST:])
        yield f"{count_of(more, 'more system')} had none; see the table."


def _next(harm: HarmBySystem) -> str:
    reads = sorted({case for harm_of in harm.systems for case in harm_of.cases})
    mixed = any(harm_of.called for harm_of in harm.systems)
    lines = []
    if reads:
        said = labelled(harm_of.called for harm_of in harm.systems if harm_of.cases)
        lines.append(f"Read the {said or 'harmful answers'}.")
    clean = [harm_of for harm_of in harm.systems if not harm_of.found]
    if clean and harm.clean is not None and any(harm_of.n < harm.clean for harm_of in clean):
        words = dict.fromkeys(harm_of.words for harm_of in clean)
        rate, none = (
            ("rate", f"none {', or '.join(words)}") if mixed else ("harm rate", "none harmful")
        )
        lines.append(
            f"To show a {rate} below 1 % on new cases, a system needs {harm.clean} answers with "
            f"{none}."
        )
    return " ".join(lines)


def _who_differs(pairs: Sequence[HarmPair], worst: str, names: Names) -> str:
    """Say which systems gave fewer harmful answers than the one with the largest share."""
    fewer = [
        _other(pair, worst)
        for pair in pairs
        if worst in (pair.compared.system_a, pair.compared.system_b)
        and harm_differs(pair.compared)
        and _less(pair, worst)
    ]
    if not fewer:
        return ""
    who = listed_few([names.of_system(system) for system in fewer])
    return f"{who} gave fewer than {names.of_system(worst)} (all pairs tested at once)."


def _other(pair: HarmPair, worst: str) -> str:
    both = pair.compared.system_a, pair.compared.system_b
    return both[0] if both[1] == worst else both[1]


def _less(pair: HarmPair, worst: str) -> bool:
    """Say whether the other system has the smaller share."""
    difference = pair.compared.difference or 0.0
    return difference > 0 if pair.compared.system_a == worst else difference < 0
