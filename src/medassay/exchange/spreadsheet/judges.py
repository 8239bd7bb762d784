"""Who rates beside people and is none: a model that judges, and what people agreed on."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from medassay.exchange.spreadsheet.columns import ReadColumn
from medassay.exchange.spreadsheet.grid import HeaderPart
from medassay.exchange.spreadsheet.headers import without_name
from medassay.exchange.spreadsheet.raters import is_like_a_model
from medassay.exchange.spreadsheet.wishes import quoted_names
from medassay.exchange.spreadsheet.words import form, lexicon

if TYPE_CHECKING:
    from medassay.exchange.spreadsheet.reader import Reader


def with_judges(reader: "Reader", parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Take a model for a rater where people rated the same answers: "GPT-4o judge (1-5)".

    A system of the table is rated, and under a column of raters a model's number is a score.
    """
    whole = reader.of_role("system") or any(not own.of for own in reader.of_role("answer"))
    people = [p for p in parts if p.people and not is_like_a_model(" ".join(_who(p)))]
    if not (whole and people) or reader.of_role("rater"):
        return list(parts)
    scales = {part.header.ends for part in people} - {None}

    def judging(part: HeaderPart) -> HeaderPart:
        bare = all(form(own) in lexicon().people for own in part.people)
        models = [piece for piece in part.rest if is_like_a_model(piece)]
        said = part.name in reader.wishes or not part.dimension
        alike = part.people or (part.header.ends in scales and said)
        known = any(without_name(part.name, of) is not None for of in reader.all_systems)
        if len(models) != 1 or not (bare and alike) or part.header.label or known:
            return part
        rest = tuple(piece for piece in part.rest if piece not in models)
        return replace(part, people=(" ".join([*models, *part.people]),), rest=rest)

    return list(map(judging, parts))


def without_agreed(reader: "Reader", parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Ask of what raters agreed on whether it is left out: it is nobody's own rating."""
    agreed = [part for part in parts if words_of(part) & lexicon().agreed]
    names = [part.name for part in agreed]
    if names:
        ways = {
            "what raters agreed on: leave it out": [f"skip={name}" for name in names],
            "scores of a metric or of a model": [f"score={name}" for name in names],
            "ratings by one more person": [
                f"rating.{part.dimension or ' '.join(part.rest)}={part.name}" for part in agreed
            ],
        }
        _ask(reader, names, ways)
    return [part for part in parts if part not in agreed]


def without_sureness(reader: "Reader", parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Ask of how sure raters were whether it is left out: beside what they rated it rates nothing.

    A table has no place for it beside a label.
    """
    sure = [
        part
        for part in parts
        if (part.people or reader.of_role("rater"))
        and part.name not in reader.wishes
        and (words := form(part.dimension or " ".join(part.rest)))
        and words[:1] not in lexicon().dimensions
        and "confidence" in lexicon().roles.get(words, lexicon().roles.get(words[:1], ()))
    ]
    others = [part for part in parts if part not in sure and (part.dimension or part.rest)]
    if not (sure and others):
        return list(parts)
    names = [part.name for part in sure]
    ways = {
        "how sure the raters were: leave it out": [f"skip={name}" for name in names],
        "ratings of the answers": [
            f"rating.{part.dimension or ' '.join(part.rest)}={part.name}" for part in sure
        ],
    }
    _ask(reader, names, ways)
    return [part for part in parts if part not in sure]


def _ask(reader: "Reader", names: Sequence[str], ways: Mapping[str, Sequence[str]]) -> None:
    reader.ask(f"What is in {quoted_names(names)}?", ways, reader.profiles[names[0]].examples)
    for name in names:
        reader.known[name] = ReadColumn(name, "skip", why="asked about")


def words_of(part: HeaderPart) -> set[str]:
    """Give the words of a header that no file says more of; 共识 is one, and no two."""
    summing = lexicon().summaries | lexicon().agreed
    pieces = map(str.casefold, part.rest)
    return {word for own in pieces for word in ([own] if own in summing else form(own))}


def _who(part: HeaderPart) -> Sequence[str]:
    return (*part.people, *part.rest)
