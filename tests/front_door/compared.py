"""Compare the study that an import made with the study that was drawn.

A verdict is one of:

- equal: exit code 0, and nothing differs.
- asked: exit code 2, and no study was written, or one in which nothing is wrong.
- silent: exit code 0, and something differs. Each difference begins with its kind.
- crashed: any other end.

Raters are compared up to a renaming, since a study may hold pseudonyms; dimensions by what they
hold, and then by their names. Systems are compared by `plain`: without capitals, blanks and signs.
Where a table names no system, any one name will do.
"""

import contextlib
import csv
import io
import re
import shlex
import traceback
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.front_door.drawn import Key
from tests.front_door.found import Found, FoundAnswer, found_in
from tests.front_door.laid_out import Laid
from tests.front_door.matched import Matched, matched, plain
from tests.front_door.rated import rating_differences

from medassay.__main__ import main
from medassay.study.folder import Study

__all__ = ["Verdict", "compare", "import_as_a_script", "judge"]

BAD_INPUT = 2
_TO_TYPE = "With the first answer of each, type: "


@dataclass(frozen=True)
class Verdict:
    """How one import ended.

    Attributes:
        word: equal, asked, silent or crashed.
        differences: What differs, or what was said.
        typed: Of a table that was asked about, how the import ended that the refusal says to type:
            equal, other (what likeliest answers read is not what was drawn), "asked again"; where
            it names no line, "refused: " and what the table must do first.
    """

    word: str
    differences: tuple[str, ...] = ()
    typed: str = ""

    @property
    def kinds(self) -> tuple[str, ...]:
        """List the kinds of what differs, each once."""
        return tuple(dict.fromkeys(line.partition(":")[0] for line in self.differences))


def judge(laid: Laid, folder: Path) -> Verdict:
    """Import a table as a script would, and compare the study with the truth."""
    there = folder / "given"
    there.mkdir(parents=True)
    for name, content in laid.files.items():
        (there / name).write_bytes(content)
    into = folder / "study"
    names = [str(there / name) for name in laid.files]
    code, said = import_as_a_script([*names, "--into", str(into), *laid.arguments, "--yes"])
    if code == BAD_INPUT:
        if not (into / "study.toml").exists():
            return Verdict("asked", (said,), _as_told_to(said, laid, into))
        wrong = compare(laid, into)
        return Verdict("silent", wrong) if wrong else Verdict("asked", (said,))
    if code != 0:
        return Verdict("crashed", (said,))
    differences = compare(laid, into)
    return Verdict("silent" if differences else "equal", differences)


def _as_told_to(said: str, laid: Laid, into: Path) -> str:
    """Type the line that a refusal names, as it is, and say how that ended."""
    line = said.partition(_TO_TYPE)[2].partition("\n")[0]
    if not line:
        musts = [
            must for must in re.findall(r": must (.*?); got ", said) if "be answered" not in must
        ]
        return f"refused: {musts[0] if musts else said}"
    code, _ = import_as_a_script(shlex.split(line)[2:])
    if code != 0:
        return "asked again" if code == BAD_INPUT else "crashed"
    return "other" if compare(laid, into) else "equal"


def import_as_a_script(words: list[str]) -> tuple[int, str]:
    """Import in this process; give the exit code and what was said of errors, tracebacks too."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(["import", *words])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
            return code, err.getvalue().strip()
        except Exception:  # noqa: BLE001 - whatever it is, a user would see it
            return 1, traceback.format_exc()
    return 0, err.getvalue().strip()


def compare(laid: Laid, folder: Path) -> tuple[str, ...]:
    """List every difference between a study's folder and the truth."""
    study = found_in(Study.open(folder))
    pairs = matched(laid, study)
    return tuple(dict.fromkeys(_differences(laid, study, pairs, folder)))


def _differences(laid: Laid, study: Found, pairs: Matched, folder: Path) -> Iterator[str]:
    yield from pairs.problems
    yield from _answers(laid, study, pairs)
    yield from rating_differences(laid, study, pairs)
    yield from _scores(laid, study, pairs)
    yield from _cases(laid, study, pairs)
    yield from _preferences(laid, study, pairs)
    yield from _asked(laid, pairs, folder / "asked.csv")


def _asked(laid: Laid, pairs: Matched, path: Path) -> Iterator[str]:
    """Hold the file that tells of a design, absent where all were asked, against the design."""
    if not path.exists():
        # Of one system alone nobody can see that others were asked other cases.
        if laid.plan.sampled and len({system for _, system, _ in laid.shown.answers}) > 1:
            yield "not asked: nothing says which cases each system was asked"
        return
    with path.open(encoding="utf-8-sig", newline="") as file:
        told = {(row["case"], row["system"]) for row in csv.DictReader(file)}
    own = {pairs.key(key)[:2] for key in laid.shown.answers}
    if told != own:
        yield f"not asked: {len(told - own)} that were not asked, {len(own - told)} that were"


def _answers(laid: Laid, study: Found, pairs: Matched) -> Iterator[str]:
    lost, other = [], []
    for key, given in laid.shown.answers.items():
        if given.text is None:
            continue
        there = study.answers.get(pairs.key(key))
        if there is None:
            lost.append(key)
        elif _squeezed(there.text or "") != _squeezed(given.text):
            other.append((key, there.text))
        else:
            yield from _facts(laid, key, there)
    if lost:
        yield f"lost answers: {len(lost)} of {len(laid.shown.answers)}, such as {lost[0]}"
    if other:
        yield f"other answers: {len(other)}, such as {other[0]}"
    own = {pairs.key(key) for key, given in laid.shown.answers.items()}
    strange = [key for key, there in study.answers.items() if key not in own and there.text]
    if strange:
        yield f"invented answers: {len(strange)}, such as {strange[0]}"


def _facts(laid: Laid, key: tuple[str, str, int], there: FoundAnswer) -> Iterator[str]:
    given = laid.shown.answers[key]
    for name in ("confidence", "seconds", "choice", "cost"):
        told, read = getattr(given, name), getattr(there, name)
        if told is not None and told != read:
            yield f"lost {name}: such as {told} of {key}, which is {read}"
            return
    if given.retrieved and given.retrieved != there.retrieved:
        yield f"lost documents: {given.retrieved} of {key}, which are {there.retrieved}"
    # A ranking holds a document once.
    if given.contexts and list(map(_squeezed, there.contexts)) != list(
        dict.fromkeys(given.contexts)
    ):
        yield f"other contexts: such as those of {key}"


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _scores(laid: Laid, study: Found, pairs: Matched) -> Iterator[str]:
    told = {
        (plain(metric), pairs.key(key)): value for (metric, key), value in laid.shown.scores.items()
    }
    read = dict(_as_told(source, key, value) for (source, key), value in study.scores.items())
    lost = [at for at, value in told.items() if read.get(at) != value]
    if lost:
        yield f"lost scores: {len(lost)} of {len(told)}, such as {lost[0]}"
    strange = sorted({source for source, key in read if (source, key) not in told})
    may_be = {_letters(name) for name in pairs.may_be_tags} | {"score"}
    strange = [source for source in strange if _letters(source) not in may_be]
    if strange:
        yield f"invented scores: of {', '.join(strange)}"


def _letters(name: str) -> str:
    """Give the letters that a metric's name can have: those of ASCII."""
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()


def _as_told(source: str, key: Key, value: float) -> tuple[tuple[str, Key], float]:
    """Take off what an import adds to a name: that we compute one so called, and which repeat."""
    name, _, sample = source.partition("_sample_")
    case, system, _ = key
    own = (plain(name.removesuffix("_given")), (case, system, int(sample or 1) - 1))
    return own, value


def _cases(laid: Laid, study: Found, pairs: Matched) -> Iterator[str]:
    tags: Counter[str] = Counter()
    for case in laid.shown.cases:
        there = study.cases.get(pairs.cases.get(case.case, ""))
        if there is None:
            continue
        if laid.texts and _squeezed(there.question) != _squeezed(case.question):
            yield f"other question: {case.case} asks {there.question!r}"
        if laid.texts and (there.reference or None) != case.reference:
            yield f"other reference: {there.reference!r} in place of {case.reference!r}"
        told = Counter(case.tags.values())
        read = Counter(there.tags.values())
        for value in (told - read).elements():
            yield f"lost tag: {value!r} of {case.case}"
        if read - told:
            tags.update(name for name, value in there.tags.items() if value in (read - told))
    for name in tags:
        if plain(name) not in pairs.may_be_tags:
            yield f"read as a tag: {name!r}"


def _preferences(laid: Laid, study: Found, pairs: Matched) -> Iterator[str]:
    told = Counter(
        (pairs.cases.get(case, case), pairs.systems.get(winner, winner))
        for (_, case), winner in laid.shown.preferences.items()
    )
    read = Counter((case, winner) for _, case, winner in study.preferences)
    if told != read:
        lost, more = sum((told - read).values()), sum((read - told).values())
        yield f"other preferences: {lost} lost, {more} invented"
    raters = {rater for rater, _ in laid.shown.preferences}
    if raters and len({rater for rater, _, _ in study.preferences}) != len(raters):
        yield "rater split: another number of people preferred something"
