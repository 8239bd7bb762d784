"""MACE at its edges: labels nearly all alike, restarts that part, control items, priors."""

import numpy as np
import pytest

from medassay.consensus import Joined, KnownToModel, Model, fit_mace, join_units
from medassay.consensus.mace import nobody_knows
from medassay.errors import InvalidInput
from medassay.judgements import Units
from medassay.scores import Unit

# Two raters say "no" of 96 answers, and part on four: 196 of 200 labels are "no".
ALIKE = [[0, 0]] * 96 + [[0, 1], [1, 0]] * 2


def fitted(
    units: Units, name: str = "mace", given: KnownToModel | None = None
) -> tuple[Joined, Model]:
    _, joined = join_units(units, name, rng=np.random.default_rng(1), given=given)
    assert joined.model is not None
    return joined, joined.model


def test_where_nearly_all_labels_are_alike_mace_is_said_to_say_nothing() -> None:
    joined, model = fitted(Units.from_codes(ALIKE, ["no", "yes"], scores=[0, 1]))
    assert max(float(one or 0) for one in joined.quality) < 0.01
    (note,) = model.notes
    assert note.startswith("MACE found nobody who knows: no competence is above 0.00")
    assert '98% of the labels are "no"' in note
    assert "read the majority, and specific agreement on each label, instead" in note


def test_raters_who_guess_are_not_said_to_have_a_habit() -> None:
    units = Units.from_codes([[0, 1], [1, 0], [0, 0], [1, 1]] * 10, ["no", "yes"])
    said = nobody_knows(units, (0.1, 0.15), np.full((40, 2), 0.5))
    assert "no competence is above 0.15" in said
    assert "look as if every rater guessed" in said
    assert nobody_knows(units, (0.1, 0.2), np.full((40, 2), 0.5)) == ""


def test_raters_who_know_are_told_nothing() -> None:
    codes = [[0, 0, 0]] * 20 + [[1, 1, 1]] * 20 + [[0, 0, 1], [1, 0, 1]]
    assert fitted(Units.from_codes(codes, ["no", "yes"]))[1].notes == ()


def test_a_control_item_has_its_known_label_and_teaches_the_model_who_knows() -> None:
    # Each rater gives both labels equally often and they always part: nothing tells them apart.
    codes = [[0, 1]] * 30 + [[1, 0]] * 30
    keys = [Unit("A", f"{i:02}") for i in range(60)]
    units = Units.from_codes(codes, ["no", "yes"], keys=keys, scores=[0, 1])
    plain, _ = fitted(units)
    assert plain.quality == (None, None)
    # The first rater is right on the thirty control items of the first kind.
    told = KnownToModel(dict.fromkeys(keys[:30], "no"))
    joined, model = fitted(units, "mace(controls=used)", told)
    assert float(joined.quality[0] or 0) > float(joined.quality[1] or 0)
    assert model.posterior[:30, 0].tolist() == [1.0] * 30
    assert model.known == ("no",) * 30 + ("",) * 30
    assert fitted(units, "mace", told)[0].quality == plain.quality  # only where the name says so
    direct = fit_mace(units, rng=np.random.default_rng(1), known=dict(told.known))
    assert np.array_equal(direct.posterior, model.posterior)


def test_control_items_that_nobody_judged_are_counted() -> None:
    units = Units.from_codes([[0, 0]] * 5 + [[1, 1]] * 5, ["no", "yes"])
    told = KnownToModel({units.keys[0]: "no", Unit("elsewhere", "1"): "no"})
    _, model = fitted(units, "mace(controls=used)", told)
    assert "1 of 2 control items have no label of any rater" in model.notes[-1]


def test_priors_move_what_nobody_knows() -> None:
    units = Units.from_codes([[0, 1]] * 8 + [[1, 0]] * 8, ["no", "yes"])
    told = KnownToModel(priors={"no": 0.9, "yes": 0.1})
    _, even = fitted(units, "mace", told)
    _, model = fitted(units, "mace(priors=given)", told)
    assert even.priors is None
    assert model.priors == {"no": 0.9, "yes": 0.1}
    assert (model.posterior[:, 0] > even.posterior[:, 0]).all()
    with pytest.raises(InvalidInput, match="give each of no, yes a number above 0"):
        fitted(units, "mace(priors=given)", KnownToModel(priors={"no": 1.0}))


def test_what_is_kept_and_up_to_which_entropy_is_held() -> None:
    codes = [[0, 0, 0]] * 9 + [[1, 1, 1]] * 9 + [[0, 0, 1], [1, 0, 1]]
    units = Units.from_codes(codes, ["no", "yes"], scores=[0, 1])
    joined, model = fitted(units, "mace(keep=90)")
    assert model.threshold is not None
    assert model.kept == tuple(one <= model.threshold + 1e-9 for one in joined.uncertainty)
    assert fitted(units)[1].threshold is None


def test_dawid_skene_holds_its_confusions_and_shares() -> None:
    codes = [[0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 0]]
    _, model = fitted(Units.from_codes(codes, ["no", "yes"]), "dawid_skene")
    assert model.confusion is not None
    assert model.confusion.sum(axis=2) == pytest.approx(np.ones((3, 2)))
    assert model.shares is not None
    assert model.shares.sum() == pytest.approx(1)
    assert model.restarts == (model.log_likelihood,)
