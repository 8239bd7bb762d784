"""A study as an object of Python: what it holds, and its run."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from medassay.library.completed import CompletedRun
from medassay.library.run import run_and_report
from medassay.study import Study
from medassay.surface import SeedNumber, checked
from medassay.text import count_of

__all__ = ["OpenedStudy", "open_study"]


@dataclass(frozen=True, repr=False)
class OpenedStudy:
    """A study's folder that was read and has nothing wrong.

    Attributes:
        path: The folder.
        study: All that it holds, checked: cases, answers, judgements, preferences, raters.
    """

    path: Path
    study: Study

    @checked
    def run(
        self,
        *,
        seed: SeedNumber | None = None,
        texts: Literal["full", "ids", "none"] | None = None,
        metrics: Sequence[str] | None = None,
        only: Sequence[str] | None = None,
        offline: bool = False,
        fresh: bool = False,
    ) -> CompletedRun:
        """Score, agree, join, compare and write the report; a run that is there is only read.

        It reads the folder as it is now and writes the same files as `medassay run`.

        Args:
            seed: Overrules study.toml's.
            texts: How much of the texts may leave the study; overrules study.toml's.
            metrics: Names of metrics to compute beside the study's own; `all` for every one that
                can score an answer here.
            only: Names of metrics to compute instead of the study's own.
            offline: Fetch no model, whatever study.toml allows.
            fresh: Believe nothing that is there.

        Raises:
            InvalidInput: Every problem of the study, or of the metrics' names.
        """
        done = run_and_report(
            self.path, seed=seed, texts=texts, metrics=metrics, only=only, offline=offline,
            fresh=fresh,
        )  # fmt: skip
        return CompletedRun(done.folder)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say what a reader of the study should know before its numbers."""
        return tuple(map(str, self.study.warnings))

    def __repr__(self) -> str:
        """Say in a few lines what the study holds."""
        study = self.study
        rows = (
            (study.systems, "system"),
            (study.cases, "case"),
            (study.answers, "answer"),
            (study.judgements.frame, "judgement"),
            (study.preferences.frame, "preference"),
        )
        held = ", ".join(count_of(len(table), noun) for table, noun in rows if len(table))
        lines = [
            f"{study.config.title} ({study.config.protocol.name})",
            held or "nothing yet",
            f"dimensions: {', '.join(study.rubric.ids)}",
            *([f"{count_of(len(study.warnings), 'warning')}: .warnings"] if study.warnings else []),
        ]
        return "\n".join(lines)


@checked
def open_study(path: Path | str) -> OpenedStudy:
    """Open a study's folder and check all of it.

    Args:
        path: The folder that holds study.toml.

    Raises:
        InvalidInput: Every problem of every file at once.

    Example:
        >>> from importlib.resources import as_file, files
        >>> demo = files("medassay") / "data" / "studies" / "environmental-health"
        >>> with as_file(demo) as folder:
        ...     print(open_study(folder))
        A synthetic panel on pollutants and health (environmental-health)
        1 system, 14 cases, 14 answers, 420 judgements
        dimensions: factuality, interpretability, expert-confidence
    """
    folder = Path(path)
    return OpenedStudy(folder, Study.open(folder))
