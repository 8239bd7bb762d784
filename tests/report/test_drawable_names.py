"""Whatever systems and raters are called, a figure shows letters and keeps its room."""

from medassay.report.figures import draw
from medassay.report.figures.letters import drawable, write_drawably
from medassay.report.figures.style import journal
from medassay.report.names import Names
from medassay.study.results import Results

LONG = "A name that holds every parameter of the pipeline, temperature 0.7, and so on" * 2


def renamed(results: Results, *titles: str) -> Results:
    systems = [
        one.model_copy(update={"title": title})
        for one, title in zip(results.systems, titles, strict=False)
    ]
    return results.model_copy(update={"systems": [*systems, *results.systems[len(systems) :]]})


def test_long_names_lose_their_middle_and_stay_apart(results: Results) -> None:
    long = renamed(results, f"{LONG} a", f"{LONG} b")
    shown = [Names(drawable(long)).of_system(one.id) for one in results.systems]
    assert all(len(one) <= 44 for one in shown)
    assert len(set(shown)) == len(shown)
    assert shown[0].endswith(" a")
    assert "…" in shown[0]
    # A warning of matplotlib, such as of a layout without room, is an error here.
    assert "leaderboard" in draw(long)


def test_two_names_that_differ_in_the_middle_keep_it(results: Results) -> None:
    alike = renamed(results, f"{LONG} one {LONG}", f"{LONG} two {LONG}")
    shown = [Names(drawable(alike)).of_system(one.id) for one in results.systems[:2]]
    assert shown[0] != shown[1]


def test_letters_that_the_type_lacks_are_numbers_in_every_text() -> None:
    from matplotlib.figure import Figure

    with journal():
        figure = Figure()
        axes = figure.add_subplot()
        axes.set_yticks([0, 1], labels=["评", "anna"])
        axes.set_title("评\n二 – τ")
        write_drawably(figure)
        figure.draw_without_rendering()
    assert [one.get_text() for one in axes.get_yticklabels()] == ["[U+8BC4]", "anna"]
    assert axes.get_title() == "[U+8BC4]\n[U+4E8C] – τ"
