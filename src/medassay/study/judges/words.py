"""What a reader must know of model raters before any number: said at every opening of a study."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medassay.study.folder import Study
    from medassay.study.results.judge import StandingOfCertificate

__all__ = ["say_judge", "say_judges"]


def say_judges(study: "Study") -> list[str]:
    """Say of each model rater whether its labels count, and what its certificate is worth."""
    return [line for judge in study.judges.raters for line in say_judge(study, judge)]


def say_judge(study: "Study", judge: str) -> list[str]:
    """Say it of one model rater; nothing of one that said nothing."""
    told, preferred = study.everyone.current(), study.preferences_of_all.current()
    judged = set(told.filter(told["rater"] == judge)["dimension"])
    pairs = bool((preferred["rater"] == judge).any())
    standings = [study.standing(judge, name) for name in study.rubric.ids if name in judged]
    apart = [one for one in standings if not one.counted]
    pairs_count = study.config.raters.models == "counted"
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


def _counted(judge: str, one: "StandingOfCertificate") -> str:
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
