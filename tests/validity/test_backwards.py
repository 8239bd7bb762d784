"""Who reads a scale backwards is told; who does not, seldom."""

import numpy as np
import pytest
from numpy.typing import NDArray

from medassay.analyses.builtin.rater_effects import rater_findings
from medassay.exhibits import Names
from medassay.exhibits.claim import ReaderQuestion
from medassay.judgements import Judgements, load_rubric
from medassay.validity import RaterDiagnostic, diagnose_raters
from medassay.validity.diagnostics import read_backwards
from medassay.validity.rater_rows import RaterRows


def laid_out(scores: NDArray[np.float64], systems: int = 1) -> RaterRows:
    """Lay out scores, shape (raters, answers), the answers to one case side by side."""
    raters, answers = scores.shape
    total = scores.sum(axis=0)
    nothing = np.full(raters * answers, np.nan)
    case = np.tile(np.arange(answers) // systems, raters)
    return RaterRows(
        raters=tuple(f"r{i}" for i in range(raters)),
        cases=tuple(f"c{i:03}" for i in range(answers // systems)),
        rater=np.repeat(np.arange(raters), answers),
        case=case,
        system=("A",) * raters * answers,
        score=scores.ravel(),
        others=((total - scores) / (raters - 1)).ravel(),
        others_n=np.full(raters * answers, raters - 1.0),
        others_sum=(total - scores).ravel(),
        others_squares=nothing,
        position=nothing,
        seconds=nothing,
    )


def panel(
    rng: np.random.Generator, raters: int, cases: int, systems: int, shared: float, turned: int = 0
) -> RaterRows:
    """Draw labels from 1 to 5 whose share of common variance is `shared`, half of it the case's."""
    truth = rng.normal(size=(cases, systems)) + rng.normal(size=(cases, 1))
    truth *= (shared / 2) ** 0.5
    # Raters have views of their own of a case, too.
    own = rng.normal(size=(raters, cases, systems)) + rng.normal(size=(raters, cases, 1))
    said = np.clip(np.rint(3 + truth + ((1 - shared) / 2) ** 0.5 * own), 1, 5)
    said[:turned] = 6 - said[:turned]
    return laid_out(said.reshape(raters, -1), systems)


def share_told(
    raters: int, cases: int, systems: int, shared: float, turned: int = 0, studies: int = 400
) -> float:
    """Give the share of studies in which anybody is told; where one is turned, that one alone."""
    rng = np.random.default_rng(5)
    told = 0
    for _ in range(studies):
        found = read_backwards({"d": panel(rng, raters, cases, systems, shared, turned)})
        told += set(found) == {("d", "r0")} if turned else bool(found)
    return told / studies


@pytest.mark.parametrize("raters", [2, 3, 6, 12])
@pytest.mark.parametrize(("cases", "systems"), [(10, 3), (20, 3), (60, 1)])
def test_where_nobody_reads_backwards_hardly_anybody_is_told(
    raters: int, cases: int, systems: int
) -> None:
    # Three standard errors of .05 above it; even where raters share no view at all.
    assert share_told(raters, cases, systems, shared=0.0) <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5
    assert share_told(raters, cases, systems, shared=0.3, studies=100) <= 0.02


def test_one_who_does_is_told_where_the_others_agree() -> None:
    assert share_told(3, 20, 3, shared=0.7, turned=1, studies=100) >= 0.9
    assert share_told(6, 20, 3, shared=0.5, turned=1, studies=100) >= 0.6


def test_nine_cases_tell_nothing() -> None:
    up = np.tile(np.arange(9.0), (2, 1))
    up[0] = up[0][::-1]
    assert read_backwards({"d": laid_out(up)}) == {}


def judgements(**said: str) -> Judgements:
    return Judgements.from_rows(
        [
            {"rater": rater, "system": "A", "case": f"{i:02}", "dimension": "quality", "label": one}
            for rater, all_ in said.items()
            for i, one in enumerate(all_)
        ],
        load_rubric("likert5"),
    )


def told(effects: list[RaterDiagnostic]) -> dict[str, tuple[str, ReaderQuestion]]:
    names = Names()
    names.cases = 20
    return {one.id: (one.text, one.answers) for one in rater_findings(effects, names)}


MORE, LESS = "45454554454545445544", "21212112212121221122"


def test_one_who_reads_backwards_is_never_called_strict() -> None:
    found = diagnose_raters(judgements(ann=MORE, ben=MORE, eve=LESS), rng=1, replicates=200)
    text, question = told(found)["reversed"]
    assert question is ReaderQuestion.WHOSE
    assert text == (
        "Eve may have read the scale of quality the other way round (correlation with the others "
        "−1.00 over 20 labels). Check with this rater before using any average that rests on "
        "those labels; each is marked as not settled. Then settle it: medassay campaign "
        "correct STUDY eve quality reversed REASON, or as-given."
    )
    assert "severity" not in told(found)
    severe = [one for one in found if one.kind == "severity"]
    assert {one.reason for one in severe} == {"a rater may have read the scale the other way round"}
    assert [one.rater for one in found if one.kind == "reversed"] == ["eve"]


def test_of_two_nobody_knows_which() -> None:
    found = diagnose_raters(judgements(ann=MORE, eve=LESS), rng=1, replicates=200)
    assert told(found)["reversed"][0].startswith(
        "Ann and eve contradict each other on quality, so some of them may have read its scale the "
        "other way round"
    )


def test_one_who_is_strict_is_called_so_and_no_more() -> None:
    lower = "".join(str(int(label) - 2) for label in MORE)
    found = diagnose_raters(judgements(ann=MORE, ben=MORE[::-1], eve=lower), rng=1, replicates=200)
    assert "reversed" not in told(found)
    assert [one.effect for one in found if one.kind == "severity" and one.rater == "eve"] != [None]
