"""What was answered once about a layout, kept in the study: the same layout asks nothing again.

Headers hold people's names. A recipe holds none of them: a name stands as `{rater}`, which matches
whoever rated next time. It names no file and no folder: whoever sent a study sends data alone.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from medassay.errors import InvalidInput, Problem
from medassay.exchange.spreadsheet.columns import Layout
from medassay.exchange.spreadsheet.headers import EMAIL, read_header
from medassay.exchange.spreadsheet.raters import is_like_a_model
from medassay.exchange.spreadsheet.wishes import Wishes, parted
from medassay.judgements import library_dimensions, rubric_names
from medassay.tables import file_bytes, is_there, read_toml, write_atomically, wrong
from medassay.text import count_of

RECIPE: Final = "import.toml"
_ANYBODY: Final = "{rater}"
_LONGEST_NAME: Final = 40
_NUMBERED: Final = re.compile(r"rater[-_ ]?\d+")
_APART: Final = r"()\[\],;:|/"
_BESIDE: Final = re.compile(rf"(?<=[{_APART}])[^{_APART}]*\{{rater\}}[^{_APART}]*(?=[{_APART}])")
_HEAD: Final = (
    "# What was answered when a table of these headers was imported. A table that has them all is\n"
    "# read alike and asks nothing; what is typed wins. {rater} stands for anybody's name.\n"
)
_Line = Annotated[str, Field(max_length=2000)]
_Lines = Annotated[tuple[_Line, ...], Field(max_length=5000)]


class Recipe(BaseModel):
    """What was answered about tables of one layout.

    Attributes:
        headers: The headers that were read.
        columns: Pairs OURS=THEIRS.
        scale: Pairs DIMENSION=LOW-HIGH.
        label: Pairs DIMENSION.LABEL=WORD.
        rater: Who gave the ratings that no column names anybody for: rater-1, or a model.
        models: Raters who are models; people are not named.
        system: Whose the answers are that no column names anybody for.
        rubric: What raters are asked in a new study, in names that come with medassay.
        asked: Whether each question went to some systems by design, or to all.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    headers: _Lines = ()
    columns: _Lines = ()
    scale: _Lines = ()
    label: _Lines = ()
    rater: Annotated[str, Field(max_length=_LONGEST_NAME)] = ""
    models: Annotated[tuple[_Line, ...], Field(max_length=500)] = ()
    system: Annotated[str, Field(max_length=400)] = ""
    rubric: Annotated[str, Field(max_length=400)] = ""
    asked: Literal["", "some", "all"] = ""

    @field_validator("rubric")
    @classmethod
    def _ours(cls, rubric: str) -> str:
        if not _is_ours(rubric):
            raise wrong("name dimensions or a rubric that come with medassay", f'"{rubric}"')
        return rubric

    @property
    def says(self) -> bool:
        """Say whether it holds an answer."""
        words = (self.columns, self.scale, self.label, self.rater, self.models, self.system)
        return any(words) or bool(self.rubric or self.asked)


class _File(BaseModel):
    """The recipes of a study, one a layout."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    recipe: Annotated[tuple[Recipe, ...], Field(max_length=200)] = ()


def with_recipe(
    into: Path, theirs: Sequence[str], wishes: Wishes, sheets: Collection[str] = ()
) -> tuple[Wishes, list[str]]:
    """Add to what was typed what was answered before about a table of these headers.

    Args:
        into: The study's folder, whose recipe is taken where none is named.
        theirs: The headers of the tables.
        wishes: What was typed, which wins.
        sheets: The titles of their sheets.

    Returns:
        Both together, and a note of what was taken.

    Raises:
        InvalidInput: A recipe that was named is none, or is about other columns.
    """
    path = Path(wishes.recipe) if wishes.recipe else into / RECIPE
    recipes = _read(path) if wishes.recipe or is_there(path) else ()
    fitting = [(recipe, found) for recipe in recipes if (found := _found(recipe, theirs, sheets))]
    if not fitting:
        lacking = [name for recipe in recipes[:1] for name in _lacking(recipe, theirs)]
        got = f'no column "{lacking[0]}"' if lacking else "other columns"
        if wishes.recipe:
            hint = "Leave --recipe out: the import then asks, and keeps what is answered."
            raise InvalidInput(Problem(path.name, "be about columns of the files", got, hint))
        return wishes, [f"{path.name}: not used, since there is {got}."] if recipes else []
    recipe, found = fitting[-1]
    return _together(recipe, found, wishes, new=not is_there(into / "study.toml")), [
        f"{path.name}: read as answered before ({_counted(recipe)}); what is typed wins."
    ]


def _counted(recipe: Recipe) -> str:
    counts = (
        (recipe.columns, "column"), (recipe.scale, "scale"), (recipe.label, "label"),
        (recipe.models, "model"),
    )  # fmt: skip
    said = [count_of(len(words), noun) for words, noun in counts if words]
    named = ("rater", "system", "rubric", "asked")
    return ", ".join([*said, *(name for name in named if getattr(recipe, name))])


def _together(
    recipe: Recipe, found: Mapping[str, Sequence[str]], wishes: Wishes, *, new: bool
) -> Wishes:
    typed = {parted(pair, [name for names in found.values() for name in names])[1]
             for pair in wishes.columns}  # fmt: skip
    columns = [
        f"{ours}={name}"
        for ours, header in map(_pair, recipe.columns)
        for name in found[header]
        if name not in typed
    ]
    dimensions = {pair.partition("=")[0] for pair in wishes.scales}
    words = {pair.partition("=")[2] for pair in wishes.labels}
    scales = [pair for pair in recipe.scale if pair.partition("=")[0] not in dimensions]
    labels = [pair for pair in recipe.label if pair.partition("=")[2] not in words]
    names = replace(
        wishes.names,
        system=wishes.names.system or recipe.system,
        rater=wishes.names.rater or recipe.rater,
        models=recipe.models,
    )
    return replace(
        wishes,
        columns=[*columns, *wishes.columns],
        scales=[*scales, *wishes.scales],
        labels=[*labels, *wishes.labels],
        names=names,
        rubric=wishes.rubric or (recipe.rubric if new else ""),
        asked=wishes.asked or recipe.asked,
    )


def _pair(word: str) -> tuple[str, str]:
    ours, _, header = word.partition("=")
    return ours, header


def _lacking(recipe: Recipe, theirs: Sequence[str]) -> list[str]:
    patterns = [*recipe.headers, *(header for _, header in map(_pair, recipe.columns))]
    return [name for name in patterns if not any(_matches(name, column) for column in theirs)]


def _found(recipe: Recipe, theirs: Sequence[str], sheets: Collection[str]) -> dict[str, list[str]]:
    """Give each header of a recipe to the columns that it means; nothing where one is not there.

    A header that is a name and nothing else means what no other header does, if that is as many.
    """
    headers = dict.fromkeys([*recipe.headers, *(name for _, name in map(_pair, recipe.columns))])
    if not headers or _lacking(recipe, [*theirs, *sheets]):
        return {}
    said = [header for header in headers if header != _ANYBODY]
    all_names = [*theirs, *sheets]
    found = {name: [column for column in all_names if _matches(name, column)] for name in said}
    taken = {column for columns in found.values() for column in columns}
    left = [column for column in dict.fromkeys(theirs) if column not in taken]
    bare = recipe.headers.count(_ANYBODY)
    if bare and len(left) != bare:
        return {}
    return {**found, **({_ANYBODY: left} if bare else {})}


def _matches(header: str, column: str) -> bool:
    parts = map(re.escape, " ".join(header.split()).split(_ANYBODY))
    return re.fullmatch("(.+)".join(parts), " ".join(column.split()), re.IGNORECASE) is not None


def _read(path: Path) -> tuple[Recipe, ...]:
    return read_toml(_File, file_bytes(path, path.name), path.name).recipe


def keep_recipe(
    into: Path, layouts: Sequence[Layout], wishes: Wishes, sheets: Collection[str] = ()
) -> tuple[list[str], list[str]]:
    """Keep in the study what was typed and answered, without anybody's name.

    Args:
        into: The study's folder.
        layouts: The tables as they were read.
        wishes: What was typed, answered and known from before.
        sheets: The titles of the sheets that there were.

    Returns:
        The file, where it changed, and what has to be said again next time.
    """
    people = people_of(layouts, wishes)
    headers = [
        anonymous(column.name, people)
        for layout in layouts
        for column in layout.columns
        if column.role not in {"skip", "about_rater"}
    ]
    theirs = [name for layout in layouts for name in layout.table.sheet.columns]
    columns = [
        f"{ours}={anonymous(column, people)}"
        for ours, column in (parted(pair, [*sheets, *theirs]) for pair in wishes.columns)
        if column is not None
    ]
    names = wishes.names
    models = {name for name in (*names.kinds, *names.models) if names.kind(name) == "model"}
    models = {name for name in models if not EMAIL.search(name)}
    short = names.rater in models and len(names.rater) <= _LONGEST_NAME
    unnamed = not names.rater or short or _NUMBERED.fullmatch(names.rater)
    again = names.every or any(
        kind == "person" and is_like_a_model(name) for name, kind in names.kinds.items()
    )
    bare = headers.count(_ANYBODY)
    recipe = Recipe(
        headers=(*dict.fromkeys(name for name in headers if name != _ANYBODY), *[_ANYBODY] * bare),
        columns=tuple(sorted(set(columns))),
        scale=tuple(wishes.scales),
        label=tuple(wishes.labels),
        rater=names.rater if unnamed else "",
        models=tuple(sorted(models)),
        system=names.system,
        rubric=wishes.rubric if _is_ours(wishes.rubric) else "",
        asked="some" if wishes.asked == "some" else "all" if wishes.asked == "all" else "",
    )
    lost = (
        [] if unnamed and not again else [f"{RECIPE} keeps no names: say --rater again next time."]
    )
    path = into / RECIPE
    before = _read(path) if is_there(path) else ()
    others = [one for one in before if not _found(one, theirs, sheets)]
    if not recipe.says or (*others, recipe) == before or recipe in before:
        return [], lost
    write_atomically(path, _content([*others, recipe]))
    return [RECIPE], lost


def _is_ours(rubric: str) -> bool:
    words = [word.strip() for word in rubric.split(",") if word.strip()]
    return {*library_dimensions(), *rubric_names()}.issuperset(words)


def people_of(layouts: Sequence[Layout], wishes: Wishes) -> list[str]:
    """Name everybody who rated, as headers, cells and the user call them; long names first."""
    people = {wishes.names.rater}
    for layout in layouts:
        people |= {layout.rater, *(column.rater for column in layout.columns)}
        people |= {name for column in layout.columns for name in read_header(column.name).people}
        for column in layout.of_role("rater"):
            people |= set(layout.table.cells(column.name))
    told = {name for name in people if not name.replace(" ", "").isdigit()}
    return sorted(told - {""}, key=lambda name: (-len(name), name))


def anonymous(header: str, people: Collection[str]) -> str:
    """Give a header without anybody's name.

    Example:
        >>> anonymous("ChatGPT accuracy (Rater Müller)", ["Rater Müller"])
        'ChatGPT accuracy ({rater})'
        >>> anonymous("Anna_GPT-4", ["Anna"]), anonymous("Annahme", ["Anna"])
        ('{rater}_GPT-4', 'Annahme')
    """
    names = [re.findall(r"[^\W_]+", name) for name in people]
    between = r"[\W_]*"
    words = [rf"(?<![^\W_]){between.join(signs)}(?![^\W_])" for signs in names if signs]
    told = re.sub("|".join([EMAIL.pattern, *words]), _ANYBODY, header, flags=re.IGNORECASE)
    # Whatever stands in brackets beside a name is of it: a title, a second name, an initial.
    told = _BESIDE.sub(_ANYBODY, told)
    return re.sub(r"\{rater\}(?:[\s,;&]*\{rater\})+", _ANYBODY, told)


def _content(recipes: Sequence[Recipe]) -> bytes:
    lines = [_HEAD]
    for recipe in recipes:
        lines += ["\n[[recipe]]\n", *_lines(recipe)]
    return "".join(lines).encode()


def _lines(recipe: Recipe) -> Iterator[str]:
    for name, value in recipe.model_dump().items():
        if isinstance(value, str):
            if value:
                yield f"{name} = {_quoted(value)}\n"
        elif value:
            listed = "".join(f"  {_quoted(word)},\n" for word in value)
            yield f"{name} = [\n{listed}]\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
