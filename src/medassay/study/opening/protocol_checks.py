"""What a protocol names must be there: of one's own, of a package's, and of ours in the tests."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

from medassay.agreement import band_sources
from medassay.consensus import source_name
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Rubric
from medassay.scores import Name
from medassay.study.config.protocol import Protocol
from medassay.study.config.study_toml import StudyConfig
from medassay.study.opening.choices import named_problems, rubric_of

__all__ = ["STARTERS", "own_protocol_problems", "protocol_problems"]

STARTERS: Final = "starters"
"""The folder of invented files that new studies begin with."""
_LEVELS: Final = {"High", "Medium", "Low"}


def own_protocol_problems(folder: Path, config: StudyConfig) -> list[Problem]:
    """Say what is wrong with a study's protocol where it does not ship with medassay."""
    file = config.protocol_file
    return protocol_problems(folder, config.whole_protocol, file) if file else []


def protocol_problems(folder: Path, protocol: Protocol, file: str) -> list[Problem]:
    """Say which of the names in a protocol refer to nothing.

    Whether the analyses are there is asked where analyses are known (`check_analyses`).

    Args:
        folder: Where its rubric lies, if that is a file.
        protocol: The protocol.
        file: What messages call it.
    """
    computed, methods, problems = named_problems(
        protocol,
        metrics=(file, "metrics"),
        consensus=(file, "consensus"),
        agreement=(file, "agreement"),
    )
    known = sorted(entry.name for entry in (files("medassay") / "data" / STARTERS).iterdir())
    if protocol.starter and protocol.starter not in known:
        must = f"be one of {', '.join(known)}"
        hint = nearest(protocol.starter, known)
        problems.append(Problem(file, must, f'"{protocol.starter}"', hint, None, "starter"))
    problems += [*_unnamed(protocol, file), *_unlisted(protocol, file)]
    try:
        rubric = rubric_of(folder, protocol.rubric, file, "rubric")
    except InvalidInput as error:
        return [*problems, *error.problems]
    problems += _dimensions(protocol, rubric, file)
    # With a metric or method unknown, what may rank is not known either.
    if not problems:
        joint = [
            str(source_name(method, dimension)) for method in methods for dimension in rubric.ids
        ]
        problems += _ranking(protocol.rank_by, [*computed, *joint], file)
    return problems


def _ranking(by: str, sources: list[str], file: str) -> Iterator[Problem]:
    canonical = str(Name.parse(by))
    if canonical not in sources:
        must = "name a column of scores that the protocol makes"
        hint = nearest(canonical, sources) or f"Known: {', '.join(sources)}."
        yield Problem(file, must, f'"{by}"', hint, None, "rank_by")


def _dimensions(protocol: Protocol, rubric: Rubric, file: str) -> Iterator[Problem]:
    """Hold the dimensions that rules are about against the rubric."""
    rules = {"confidence": protocol.confidence, "paper": protocol.paper}
    for key, rule in rules.items():
        if rule is not None and rule.dimension not in rubric.ids:
            must = f"be a dimension of {rubric.name}: {', '.join(rubric.ids)}"
            hint = nearest(rule.dimension, rubric.ids)
            yield Problem(file, must, f'"{rule.dimension}"', hint, None, f"{key}.dimension")
    confidence, paper = protocol.confidence, protocol.paper
    if confidence is not None and confidence.dimension in rubric.ids:
        labels = rubric.dimension(confidence.dimension).names
        if set(labels) != _LEVELS:
            must = "name a dimension with the labels High, Medium and Low"
            yield Problem(file, must, ", ".join(labels), "", None, "confidence.dimension")
    if (
        paper is not None
        and paper.dimension in rubric.ids
        and not rubric.dimension(paper.dimension).scored
    ):
        must, got = "name a dimension whose labels have scores", f'"{paper.dimension}"'
        yield Problem(file, must, got, "", None, "paper.dimension")


def _unlisted(protocol: Protocol, file: str) -> Iterator[Problem]:
    for name in protocol.headline:
        if name not in protocol.agreement:
            must = "name coefficients of `agreement`, as they are written there"
            hint = nearest(name, protocol.agreement)
            yield Problem(file, must, f'"{name}"', hint, None, "headline")


def _unnamed(protocol: Protocol, file: str) -> Iterator[Problem]:
    """Name words for agreement that nobody gives, and boards that are there twice."""
    bands = [band_source.name for band_source in band_sources()]
    if protocol.paper is not None and protocol.paper.bands not in bands:
        got, hint = f'"{protocol.paper.bands}"', nearest(protocol.paper.bands, bands)
        yield Problem(file, f"be one of {', '.join(bands)}", got, hint, None, "paper.bands")
    boards = [board.name for board in protocol.boards]
    for name in dict.fromkeys(board for board in boards if boards.count(board) > 1):
        yield Problem(file, "name each board once", f'"{name}" twice', "", None, "boards")
