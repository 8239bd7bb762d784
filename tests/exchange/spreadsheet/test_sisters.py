"""What the same place among other headers says: a name, a system, a label with a slip."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.exchange.spreadsheet.called import named_by_sisters
from medassay.exchange.spreadsheet.importing import import_spreadsheet
from medassay.exchange.spreadsheet.label_words import without_slips
from medassay.exchange.spreadsheet.wishes import Wishes
from medassay.study import Study

SYSTEMS = ("ChatGPT", "Copilot", "NHS bot")
LADDER = ("Disagree", "Neutral", "Agree")


def table(path: Path, heads: Sequence[str], *, answers: bool = True, slip: str = "") -> Path:
    """Write a table of 24 questions with labels below heads, words below those of Useful."""
    owners = SYSTEMS if answers else ()
    names = ["No", "Question", *(f"{of} Answer" for of in owners), *heads]
    rows = [",".join(names)]
    for n in range(1, 25):
        texts = [f"Rest for {n} days and drink enough says {of}" for of in owners]
        labels = [
            LADDER[(n * at) % 3] if "Useful" in head else str(1 + (n * at) % 5)
            for at, head in enumerate(heads, start=1)
        ]
        if n == 24 and slip:
            labels[-1] = slip
        rows.append(",".join([str(n), f"What helps against cough {n}?", *texts, *labels]))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def came_in(folder: Path, file: Path) -> Study:
    import_spreadsheet(folder / "study", [file], Wishes())
    return Study.open_whole(folder / "study")


@pytest.mark.parametrize("name", ["Tom", "Min", "Le", "Ton", "Di", "Jane S."])
@pytest.mark.parametrize(
    "form", ["{of} {what} {who}", "{of} {what} ({who})", "{of} {what} - {who}"]
)
def test_who_recurs_as_others_do_is_a_rater_whatever_word_it_is(
    name: str, form: str, tmp_path: Path
) -> None:
    heads = [
        form.format(of=of, what=what, who=who)
        for of in SYSTEMS
        for what in ("Accuracy", "Useful")
        for who in ("Priya", name, "Jane K.")
    ]
    study = came_in(tmp_path, table(tmp_path / "t.csv", heads))
    given = study.judgements_on_file.frame
    assert len(given) == 24 * len(heads)
    known = {"Priya", name.rstrip("."), "Jane K"}
    assert {rater.rstrip(".") for rater in given["rater"]} == known
    assert {*given["dimension"]} == {"accuracy", "useful"}
    assert {*given["system"]} == {*SYSTEMS}


@pytest.mark.parametrize("others", [("Tone", "Warmth"), ("Tone", "Flow"), ("Tone", "Safety")])
def test_what_was_rated_of_each_system_is_nobody(others: Sequence[str]) -> None:
    heads = [f"{of} {what}" for of in SYSTEMS for what in ("Accuracy", *others)]
    assert named_by_sisters(heads) == {}
    assert named_by_sisters([*heads, "Accuracy Mean", "Useful Mean", "Accuracy Final"]) == {}


@pytest.mark.parametrize(
    "form", ["{of} Quality: {what}", "Tom: {what} {of}", "{of} Accuracy {what}", "Tom {what}"]
)
@pytest.mark.parametrize("parts", [("Tone", "Flow"), ("Exact", "Partial"), ("Accuracy", "Ease")])
def test_parts_of_what_was_rated_are_nobody(form: str, parts: Sequence[str]) -> None:
    heads = {form.format(of=of, what=what) for of in SYSTEMS for what in parts}
    assert named_by_sisters(sorted(heads)) == {}
    assert (
        named_by_sisters([f"{of} quality: {what}" for of in "AB" for what in ("Ton", "Eile")]) == {}
    )


@pytest.mark.parametrize("slip", ["Agre", "Agreee", "Aggree", "Argee", "Nuetral", "Neutrl"])
def test_a_slip_of_the_pen_is_refused_by_cell_with_what_it_comes_near_to(
    slip: str, tmp_path: Path
) -> None:
    heads = [
        f"{of} {what} {who}"
        for of in SYSTEMS
        for what in ("Accuracy", "Useful")
        for who in ("R1", "R2")
    ]
    file = table(tmp_path / "t.csv", heads, slip=slip)
    meant = "neutral" if slip.startswith("N") else "agree"
    with pytest.raises(InvalidInput) as refused:
        import_spreadsheet(tmp_path / "study", [file], Wishes())
    [problem] = refused.value.problems
    assert (problem.row, problem.column) == (25, "NHS bot Useful R2")
    assert f'got "{slip}". Did you mean "{meant}"?' in str(problem)
    assert "useful=WORST<...<BEST" in str(problem)
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize(
    "words",
    [
        {"Agree": 40, "Disagree": 1},
        {"Level 1": 40, "Level 2": 1},
        {"typical": 40, "atypical": 1},
        {"low": 40, "lot": 1},
        {"Agree": 4, "Agre": 1},
        {"Correct": 40, "Corrects": 20},
    ],
    ids="-".join,
)
def test_a_label_that_is_rare_or_alike_is_no_slip_yet(words: dict[str, int]) -> None:
    assert without_slips(words) == [*words]


RATERS = [("AI", "E1", "E2"), ("ChatGPT", "Weber", "Maier"), ("Nurse", "E1", "E2")]


@pytest.mark.parametrize("second", ["Doctor", "Physician", "Expert"])
@pytest.mark.parametrize(("first", "who"), [(first, who) for first, *who in RATERS], ids=str)
def test_in_ratings_alone_a_word_for_people_in_front_is_what_was_rated(
    first: str, second: str, who: Sequence[str], tmp_path: Path
) -> None:
    heads = [
        f"{of} {what} {rater}"
        for of in (first, second)
        for what in ("quality", "empathy")
        for rater in who
    ]
    study = came_in(tmp_path, table(tmp_path / "t.csv", heads, answers=False))
    given = study.judgements_on_file.frame
    assert {*given["system"]} == {first, second}
    assert {*given["rater"]} == {*who}
    assert {*given["dimension"]} == {"quality", "empathy"}
    assert len(given) == 24 * len(heads)


def test_of_two_words_for_people_and_names_nobody_says_who_rated(tmp_path: Path) -> None:
    heads = [
        f"{of} {what} {name}"
        for of in ("Author", "Reviewer")
        for what in ("quality", "empathy")
        for name in ("Alma", "Zeno")
    ]
    with pytest.raises(InvalidInput):
        came_in(tmp_path, table(tmp_path / "t.csv", heads, answers=False))
