"""Find a run that is whole already, from the hashes of its inputs alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from medassay.cases import Case, read_cases
from medassay.errors import MedassayError
from medassay.models import use_models
from medassay.study.config.own_rules import model_setup_of
from medassay.study.config.study_toml import read_config
from medassay.study.files.names import misnamed, table_file
from medassay.study.metric_choice import left_out_of, named_metrics, names_all
from medassay.study.opening.inputs import input_hashes
from medassay.study.runs.manifest import any_manifest, is_whole, run_name
from medassay.study.runs.run import overruled, run_choices, with_metrics

__all__ = ["find_completed_run"]


def find_completed_run(
    path: Path | str,
    *,
    seed: int | None = None,
    texts: Literal["full", "ids", "none"] | None = None,
    metrics: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    offline: bool = False,
) -> Path | None:
    """Find the folder of the run that `open_run` would plan, where that run is whole.

    A run is named by its input files and by every choice, so a whole run of the same name was
    opened from the same files, without a problem, and opening them again would find nothing else.
    Tables are hashed, not read.

    Returns:
        The folder. None where the run is not there, where something is wrong with the study, which
        opening it says, or where only the data tell what is computed, as with the metrics `all`.
    """
    folder = Path(path)
    if names_all(metrics, only) or not any_manifest(folder / "results"):
        return None
    try:
        if misnamed(folder):
            return None
        config = overruled(read_config(folder), seed, texts, offline=offline)
        chosen = named_metrics(config, metrics, only)
        config = with_metrics(config, chosen)
        with use_models(model_setup_of(folder, config, _CasesOnFile(folder))):
            choices = run_choices(config, chosen, left_out_of(chosen))
        run = folder / "results" / run_name(input_hashes(folder, config), choices)
    except (MedassayError, OSError):
        return None
    return run if is_whole(run) else None


@dataclass(frozen=True, slots=True)
class _CasesOnFile:
    """The cases of a study, read when they are gone through: hardly any metric asks for them."""

    folder: Path

    def __iter__(self) -> Iterator[Case]:
        path = table_file(self.folder, "cases")
        return iter(()) if path is None else iter(read_cases(path))
