"""One error budget of a report: whose claims share it, and the line that says so."""

import sys
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from medassay.analyses import Analysis, Declaration, analysis
from medassay.analyses.declaration import UndeclaredVerdict
from medassay.analyses.results import Results
from medassay.analyses.results.whole import EarlierChange, EarlierRun
from medassay.annotations import record
from medassay.exhibits import Claim, Finding, Names, VerdictKind, VerdictRow
from medassay.exhibits.claim import to_check
from medassay.judgements import Judgements
from medassay.report import asked, findings
from medassay.report.asked import asked_rates
from medassay.report.budget import budget_line, levels_of
from medassay.report.names import Names as ReportNames
from medassay.report.opening import opening_of
from medassay.report.opening.pipeline import _change
from medassay.report.store import report_json
from medassay.tables import parse_widely

Adds = Callable[[Analysis[Any]], None]


@record(infers=True)
class Counted:
    n: int


def stranger(text: str, *claims: Claim, kinds: Sequence[VerdictKind] = ()) -> Analysis[Any]:
    @analysis(
        Declaration(
            id="theirs",
            title="Theirs",
            question="Which?",
            section="ratings",
            infers=True,
            reader="organiser",
            verdicts=tuple(kinds),
            claims=lambda _, __: claims,
            finding=lambda _, __: Finding("theirs", text, ()),
        )
    )
    def theirs(judgements: Judgements) -> Counted | None:
        return Counted(judgements.frame.height)

    return theirs


@pytest.fixture
def with_theirs(monkeypatch: pytest.MonkeyPatch) -> Adds:
    ours = asked._answered

    def add(theirs: Analysis[Any]) -> None:
        def every(results: Results, but: Any = ()) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401
            yield from ours(results, but)
            yield theirs, Counted(3)

        monkeypatch.setattr(asked, "_answered", every)
        monkeypatch.setattr(asked, "provided_by", lambda _: "their-package 1.0")
        monkeypatch.setattr("medassay.report.budget.provided_by", lambda _: "their-package 1.0")

    return add


def text_of(results: Results) -> str:
    return next(finding.text for finding in findings(results) if finding.id == "theirs")


def test_a_strangers_verdict_that_nothing_claims_is_left_out_and_said(
    small: Results, with_theirs: Adds
) -> None:
    with_theirs(stranger("A leads alone."))
    assert text_of(small) == (
        "The analysis theirs of their-package 1.0 gives a verdict and does not say how often it is "
        "wrong: its sentence is left out."
    )


def test_a_strangers_claim_takes_nothing_from_ours(small: Results, with_theirs: Adds) -> None:
    before = {f.id: f.claims for f in findings(small)}
    claim = Claim.of("theirs", "who leads", VerdictKind.CLAIM, [0.001])
    with_theirs(stranger("A leads alone.", claim, kinds=[VerdictKind.CLAIM]))
    after = {f.id: f.claims for f in findings(small)}
    [own] = after.pop("theirs")
    assert (own.level, own.whose) == (0.05, "their-package 1.0")
    assert after == before
    assert asked_rates(small).endswith(
        " At most 5% of reports make any wrong claim in an analysis of their-package 1.0."
    )


def test_a_stranger_never_has_the_primary_question(small: Results, with_theirs: Adds) -> None:
    claim = Claim.of("theirs", "who leads", VerdictKind.PRIMARY, [0.001])
    with_theirs(stranger("A leads alone.", claim, kinds=[VerdictKind.PRIMARY]))
    [own] = next(f.claims for f in findings(small) if f.id == "theirs")
    assert own.kind is VerdictKind.CLAIM


def test_the_line_says_what_is_held_together(small: Results) -> None:
    assert asked_rates(small) == (
        "By design, at most 5% of reports name a wrong leader on Fluency. "
        "At most 5% of reports make any wrong claim on 6 other questions. "
        "At most 10% do either."
    )
    other = small.model_copy(update={"primary_asked": False})
    assert asked_rates(other) == ("At most 5% of reports make any wrong claim on 7 questions.")


def test_a_warning_of_harm_has_a_name_where_labels_say_harm_alone(small: Results) -> None:
    names = ReportNames(small)
    names.harm_words = {"safety": ""}
    warning = Claim.of("harm-apart", "harm", VerdictKind.WARNING, [0.01], row=VerdictRow.HARM_APART)
    finding = Finding("harm-apart", to_check("s gave fewer."), (), claims=(warning,))
    line = budget_line({"harm": [warning]}, [finding], names)
    assert line == (
        '1 warning opens with "Still to confirm": harm '
        "(1 kind tested; each kind is needless in at most 5% of reports)."
    )


def test_no_warning_is_named_that_the_page_does_not_have() -> None:
    strict = Claim.of("severity", "strict rater", VerdictKind.WARNING, [0.5], row=VerdictRow.STRICT)
    assert budget_line({"raters": [strict]}, [], Names()) == (
        'No warning opens with "Still to confirm" '
        "(1 kind tested; each kind is needless in at most 5% of reports)."
    )


def test_what_has_a_rate_of_its_own_is_named_where_it_is_said() -> None:
    own = VerdictKind.OWN_RATE
    bound = Claim.of("harm", "upper bounds", own, row=VerdictRow.HARM_BOUND)
    permit = Claim.of("uses", "permits of metrics", own, row=VerdictRow.PERMIT)
    told = [Finding("harm", "None in 25.", (), claims=(bound,))]
    assert budget_line({"harm": [bound], "trust": [permit]}, told, Names()) == (
        "Not counted here, with rates of their own: upper bounds."
    )


def test_the_primary_question_is_what_the_study_ranks_by_and_never_what_came_out(
    small: Results,
) -> None:
    [leaders] = [f for f in findings(small) if f.id == "leaders"]
    kinds = {claim.about: claim.kind for claim in leaders.claims}
    assert kinds[small.primary] is VerdictKind.PRIMARY
    assert [k for k in kinds.values() if k is VerdictKind.PRIMARY] == [VerdictKind.PRIMARY]
    other = small.model_copy(update={"primary_asked": False})
    [leaders] = [f for f in findings(other) if f.id == "leaders"]
    assert {claim.kind for claim in leaders.claims} == {VerdictKind.CLAIM}
    assert "tested at " in leaders.text


def test_report_json_keeps_p_and_level_on_the_finding(small: Results) -> None:
    held: Any = parse_widely(report_json(small).decode())
    [leaders] = [f for f in held["findings"] if f["id"] == "leaders"]
    first = leaders["claims"][0]
    assert (first["kind"], first["level"], first["tests"]) == ("primary question", 0.05, 15)
    assert 0 < first["p"] <= first["last"] <= 1


def test_other_claims_share_by_equal_parts(small: Results) -> None:
    claims = [claim for finding in findings(small) for claim in finding.claims]
    others = {claim for claim in claims if claim.kind is VerdictKind.CLAIM}
    open_ = [claim.level for claim in others if claim.last == 1.0]
    assert len(open_) > 1
    assert sum(level or 0 for level in open_) <= 0.05 + 1e-12
    assert len(set(open_)) == 1


def test_a_sentence_of_the_reports_own_is_held_to_the_same(
    small: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules["medassay.report.findings.unasked"]
    monkeypatch.setattr(module, "_HARM", "A is better than B.")
    with pytest.raises(Exception, match="claim the verdicts of its sentences"):
        findings(small)


def test_levels_are_given_where_nothing_is_claimed() -> None:
    assert levels_of([(stranger("Three labels."), Counted(3))], Names()) == {"theirs": ()}


def test_a_claim_of_ours_without_a_row_of_the_register_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    claim = Claim.of("theirs", "who leads", VerdictKind.CLAIM, [0.001])
    named = Claim.of("theirs", "who leads", VerdictKind.CLAIM, [0.001], row=VerdictRow.LEADS)
    monkeypatch.setattr("medassay.report.budget.is_ours", lambda _: True)
    with pytest.raises(UndeclaredVerdict, match=r"name the row of design/verdicts\.md"):
        levels_of([(stranger("A leads.", claim, kinds=[VerdictKind.CLAIM]), Counted(3))], Names())
    ours = stranger("A leads.", named, kinds=[VerdictKind.CLAIM])
    assert levels_of([(ours, Counted(3))], Names())["theirs"][0].row is VerdictRow.LEADS


def test_report_json_keeps_the_row_on_the_finding(small: Results) -> None:
    held: Any = parse_widely(report_json(small).decode())
    [leaders] = [f for f in held["findings"] if f["id"] == "leaders"]
    assert {claim["row"] for claim in leaders["claims"]} == {"leads"}


@pytest.mark.parametrize(("others", "verdict"), [([], "higher"), ([("b", 5, 5)], "undecided")])
def test_a_change_since_the_earlier_run_is_adjusted_over_the_systems(
    others: list[tuple[str, int, int]], verdict: str
) -> None:
    changes = [
        EarlierChange(system=system, questions=20, became_right=more, became_wrong=fewer)
        for system, more, fewer in [("a", 8, 1), *others]
    ]
    now: Any = SimpleNamespace(system="a", n=20)
    earlier = EarlierRun(name="before", values=[], changes=changes)
    assert _change(earlier, now) == f"7 more than before: {verdict}"


def test_the_title_names_the_row_of_its_verdict(small: Results) -> None:
    assert opening_of(small, findings(small)).rows == ("leads",)
