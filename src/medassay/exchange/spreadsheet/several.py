"""What several tables say together: whose the sheets are, and what is asked once for all."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from medassay.exchange.proposal import ImportQuestion
from medassay.exchange.spreadsheet.collected import FallbackNames
from medassay.exchange.spreadsheet.columns import Layout, ReadColumn
from medassay.exchange.spreadsheet.dependence import are_ids
from medassay.exchange.spreadsheet.grid import is_a_time, may_be_a_person
from medassay.exchange.spreadsheet.headers import read_header
from medassay.exchange.spreadsheet.keys import Keys
from medassay.exchange.spreadsheet.profile import Profile
from medassay.exchange.spreadsheet.wishes import quoted_names
from medassay.exchange.spreadsheet.words import Role, without_affix


def of_several(
    layouts: Sequence[Layout], names: FallbackNames, wanted: Sequence[str]
) -> tuple[list[Layout], list[ImportQuestion]]:
    """Say whose each table is, and what nothing says of labels: who gave them, and of what.

    Args:
        layouts: The tables.
        names: What a user calls things that no column names.
        wanted: The dimensions that a label without one can be of.
    """
    named = [_dimension(layout, wanted) for layout in _called_as_in_cells(layouts)]
    questions = [question for _, question in named if question]
    told = _with_only_system(_owners([layout for layout, _ in named], names))
    lacking = [
        layout
        for layout in told
        if _is_rated(layout) and not (names.rater or layout.rater or _names_raters(layout))
    ]
    alone = Counter(tuple(layout.table.sheet.columns) for layout in told)
    for layout in told:
        if alone[tuple(layout.table.sheet.columns)] == 1:
            questions += _whose(layout, names)
    if lacking:
        questions.append(_who(lacking))
    return told, questions


def _who(lacking: Sequence[Layout]) -> ImportQuestion:
    """Ask who gave labels: somebody whom a column may name, or headers do, or one person."""
    files = ", ".join(dict.fromkeys(layout.table.name for layout in lacking))
    listed = dict.fromkeys(
        column
        for layout in lacking
        for column in (*layout.rated, *layout.of_role("winner"))
        if not column.rater
    )
    columns = quoted_names([column.name for column in listed])
    may_name = {name: layout for layout in lacking for name in _may_name_people(layout)}
    if may_name:
        ways = {f'"{name}" names them': [f"rater={name}"] for name in may_name}
        ways["no column does"] = [f"tag={name}" for name in may_name]
        return ImportQuestion(files, f"Who gave the labels in {columns}?", "column", ways)
    may_be = dict.fromkeys(c.of for c in listed if not c.why and may_be_a_person(c.of))
    if len(may_be) > 1 and all(column.of in may_be for column in listed):
        names = ", ".join(f'"{name}"' for name in [*may_be][:3])
        ways = {
            "people, who gave overall ratings": [f"rating.overall={c.name}" for c in listed],
            "what was rated": [f"rating.{c.of}={c.name}" for c in listed],
        }
        if len({_are_words(lacking, column.name) for column in listed}) > 1:
            ways = dict(reversed(ways.items()))  # people rate one thing alike
        return ImportQuestion(
            files, f"Are {names} people who rated, or what was rated?", "column", ways
        )
    ways = {"one person, to be called rater-1": ["rater-1"]}
    ask = f"Who gave the labels in {columns}? No column names a person"
    return ImportQuestion(files, ask, "rater", ways)


def _are_words(layouts: Sequence[Layout], name: str) -> bool:
    """Say whether a column's labels are words, in the first table that has it."""
    own = next(layout for layout in layouts if name in layout.profiles)
    return not own.profiles[name].numbers


def _may_name_people(layout: Layout) -> list[str]:
    """Name the columns of names whose header no file of words has, one name in all rows or few."""
    return [
        column.name
        for column in layout.of_role("tag", "skip")
        if layout.profiles[column.name].kind == "word"
        and column.why in {"", "asked about"}
        and not read_header(column.name).roles
        and not are_ids(layout.table.cells(column.name))
        and 3 * layout.profiles[column.name].distinct <= layout.profiles[column.name].filled
        and (
            layout.profiles[column.name].distinct == 1
            or not Keys.of(layout.table, layout.columns).of_question(
                layout.table.cells(column.name)
            )
        )
    ]


def _called_as_in_cells(layouts: Sequence[Layout]) -> list[Layout]:
    """Call systems of headers as cells of other tables call them, where these are the headers."""
    cells = {cell for layout in layouts for cell in _cells_of_systems(layout)}

    def called(column: ReadColumn) -> ReadColumn:
        known = column.role == "answer" and column.of not in cells and column.name in cells
        return replace(column, of=column.name) if known else column

    return [replace(layout, columns=tuple(map(called, layout.columns))) for layout in layouts]


def _cells_of_systems(layout: Layout) -> Sequence[str]:
    named = layout.named("system")
    return layout.table.cells(named) if named else ()


def holds_texts(layout: Layout) -> bool:
    """Say whether a table has texts beside its questions and references, or answers."""
    return bool(layout.of_role("answer")) or any(
        column.role == "skip" and layout.profiles[column.name].kind == "text"
        for column in layout.columns
    )


def texts_that_vary(layouts: Sequence[Layout]) -> set[str]:
    """Name columns of texts that differ between sheets of one layout for the same question."""
    found: set[str] = set()
    for own in _of_one_layout(layouts):
        key = own[0].named("case") or own[0].named("question")
        for name, profile in own[0].profiles.items() if key and own[1:] else ():
            said = _said(own, [str(key)], name) if name != key else {}
            told = sum(len(texts) > 1 for texts in said.values()) * 2 > len(said)
            found |= {name} if told and profile.kind not in {"empty", "list", "messages"} else set()
    return found


def labels_that_vary(layouts: Sequence[Layout]) -> set[str]:
    """Name columns that say another thing of the same answer in another sheet of one layout.

    Nothing but who rated differs there: grades, and numbers as people give, are labels.
    """
    roles: tuple[Role, ...] = ("case", "question", "system", "sample", "answer")
    found: set[str] = set()
    for own in _of_one_layout(layouts):
        keys = [column.name for column in own[0].of_role(*roles)]
        whose = own[1:] and own[0].of_role("answer", "system")
        for name in own[0].profiles if whose else ():
            labels = all(_may_be_labels(layout.profiles[name]) for layout in own)
            said = _said(own, keys, name) if labels and name not in keys else {}
            found |= {name} if any(len(cells - {""}) > 1 for cells in said.values()) else set()
    return found


def _of_one_layout(layouts: Sequence[Layout]) -> list[list[Layout]]:
    """Put tables of the same headers together."""
    alike: dict[tuple[str, ...], list[Layout]] = {}
    for layout in layouts:
        alike.setdefault(tuple(layout.table.sheet.columns), []).append(layout)
    return list(alike.values())


def _said(
    layouts: Sequence[Layout], keys: Sequence[str], name: str
) -> dict[tuple[str, ...], set[str]]:
    """Give what a column says in all tables beside each combination of the keys."""
    said: dict[tuple[str, ...], set[str]] = {}
    for layout in layouts:
        for *about, cell in zip(*map(layout.table.cells, (*keys, name)), strict=True):
            said.setdefault(tuple(about), set()).add(cell)
    return said


def _may_be_labels(profile: Profile) -> bool:
    """Say whether cells are grades, or whole and half numbers from 0 to 10."""
    return profile.kind in {"graded", "yesno"} or (profile.kind == "number" and profile.as_rated)


def _whose(layout: Layout, names: FallbackNames) -> Iterator[ImportQuestion]:
    """Ask which column says whose the answers are, where none does and some could."""
    unnamed = [column for column in layout.of_role("answer", "choice") if not column.of]
    named = names.system or layout.system or layout.systems or layout.of_role("system_a")
    if not unnamed or named or any(q.option == "column" for q in layout.questions):
        return
    may_be = [
        column.name
        for column in layout.of_role("tag", "skip", "about_rater")
        if (cells := Counter(layout.table.cells(column.name))).total() > len(cells)
        and layout.profiles[column.name].kind in {"word", "yesno"}
        and column.why != "you said so"
        and not read_header(column.name).roles
    ]
    if may_be:
        ways = {f'"{name}"': [f"system={name}"] for name in may_be}
        ways["none: all are of one system"] = [f"tag={name}" for name in may_be]
        ask = "Which column says whose answers these are?"
        yield ImportQuestion(layout.table.name, ask, "column", ways)


def _is_rated(layout: Layout) -> bool:
    return bool(layout.rated or layout.of_role("winner"))


def raters_of(layouts: Sequence[Layout]) -> set[str]:
    """Name everybody who rated, as cells, headers and tables do."""
    found = {layout.rater for layout in layouts}
    for layout in layouts:
        found |= {column.rater for column in layout.columns}
        found |= {cell for own in layout.of_role("rater") for cell in layout.table.cells(own.name)}
    return found - {""}


def _names_raters(layout: Layout) -> bool:
    labels = [*layout.rated, *layout.of_role("winner")]
    return layout.named("rater") is not None or all(column.rater for column in labels)


def _dimension(layout: Layout, wanted: Sequence[str]) -> tuple[Layout, ImportQuestion | None]:
    """Take a column of labels that nothing says what was rated for the one thing it can be."""
    label = layout.named("label")
    if label is None or layout.named("dimension") is not None:
        return layout, None
    own = next(column for column in layout.columns if column.role == "label")
    offered = list(wanted) or ["overall", "accuracy", "completeness", "safety"]
    if len(wanted) == 1:
        columns = tuple(
            ReadColumn(own.name, "rating", wanted[0]) if column is own else column
            for column in layout.columns
        )
        return replace(layout, columns=columns), None
    answers = {name: [f"rating.{name}={label}"] for name in offered}
    ask = f'What did the raters rate under "{label}"?'
    return layout, ImportQuestion(layout.table.name, ask, "column", answers)


def _owners(layouts: Sequence[Layout], names: FallbackNames) -> list[Layout]:
    """Say of tables of one layout whose each is: a rater's where the answers are the same."""
    owned: dict[str, Layout] = {}
    for own in _of_one_layout(layouts):
        several = len(own) > 1
        open_raters = several and all(
            _is_rated(layout) and not _names_raters(layout) for layout in own
        )
        by_rater = open_raters and not names.rater and _same_answers(own)
        stems = without_affix([layout.table.stem for layout in own])
        for layout in own:
            stem = stems[layout.table.stem] if by_rater else layout.table.stem
            if by_rater:
                layout = replace(layout, rater=stem)  # noqa: PLW2901 - the same table, owned
            elif several and not layout.named("system") and not layout.of_role("answer"):
                layout = replace(layout, system=stem)  # noqa: PLW2901 - as above
            owned[layout.table.name] = layout
    return [owned[layout.table.name] for layout in layouts]


def _with_only_system(layouts: Sequence[Layout]) -> list[Layout]:
    """Give labels whose system nothing says to the one system that the other tables name."""
    systems = set().union(*(layout.systems for layout in layouts))
    lacking = [
        layout
        for layout in layouts
        if layout.rated and not (layout.systems or layout.system or layout.of_role("answer"))
    ]
    if len(systems) != 1:
        return [*layouts]
    return [replace(own, system=next(iter(systems))) if own in lacking else own for own in layouts]


def _same_answers(layouts: Sequence[Layout]) -> bool:
    """Say whether tables hold the same answers, or none and the same systems."""
    held: list[dict[tuple[str, ...], str]] = []
    for layout in layouts:
        keys = [layout.named(role) for role in ("case", "question", "system", "sample")]
        about = list(zip(*(layout.table.cells(key) for key in keys if key), strict=True))
        answers = [column.name for column in layout.of_role("answer")]
        texts = (
            zip(*map(layout.table.cells, answers), strict=True) if answers else [()] * len(about)
        )
        held.append({key: "\n".join(text) for key, text in zip(about, texts, strict=True)})
    first = held[0]
    if not layouts[0].of_role("answer"):
        headed = all(column.system for column in layouts[0].rated)
        rounds = any(is_a_time(layout.table.stem) for layout in layouts)
        same = all(2 * len(first.keys() & other.keys()) > len(other) for other in held[1:])
        return layouts[0].named("system") is not None or (headed and same and not rounds)
    shared = [(first[key], other[key]) for other in held[1:] for key in other if key in first]
    return bool(shared) and sum(a == b for a, b in shared) * 10 >= 9 * len(shared)
