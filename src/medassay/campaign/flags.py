"""Answers whose words give their system away."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from medassay.campaign.texts import texts_of
from medassay.judgements.campaign import (
    Item,
    Settings,
    find_give_aways,
    searched_languages,
    unsearched_language,
)
from medassay.study.folder import Study
from medassay.text import count_of

__all__ = ["Flag", "flag_give_aways", "names_of_systems", "note_on_languages"]


@dataclass(frozen=True)
class Flag:
    """An answer whose words give its system away, or may: for the organiser, never for a rater.

    Attributes:
        system: The system; empty where the words stand in the study's title.
        case: The case; empty as well.
        words: The words.
        around: The words with what stands about them; empty where texts are private.
        why: What they give away.
        certain: False where the words may be everyday words: the organiser decides.
    """

    system: str
    case: str
    words: str
    around: str
    why: str
    certain: bool = True


def names_of_systems(study: Study) -> set[str]:
    """Give all that a study calls its systems: ids, titles and families."""
    titles = {study.system(name).title for name in study.systems}
    return {*study.systems, *titles, *study.families.values()}


def flag_give_aways(study: Study, items: Sequence[Item], settings: Settings) -> list[Flag]:
    """Find what gives systems away in the texts that raters will read."""
    names = names_of_systems(study)
    # Every rater reads the title; nothing of it is private.
    flags = [
        Flag("", "", place.words, place.around, f"the study's title {place.why}")
        for place in find_give_aways(study.config.title, names, title=True)
    ]
    private = not study.config.privacy.allows("full")
    for item, text in _texts(study, items, settings):
        for place in find_give_aways(text, names):
            words, around = ("", "") if private else (place.words, place.around)
            flags.append(Flag(item.system, item.case, words, around, place.why, place.certain))
    return flags


def note_on_languages(study: Study, items: Sequence[Item], settings: Settings) -> list[str]:
    """Say of which answers the phrases of self-reference cannot be searched, if of any."""
    named = (unsearched_language(text) for _, text in _texts(study, items, settings))
    counts = Counter(language for language in named if language is not None)
    if not counts:
        return []
    each = ", ".join(f"{count_of(n, 'answer')} in {name}" for name, n in sorted(counts.items()))
    known = ", ".join(searched_languages())
    note = (
        f'Not searched for phrases such as "as an AI": {each}. Names of systems were searched. '
        f"Phrases are searched in {known}."
    )
    return [note]


def _texts(study: Study, items: Sequence[Item], settings: Settings) -> Iterator[tuple[Item, str]]:
    """Give the texts of each answer that differ between systems, repeated answers each."""
    answers = {Item(item.case, name, sample=item.sample) for item in items for name in item.pair}
    for item in sorted(answers, key=lambda item: (item.system, item.case, item.sample)):
        texts = texts_of(study, item, settings.parts)
        kinds = ("answer", "reasoning", "retrieved")
        yield item, "\n".join(text for kind in kinds for text in texts.get(kind, ()))
