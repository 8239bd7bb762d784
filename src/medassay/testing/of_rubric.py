"""Hold a rubric to what ours are held to."""

from pathlib import Path
from typing import Final

from medassay.judgements import Rubric, load_rubric, rubric_gaps
from medassay.judgements.rubric_files import shipped_rubrics
from medassay.testing.hold import hold

__all__ = ["check_rubric"]

_WHAT: Final = "a rubric"


def check_rubric(rubric: Path | str) -> str:
    """Does a rubric hold to what every rubric of medassay holds to?

    A rater sees its questions, labels and descriptions and nothing else, and a reader must know
    whose words they are.

    Args:
        rubric: The name of one that is installed, or a TOML file.

    Returns:
        What raters or analyses will miss though nothing is wrong, a line each; empty for nothing.

    Raises:
        AssertionError: What is wrong, in a sentence.
        InvalidInput: The file cannot be read, or does not hold together; every problem is named.
        UnknownName: No rubric of this name is installed.
    """
    loaded = load_rubric(rubric)
    _named(loaded, rubric)
    for dimension in loaded.dimensions:
        silent = [label.label for label in dimension.labels if not label.description.strip()]
        hold(
            not silent,
            _WHAT,
            f"describe each label of {dimension.id}",
            f"none of {', '.join(silent)}",
        )
    titles = [titled.title.strip() for titled in loaded.dimensions]
    own = len({title for title in titles if title}) == len(titles)
    hold(own, _WHAT, "have a title of its own for each dimension", ", ".join(titles))
    has_wording = bool(loaded.wording.strip())
    whose = "say whose wording it is where it has a source, and only there (wording)"
    hold(has_wording == bool(loaded.source.strip()), _WHAT, whose, loaded.wording or "none")
    return "\n".join(rubric_gaps(loaded))


def _named(rubric: Rubric, asked: Path | str) -> None:
    if isinstance(asked, str) and not asked.endswith(".toml"):
        hold(rubric.name == asked, _WHAT, "be found under its own name", rubric.name)
    else:
        taken = f"have a name that no rubric of medassay has ({', '.join(shipped_rubrics())})"
        hold(rubric.name not in shipped_rubrics(), _WHAT, taken, rubric.name)
