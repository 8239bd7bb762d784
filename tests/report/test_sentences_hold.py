"""Studies drawn by chance: no sentence of their reports claims what their record does not hold."""

import re
from collections import Counter
from collections.abc import Callable
from copy import copy
from functools import cache
from itertools import chain
from typing import Final

import numpy as np
import pytest
from tools.endurance import Endurance
from tools.random_study import write_random

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.correlations import correlations
from medassay.analyses.builtin.leaderboards import leaderboards
from medassay.analyses.builtin.rater_effects import effects_in
from medassay.analyses.builtin.trust import trust
from medassay.exhibits.numbers import number_word, p_value
from medassay.exhibits.sentences import upper_first
from medassay.report import findings
from medassay.report.asked import asked_names
from medassay.report.names import Names
from medassay.report.tables import all_tables
from medassay.study import open_run
from medassay.validity import Comparison, Validity

ONE: Final = 1 - 1e-12
NUMBERS: Final = {number_word(count): count for count in range(1, 13)}
VALUE: Final = r"(−?[\d.]+)(?:; 95% CI (−?[\d.]+) to (−?[\d.]+))?"
GAP: Final = rf"(?:adjusted )?difference {VALUE}"
AHEAD: Final = re.compile(r"It is (?:better|higher) than (?!every other system)")
PAIR: Final = re.compile(rf"{AHEAD.pattern}(\S+)[^(.]* \({GAP}\)")
UNSETTLED: Final = (
    re.compile(rf"Whether it is \w+ than (\S+) is undecided[^(.]* \({GAP}"),
    re.compile(rf"The (?:next|last) system is (\S+) \({GAP}"),
    re.compile(rf"difference from (\S+) {VALUE}"),
)
ELSEWHERE: Final = re.compile(
    r"On ([\w, ]+?), (?:whether (\S+) is (?:better|higher)|the order of|differences between)"
    rf"[^(.]* \((?:(\S+): )?difference from (\S+) {VALUE}; ([^)]*)\)"
)
RANKS: Final = re.compile(
    r"On ([\w ]+), ([\w, ]+) ranks? the (\S+) systems (as the raters do|against the raters)"
    r"(?:, ([\w, ]+) the other way round)? \("
)
ORDERS: Final = re.compile(
    r"On ([\w ]+), ([\w, ]+) orders? (\d+) of (\d+) pairs of systems as the raters do"
    r"(?: and (\d+) the other way)?(?:, ([\w, ]+) (\d+))? \("
)
USES: Final = {
    "rank": r" can rank similar systems instead of asking raters\.",
    "screen": r" can choose which systems raters see\.",
    "gate": r" can (tell a worse system from a better one|block a worse version)",
}
PROVEN, OPEN = "This is more than chance", "Whether this is more than chance is undecided"
CHANCE: Final = re.compile(
    rf"({PROVEN}|{OPEN})(?P<share> at [\d.]+%, its share of 5%)? "
    r"\((?:the one metric tried|the best of ([\d,]+)) reaches as much by chance in "
    r"(under 1|\d+)% of such studies"
)
NOTHING: Final = re.compile(
    r"\b(?:0|no|none) of (?:0|no)\b|\bin 0 of \d|\bof zero\b|\bnan\b|comes? first"
)


def listed(names: str) -> list[str]:
    return re.split(r", | and ", names)


def number(printed: str) -> float:
    return float(printed.replace("−", "-"))


class Said:
    """The sentences of one report beside its record."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.names = Names(results)
        self.text = {finding.id: finding.text for finding in findings(results)}
        self.tables = all_tables(results)
        self.boards = results.analyses.of(leaderboards)
        self.tau = results.analyses.of(correlations)
        self.trust = results.analyses.of(trust)
        self.effects = effects_in(results.analyses)
        self.raters = results.study.counts.raters
        self.dimension = {title: name for name, title in self.names.dimension.items()}
        self.counted: dict[str, int] = {}

    def count(self, claim: str) -> None:
        self.counted[claim] = self.counted.get(claim, 0) + 1

    def source(self, dimension: str) -> str:
        """Find the consensus of a dimension that the board goes by."""
        method = self.names.sources[self.names.primary].method
        [found] = [
            source.name
            for source in self.names.sources.values()
            if (source.kind, source.dimension, source.method) == ("consensus", dimension, method)
        ]
        return found

    def pair(self, source: str, one: str, other: str) -> Comparison:
        assert self.boards is not None
        [found] = [
            comparison
            for comparison in self.boards.comparisons
            if comparison.source == source
            and {comparison.system_a, comparison.system_b} == {one, other}
        ]
        return found

    def level(self, source: str) -> float:
        """Give the level at which it is tested who leads by a column."""
        return self.levels("leaderboards", "leaders", source)

    def levels(self, analysis: str, finding: str, about: str) -> float:
        level = asked_names(self.results, analysis).level(finding, about)
        assert level <= 0.05
        return level

    def better(self, pair: Comparison, system: str) -> bool:
        """Say whether the difference is in favour of one of the two."""
        assert pair.difference is not None
        ahead = pair.difference if pair.system_a == system else -pair.difference
        return ahead < 0 if self.names.sources[pair.source].direction == "lower" else ahead > 0

    def held(self, dimension: str, metric: str) -> Validity:
        assert self.tau is not None
        [found] = [
            validity
            for validity in self.tau.metrics
            if validity.dimension == self.dimension[dimension]
            and self.names.of_source(validity.metric) == metric
        ]
        return found


def leaders(said: Said) -> None:
    """Who leads alone is ahead of all others, by tests that stand together."""
    text = said.text["leaders"]
    assert said.boards is not None
    if said.raters < 8 and "leads" in text:
        assert re.search(r"\bthese \w+ raters|this one rater", text), text
    part = re.search(r"is tested at ([\d.]+)%", text)
    level = said.level(said.names.primary)
    printed = 5 if part is None else float(part[1])
    assert printed == pytest.approx(100 * level, abs=0.051), text
    first = re.match(r"(\S+) leads on ", text)
    alone = [(said.names.primary, first[1])] if first else []
    for found in re.finditer(r"On ([^.]*?), (\S+) leads\.", text):
        alone += [(said.source(said.dimension[title]), found[2]) for title in listed(found[1])]
    for source, system in alone:
        said.count("leads alone")
        others = [row.system for row in said.boards.by(source) if row.letters]
        others.remove(system)
        assert others
        for other in others:
            pair = said.pair(source, system, other)
            assert said.better(pair, system), (text, other)
            p = pair.p_adjusted
            assert p is not None, (text, other)
            assert p <= said.level(source), (text, other)
    ahead = list(PAIR.finditer(text))
    assert len(ahead) == len(AHEAD.findall(text)), text
    for found in ahead:
        said.count("is ahead")
        pair = from_top(said, text, found)
        assert said.better(pair, text.split(" ", 1)[0]), text
        assert pair.interval is not None
        assert not pair.interval.low <= 0 <= pair.interval.high, text
        assert number(found[3]) * number(found[4]) > 0, text
        assert pair.p_adjusted is not None
        assert pair.p_adjusted <= level, text
    # Other dimensions name differences of their own, from " On " on.
    own = text.partition(" On ")[0]
    for found in chain.from_iterable(pattern.finditer(own) for pattern in UNSETTLED):
        said.count("is undecided")
        pair = from_top(said, text, found)
        assert pair.p_adjusted is None or pair.p_adjusted > level, text


def from_top(said: Said, text: str, found: re.Match[str]) -> Comparison:
    """Find the pair of the first system and the one found, its numbers as printed."""
    top = text.split(" ", 1)[0]
    pair = said.pair(said.names.primary, top, found[1])
    sign = 1 if pair.system_a == top else -1
    assert number(found[2]) == pytest.approx(sign * (pair.difference or 0), abs=0.006), text
    assert (found[3] is None) == (pair.interval is None), text
    if pair.interval is not None:
        ends = sorted(sign * end for end in (pair.interval.low, pair.interval.high))
        assert [number(found[3]), number(found[4])] == pytest.approx(ends, abs=0.011), text
    return pair


def elsewhere(said: Said) -> None:
    """A difference on another dimension is its record's, and open for the reason that is told."""
    text = said.text["leaders"]
    assert len(ELSEWHERE.findall(text)) == len(re.findall(r" On [^(.]*\([^)]*difference", text)), (
        text
    )
    for found in ELSEWHERE.finditer(text):
        said.count("another dimension's difference")
        top = found[2] or found[3]
        for source in (said.source(said.dimension[title]) for title in listed(found[1])):
            pair = said.pair(source, top, found[4])
            sign = 1 if pair.system_a == top else -1
            assert number(found[5]) == pytest.approx(sign * (pair.difference or 0), abs=0.006), text
            assert pair.interval is not None, text
            ends = sorted(sign * end for end in (pair.interval.low, pair.interval.high))
            assert [number(found[6]), number(found[7])] == pytest.approx(ends, abs=0.011), text
            why_open(said, pair, found[8])


def why_open(said: Said, pair: Comparison, why: str) -> None:
    """What its share of the rate leaves open would pass all of it, and what is rare passes both."""
    level, column = said.level(pair.source), said.names.sources[pair.source]
    assert pair.p_adjusted is not None
    assert pair.p_adjusted <= 0.05, why
    assert said.boards is not None
    systems = sum(bool(row.letters) for row in said.boards.by(pair.source))
    if "rare large losses" in why:
        assert pair.p_adjusted <= level, why
        assert pair.may_reverse(column.low, column.high, systems, level=level), why
        assert re.search(r"that (\d+) ", why)[1] == str(pair.seen), why  # type: ignore[index]
    else:
        assert why == f"undecided at {100 * level:.2g}%, its share of 5%"
        assert pair.p_adjusted > level, why


def order(said: Said) -> None:
    """A metric ranks as the raters do with tau 1 alone; else the sentence counts pairs."""
    text = said.text.get("validity", "")
    if "as the raters do" in text or "against the raters" in text:
        assert RANKS.search(text) or ORDERS.search(text) or "could be tested" in text, text
    if found := RANKS.search(text):
        said.count("ranks all")
        sign = 1 if found[4] == "as the raters do" else -1
        for metric in listed(found[2]):
            held = said.held(found[1], metric)
            assert sign * (held.tau or 0) >= ONE, text
            assert NUMBERS.get(found[3], 0) in {held.n_systems, 0}, text
        for metric in listed(found[5]) if found[5] else ():
            assert sign * (said.held(found[1], metric).tau or 0) <= -ONE, text
    if found := ORDERS.search(text):
        said.count("orders pairs")
        for names, alike in ((found[2], found[3]), (found[6] or "", found[7])):
            for metric in listed(names) if names else ():
                held = said.held(found[1], metric)
                assert abs(held.tau or 0) < ONE, text
                assert held.pairs_alike == int(alike), text
                assert held.n_systems >= 6, "of fewer systems no tau is told"
                assert int(found[4]) == held.n_systems * (held.n_systems - 1) // 2, text
        if found[5]:
            assert said.held(found[1], listed(found[2])[0]).pairs_reversed == int(found[5]), text


def picked(said: Said) -> None:
    """Of many values of tau the largest is told by its adjusted p, or by none."""
    text = said.text.get("validity", "")
    if said.tau is None:
        return
    raw = {p_value(v.p) for v in said.tau.metrics if v.p is not None}
    adjusted = {
        p_value(p)
        for v in said.tau.metrics
        for p in (v.p_adjusted, v.p_adjusted_everywhere)
        if p is not None
    }
    for shown in re.findall(r"p [=<] [\d.]+\d", text):
        said.count("p of the largest")
        assert shown in adjusted, (text, raw)
    found = CHANCE.search(text)
    assert (found is not None) == ("more than chance" in text), text
    if found is None:
        return
    chance = said.tau.by_chance
    assert chance is not None
    assert int((found[3] or "1").replace(",", "")) == chance.metrics, text
    told = f"{100 * chance.share:.0f}" if chance.share >= 0.005 else "under 1"
    assert found[4] == told, text
    level = said.levels("correlations", "validity", "metrics and raters")
    if found[1] == PROVEN:
        said.count("more than chance")
        assert chance.share <= level, text
    else:
        said.count("chance undecided")
        assert chance.share > level, text
        its_share = f" at {100 * level:.2g}%, its share of 5%"
        assert (found["share"] == its_share) == (chance.share <= 0.05), text


def strictest(said: Said) -> None:
    """The strictest of many raters stands among all, and is named with how many there are."""
    text = said.text.get("severity")
    if text is None:
        return
    assert text.startswith("Still to confirm with the raters: ")
    text = text.removeprefix("Still to confirm with the raters: ")
    said.count("strictest")
    p, tested = [], 0
    severities = [effect for effect in said.effects if effect.kind == "severity"]
    raters = Counter(effect.dimension for effect in severities)
    told: set[str] = set()
    for effect in severities:
        two = raters[effect.dimension] == 2
        again = two and effect.dimension in told  # two raters mirror each other
        told.add(effect.dimension)
        if again or effect.effect is None:
            continue
        assert effect.p is not None
        tested += 1  # also one whose interval is not known: the p of all are of all together
        if effect.interval is None:
            continue
        p.append((effect.p, effect.rater, abs(effect.effect)))
    p.sort()
    places = [
        place
        for place, (_, rater, size) in enumerate(p)
        if text.startswith(f"{upper_first(rater)} gave {size:.2f} points")
    ]
    assert places, text
    assert p[places[0]][0] <= 0.05, text
    assert ("tested together" in text) == (tested > 1), text
    if tested > 1:
        assert f"; the largest of {tested}, tested together)" in text


def uses(said: Said) -> None:
    """What a metric may be used for is in its row, and nothing is where the sentence says none."""
    text = said.text.get("uses", "")
    entries = [
        entry for on in said.trust or () for entry in on.table.entries if entry.role == "metric"
    ]
    may = {use for entry in entries for use in entry.uses} & {"rank", "screen", "gate"}
    told = {use for use, words in USES.items() if re.search(words, text)}
    for use in told:
        said.count(f"can {use}")
    assert told == may, text


def agreement(said: Said) -> None:
    """A value that is told as the least or the most has an interval."""
    text = said.text.get("agreement", "")
    for _, aside in re.findall(r"( is (?:lowest|highest) on [^(]*)\(([^)]*)", text):
        said.count("agreement")
        assert "95% CI" in aside, text


def nothing(said: Said) -> None:
    """Nobody comes first, and nothing is said of nothing, in sentences and captions alike."""
    captions = ((table.title, table.caption) for table in said.tables)
    for text in chain(said.text.values(), chain.from_iterable(captions)):
        assert not NOTHING.search(text), text


CHECKS: Final[tuple[Callable[[Said], None], ...]] = (
    leaders, elsewhere, order, picked, strictest, uses, agreement, nothing,
)  # fmt: skip


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Said]:
    @cache
    def of(seed: int) -> Said:
        folder = tmp_path_factory.mktemp("drawn") / str(seed)
        write_random(folder, seed)
        return Said(run_study(open_run(folder))[0])

    return of


@pytest.mark.slow
@pytest.mark.endure
def test_sentences_say_what_the_record_of_a_chance_study_holds(
    drawn: Callable[[int], Said], endurance: Endurance
) -> None:
    studies = endurance.size("studies drawn by chance", short=10, whole=120)
    counted: dict[str, int] = {}
    for seed in range(studies):
        said = copy(drawn(seed))
        said.counted = {}
        for check in CHECKS:
            check(said)
        for claim, times in said.counted.items():
            counted[claim] = counted.get(claim, 0) + times
    claims = ", ".join(f"{times} {claim}" for claim, times in sorted(counted.items()))
    endurance.found(f"none wrong of {claims}")
    assert {
        "leads alone",
        "is ahead",
        "is undecided",
        "orders pairs",
        "more than chance",
        "chance undecided",
    } <= counted.keys()
    assert np.sum(list(counted.values())) > 3 * studies


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "check", "finding", "right", "wrong"),
    [
        (4, leaders, "leaders", "On Clarity, s00 leads.", "On Clarity, s01 leads."),
        (5, leaders, "leaders", "s01 scored highest on", "s01 leads on"),
        (9, leaders, "leaders", "(difference 0.71;", "(difference 0.91;"),
        (9, leaders, "leaders", "CI 0.44 to 0.99", "CI 0.44 to 0.89"),
        (9, leaders, "leaders", "CI 0.44 to 0.99", "CI −0.44 to 0.99"),
        (9, leaders, "leaders", "It is better than s05 on", "It is better than s02 on"),
        (
            9,
            leaders,
            "leaders",
            "than s05 on the 14 cases that both have (difference 0.71; 95% CI 0.44 to 0.99)",
            "than s02 on the 13 cases that both have (difference 0.08; 95% CI −0.23 to 0.38)",
        ),
        (9, leaders, "leaders", " (difference 0.71; 95% CI 0.44 to 0.99).", "."),
        (
            9,
            leaders,
            "leaders",
            "(difference from s02 0.08; 95% CI −0.23 to 0.38)",
            "(difference from s05 0.71; 95% CI 0.44 to 0.99)",
        ),
        (0, leaders, "leaders", "is s05 (difference 0.20;", "is s05 (difference −0.20;"),
        (2, elsewhere, "leaders", "from s01 0.80", "from s01 0.90"),
        (2, elsewhere, "leaders", "0.80; 95% CI 0.14 to 1.46", "0.80; 95% CI 0.24 to 1.46"),
        (2, elsewhere, "leaders", "On Empathy, differences", "On Completeness, differences"),
        (2, elsewhere, "leaders", "1.46; undecided at 1%", "1.46; undecided at 2%"),
        (
            2,
            elsewhere,
            "leaders",
            "1.46; undecided at 1%, its share of 5%",
            "1.46; rare large losses that 10 cases may not show could reverse it",
        ),
        (17, elsewhere, "leaders", "losses that 11 cases", "losses that 12 cases"),
        (
            17,
            elsewhere,
            "leaders",
            "rare large losses that 11 cases may not show could reverse it",
            "undecided at 1.2%, its share of 5%",
        ),
        (0, order, "validity", "24 of 28 pairs", "25 of 28 pairs"),
        (0, order, "validity", "24 of 28 pairs", "24 of 36 pairs"),
        (0, order, "validity", "against 4 (", "against 5 ("),
        (18, order, "validity", "and 4 the other way", "and 3 the other way"),
        (0, order, "validity", "order 24 of 28 pairs of systems", "rank the eight systems"),
        (22, order, "validity", "systems as the raters do", "systems against the raters"),
        (0, picked, "validity", "in 8% of", "in 3% of"),
        (0, picked, "validity", "the best of 5", "the best of 4"),
        (0, picked, "validity", OPEN, PROVEN),
        (18, picked, "validity", PROVEN, OPEN),
        (0, picked, "validity", "(tau 0.71", "(p = 0.0123; tau 0.71"),
        (0, strictest, "severity", "gave 0.71 points", "gave 0.73 points"),
        (28, strictest, "severity", "largest of 10", "largest of 9"),
        (0, agreement, "agreement", "95% CI 0.11 to 0.45; ", ""),
        (0, nothing, "leaders", "9 of 11 cases", "0 of 0 cases"),
    ],
)  # fmt: skip
def test_a_wrong_sentence_is_caught(
    drawn: Callable[[int], Said],
    seed: int,
    check: Callable[[Said], None],
    finding: str,
    right: str,
    wrong: str,
) -> None:
    said = drawn(seed)
    check(said)
    text = said.text[finding]
    assert text.count(right) == 1, text
    other = copy(said)
    other.text = said.text | {finding: text.replace(right, wrong)}
    with pytest.raises(AssertionError):
        check(other)


@pytest.mark.slow
def test_a_use_that_no_metric_has_is_caught(drawn: Callable[[int], Said]) -> None:
    said = drawn(0)
    uses(said)
    told = ("rank similar systems instead of asking raters.", "choose which systems raters see.",
            "block a worse version")  # fmt: skip
    for words in told:
        other = copy(said)
        other.text = said.text | {"uses": f"Length can {words}"}
        with pytest.raises(AssertionError):
            uses(other)
