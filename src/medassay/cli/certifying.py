"""What `judge --certify` does: plant text in answers, and write down what was tested."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from medassay.judges import CanaryReplies
    from medassay.study import JudgeResult, Study
    from medassay.study.certificates.checks import CanaryRecord

_UNFINISHED, _NOT_PASSED, _STOPPED = 1, 3, 130


@dataclass
class Certified:
    """What became of the judges of a study.

    Attributes:
        results: What each showed, planted text among it.
        passed: Those that passed.
        planted: What each that was asked said of planted text.
        written: Their certificates.
    """

    results: "list[JudgeResult]" = field(default_factory=list)
    passed: "list[JudgeResult]" = field(default_factory=list)
    planted: "dict[str, CanaryReplies]" = field(default_factory=dict)
    written: list[Path] = field(default_factory=list)

    @property
    def records(self) -> "dict[str, dict[str, CanaryRecord]]":
        """Give what planted text did, by judge and dimension."""
        return {name: done.records for name, done in self.planted.items()}

    @property
    def as_rows(self) -> list[dict[str, object]]:
        """Give how planting went, as plain data."""
        return [
            vars(done)
            | {"records": {name: row.model_dump(mode="json") for name, row in done.records.items()}}
            for done in self.planted.values()
        ]

    @property
    def left(self) -> set[str]:
        """Name the judges some of whose planted text has no reply."""
        return {name for name, done in self.planted.items() if done.unasked}

    @property
    def code(self) -> int:
        """Give the exit code where a judge has no certificate."""
        stopped = any(done.stopped == "you stopped it" for done in self.planted.values())
        return (_STOPPED if stopped else _UNFINISHED) if self.left else _NOT_PASSED


def passed_of(results: "list[JudgeResult]") -> "list[JudgeResult]":
    """Give those who passed on a dimension."""
    return [each for each in results if any(one.passes for one in each.dimensions)]


def certify_judges(
    study: Path,
    whole: "Study",
    opened: "Study",
    results: "list[JudgeResult]",
    *,
    offline: bool,
    budget: float | None,
    as_json: bool,
) -> Certified:
    """Plant text for each judge that passed all else, and certify those whom it does not move."""
    from medassay.analyses import judge_results
    from medassay.judges import note_tries, refuse_undeclared, write_certificate
    from medassay.study import only_writer

    names = [judge_result.judge for judge_result in results]
    refuse_undeclared(whole, names)
    planted = _plant(study, passed_of(results), budget, offline=offline, as_json=as_json)
    certified = Certified(results, planted=planted)
    if planted:
        certified.results = judge_results(opened, names, certified.records)
    certified.passed = [
        each for each in passed_of(certified.results) if each.judge not in certified.left
    ]
    with only_writer(study):
        for judge_result in certified.results:
            note_tries(whole, judge_result)
        certified.written = [
            write_certificate(whole, each, certified.records.get(each.judge))
            for each in certified.passed
        ]
    return certified


def estimate_planted(
    study: Path, judges: list[str] | None, *, offline: bool, as_json: bool
) -> None:
    """Say what planting text would take; nothing is asked."""
    from medassay.cli.asking import estimate_each
    from medassay.judges import askable_judges, estimate_canaries

    names = judges or askable_judges(study)
    estimates = (estimate_canaries(study, name, offline=offline) for name in names)
    estimate_each(study, estimates, as_json=as_json)


def _plant(
    study: Path,
    passed: "list[JudgeResult]",
    budget: float | None,
    *,
    offline: bool,
    as_json: bool,
) -> "dict[str, CanaryReplies]":
    """Plant canaries for each judge that is asked from here and has passed all else."""
    from medassay.cli.asking import print_estimate, print_replies
    from medassay.cli.output import progress
    from medassay.judges import ask_canaries, estimate_canaries
    from medassay.study import Study, only_writer

    configs = Study.open_whole(study).config.judges
    planted = {}
    for judge_result in passed:
        name = judge_result.judge
        if name not in configs or configs[name].base_url is None:
            continue
        dimensions = [each.dimension for each in judge_result.dimensions if each.passes]
        if not as_json:
            typer.echo(f"Planted text for {name}, in answers that it labelled:")
            print_estimate(estimate_canaries(study, name, dimensions=dimensions, offline=offline))
        with only_writer(study), progress() as tell:
            planted[name] = ask_canaries(
                study, name, dimensions=dimensions, offline=offline, budget=budget, tell=tell
            )
        if not as_json:
            print_replies(planted[name])
    return planted
