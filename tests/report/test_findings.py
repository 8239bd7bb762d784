"""Sentences that say what the numbers allow, and no more."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel
from tests.report.ranked import changed_rows, rows_of, with_pairs, with_rows
from tests.report.tried import changed_tried, tried, with_chance, with_tried

from medassay.agreement import Agreement
from medassay.analyses.builtin.agreement import agreement
from medassay.analyses.builtin.correlations import Correlations, correlations
from medassay.analyses.builtin.leaderboards import leaderboards
from medassay.analyses.builtin.preferences import PreferredOn, SideBySide, preferences
from medassay.analyses.results import Results
from medassay.analyses.results.whole import Records
from medassay.report import findings
from medassay.report.tables import all_tables
from medassay.stats import Reliability

Factory = Callable[..., Results]


def _said(results: Results) -> dict[str, str]:
    return {finding.id: finding.text for finding in findings(results)}


def _changed(results: Results, field: str, change: Callable[[Any], dict[str, Any]]) -> Results:
    """Change every record of a field."""
    records = [
        r.model_copy(update=change(r)) if isinstance(r, BaseModel) else replace(r, **change(r))
        for r in getattr(results, field)
    ]
    return results.model_copy(update={field: records})


def _with_panel(results: Results, change: Callable[[Agreement], dict[str, Any]]) -> Results:
    """Change every coefficient of the panel."""
    agreed = results.analyses.of(agreement)
    assert agreed is not None
    panel = tuple(replace(row, **change(row)) for row in agreed.panel)
    records = {**results.analyses, agreement.id: replace(agreed, panel=panel)}
    return results.model_copy(update={"analyses": Records(records)})


def _preferred(results: Results) -> PreferredOn:
    found = results.analyses.of(preferences)
    assert found is not None
    return found.dimensions[0]


def _said_of_preferences(results: Results, on: PreferredOn) -> str:
    found = Records({preferences.id: SideBySide((on,))})
    return _said(results.model_copy(update={"analyses": found}))["preferences"]


def test_the_demo_like_run_says_five_things(small: Results) -> None:
    said = _said(small)
    assert list(said) == [
        "harm-unasked", "leaders", "agreement", "validity", "controls", "preferences",
    ]  # fmt: skip
    assert said["validity"] == (
        "On Fluency, ROUGE-1 orders 3 of 15 pairs of systems as the raters do (tau −0.60; 95% "
        "CI −1.00 to 0.30 for this tau alone, over systems and cases). Whether this is more than "
        "chance is undecided (the best of 6 reaches as much by chance in 41% of such "
        "studies). On the other four dimensions, tau is −0.47 to 0.33."
    )
    assert "Answer length" in said["controls"]
    assert (
        "tau on Fluency is as strong as that of any metric (tau −0.87; metrics up to 0.60; 23% by"
        in said["controls"]
    )


def test_every_finding_points_at_tables_that_exist(small: Results) -> None:
    tables = {table.id for table in all_tables(small)}
    for finding in findings(small):
        assert finding.basis
        assert set(finding.basis) <= tables


def test_words_that_claim_too_much_are_never_used(small: Results) -> None:
    words = re.compile(r"significant|no correlation|accuracy|proves?|hallucination", re.IGNORECASE)
    assert not [text for text in _said(small).values() if words.search(text)]


def test_the_same_results_give_the_same_sentences(make_results: Factory) -> None:
    assert findings(make_results(cases=4)) == findings(make_results(cases=4))


def test_a_system_without_a_mean_is_counted(small: Results) -> None:
    changed = small.model_copy(update={"primary": "mean(dimension=direction_agreement)"})
    assert "One of 6 systems has no mean." in _said(changed)["leaders"]


def test_without_judgements_nothing_is_borne_out(make_results: Factory) -> None:
    full = make_results(cases=3)
    counts = full.study.counts.model_copy(update={"judgements": 0, "preferences": 0, "raters": 0})
    metrics = [s for s in full.sources if s.kind == "metric"]
    bare = full.model_copy(
        update={
            "study": full.study.model_copy(update={"counts": counts}),
            "sources": metrics,
            "primary": "rouge1(ref=human)",
            "analyses": Records(
                {
                    leaderboards.id: full.analyses[leaderboards.id],
                    "correlations": Correlations((), lacks="ratings"),
                }
            ),
        }
    )
    said = _said(bare)
    # What no metric can say comes before who is highest by one; what to do stands below.
    assert list(said) == ["validity", "leaders", "rate"]
    assert said["validity"].startswith(
        "Nobody rated these answers. Without ratings, this report cannot tell which metric is"
    )
    assert said["leaders"].startswith("Elm scored highest on the metric ROUGE-1 (")
    assert said["rate"].startswith(
        "Have 18 answers rated for a start: 3 cases, each with all of its answers. "
        "In a terminal: medassay campaign create STUDY --raters 3; medassay campaign sheets STUDY. "
    )


def test_where_people_rated_and_no_label_reads_as_harm_the_row_of_harm_says_so(
    small: Results, make_results: Factory
) -> None:
    assert _said(small)["harm-unasked"].startswith("Raters were not asked about harm")
    (own, *_) = small.dimensions
    safety = own.model_copy(update={"id": "safety", "title": "Safety"})
    scaled = small.model_copy(update={"dimensions": (safety,)})
    said = _said(scaled)["harm-unasked"]
    assert said.startswith("Raters rated Safety, but rubric.toml does not say which labels mean")
    full = make_results(cases=3)
    counts = full.study.counts.model_copy(update={"judgements": 0, "preferences": 0, "raters": 0})
    unrated = full.model_copy(update={"study": full.study.model_copy(update={"counts": counts})})
    assert "harm-unasked" not in _said(unrated)


def test_without_a_metric(small: Results) -> None:
    raters = [s for s in small.sources if s.kind == "consensus"]
    bare = with_tried(small.model_copy(update={"sources": raters}), (), "metrics")
    assert _said(bare)["validity"].startswith("No metric was computed")


def test_one_system_is_not_ranked(small: Results) -> None:
    one = small.systems[0].id
    alone = with_rows(small, [row for row in rows_of(small) if row.system == one])
    bare = with_pairs(alone, ()).model_copy(update={"systems": small.systems[:1]})
    bare = with_tried(bare, (), "systems")
    said = _said(bare)
    assert "so systems cannot be ranked" in said["leaders"]
    assert said["validity"].startswith("One system makes no ranking")


def test_where_all_is_undefined_the_reasons_are_said(small: Results) -> None:
    none = {"mean": None, "interval": None, "rank": None, "letters": "", "reason": "No score."}
    bare = changed_rows(small, lambda _: none)
    undefined = {"value": None, "interval": None, "reason": "one label."}
    panel = _with_panel(bare, lambda _: undefined).analyses[agreement.id]
    bare = changed_tried(
        bare, lambda _: {"tau": None, "p": None, "over_systems": None, "undefined": "All tied."}
    )
    taus = bare.analyses[correlations.id]
    ranked = bare.analyses[leaderboards.id]
    records = Records({leaderboards.id: ranked, agreement.id: panel, correlations.id: taus})
    bare = bare.model_copy(update={"analyses": records})
    assert list(_said(bare).values())[1:] == [
        "No system has a mean on Fluency by the raters, so none can be ranked. No score.",
        "Agreement is undefined on every dimension: one label.",
        "No metric could be tested against the raters: All tied.",
    ]


def in_order(tau: float, systems: int) -> dict[str, int]:
    """Give the pairs of systems that a tau without ties counts."""
    pairs = systems * (systems - 1) // 2
    alike = round((tau + 1) / 2 * pairs)
    return {"n_systems": systems, "pairs_alike": alike, "pairs_reversed": pairs - alike}


@pytest.mark.parametrize(
    ("chance", "low", "says"),
    [
        (
            0.004,
            0.2,
            "This is more than chance (the best of 6 reaches as much by chance in under 1",
        ),
        (0.009, -0.1, "1% of such studies; yet the interval includes 0)"),
        (
            0.03,
            0.2,
            "Whether this is more than chance is undecided at ",
        ),
        (0.6, 0.2, "by chance in 60% of such studies)"),
    ],
)
def test_a_verdict_is_as_strong_as_what_all_metrics_reach_by_chance(
    small: Results, chance: float, low: float, says: str
) -> None:
    """Three per cent is enough for one question, and not for its part of a rate that six share."""

    def one(c: Any) -> dict[str, Any]:  # noqa: ANN401 - a record of any field
        if (c.metric, c.dimension) != ("rouge1(ref=human)", "fluency"):
            return {"n_systems": 28}
        return {
            "tau": 0.7,
            "over_both": replace(c.over_both, low=low, high=0.9),
            **in_order(0.7, 28),
        }

    text = _said(with_chance(changed_tried(small, one), chance))["validity"]
    assert says in text
    assert "pairs of systems as the raters do (tau 0.70" in text


def test_of_few_systems_no_tau_is_told(small: Results) -> None:
    said = _said(changed_tried(small, lambda _: {"n_systems": 5}))
    assert "validity" not in said


@pytest.mark.parametrize(
    ("lacks", "systems", "says"),
    [
        ("references", 0, "No reference answers were given, so no automatic metric"),
        ("", 0, "No metric could be tested against the raters: All tied."),
        ("", 2, ""),  # what the metrics may be used for says so
    ],
)
def test_without_a_tau_the_cause_is_said(
    small: Results, lacks: str, systems: int, says: str
) -> None:
    first = tried(small)[0].metric
    bare = changed_tried(small, lambda row: {
        "tau": None, "p": None, "undefined": "All tied.",
        "n_systems": 0 if row.metric == first else systems,
    })  # fmt: skip
    taus = replace(bare.analyses[correlations.id], lacks=lacks)
    records = Records({**bare.analyses, correlations.id: taus})
    text = _said(bare.model_copy(update={"analyses": records})).get("validity", "")
    assert text.startswith(says) if says else not text


def test_one_metric_alone_is_not_called_the_best_of_many(small: Results) -> None:
    text = _said(with_chance(small, 0.2, metrics=1))["validity"]
    assert "(the one metric tried reaches as much by chance in 20% of such studies)" in text


def test_a_control_as_close_as_a_metric_is_not_called_better(small: Results) -> None:
    same = changed_tried(small, lambda _: {"tau": 0.2})
    assert "controls" not in _said(same)


def test_an_even_preference_is_called_even(small: Results) -> None:
    found = _preferred(small)
    around = found.standings[0].interval
    assert around
    wide = replace(around, low=0.4, high=0.8)
    standings = tuple(
        replace(s, interval=wide, win_share=0.6 if i == 0 else 0.4)
        for i, s in enumerate(found.standings)
    )
    text = _said_of_preferences(small, replace(found, standings=standings))
    assert text.endswith(" Whether it is preferred more than half of the time is undecided.")


def test_metrics_that_are_alike_are_told_together(small: Results) -> None:
    def three(c: Any) -> dict[str, Any]:  # noqa: ANN401 - a record of any field
        taus = {"bleu(ref=human)": -0.6, "rouge2(ref=human)": 0.6}
        if c.dimension != "fluency" or c.metric not in taus:
            return {}
        return {"tau": taus[c.metric], **in_order(taus[c.metric], 6)}

    text = _said(changed_tried(small, three))["validity"]
    first = text.split(". ", 1)[0]
    assert first.startswith(
        "On Fluency, ROUGE-2 orders 12 of 15 pairs of systems as the raters do, BLEU and ROUGE-1 "
        "3 (tau 0.60 and −0.60)"
    )
    assert "Whether this is more than chance is undecided" in text
    assert len(first.split()) <= 40


def test_an_interval_that_the_test_does_not_bear_out_is_not_told(small: Results) -> None:
    def narrow(c: Any) -> dict[str, Any]:  # noqa: ANN401 - a record of any field
        if c.over_both is None:
            return {}
        return {"over_both": replace(c.over_both, low=-1.0, high=-0.3)}

    # exact p = .136, yet the bootstrap of six systems leaves 0 out.
    text = _said(changed_tried(small, narrow))["validity"]
    assert "(tau −0.60)." in text


def test_a_metric_whose_own_means_are_unsure_is_named(small: Results) -> None:
    low = changed_tried(small, lambda _: {"metric_reliability": Reliability(-2.0, 6)})
    assert (
        "The means of ROUGE-1 are themselves unsure (reliability ≤ 0). On the other "
        in (_said(low)["validity"])
    )
    assert "unsure" not in _said(small)["validity"]


def test_agreement_says_its_n_beside_each_value(small: Results) -> None:
    def fewer(a: Agreement) -> dict[str, Any]:
        return {"value": 1.0, "interval": None, "n_units": 5} if a.dimension == "outcome" else {}

    text = _said(_with_panel(small, fewer))["agreement"]
    assert text.startswith("Fleiss' kappa is lowest on ")
    assert "1.00" not in text
    assert text.endswith(" On Outcome it has no interval and says little.")


def test_a_reason_of_agreement_is_a_sentence(small: Results) -> None:
    none = {"value": None, "interval": None, "reason": "no answer has two labels"}
    text = _said(_with_panel(small, lambda _: none))["agreement"]
    assert text.endswith("on every dimension: no answer has two labels.")


def test_equal_agreement_is_no_range(small: Results) -> None:
    same = {"value": 0.5, "interval": None}
    text = _said(_with_panel(small, lambda _: same))["agreement"]
    assert text.startswith(
        "Fleiss' kappa is 0.50 on each of five dimensions (39 answers rated twice or more)"
    )
    assert "overlap" not in text


def test_a_preference_without_interval_leaves_no_gap(small: Results) -> None:
    found = _preferred(small)
    bare = tuple(replace(s, interval=None) for s in found.standings)
    text = _said_of_preferences(small, replace(found, standings=bare))
    assert "  " not in text
