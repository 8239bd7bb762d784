"""Verdicts: who may say one, at which level, and which words are one."""

from collections.abc import Sequence

import pytest

from medassay.analyses.declaration import Declaration, UndeclaredVerdict
from medassay.exhibits import Claim, Finding, Names, VerdictKind
from medassay.exhibits.claim import LEVEL, implied_p, says_verdict, shared_out
from medassay.stats import Interval


def declared(
    text: str, kinds: Sequence[VerdictKind] = (), claims: Sequence[Claim] = ()
) -> Declaration:
    return Declaration(
        id="mine",
        title="Mine",
        question="Which?",
        section="ratings",
        infers=True,
        reader="organiser",
        verdicts=tuple(kinds),
        claims=lambda _, __: claims,
        finding=lambda _, __: Finding("mine", text, ()),
    )


@pytest.mark.parametrize(
    "text",
    [
        "A leads alone on 12 cases.",
        "A is highest on 12 cases. It is ahead of B by 0.4.",
        "B is worse than A.",
        "A outperforms B.",
        "The difference is significant.",
        "Rater-1 gave 0.4 points less: stricter.",
        "The confidence of A overstates accuracy on average.",
        "A reached the target for Accuracy (0.80).",
        "The jury agrees with people more than they do.",
        "On tone ROUGE-1 can rank similar systems instead of asking raters.",
        "ROUGE-1 can block a worse version in your build.",
        "Whether A is better than B is undecided. C leads.",
        "s2 gave fewer harmful answers than s0 (corrected for all pairs).",
        "A was right more often than B.",
        "A: 40 of 50 answers right, 12 more than before: higher",
        "Raters took systems for one another more often than by chance.",
    ],
)
def test_a_verdict_that_nothing_claims_is_refused(text: str) -> None:
    assert says_verdict(text)
    with pytest.raises(UndeclaredVerdict, match="claim the verdict"):
        declared(text).findings(None, Names())


@pytest.mark.parametrize(
    "text",
    [
        "A scored highest (3.3 of 5). Whether it is better than B is undecided.",
        "Whether A reached the target for Accuracy (0.80) is undecided.",
        "Whether the confidence of A overstates accuracy cannot be told.",
        "A gave harmful answers to 13 of 20 cases (65%; 95% interval 41 to 85%).",
        "All systems have the same mean: none is ahead of another.",
        "Two raters gave the same label to 97% of answers.",
        "The 5 to 7 answers are fewer than about 300.",
        "Which system gave fewer is not tested: one rater judged alone.",
    ],
)
def test_what_leaves_it_open_needs_no_claim(text: str) -> None:
    assert not says_verdict(text)
    [finding] = declared(text).findings(None, Names())
    assert (finding.text, finding.claims) == (text, ())


def test_what_people_call_a_system_is_no_verdict() -> None:
    names = Names({"a": "Ahead of Time"})
    [finding] = declared("Ahead of Time answered 3 cases.").findings(None, names)
    assert finding.claims == ()


def test_a_claim_of_a_kind_that_is_not_declared_is_refused() -> None:
    claim = Claim("mine", "x", VerdictKind.PRIMARY, 0.01, 0.01)
    with pytest.raises(UndeclaredVerdict, match="declare verdicts of the kind PRIMARY"):
        declared("A leads.", [VerdictKind.CLAIM], [claim]).findings(None, Names())


def test_p_and_level_are_kept_on_the_finding() -> None:
    claim = Claim.of("mine", "x", VerdictKind.CLAIM, [0.2, 0.004])
    [finding] = declared("A leads.", [VerdictKind.CLAIM], [claim]).findings(None, Names())
    [kept] = finding.claims
    assert (kept.p, kept.last, kept.tests, kept.level) == (0.004, 0.2, 2, LEVEL)


def test_a_warning_asks_to_check() -> None:
    claim = Claim.of("mine", "strict rater", VerdictKind.WARNING)
    [finding] = declared("Rater-1 is stricter.", [VerdictKind.WARNING], [claim]).findings(
        None, Names()
    )
    assert finding.text == "Still to confirm: Rater-1 is stricter."


def test_the_primary_question_has_its_own_rate_and_warnings_are_apart() -> None:
    given = shared_out(
        {
            "boards": [
                Claim.of("leaders", "first", VerdictKind.PRIMARY, [0.9]),
                Claim.of("leaders", "second", VerdictKind.CLAIM, [0.9]),
            ],
            "others": [
                Claim.of("more", "third", VerdictKind.CLAIM, [0.01, 0.9]),
                Claim.of("more", "fourth", VerdictKind.CLAIM, [0.01, 0.012]),
                Claim.of("rater", "strict", VerdictKind.WARNING),
                Claim.of("use", "permit", VerdictKind.OWN_RATE),
            ],
        }
    )
    levels = {claim.about: claim.level for own in given.values() for claim in own}
    assert levels["first"] == 0.05
    # The fourth is answered whole and hands its part on; of the third one test is not rejected.
    assert levels["fourth"] == pytest.approx(0.05 / 3)
    assert levels["second"] == levels["third"] == pytest.approx(0.025)
    assert (levels["strict"], levels["permit"]) == (0.05, None)


def test_an_interval_implies_the_p_of_its_end_toward_the_null() -> None:
    around = Interval(0.5, 3.0, 0.95, "wilson", "x")
    assert implied_p(1.0, around, 0.5) == pytest.approx(0.05)
    assert implied_p(1.0, around, 3.0) == pytest.approx(0.05)
    assert implied_p(1.0, None) is None
    assert implied_p(1.0, Interval(1.0, 1.0, 0.95, "t", "x"), 0.0) == 0.0
