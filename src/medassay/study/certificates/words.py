"""What a reader must know of model raters before any number: said at every opening of a study."""

from collections.abc import Sequence

from medassay.study.certificates.record import StandingOfCertificate
from medassay.validity import JudgeWithout

__all__ = ["describe_judge", "without_verdict"]


def describe_judge(
    judge: str, standings: Sequence[StandingOfCertificate], *, pairs: bool, pairs_count: bool
) -> list[str]:
    """Say whether a model rater's labels count, and what its certificate is worth.

    Args:
        judge: Its id.
        standings: One for each dimension that it judged.
        pairs: Whether it preferred answers over others.
        pairs_count: Whether such preferences of models count like people's.

    Returns:
        Sentences; none of a judge that said nothing.
    """
    apart = [
        standing_of_certificate
        for standing_of_certificate in standings
        if not standing_of_certificate.counted
    ]
    lines = []
    if apart or (pairs and not pairs_count and not standings):
        of = f" on {', '.join(s.dimension for s in apart)}" if len(apart) < len(standings) else ""
        lines.append(
            f"{judge} is a model: its judgements{of} are compared with people's and are in no "
            "agreement, consensus or ranking."
        )
    lines += [
        _counted(judge, standing_of_certificate)
        for standing_of_certificate in standings
        if standing_of_certificate.counted
    ]
    if pairs and pairs_count:
        lines.append(
            f"{judge} is a model and its preferences are counted like a person's; no certificate "
            "speaks of preferences."
        )
    return [
        *lines,
        *(
            f"The certificate of {judge} is not honoured on "
            f"{standing_of_certificate.dimension}: {'; '.join(standing_of_certificate.why)}."
            for standing_of_certificate in apart
            if standing_of_certificate.status == "refused"
        ),
    ]


def _counted(judge: str, standing_of_certificate: StandingOfCertificate) -> str:
    if standing_of_certificate.status == "honoured":
        open_ = (
            f"; open: {', '.join(standing_of_certificate.open)}"
            if standing_of_certificate.open
            else ""
        )
        return (
            f"{judge} is a model and counted like a person on "
            f"{standing_of_certificate.dimension}: its certificate "
            f"holds{open_}."
        )
    why = (
        f"its certificate is refused: {'; '.join(standing_of_certificate.why)}"
        if standing_of_certificate.why
        else "no certificate"
    )
    return (
        f"{judge} is a model and counted like a person on "
        f"{standing_of_certificate.dimension}, and nothing shows that "
        f"it may be ({why})."
    )


def without_verdict(judge: str, without: JudgeWithout) -> str:
    """Say how often a judge that was asked gave no verdict, and what those could change.

    Example:
        >>> print(without_verdict("gpt", JudgeWithout("safe", 50, 1, 3, 0, 0, 40, 30, 2)))
        gpt gave no verdict on safe for 4 of 50 answers (1 off the menu, 3 refused): none of \
these counts as a label. It says what most people say of 75 to 80% of 40 answers, whatever they \
had been.
    """
    counts = {
        "off the menu": without.off_menu,
        "refused": without.refused,
        "cut off": without.cut_off,
        "failed": without.failed,
    }
    why = ", ".join(f"{count:,} {words}" for words, count in counts.items() if count)
    text = (
        f"{judge} gave no verdict on {without.dimension} for {without.count:,} of "
        f"{without.asked:,} answers ({why}): none of these counts as a label."
    )
    if without.bounds is None:
        return (
            f"{text} No answer has a label of most people, so what they could change is not known."
        )
    low, high = (f"{100 * share:.0f}" for share in without.bounds)
    share = f"{low}%" if low == high else f"{low} to {high}%"
    return (
        f"{text} It says what most people say of {share} of {without.held:,} answers, whatever "
        "they had been."
    )
