"""The sentences about answers without a choice, and what they are counted as."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from medassay.analyses.builtin.accuracy.record import Accuracy, AccuracyOf, OnSameQuestions
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import PROPORTION, bounds, listed, listed_few, p_value

__all__ = ["accuracy_claims", "accuracy_findings"]

_MOST: Final = 6
"""Systems that the sentence names; the table has all."""
_MOST_PAIRS: Final = 3
_CLAIMS: Final = {"wrong": ("right", "accuracy"), "first": ("accuracy", "accuracy, the other rule")}
"""What an answer without a choice counts as, to the finding and what it claims."""
_STAND: Final = {1: "ahead of", 0: "level with", -1: "behind"}
_RULES: Final = (
    "Accuracy where answers without a choice that could be read count as wrong, and where they "
    "count as the first option"
)
_Accuracies = Mapping[str, AccuracyOf]


def accuracy_claims(accuracy: Accuracy) -> Iterator[Claim]:
    """Claim which systems differ on the same questions, by either rule."""
    for policy, (finding, about) in _CLAIMS.items():
        p = [pair.p_adjusted for pair in accuracy.pairs if pair.policy == policy]
        # Of more than two systems the sentence about right answers compares none.
        if len(p) == 1 or (p and policy == "first"):
            yield Claim.of(finding, about, VerdictKind.CLAIM, p, row=VerdictRow.ACCURACY)


def accuracy_findings(accuracy: Accuracy, names: Names) -> tuple[Finding, ...]:
    """Say how many are right, who is ahead on the same questions, and what the rule changes."""
    by_rule = _by_rule(accuracy, names)
    basis = ("accuracy", "mcnemar") if accuracy.pairs else ("accuracy",)
    right = Finding("right", _right(accuracy, names), basis, ReaderQuestion.BETTER)
    return (right, by_rule) if by_rule else (right,)


def _right(accuracy: Accuracy, names: Names) -> str:
    wrong = accuracy.overall("wrong")
    # A system that retrieves and never chooses may not have been asked to: it is not "0 right".
    silent = [system for system, own in wrong.items() if own.no_choice == own.n]
    chose = [system for system in wrong if system not in silent]
    order = sorted(chose, key=lambda system: -wrong[system].share)
    lines = [_counted(names, wrong[system]) for system in order[:_MOST]]
    sentences = [f"Right: {'; '.join(lines)}."] if lines else []
    if len(order) > _MOST:
        sentences.append(f"{len(order) - _MOST} more systems are in the table.")
    pairs = [pair for pair in accuracy.pairs if pair.policy == "wrong"]
    if len(pairs) == 1 and not silent:
        sentences.append(_changed(names, pairs[0]))
    if silent:
        who = listed_few([names.of_system(system) for system in silent], _MOST)
        sentences.append(f"No choice can be read in any answer of {who}.")
    never = sum(wrong[system].no_choice for system in order)
    if never:
        sentences.append(f"{never:,} without a choice that can be read count as wrong.")
    return " ".join(sentences)


def _counted(names: Names, own: AccuracyOf) -> str:
    low, high = (f"{100 * end:.0f}" for end in (own.interval.low, own.interval.high))
    share = f"{100 * own.share:.0f}\u00a0%; 95 % interval {low} to {high}\u00a0%"
    return f"{names.of_system(own.system)} {own.right:,} of {own.n:,} ({share})"


def _changed(names: Names, pair: OnSameQuestions) -> str:
    """Tell two systems, or two versions, apart by the questions that only one has right."""
    a, b = names.of_system(pair.system_a), names.of_system(pair.system_b)
    ahead = {0: "not settled", 1: f"{a} is ahead", -1: f"{b} is ahead"}[_verdict(names, pair)]
    return (
        f"Only {a} is right on {pair.test.only_a:,} questions, only {b} on "
        f"{pair.test.only_b:,}: {ahead} (McNemar's exact {p_value(pair.p_adjusted)})."
    )


def _by_rule(accuracy: Accuracy, names: Names) -> Finding | None:
    """Say how many choices are missing, and what hangs on the rule that counts them."""
    wrong, first = accuracy.overall("wrong"), accuracy.overall("first")
    lacking = [system for system, own in wrong.items() if own.no_choice > own.never_answered]
    if not lacking:
        return None  # an answer never given is wrong by either rule
    lacking.sort(key=lambda system: -wrong[system].no_choice)
    lines = [_system(names, wrong[system], first[system]) for system in lacking[:_MOST]]
    sentences = [f"{_RULES}: {'; '.join(lines)}."]
    if len(lacking) > _MOST:
        sentences.append("The other systems are in the table.")
    sentences += [*_order(names, wrong, first), *_pairs(names, accuracy)]
    basis = ("accuracy", "mcnemar") if accuracy.pairs else ("accuracy",)
    return Finding("accuracy", " ".join(sentences), basis)


def _system(names: Names, wrong: AccuracyOf, first: AccuracyOf) -> str:
    never = f", {wrong.never_answered:,} of them never answered" if wrong.never_answered else ""
    return (
        f"{names.of_system(wrong.system)} {_accuracy(wrong)} and {_accuracy(first)} "
        f"({wrong.no_choice:,} of {wrong.n:,} without{never})"
    )


def _accuracy(accuracy: AccuracyOf) -> str:
    return f"{PROPORTION(accuracy.share)} {bounds(accuracy.interval)}".strip()


def _order(names: Names, wrong: _Accuracies, first: _Accuracies) -> list[str]:
    """Say whether the order of the systems depends on the rule."""
    if len(wrong) == 1:
        return []
    turned = [
        (a, b)
        for a, b in combinations(sorted(wrong, key=lambda system: -wrong[system].share), 2)
        if _sign(wrong[a].share - wrong[b].share) != _sign(first[a].share - first[b].share)
    ]
    if not turned:
        return ["The systems stand in the same order by both rules."]
    lines = [_turn(names, wrong, first, *pair) for pair in turned[:_MOST_PAIRS]]
    more = " More pairs change places; see the table." if len(turned) > _MOST_PAIRS else ""
    return [f"The order of the systems depends on the rule: {'; '.join(lines)}.{more}"]


def _turn(names: Names, wrong: _Accuracies, first: _Accuracies, a: str, b: str) -> str:
    """Tell how two systems stand by either rule."""
    before, after = (_STAND[_sign(shares[a].share - shares[b].share)] for shares in (wrong, first))
    return (
        f"{names.of_system(a)} is {before} {names.of_system(b)} if they count as wrong, {after} it "
        "if as the first option"
    )


def _pairs(names: Names, accuracy: Accuracy) -> list[str]:
    """Say which pairs one rule only decides."""
    ways = [
        {(o.system_a, o.system_b): _verdict(names, o) for o in accuracy.pairs if o.policy == policy}
        for policy in ("wrong", "first")
    ]
    wrong, first = ways
    apart = [pair for pair in wrong if wrong[pair] != first[pair]]
    if not apart:
        same = "By McNemar's exact test both rules decide the same pairs."
        return [same] if wrong else []
    lines = [
        f"{listed([names.of_system(system) for system in pair])} {_only(*(v[pair] for v in ways))}"
        for pair in apart[:_MOST_PAIRS]
    ]
    more = " On more pairs too; see the table." if len(apart) > _MOST_PAIRS else ""
    return [f"By McNemar's exact test {'; '.join(lines)}.{more}"]


def _only(wrong: int, first: int) -> str:
    """Say which rule decides between two systems."""
    if wrong and first:
        return "differ by either rule, each ahead by one"
    return f"differ only if they count as {'wrong' if wrong else 'the first option'}"


def _verdict(names: Names, pair: OnSameQuestions) -> int:
    """Give which of the two has more right, 0 where that is undecided."""
    stands = pair.p_adjusted < names.level(*_CLAIMS[pair.policy])
    return _sign(pair.test.only_a - pair.test.only_b) if stands else 0


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
