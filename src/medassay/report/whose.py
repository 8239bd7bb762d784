"""Whose labels a sentence or a table rests on: models, pseudonyms, and some not settled."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from medassay.analyses.builtin.rater_effects import effects_in
from medassay.analyses.builtin.rater_flow import rater_flow
from medassay.analyses.results import JudgedBy, Results
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.drawing import Picture
from medassay.exhibits.numbers import count_of, listed
from medassay.exhibits.sentences import of_cases, upper_first
from medassay.exhibits.table import Table
from medassay.report.aims import with_aims
from medassay.report.budget import of_certificates
from medassay.report.names import Names
from medassay.study import RATERS_KEY

_OF_MODELS: Final = frozenset(
    {"answers", "harm-bounds", "inputs", "left-out", "sources", "systems", "unscored"}
)
"""Tables that rest on no label, or that say in each row whose labels it rests on."""
_PEOPLE: Final = "raters"
"""The table that says of all others who has a pseudonym."""
_RATED: Final = frozenset(
    {
        ReaderQuestion.BETTER,
        ReaderQuestion.DESCRIBED,
        ReaderQuestion.AGREEMENT,
        ReaderQuestion.METRICS,
        ReaderQuestion.NEXT,
    }
)
"""Questions whose answers rest on the ranking's dimension where they name none."""
_RATERS: Final = re.compile(r"\b([Tt])he raters\b(?:['\u2019](?: own)?(?: (\w+))?)?")
_PSEUDONYM: Final = re.compile(r"\b[Rr]ater-(\d+|[A-Z]+)\b")
_Titled = TypeVar("_Titled", Table, Picture)


def models_sentence(results: Results) -> str:
    """Say on which dimensions the labels are a model's; nothing where none is counted."""
    names = Names(results)
    alone = [
        judged_by for judged_by in results.judged_by if judged_by.models and not judged_by.people
    ]
    beside = [judged_by for judged_by in results.judged_by if judged_by.models and judged_by.people]
    lines = []
    for own in _alike(alone):
        on, what, models = _parts(names, own)
        lines.append(f"On {on}, all {what}s come from {models} and none from people.")
        lines.append(_worth(own[0]))
    for own in _alike(beside):
        on, what, models = _parts(names, own)
        people = sorted({judged_by.people for judged_by in own})
        many = _plural(count_of(people[0], "person") if len(people) == 1 else "people")
        lines.append(f"On {on}, {what}s of {models} are counted beside those of {many}.")
        lines.append(_worth(own[0]))
    return " ".join(lines)


def unsettled(results: Results) -> dict[str, str]:
    """Say of each dimension whose scale seems to be read backwards whose labels have to be asked.

    Nothing of one that was settled: reversed labels go with the others', and what a rater meant as
    given has no size.
    """
    found: dict[str, list[str]] = {}
    for effect in effects_in(results.analyses):
        if effect.kind == "reversed" and effect.effect is not None:
            found.setdefault(effect.dimension, []).append(effect.rater)
    return {
        dimension: f"{' or '.join(raters)} on {Names(results).of_dimension(dimension)}"
        for dimension, raters in found.items()
    }


def raters_said(results: Results) -> str:
    """Count who judged: raters, or people and models apart where models are counted."""
    models = {name for judged_by in results.judged_by for name in judged_by.models}
    many = results.study.counts.raters
    if not models:
        return count_of(many, "rater")
    people = many - len(models)
    text = f"{_plural(count_of(people, 'person'))} and " if people else "no person and "
    return f"{text}{count_of(len(models), 'model')}"


def _plural(many: str) -> str:
    return many.replace("persons", "people")


def _alike(found: Sequence[JudgedBy]) -> list[list[JudgedBy]]:
    """Put together the dimensions of which the same is said."""
    kinds: dict[tuple[object, ...], list[JudgedBy]] = {}
    for by in found:
        kinds.setdefault((by.of, *by.models, *by.certified), []).append(by)
    return list(kinds.values())


def _parts(names: Names, own: Sequence[JudgedBy]) -> tuple[str, str, str]:
    """Name the dimensions, what the models gave, and the models."""
    on = listed([names.of_dimension(by.dimension) for by in own])
    return on, own[0].of.removesuffix("s"), _named(own[0].models)


def _worth(by: JudgedBy) -> str:
    """Say whether anything shows what the models are worth beside people."""
    if by.of == "preferences":
        return "No certificate covers preferences."
    if not by.certified:
        return "No valid certificate shows how they compare with people's."
    if by.certified != by.models:
        return f"A valid certificate covers {listed(by.certified)} alone."
    return "A valid certificate shows how they compare with people's."


def _named(models: Iterable[str]) -> str:
    return listed([f"{name} (a model)" for name in models])


class Whose:
    """Puts whose labels they are in the place of "the raters"; marks pseudonyms and what waits."""

    def __init__(self, results: Results) -> None:
        self._sentence = models_sentence(results)
        self._certified = of_certificates(results)
        self._drawn = results.study.drawn
        self._hidden = results.study.raters == "pseudonyms"
        models = list(
            dict.fromkeys(name for judged_by in results.judged_by for name in judged_by.models)
        )
        people = any(judged_by.people for judged_by in results.judged_by)
        named = _named(models)
        of_people = "people and of " if people else ""
        self._labels = f"the labels of {of_people}{named}"
        self._counted = ("raters",) if results.analyses.of(rater_flow) else ()
        self._open = unsettled(results)
        self._names = names = Names(results)
        self._primary = names.judged.get(results.primary, "")
        self._spoken = {
            dimension.id: re.compile(
                rf"(?<![\w-])(?:{re.escape(dimension.id)}|"
                rf"{re.escape(names.of_dimension(dimension.id))})(?![\w-])"
            )
            for dimension in (results.dimensions if self._open else ())
        }

    def text(self, text: str) -> str:
        """Name the models wherever a text of ours speaks of the raters; and `of_cases`."""
        return self._of_raters(self.of_cases(text))

    def sentence(self, text: str) -> str:
        """Do the same of a finding, which needs no word on what an interval is for."""
        return self._of_raters(self.of_cases(text, ""))

    def _of_raters(self, text: str) -> str:
        return _RATERS.sub(self._instead, text) if self._sentence else text

    def of_cases(self, text: str, again: str = " drawn again") -> str:
        """Speak of the study's own cases, where nothing says how they were drawn."""
        return of_cases(text, drawn=self._drawn, again=again)

    def _instead(self, match: re.Match[str]) -> str:
        owned = match[2] and match[2] != "labels"
        labels = f"the {match[2]} of {self._labels}" if owned else self._labels
        return upper_first(labels) if match[1] == "T" else labels

    def marked(self, text: str, *, otherwise: str = "") -> str:
        """Mark a sentence that rests on labels which are not settled.

        Args:
            text: The sentence.
            otherwise: The dimension that it rests on where it names none.
        """
        own = self._waiting(text, [otherwise])
        return f"{text} Not settled: this rests on labels of {'; '.join(own)}." if own else text

    def _waiting(self, text: str, otherwise: Iterable[str]) -> list[str]:
        """Say whose labels have to be asked on the dimensions that a text speaks of."""
        spoken = self._spoken_of(text) or otherwise
        return [self._open[name] for name in spoken if name in self._open]

    def _spoken_of(self, text: str) -> list[str]:
        """Give the dimensions that a text names."""
        return [name for name, said in self._spoken.items() if said.search(text)]

    def tables(self, tables: Iterable[Table]) -> list[Table]:
        """Say below each table that rests on labels whose they are."""
        return [self.table(table) for table in tables]

    def table(self, table: Table) -> Table:
        """Say it below one table, who has a pseudonym in it, and what the study wants to reach."""
        table = with_aims(table, self._names)
        table = replace(table, caption=self.text(table.caption))
        cells = [cell for row in table.rows for cell in row.cells]
        if table.id == _PEOPLE:
            caption = self._with_key(table.caption, " ".join(cell.text for cell in cells))
            table = replace(table, caption=caption)
        of_models = table.id in _OF_MODELS
        if self._open and table.rows:
            said = [table.title, table.caption, *(row.group for row in table.rows)]
            said += [word for c in table.columns for word in (c.title, c.group, *c.fields)]
            said += [str(word) for cell in cells for word in (cell.text, *cell.raw)]
            otherwise = () if of_models else tuple(self._open)
            table = self._settled(table, "\n".join(said), otherwise)
            table = self._rows_settled(table, self._spoken_of("\n".join(said)) or otherwise)
        if not self._sentence or of_models or table.id.startswith("judge"):
            return table
        named = self._titled(table)
        return replace(named, empty=self.text(table.empty))

    def _settled(self, titled: _Titled, text: str, otherwise: Iterable[str]) -> _Titled:
        own = self._waiting(text, otherwise)
        mark = f"Not settled: numbers here that rest on labels of {'; '.join(own)}."
        if not own or mark in titled.caption:
            return titled
        return replace(titled, caption=f"{titled.caption} {mark}".strip())

    def _rows_settled(self, table: Table, otherwise: Iterable[str]) -> Table:
        """Mark each row that rests on such labels: by the dimensions that it names, or all."""
        rows = []
        for row in table.rows:
            words = [
                row.group,
                *(str(word) for cell in row.cells for word in (cell.text, *cell.raw)),
            ]
            rows.append(
                replace(row, unsettled="; ".join(self._waiting("\n".join(words), otherwise)))
            )
        return replace(table, rows=tuple(rows))

    def picture(self, picture: Picture) -> Picture:
        """Say it below a figure that has a caption."""
        if picture.caption:
            picture = replace(picture, caption=self.text(picture.caption))
            said = f"{picture.title}\n{picture.caption}"
            picture = self._settled(picture, said, self._open)
        return self._titled(picture) if self._sentence else picture

    def _titled(self, titled: _Titled) -> _Titled:
        if self._sentence in titled.caption:
            return titled  # it is said: a part's tables are the section's too
        caption = self.text(titled.caption)
        more = f"{caption} {self._sentence}".strip() if caption else caption
        return replace(titled, title=self.text(titled.title), caption=more)

    def findings(self, findings: Sequence[Finding]) -> list[Finding]:
        """Open with whose labels they are, name models, say pseudonyms, and mark what waits.

        Where one names a person by a pseudonym, it says so, and where the key is.
        """
        findings = [replace(one, text=self._with_key(one.text, one.text)) for one in findings]
        findings = [
            finding
            if finding.answers is ReaderQuestion.WHOSE or finding.id in {"severity", "drift"}
            else replace(
                finding,
                text=self.marked(
                    finding.text, otherwise=self._primary if finding.answers in _RATED else ""
                ),
            )
            for finding in findings
        ]
        if not self._sentence:
            return [replace(finding, text=self.sentence(finding.text)) for finding in findings]
        first = Finding(
            "models", self._sentence, self._counted, ReaderQuestion.WHOSE, self._certified
        )
        return [
            first,
            *(replace(finding, text=self.sentence(finding.text)) for finding in findings),
        ]

    def _with_key(self, said: str, of: str) -> str:
        """Add to what is said whom its words, or those of its table, name by a pseudonym."""
        named = list(dict.fromkeys(f"rater-{match[1]}" for match in _PSEUDONYM.finditer(of)))
        if not self._hidden or not named:
            return said
        who = f"{named[0]} is a pseudonym" if len(named) == 1 else "names of raters are pseudonyms"
        key = f"{upper_first(who)}: {RATERS_KEY} in the study says who is who."
        return said if key in said else f"{said} {key}".strip()
