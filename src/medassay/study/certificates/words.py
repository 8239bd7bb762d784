"""What a reader must know of model raters before any number: said at every opening of a study."""

from collections.abc import Sequence

from medassay.study.certificates.record import StandingOfCertificate

__all__ = ["describe_judge"]


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
            f"{judge} is a model: its judgements{of} are held against people's and are in no "
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
