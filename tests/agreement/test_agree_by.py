import numpy as np
import pytest

from medassay.agreement import agree, agree_by
from medassay.errors import InvalidInput, UnknownName
from medassay.judgements import Judgements, load_rubric

LABELS = ("Yes", "No", "Refutes")


def row(rater: str, case: int, label: str, phase: str = "main") -> dict[str, object]:
    return {
        "rater": rater,
        "system": "AB"[case % 2],
        "case": f"{case // 2:02}",
        "dimension": "uses-evidence",
        "label": label,
        "phase": phase,
    }


def study() -> Judgements:
    rng = np.random.default_rng(8)
    rows = []
    for answer in range(40):
        truth = int(rng.integers(3))
        for rater in ("r1", "r2", "r3"):
            said = truth if rng.random() < 0.7 else int(rng.integers(3))
            rows.append(row(rater, answer, LABELS[said]))
            if answer < 12 and rater != "r3":
                again = said if rng.random() < 0.8 else (said + 1) % 3
                rows.append(row(rater, answer, LABELS[again], "repeat"))
    rows += [row(r, a, "Yes", "calibration") for r in ("r1", "r2") for a in range(40, 46)]
    rows += [row("r1", a, "No", "adjudication") for a in range(40)]
    return Judgements.from_rows(rows, load_rubric("archehr"))


def test_each_pair_is_agreement_of_these_two_alone() -> None:
    judgements = study()
    pairs = agree_by(judgements, "pair")
    assert list(dict.fromkeys(one.group for one in pairs)) == [
        "r1 and r2",
        "r1 and r3",
        "r2 and r3",
    ]
    assert {one.agreement.mapping for one in pairs} == {"full", "published", "harmful"}
    alone = agree(judgements.without_raters(["r2"]), coefficient_names=["cohen"])
    for expected in alone:
        (found,) = [
            one.agreement
            for one in pairs
            if one.group == "r1 and r3"
            and (one.agreement.mapping, one.agreement.coefficient) == (expected.mapping, "cohen")
        ]
        assert found == expected


def test_each_system_is_agreement_on_its_answers() -> None:
    slices = agree_by(study(), "system", coefficient_names=["fleiss"])
    assert [(one.group, one.agreement.mapping) for one in slices][:2] == [
        ("A", "full"),
        ("B", "full"),
    ]
    assert {one.agreement.n_units for one in slices} == {20}


def test_a_rater_agrees_with_what_the_same_rater_said_before() -> None:
    # r1 says Yes, No, Refutes, Yes at first and Yes, No, Yes, No again: 2 of 4 the same. Expected:
    # Yes 2/4 * 2/4 + No 1/4 * 2/4 + Refutes 1/4 * 0 = 6/16, so kappa = (8 - 6) / (16 - 6) = .2.
    said = [("Yes", "Yes"), ("No", "No"), ("Refutes", "Yes"), ("Yes", "No")]
    rows = [row("r1", a, label, phase) for a, two in enumerate(said)
            for label, phase in zip(two, ("main", "repeat"), strict=True)]  # fmt: skip
    rows += [row("r2", 0, "No"), row("r2", 0, "No", "repeat"), row("r3", 1, "No", "repeat")]
    judgements = Judgements.from_rows(rows, load_rubric("archehr"))
    found = {
        (one.group, one.agreement.coefficient): one.agreement
        for one in agree_by(judgements, "self")
        if one.agreement.mapping == "full"
    }
    assert found["r1", "mean_pairwise"].value == 0.5
    assert found["r1", "cohen"].value == pytest.approx(0.2)
    assert found["r2", "mean_pairwise"].n_units == 1
    assert ("r3", "mean_pairwise") not in found  # nothing to compare the repeat with
    assert found["all raters", "mean_pairwise"].value == pytest.approx(3 / 5)


def test_without_repeats_there_is_no_agreement_with_oneself() -> None:
    assert (
        agree_by(Judgements.from_rows([row("r1", 0, "Yes")], load_rubric("archehr")), "self") == []
    )


def test_calibration_items_are_read_where_they_are_asked_for() -> None:
    judgements = study()
    (main, *_) = agree(judgements, coefficient_names=["unanimous"])
    (both, *_) = agree(judgements, coefficient_names=["unanimous"], phases=("calibration", "main"))
    (only, *_) = agree(judgements, coefficient_names=["unanimous"], phases=("calibration",))
    assert (main.n_units, both.n_units, only.n_units) == (40, 46, 6)
    assert only.value == 1.0


def test_adjudication_is_never_read() -> None:
    with pytest.raises(InvalidInput, match="leave adjudication out"):
        agree_by(study(), "pair", phases=("main", "adjudication"))


def test_intervals_follow_from_the_seed_and_not_from_what_else_is_asked() -> None:
    judgements = study()

    def drawn(**asked: object) -> dict[object, object]:
        slices = agree_by(
            judgements,
            "pair",
            coefficient_names=["cohen"] if asked else None,
            rng=np.random.default_rng(3),
            replicates=200,
        )
        return {(one.group, one.agreement.name): one.agreement for one in slices}

    everything = drawn()
    for key, agreement in drawn(few=True).items():
        assert everything[key] == agreement


def test_an_unknown_slicing_is_helped() -> None:
    with pytest.raises(UnknownName, match='Did you mean "pair"'):
        agree_by(study(), "pairs")  # type: ignore[arg-type]  # what a user may type
