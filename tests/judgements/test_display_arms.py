"""The same rater in two arms of display says two things, and neither corrects the other."""

from medassay.judgements import Judgements, Preferences, load_rubric, units


def rows(*said: tuple[str | None, int, str]) -> list[dict[str, object]]:
    return [
        {"rater": "r", "system": "A", "case": "1", "dimension": "quality", "label": label,
         "display": display, "position": position}
        for display, position, label in said
    ]  # fmt: skip


def test_judgements_of_two_arms_stand_beside_each_other() -> None:
    given = Judgements.from_rows(
        rows(("shown", 9, "2"), ("hidden", 3, "4"), ("shown", 9, "5")), load_rubric("likert5")
    )
    assert set(given.current().select("display", "label").iter_rows()) == {
        ("shown", "5"), ("hidden", "4"),
    }  # fmt: skip
    assert given.corrected == 1
    # Numbers over all arms read what the rater met first.
    assert given.in_phases(["main"])["label"].to_list() == ["4"]
    assert units(given, "quality").codes.tolist() == [[3]]


def test_without_arms_a_later_row_corrects() -> None:
    given = Judgements.from_rows(rows((None, 1, "2"), (None, 1, "5")), load_rubric("likert5"))
    assert given.current()["label"].to_list() == ["5"]


def test_preferences_of_two_arms_stand_beside_each_other() -> None:
    given = Preferences.from_rows(
        {"rater": "r", "case": "1", "system_a": a, "system_b": b, "choice": choice,
         "display": display, "position": position}
        for a, b, choice, display, position in (
            ("A", "B", "a", "shown", 2), ("B", "A", "a", "hidden", 1), ("A", "B", "b", "shown", 2),
        )
    )  # fmt: skip
    assert set(given.current().select("display", "winner").iter_rows()) == {
        ("shown", "B"), ("hidden", "B"),
    }  # fmt: skip
    assert given.in_phases(["main"])["display"].to_list() == ["hidden"]
