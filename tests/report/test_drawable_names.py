"""Whatever systems and raters are called, a figure shows letters and keeps its room."""

from pathlib import Path

import pytest
from matplotlib.text import Text

from medassay.analyses import run_study
from medassay.analyses.results import Results
from medassay.exhibits.drawing import journal
from medassay.report.figures import draw
from medassay.report.figures.letters import drawable, write_drawably
from medassay.report.names import Names
from medassay.study import open_run

LONG = "A name that holds every parameter of the pipeline, temperature 0.7, and so on" * 2


def renamed(results: Results, *titles: str) -> Results:
    systems = [
        one.model_copy(update={"title": title})
        for one, title in zip(results.systems, titles, strict=False)
    ]
    return results.model_copy(update={"systems": [*systems, *results.systems[len(systems) :]]})


@pytest.mark.slow
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


@pytest.mark.slow
def test_raters_tags_and_labels_of_any_length_leave_a_figure_its_room(tmp_path: Path) -> None:
    # A warning of matplotlib, such as of a layout without room, is an error here.
    raters, label, tag = [f"{'n' * 300}{i}" for i in range(3)], "l" * 300, "t" * 300
    files = {
        "study.toml": 'schema = 1\ntitle = "T"\n[run]\nreplicates = 100\n[[dimensions]]\n'
        'rubric = "own.toml"\n',
        "own.toml": 'name = "own"\n[[dimensions]]\nid = "quality"\nquestion = "How good?"\n'
        f'scale = "ordinal"\nlabels = [{{label = "{label}1", score = 1}}, '
        f'{{label = "{label}2", score = 2}}]\n',
        "cases.csv": "case,question,tag.kind\n"
        + "".join(f"c{n},How?,{tag}{n % 2}\n" for n in range(6)),
        **{
            f"answers/{system}.csv": "case,text\n" + "".join(f"c{n},Rest.\n" for n in range(6))
            for system in "ABC"
        },
        "judgements.csv": "rater,system,case,dimension,label\n"
        + "".join(
            f"{rater},{system},c{n},quality,{label}{1 + (n + i + ord(system)) % 2}\n"
            for i, rater in enumerate(raters)
            for system in "ABC"
            for n in range(6)
        ),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    results, _ = run_study(open_run(tmp_path))
    drawn = draw(results)
    assert any(name.startswith("raters") for name in drawn)
    shown = " ".join(text.get_text() for one in drawn.values() for text in one.figure.findobj(Text))
    assert raters[0] not in shown
    assert "…" in shown
