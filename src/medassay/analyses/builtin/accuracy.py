"""How often is the right option chosen?"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, get_args

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_choices import Choices, ItemResponse, Policy
from medassay.annotations import PValue, SystemName, Tag, TagName, record
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.columns import counted, estimated, how, shown, system_column, table_of
from medassay.exhibits.numbers import (
    PROPORTION,
    bounds,
    count_of,
    listed,
    listed_few,
    percent_ci,
    percent_words,
    shown_p,
)
from medassay.exhibits.table import Table
from medassay.stats import Interval, McNemar, holm, mcnemar_exact, wilson


@record(infers=True)
class AccuracyOf:
    """How many questions of a group one system has right.

    Attributes:
        tag: The tag that groups the questions; empty for all of them.
        value: Its value.
        system: The system.
        policy: What an answer without a choice counts as.
        right: Questions answered with the right option.
        n: Questions.
        no_choice: Questions without a choice, those never answered among them.
        never_answered: Questions that the system never answered.
        share: right / n.
        interval: Around it.
    """

    tag: TagName
    value: Tag
    system: SystemName
    policy: Policy
    right: int
    n: int
    no_choice: int
    never_answered: int
    share: float
    interval: Interval


@record(infers=True)
class OnSameQuestions:
    """Two systems on the same questions.

    Attributes:
        policy: What an answer without a choice counts as.
        system_a: A system.
        system_b: Another.
        n: Questions.
        test: McNemar's, on the questions that exactly one of them has right.
        difference: Accuracy of a minus accuracy of b.
        p_adjusted: Holm, over all pairs of systems under this policy.
    """

    policy: Policy
    system_a: SystemName
    system_b: SystemName
    n: int
    test: McNemar
    difference: float
    p_adjusted: PValue


@record(infers=True)
class Accuracy:
    """How often systems choose the right option.

    Attributes:
        groups: One a group of questions, system and policy; all questions first.
        pairs: One a pair of systems and policy.
        tags_left_out: Tags with too many values to group by.
    """

    groups: tuple[AccuracyOf, ...]
    pairs: tuple[OnSameQuestions, ...]
    tags_left_out: tuple[TagName, ...]

    def overall(self, policy: Policy) -> Mapping[str, AccuracyOf]:
        """Give each system's accuracy over all questions."""
        return {row.system: row for row in self.groups if not row.tag and row.policy == policy}


_POLICIES: Final[tuple[Policy, ...]] = get_args(Policy)
_ESTIMAND: Final = "this system, new questions of the same kind"


def accuracies_of(choices: Choices) -> tuple[AccuracyOf, ...]:
    """Give the accuracy of each system on all questions and on those of each tag, by policy."""
    groups: dict[tuple[str, str], dict[str, list[ItemResponse]]] = {}
    for system, questions in choices.by_system.items():
        for response in questions:
            tags = response.tags
            for key in [("", ""), *((tag, tags[tag]) for tag in choices.tags if tag in tags)]:
                groups.setdefault(key, {}).setdefault(system, []).append(response)
    return tuple(
        _accuracy(tag, value, system, policy, questions)
        for (tag, value), by_system in sorted(groups.items(), key=lambda item: item[0])
        for system, questions in by_system.items()
        for policy in _POLICIES
    )


def _accuracy(
    tag: str, value: str, system: str, policy: Policy, questions: Sequence[ItemResponse]
) -> AccuracyOf:
    right, n = sum(response.is_right(policy) for response in questions), len(questions)
    return AccuracyOf(
        tag=tag,
        value=value,
        system=system,
        policy=policy,
        right=right,
        n=n,
        no_choice=sum(response.choice is None for response in questions),
        never_answered=sum(not response.answered for response in questions),
        share=right / n,
        interval=wilson(right, n, estimand=_ESTIMAND),
    )


def pairs_of(choices: Choices) -> tuple[OnSameQuestions, ...]:
    """Compare every two systems on the questions that exactly one of them has right.

    Both were asked these; two systems without such a question are not compared.
    """
    return tuple(pair for policy in _POLICIES for pair in _under(policy, choices))


def _under(policy: Policy, choices: Choices) -> list[OnSameQuestions]:
    right = {
        system: {response.case: response.is_right(policy) for response in questions}
        for system, questions in choices.by_system.items()
    }
    tests = []
    for a, b in combinations(right, 2):
        both = [(right[a][case], right[b][case]) for case in right[a] if case in right[b]]
        if not both:
            continue  # nobody asked both the same question
        test = mcnemar_exact(both.count((True, False)), both.count((False, True)))
        tests.append((a, b, len(both), test))
    adjusted = holm([test.p for *_, test in tests]).tolist()
    return [
        OnSameQuestions(policy, a, b, n, test, (test.only_a - test.only_b) / n, p_adjusted)
        for (a, b, n, test), p_adjusted in zip(tests, adjusted, strict=True)
    ]


_POLICY: Final = {
    "wrong": "An answer without a choice is wrong",
    "first": "An answer without a choice counts as the first option",
}


def accuracy_tables(accuracy: Accuracy, names: Names) -> list[Table]:
    """Show how often each system is right, and whether two of them differ."""
    tables = [_accuracy_table(accuracy, names)]
    return [*tables, _pair_table(accuracy, names)] if accuracy.pairs else tables


def _accuracy_table(accuracy: Accuracy, names: Names) -> Table:
    rows = [row for row in accuracy.groups if row.policy == "wrong"]
    as_first = {
        (row.tag, row.value, row.system): row for row in accuracy.groups if row.policy == "first"
    }

    def lenient(row: AccuracyOf) -> AccuracyOf:
        return as_first[row.tag, row.value, row.system]

    def never(row: AccuracyOf) -> str:
        return f"{row.never_answered} of them never answered." if row.never_answered else ""

    caption = (
        "An answer without a choice is wrong; the last column counts it as the first option, as "
        "some published scripts do. Intervals take questions as independent. "
        + how(row.interval for row in rows[:1])
    )
    if accuracy.tags_left_out:
        caption += f" Not grouped, for too many values: {', '.join(accuracy.tags_left_out)}."
    return table_of(
        ((f"{row.tag}: {row.value}" if row.tag else "All questions", row) for row in rows),
        (
            system_column(names),
            counted("Right", "right"),
            counted("Questions", "n", file="questions"),
            shown("No choice", "no_choice", "{:,}".format, adds=("never_answered",), detail=never),
            estimated("Accuracy", "share", why_not=None, file="accuracy", axis=(0, 1)),
            shown(
                "First option if none",
                lambda row: lenient(row).share,
                PROPORTION,
                file="accuracy_first",
                adds={
                    "accuracy_first_low": lambda row: lenient(row).interval.low,
                    "accuracy_first_high": lambda row: lenient(row).interval.high,
                },
                aside=lambda row: bounds(lenient(row).interval),
            ),
        ),
        id="accuracy",
        title="Accuracy by group of questions",
        caption=caption,
        grouped_by="group",
    )


def _pair_table(accuracy: Accuracy, names: Names) -> Table:
    return table_of(
        ((_POLICY[pair.policy], pair) for pair in accuracy.pairs),
        (
            system_column(names, "A", "system_a"),
            system_column(names, "B", "system_b"),
            counted("Questions", "n", file="questions"),
            counted("Only A right", "test.only_a", file="only_a"),
            counted("Only B right", "test.only_b", file="only_b"),
            shown("A − B", "difference", PROPORTION),
            shown("p", "test.p", shown_p, file="p"),
            shown("p, adjusted", "p_adjusted", shown_p),
        ),
        id="mcnemar",
        title="Systems on the same questions",
        caption="Of the questions that exactly one of two systems has right, how many each has "
        "right; the difference is of their accuracies. p: McNemar's exact test, two-sided, which "
        "takes the questions as independent; adjusted by Holm over all pairs under the same rule.",
        grouped_by="no_choice",
    )


_MOST: Final = 4
"""Systems that a sentence names; the table has all."""
_MOST_PAIRS: Final = 3
_CLAIMS: Final = {"wrong": ("right", "accuracy"), "first": ("accuracy", "accuracy, the other rule")}
"""What an answer without a choice counts as, to the finding and what it claims."""
_STAND: Final = {1: "ahead of", 0: "level with", -1: "behind"}
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
    order = sorted((s for s in wrong if s not in silent), key=lambda system: -wrong[system].share)
    sentences = [
        _counted(names, wrong[system]) for system in dict.fromkeys([*order[:1], *order[-1:]])
    ]
    if len(order) > 2:  # noqa: PLR2004 - the best and the last are named
        sentences.append(f"The table has {count_of(len(order) - 2, 'more system')}.")
    pairs = [pair for pair in accuracy.pairs if pair.policy == "wrong"]
    if len(pairs) == 1 and not silent:
        sentences.append(_changed(names, pairs[0]))
    if silent:
        who = listed_few([names.of_system(system) for system in silent], _MOST)
        sentences.append(f"No choice can be read in any answer of {who}.")
    never = sum(wrong[system].no_choice for system in order)
    if never:
        verb = "counts" if never == 1 else "count"
        answers = count_of(never, "answer")
        sentences.append(f"{answers} without a choice that can be read {verb} as wrong.")
    return " ".join(sentences)


def _counted(names: Names, own: AccuracyOf) -> str:
    share = f"{percent_words(own.share, own.n)}; {percent_ci(own.interval, own.n)}"
    who, counted = names.of_system(own.system), count_of(own.n, "question")
    return f"{who} got {own.right:,} of its {counted} right ({share})."


def _changed(names: Names, pair: OnSameQuestions) -> str:
    """Tell two systems, or two versions, apart by the questions that only one has right."""
    a, b = names.of_system(pair.system_a), names.of_system(pair.system_b)
    open_ = names.undecided(*_CLAIMS[pair.policy], pair.p_adjusted)
    verdict = {
        0: f"whether {a} or {b} is ahead is {open_}",
        1: f"{a} is ahead of {b}",
        -1: f"{b} is ahead of {a}",
    }[_verdict(names, pair)]
    only = f"Only {a} got {pair.test.only_a:,} questions right, only {b} {pair.test.only_b:,}"
    return f"{only}: {verdict} (McNemar's exact test)."


def _by_rule(accuracy: Accuracy, names: Names) -> Finding | None:
    """Say how many choices are missing, and what hangs on the rule that counts them."""
    wrong, first = accuracy.overall("wrong"), accuracy.overall("first")
    lacking = [system for system, own in wrong.items() if own.no_choice > own.never_answered]
    if not lacking:
        return None  # an answer never given is wrong by either rule
    lacking.sort(key=lambda system: -wrong[system].no_choice)
    sentences = list(_both_rules(names, wrong[lacking[0]], first[lacking[0]]))
    if len(lacking) > 1:
        who = listed_few([names.of_system(system) for system in lacking[1:]], _MOST)
        sentences.append(f"Choices of {who} are missing too.")
    sentences += [*_order(names, wrong, first), *_pair_sentences(names, accuracy)]
    basis = ("accuracy", "mcnemar") if accuracy.pairs else ("accuracy",)
    return Finding("accuracy", " ".join(sentences), basis)


def _both_rules(names: Names, wrong: AccuracyOf, first: AccuracyOf) -> Iterator[str]:
    """Say how many choices of a system are missing, and its accuracy by either rule."""
    of = f"{wrong.no_choice:,} of {count_of(wrong.n, 'answer')}"
    never = f" ({wrong.never_answered:,} never given)" if wrong.never_answered else ""
    yield f"No choice can be read in {of} of {names.of_system(wrong.system)}{never}."
    share, around = percent_words(wrong.share, wrong.n), percent_ci(wrong.interval, wrong.n)
    yield f"Its accuracy is {share} ({around}) if these count as wrong."
    share, around = percent_words(first.share, first.n), percent_ci(first.interval, first.n)
    yield f"It is {share} ({around}) if they count as the first option."


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
        return ["The systems have the same order by both rules."]
    lines = [_turn(names, wrong, first, *pair) for pair in turned[:_MOST_PAIRS]]
    more = ["More pairs change places (see the table)."] if len(turned) > _MOST_PAIRS else []
    return ["The order of the systems depends on the rule.", *lines, *more]


def _turn(names: Names, wrong: _Accuracies, first: _Accuracies, a: str, b: str) -> str:
    """Tell how two systems stand by either rule."""
    before, after = (_STAND[_sign(shares[a].share - shares[b].share)] for shares in (wrong, first))
    one, other = names.of_system(a), names.of_system(b)
    return f"{one} is {before} {other} if they count as wrong, {after} it if as the first option."


def _pair_sentences(names: Names, accuracy: Accuracy) -> list[str]:
    """Say which pairs one rule only decides."""
    ways = [
        {(o.system_a, o.system_b): _verdict(names, o) for o in accuracy.pairs if o.policy == policy}
        for policy in ("wrong", "first")
    ]
    wrong, first = ways
    apart = [pair for pair in wrong if wrong[pair] != first[pair]]
    if not apart:
        return ["Both rules decide the same pairs (McNemar's exact test)."] if wrong else []
    lines = [
        _only(listed([names.of_system(system) for system in pair]), *(v[pair] for v in ways))
        for pair in apart[:_MOST_PAIRS]
    ]
    more = ["On more pairs too (see the table)."] if len(apart) > _MOST_PAIRS else []
    return [*lines, *more]


def _only(pair: str, wrong: int, first: int) -> str:
    """Say which rule decides between two systems."""
    if wrong and first:
        return f"{pair} differ by either rule, each ahead by one (McNemar's exact test)."
    if wrong:
        return f"{pair} differ only if they count as wrong (McNemar's exact test)."
    return f"{pair} differ only if they count as the first option (McNemar's exact test)."


def _verdict(names: Names, pair: OnSameQuestions) -> int:
    """Give which of the two has more right, 0 where that is undecided."""
    stands = pair.p_adjusted < names.level(*_CLAIMS[pair.policy])
    return _sign(pair.test.only_a - pair.test.only_b) if stands else 0


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


@analysis(
    Declaration(
        id="accuracy",
        title="How often the right option is chosen",
        question="How many questions does each system have right, and which systems differ?",
        section="clinical",
        part="clinical-accuracy",
        infers=True,
        reader="clinician",
        place=1,
        finding_place=40,
        tables=accuracy_tables,
        finding=accuracy_findings,
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda record, _: accuracy_claims(record),
    )
)
def accuracy(choices: Choices) -> Accuracy | None:
    """Count right options by group of questions, and compare systems on the same questions."""
    if not choices.by_system:
        return None
    return Accuracy(accuracies_of(choices), pairs_of(choices), choices.tags_left_out)
