"""What changed between two runs, answer by answer."""

from medassay.error_analysis import FlipKind, OptionChosen, choice_flips


def runs(
    *triples: tuple[str | None, str | None, str],
) -> tuple[dict[tuple[str, str], OptionChosen], ...]:
    return tuple(
        {("s", f"c{i}"): OptionChosen(triple[side], triple[2]) for i, triple in enumerate(triples)}
        for side in (0, 1)
    )


def test_every_kind_of_change_is_told_and_nothing_else() -> None:
    old, new = runs(
        ("A", "A", "A"), ("B", "A", "A"), ("A", None, "A"), ("B", "C", "A"), ("B", "B", "A"),
        (None, "B", "A"), (None, None, "A"),
    )  # fmt: skip
    found = [(one.case, one.kind, one.old, one.new) for one in choice_flips(old, new)]
    assert found == [
        ("c2", FlipKind.BROKEN, "A", None),
        ("c1", FlipKind.FIXED, "B", "A"),
        ("c3", FlipKind.OTHERWISE, "B", "C"),
        ("c5", FlipKind.OTHERWISE, None, "B"),
    ]


def test_another_right_option_is_a_change_though_the_choice_stays() -> None:
    (flip,) = choice_flips(
        {("s", "1"): OptionChosen("A", "A")}, {("s", "1"): OptionChosen("A", "B")}
    )
    assert (flip.kind, flip.gold) == (FlipKind.BROKEN, "B")


def test_an_answer_that_only_one_run_has_is_no_change() -> None:
    assert choice_flips({("s", "1"): OptionChosen("A", "A")}, {}) == ()
