"""Answers whose words give their system away."""

from collections.abc import Sequence
from dataclasses import dataclass

from medassay.campaign.texts import texts_of
from medassay.judgements.campaign import Item, Settings, find_give_aways
from medassay.study.folder import Study

__all__ = ["Flag", "flag_give_aways"]


@dataclass(frozen=True)
class Flag:
    """An answer whose words give its system away: for the organiser, never for a rater.

    Attributes:
        system: The system; empty where the words stand in the study's title.
        case: The case; empty as well.
        words: The words.
        around: The words with what stands about them; empty where texts are private.
        why: What they give away.
    """

    system: str
    case: str
    words: str
    around: str
    why: str


def flag_give_aways(study: Study, items: Sequence[Item], settings: Settings) -> list[Flag]:
    """Find what gives systems away in the texts that raters will read."""
    names = set(study.systems)
    names |= {study.system(name).title for name in study.systems}
    names |= set(study.families.values())
    answers = sorted({(name, item.case) for item in items for name in item.pair})
    # Every rater reads the title; nothing of it is private.
    flags = [
        Flag(
            "",
            "",
            find_give_away.words,
            find_give_away.around,
            f"the study's title {find_give_away.why}",
        )
        for find_give_away in find_give_aways(study.config.title, names, title=True)
    ]
    for system, case in answers:
        texts = texts_of(study, Item(case, system), settings.parts)
        shown = [
            text for kind in ("answer", "reasoning", "retrieved") for text in texts.get(kind, ())
        ]
        for give_away in find_give_aways("\n".join(shown), names):
            private = not study.config.privacy.allows("full")
            flags.append(
                Flag(
                    system,
                    case,
                    "" if private else give_away.words,
                    "" if private else give_away.around,
                    give_away.why,
                )
            )
    return flags
