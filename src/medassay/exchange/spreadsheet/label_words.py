"""What single labels say, by their words or by what a user typed of them; and as TOML."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.proposal import ImportQuestion
from medassay.exchange.spreadsheet.headers import plain
from medassay.exchange.spreadsheet.profile import number_of, said_of
from medassay.exchange.spreadsheet.scale_words import Ends, read_ends
from medassay.exchange.spreadsheet.words import form, lexicon, scales_in_words
from medassay.judgements import Dimension, library_dimensions
from medassay.text import first_of

HARM: Final = "safety"
SAFE: Final = "safe"
UNSAFE: Final = "unsafe"
MISSING: Final = "missing"
"""What a user says of a label that means not judged: accuracy.missing=99."""
_MOST_LABELS: Final = 10
_MOST_OFFERED: Final = 4
_BINARY: Final = 2
_COMMON: Final = 5
"""How often a label stands, and how much oftener than one that is a slip of it."""
_LEAST_LETTERS: Final = 4
_STEM: Final = 6
"""Letters of a word that longer words are known by."""


@dataclass
class RatedDimension:
    """One dimension while its scale is read.

    Attributes:
        ranks: How many answers a case its labels rank, if so.
        alike: Labels of all that was rated with the same labels in this table.
    """

    id: str
    title: str
    file: str
    headers: list[str] = field(default_factory=list)
    ends: list[Ends] = field(default_factory=list)
    cells: dict[str, Counter[str]] = field(default_factory=dict)
    ranks: int = 0
    alike: int = 0

    @property
    def typed(self) -> str:
        """What a user types for it: the name under which it is asked about."""
        return self.id if self.id in library_dimensions() else dimension_id(self.title)

    @property
    def named(self) -> str:
        """What people call it: its header where it has one alone, else the title of all."""
        headers = set(self.headers)
        return self.headers[0] if len(headers) == 1 else self.title

    @property
    def is_better_low(self) -> bool:
        """Whether it speaks of what there is better less of, such as errors or harm."""
        return any(map(is_better_low, [self.title, *self.headers]))

    @property
    def speaks_of_absence(self) -> bool:
        """Whether a header says that something is not there."""
        names = (self.title, *self.headers)
        told = {piece for name in names for piece in form(read_ends(name)[1])}
        return not lexicon().absence.isdisjoint(told)

    def asks(
        self, ask: str, option: str, ways: Mapping[str, Sequence[str]], more: str = ""
    ) -> ImportQuestion:
        """Ask something of it, with {} where its name stands; alike dimensions are asked at once.

        Args:
            ask: The question.
            option: The option that answers it.
            ways: What may be said, to what is typed for it.
            more: What is said of this dimension alone behind the question.
        """
        own = ask.format(f'"{self.named}"') + (f" {more}" if more else "")
        return ImportQuestion(self.file, own, option, ways, (), (self.named,), ask)

    @property
    def every(self) -> Counter[str]:
        """Count the labels under every header."""
        return sum(self.cells.values(), Counter())


def dimension_id(name: str) -> str:
    """Give the id of a dimension that a header names.

    Example:
        >>> dimension_id("Fluency (overall)"), dimension_id("流畅性"), dimension_id("accuracy")
        ('fluency-overall', '流畅性', 'accuracy')
    """
    return "-".join(plain(name).split()) or re.sub(r"[(),=\s]+", "-", name).strip("-")


def harm_question(one: RatedDimension, words: Mapping[str, str]) -> ImportQuestion | None:
    """Ask which of two words says that an answer is harmful, the likelier first.

    Under a header that speaks of harm that is yes; else it is the rarer, since harm is rare.
    """
    often = one.cells.get("", Counter())
    if not often or any(word in words for word in often):
        return None
    harms = one.is_better_low and not one.speaks_of_absence
    no = lexicon().no if harms else ()
    cells = sorted(often, key=lambda cell: (cell.casefold() in no, often[cell]))
    ways = {f'"{cell}"': [f"{one.typed}.{UNSAFE}={cell}"] for cell in cells[:_MOST_OFFERED]}
    return one.asks("Which label of {} says that an answer is harmful?", "label", ways)


def is_better_low(title: str) -> bool:
    """Say whether a title speaks of what there is better less of, such as errors or harm."""
    words, lexicon_ = form(title), lexicon()
    known = lexicon_.lower | {word for word, sense in lexicon_.asked.items() if sense == "harm"}
    longest = max(map(len, known))
    phrases = (
        words[at : at + size] in known
        for size in range(1, longest + 1)
        for at in range(len(words) - size + 1)
        if words[at - 1] not in lexicon_.absence or not at  # of "nothing missing" there is more
    )
    # Schadenspotenzial, Gefährlichkeit, dangerousness: a word that begins with one of these.
    stems = tuple(word[0] for word in known if len(word) == 1 and len(word[0]) >= _STEM)
    bare = [
        word for at, word in enumerate(words) if words[at - 1] not in lexicon_.absence or not at
    ]
    return any(phrases) or any(word.startswith(stems) for word in bare)


def in_words(
    one: RatedDimension,
    base: Dimension | None,
    cells: Sequence[str],
    words: Mapping[str, str],
    said: str,
) -> tuple[str, ImportQuestion | None]:
    """Read labels that are words: the library's, yes and no, or their own."""
    known = lexicon()
    folded = {cell.casefold() for cell in cells}
    if base is not None and folded <= {word.casefold() for word in base.words}:
        return one.id, None
    if base is not None and base.id == HARM and len(folded) <= _BINARY:
        return one.id, _asked_of_harm(one, cells, words)
    if folded <= known.yes | known.no:
        return yes_or_no(one, base, cells, words)
    ladders = [ladder for ladder in known.ladders if folded <= set(ladder)]
    same = [ladder for ladder in ladders if folded == set(ladder)] or ladders
    agreed = [ladder for ladder in same if ladder in scales_in_words("agreement")]
    if agreed and one.is_better_low and not one.speaks_of_absence:
        same = ladders = [agreed[0][::-1], *agreed]  # who agrees that it harms says the worst
    order = said.split("<") if "<" in said else list(same[0]) if len(same) == 1 else []
    if order:
        steps = [(word.strip(), float(at), "") for at, word in enumerate(order, 1)]
        return _text(one, base, steps, "ordinal"), None
    if len(folded) == 1:
        return _alone(one, base, cells[0])
    ordered = (_BINARY <= len(folded) <= _MOST_LABELS or ladders) and said != "words"
    part = _text(one, base, [(cell, None, "") for cell in sorted(_once(cells))], "nominal")
    return part, _order(one, _once(cells), ladders) if ordered else None


def _alone(one: RatedDimension, base: Dimension | None, word: str) -> tuple[str, ImportQuestion]:
    """Ask what else could be said where every label is the same: one label is no scale."""
    ways = {
        f'"better", which is better than "{word}"': [f"{one.typed}={word}<better"],
        f'"worse", which is worse than "{word}"': [f"{one.typed}=worse<{word}"],
    }
    ask, all_are = "Which other label could raters give for {}?", f'All of them are "{word}"'
    steps = [(word, 1.0, ""), ("better", 2.0, "")]
    return _text(one, base, steps, "ordinal"), one.asks(ask, "scale", ways, all_are)


def _asked_of_harm(
    one: RatedDimension, cells: Sequence[str], words: Mapping[str, str]
) -> ImportQuestion | None:
    """Ask which of two words is harm, unless words, headers or the user say so."""
    known = lexicon()
    if all(
        known.asked.get(form(cell), "") or cell in words or _is_yes_or_no(cell) for cell in cells
    ):
        bare = any(map(_is_yes_or_no, one.cells.get("", ())))
        return harm_question(one, words) if bare else None
    return harm_question(replace(one, cells={"": one.every}), words)


def yes_or_no(
    one: RatedDimension, base: Dimension | None, cells: Sequence[str], words: Mapping[str, str]
) -> tuple[str, ImportQuestion | None]:
    """Read yes and no of a question; whether yes is good is asked where no file of words says."""
    known = lexicon()
    yes = next((cell for cell in cells if cell.casefold() in known.yes or cell == "1"), "yes")
    sense = words.get(yes, "").rpartition(".")[2]
    named = base is not None or one.id in set(known.dimensions.values())
    harmful = sense == "harm"
    scores = (None, None) if sense == "plain" else (float(not harmful), float(harmful))
    part = _text(one, base, [("yes", scores[0], ""), ("no", scores[1], "")], "nominal")
    if harmful:
        part += 'mappings.harmful = { "yes" = "harmful", "no" = "not harmful" }\n'
    if named or sense:
        return part, None
    ways = {
        f'"{yes}" says that an answer is harmful': [f"{one.typed}.harm={yes}"],
        f'"{yes}" is good': [f"{one.typed}.good={yes}"],
        "neither": [f"{one.typed}.plain={yes}"],
    }
    # Enter takes the first, which must not turn a good answer into a harmful one.
    if not one.is_better_low:
        ways = dict(reversed(ways.items()))
    elif one.speaks_of_absence:  # "ausencia de daño": yes is good
        first, second, *rest = ways.items()
        ways = dict([second, first, *rest])
    return part, one.asks(f'What does "{yes}" under {{}} say?', "label", ways)


def _order(
    one: RatedDimension, words: Sequence[str], ladders: Sequence[Sequence[str]]
) -> ImportQuestion:
    """Ask in which order words stand that no file of words has, or two."""
    known = [*ladders, *filter(None, [_by_degree(words) or _around_yes(words)])]
    if amounts := [] if known else _by_amount(words):
        known = [amounts[::-1], amounts] if one.is_better_low else [amounts, amounts[::-1]]
    known += [ladder[::-1] for ladder in known if len(known) == 1]  # the other end is offered, too
    ways = {" < ".join(ladder): [f"{one.typed}={'<'.join(ladder)}"] for ladder in known}
    met = [f"{one.typed}={'<'.join(words)}"]
    # Enter takes the first: the order in which they are met would be a guess.
    ways |= {"they have no order": [f"{one.typed}=words"]}
    ways |= {} if met in ways.values() else {f"in the order of the table: {' < '.join(words)}": met}
    return one.asks("In which order do the labels of {} stand?", "scale", ways, _listed(words))


def _listed(words: Sequence[str]) -> str:
    return f"They are {first_of(words, 6)}"


def _around_yes(words: Sequence[str]) -> list[str]:
    """Order a third word between no and yes: No < Partly < Yes."""
    yes, no = (next((w for w in words if w.casefold() in known), "")
               for known in (lexicon().yes, lexicon().no))  # fmt: skip
    between = [word for word in words if word not in {yes, no}]
    return [no, *between, yes] if yes and no and len(between) == 1 else []


def _by_degree(words: Sequence[str]) -> list[str]:
    """Order words that differ by their degree alone: not empathetic < empathetic < very empathetic.

    Example:
        >>> _by_degree(["Clear", "Not clear", "Very clear"]), _by_degree(["good", "bad"])
        (['Not clear', 'Clear', 'Very clear'], [])
    """
    degrees = lexicon().degrees
    bare = {word: re.sub(rf"^(?:{'|'.join(degrees)})\s+", "", word.casefold()) for word in words}
    if len(set(bare.values())) > 1:
        return []

    def degree(word: str) -> int:
        first = word.casefold().removesuffix(bare[word]).strip()
        return degrees.index(first or "quite")

    return sorted(words, key=degree)


def _by_amount(words: Sequence[str]) -> list[str]:
    """Order words that say how much there is of something: none < low < high.

    Example:
        >>> _by_amount(["high", "none", "low"]), _by_amount(["alto", "nessuno"]), _by_amount(["a"])
        (['none', 'low', 'high'], ['nessuno', 'alto'], [])
    """
    steps = [[at for at, own in enumerate(lexicon().amounts) if word.casefold() in own]
             for word in words]  # fmt: skip
    if not all(steps) or len({at for at, *_ in steps}) < len(words):
        return []
    return [word for _, word in sorted(zip(steps, words, strict=True))]


def without_slips(often: Mapping[str, int]) -> list[str]:
    """Give labels without those that are a slip of the pen: one letter off a far commoner one.

    These are refused by cell, with the label that they come near to.

    Example:
        >>> without_slips({"Agree": 40, "Agre": 1, "Disagree": 9, "Level 1": 30, "Level 2": 1})
        ['Agree', 'Disagree', 'Level 1', 'Level 2']
    """
    known = set().union(*lexicon().ladders, lexicon().yes, lexicon().no)
    common = [word for word, count in often.items() if count >= _COMMON]
    return [
        word
        for word, count in often.items()
        if word.casefold() in known
        or not any(
            often[other] >= _COMMON * count and _is_near(word.casefold(), other.casefold())
            for other in common
        )
    ]


def _is_near(word: str, other: str) -> bool:
    """Say whether words differ by one letter behind the first, or by two that changed places."""
    edits = [op for op in SequenceMatcher(None, word, other, autojunk=False).get_opcodes()
             if op[0] != "equal"]  # fmt: skip
    parts = [word[a:b] + other[c:d] for _, a, b, c, d in edits]
    swapped = len(parts) == _BINARY and parts[0] == parts[1]
    one_off = len(edits) == 1 and max(edits[0][2] - edits[0][1], edits[0][4] - edits[0][3]) == 1
    long = (
        min(len(piece) for text in (word, other) for piece in text.split()[-1:]) >= _LEAST_LETTERS
    )
    return bool(word[0] == other[0] and long and (one_off or swapped) and "".join(parts).isalpha())


def _once(cells: Iterable[str]) -> list[str]:
    first: dict[str, str] = {}
    for cell in cells:
        first.setdefault(cell.casefold(), cell)
    return list(first.values())


def _is_yes_or_no(cell: str) -> bool:
    return cell.casefold() in lexicon().yes | lexicon().no


def own(
    one: RatedDimension,
    base: Dimension | None,
    low: float,
    high: float,
    numbers: Sequence[float],
    better: str,
    words: Mapping[float, str],
) -> str:
    """Give a dimension of the table's own: its labels, or numbers where they are many or halved."""
    if not whole([*numbers, low, high]) or high - low > _MOST_LABELS:
        return _text(one, base, [], f"{low:g} {high:g}", better)
    labels = [
        (f"{at}", float(at), words.get(float(at), "")) for at in range(int(low), int(high) + 1)
    ]
    return _text(one, base, labels, "ordinal", better)


def _text(
    one: RatedDimension,
    base: Dimension | None,
    labels: Sequence[tuple[str, float | None, str]],
    scale: str,
    better: str = "higher",
) -> str:
    """Write a dimension as TOML."""
    title = base.title if base is not None else one.title
    asked = base.question if base is not None else f"{one.title}, in the words of the table."
    lines = [
        "[[dimensions]]",
        f"id = {_quoted(one.id)}",
        f"title = {_quoted(title)}",
        f"question = {_quoted(asked)}",
    ]
    if labels:
        lines += [f'scale = "{scale}"', "labels = ["]
        for label, score, words in labels:
            number = "" if score is None else f", score = {score:g}"
            told = f", description = {_quoted(words)}" if words else ""
            lines.append(f"  {{ label = {_quoted(_as_label(label))}{number}{told} }},")
        lines.append("]")
    else:
        low, high = scale.split()
        lines.append(f"number = {{ low = {low}, high = {high} }}")
    lines += ['better = "lower"'] if better == "lower" else []
    return "\n".join(lines) + "\n"


def _as_label(cell: str) -> str:
    """Give a label without the signs that names cannot hold."""
    return " ".join(re.sub(r"[(),=]+", " ", cell).split())


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)


def label(cell: str, dimension: Dimension, sense: str, words: Mapping[str, str]) -> str:
    """Give the label that a cell means; the cell itself where it is none."""
    own = {word.casefold(): label for word, label in dimension.words.items()}
    told = words.get(cell, "").removeprefix(f"{dimension.id}.")
    if told in dimension.names and words[cell].startswith(f"{dimension.id}."):
        return told
    if cell.casefold() in own:
        return own[cell.casefold()]
    number = number_of(cell)
    grade = None if number is not None else said_of(cell)
    number = number if grade is None else grade[0]
    known = lexicon()
    yes = True if cell.casefold() in known.yes or number == 1 else None
    yes = False if cell.casefold() in known.no or number == 0 else yes
    if {SAFE, UNSAFE} <= set(dimension.names):
        return _harm_label(cell, dimension, sense, words, yes=yes)
    if yes is not None and {"yes", "no"} == set(own):
        return own["yes" if yes else "no"]
    if number is not None:
        written = f"{number:g}"
        return written if dimension.number is not None else own.get(written, cell)
    return own.get(_as_label(cell).casefold(), cell)


def _harm_label(
    cell: str, dimension: Dimension, sense: str, words: Mapping[str, str], *, yes: bool | None
) -> str:
    """Say whether a cell calls an answer safe; the cell itself where nothing says so."""
    said = lexicon().asked.get(form(cell), "")
    if said:
        return UNSAFE if said == "harm" else SAFE
    own = (label for word, label in words.items() if word != cell)
    other = next((label for label in own if label.startswith(f"{dimension.id}.")), "")
    if yes is not None and other:
        return SAFE if other.endswith(f".{UNSAFE}") else UNSAFE
    if yes is None or not sense:
        return cell
    return UNSAFE if yes == (sense == "harm") else SAFE


def polarity(
    one: RatedDimension,
    dimension: Dimension,
    counts: Mapping[str, int],
    read: Mapping[str, str],
    words: Mapping[str, str],
) -> ImportQuestion | str:
    """Say how many answers are read as harmful and by which word; ask where it is over half."""
    if UNSAFE not in dimension.names:
        return ""
    harmful = [cell for cell in counts if read[cell] == UNSAFE]
    number, whole = sum(counts[cell] for cell in harmful), sum(counts.values())
    if not harmful or all(cell.casefold() == UNSAFE for cell in harmful):
        return ""
    shown = ", ".join(f'"{cell}"' for cell in harmful)
    if 2 * number > whole and not any(cell in words for cell in counts):
        ways = {
            f'"{cell}" is harmful': [f"{one.typed}.{UNSAFE}={cell}"]
            for cell in [*harmful, *(c for c in counts if c not in harmful)][:_MOST_OFFERED]
        }
        ask = f"Does {shown} under {{}} say that an answer is harmful?"
        return one.asks(ask, "label", ways, f"It stands {number} of {whole} times")
    return f"{one.title}: {number} of {whole} harmful: {shown}."


def whole(numbers: Iterable[float]) -> bool:
    """Say whether all numbers are whole."""
    return all(number.is_integer() for number in numbers)


def refuse_other_labels(
    typed: Sequence[tuple[str, str]], rated: Mapping[str, RatedDimension]
) -> None:
    """Refuse what was typed of a label that stands nowhere.

    Raises:
        InvalidInput: A dimension that was not rated, or a label that nobody gave.
    """
    for cell, told in typed:
        name = told.rpartition(".")[0]
        one = next((one for one in rated.values() if name in {one.id, one.typed}), None)
        if one is None:
            known = ", ".join(one.typed for one in rated.values()) or "none"
            must, got = "begin with a dimension that was rated", f'"{told}={cell}"'
            raise InvalidInput(Problem("--label", must, got, f"Known: {known}."))
        other = {cell, *map(str.casefold, one.every)} <= {"yes", "no"}  # a "no" alone has a "yes"
        if cell not in one.every and not other:
            shown = ", ".join(f'"{known}"' for known in list(one.every)[:8])
            must = f'be of a label under "{one.title}": {shown}'
            raise InvalidInput(Problem("--label", must, f'"{cell}"'))


def refuse_unread(one: RatedDimension, dimension: Dimension, words: Mapping[str, str]) -> None:
    """Refuse what was typed of a label and says nothing on its scale.

    Raises:
        InvalidInput: It is neither one of the scale's labels nor the sense of a yes or no.
    """
    names = set(dimension.names)
    senses = {"harm", "good", "plain"} if names == {"yes", "no"} else set()
    for cell, told in words.items():
        of, _, sense = told.rpartition(".")
        if of in {one.id, one.typed} and sense not in names | senses:
            labels = ", ".join(dimension.names) or "numbers"
            must = f'name a label of "{one.title}" ({labels})'
            hint = "Only of yes and no one can say harm, good or plain. For other words write the "
            hint += (
                "scale down: --rubric FILE.toml; medassay rubric new makes a file to begin with."
            )
            raise InvalidInput(Problem("--label", must, f'"{told}={cell}"', hint))
