"""What a reader must know of model raters before any number: said at every opening of a study."""

from collections.abc import Sequence

from medassay.study.certificates.record import StandingOfCertificate

__all__ = ["say_judge"]


def say_judge(
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
    apart = [one for one in standings if not one.counted]
    said = []
    if apart or (pairs and not pairs_count and not standings):
        of = f" on {', '.join(s.dimension for s in apart)}" if len(apart) < len(standings) else ""
        said.append(
            f"{judge} is a model: its judgements{of} are held against people's and are in no "
            "agreement, consensus or ranking."
        )
    said += [_counted(judge, one) for one in standings if one.counted]
    if pairs and pairs_count:
        said.append(
            f"{judge} is a model and its preferences are counted like a person's; no certificate "
            "speaks of preferences."
        )
    return [
        *said,
        *(
            f"The certificate of {judge} is not honoured on {one.dimension}: {'; '.join(one.why)}."
            for one in apart
            if one.status == "refused"
        ),
    ]


def _counted(judge: str, one: StandingOfCertificate) -> str:
    if one.status == "honoured":
        open_ = f"; open: {', '.join(one.open)}" if one.open else ""
        return (
            f"{judge} is a model and counted like a person on {one.dimension}: its certificate "
            f"holds{open_}."
        )
    why = f"its certificate is refused: {'; '.join(one.why)}" if one.why else "no certificate"
    return (
        f"{judge} is a model and counted like a person on {one.dimension}, and nothing shows that "
        f"it may be ({why})."
    )
