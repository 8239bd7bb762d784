"""Plan a run of a study: what it is called, where its results go, whether they are there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from medassay.metrics import BoundMetric
from medassay.models import use_models
from medassay.models.device import refuse_missing_gpu
from medassay.study.folder import Study
from medassay.study.import_plan import with_imports
from medassay.study.manifest import is_whole, run_name, write_manifest
from medassay.study.metric_choice import ONLY, LeftOut, choose_metrics
from medassay.study.models import models_of
from medassay.study.pseudonyms import Pseudonyms
from medassay.study.run_choices import overruled, run_choices, with_metrics

__all__ = ["Run", "open_run"]


@dataclass(frozen=True, repr=False)
class Run:
    """A run that has been planned: its name, its folder, and whether it is done.

    Attributes:
        study: The study, with the choices of this run laid over study.toml.
        metrics: The metrics.
        name: Hash of inputs and choices.
        folder: Where its results go.
        whole: Whether everything that it writes is there already, unchanged.
        choices: Everything but the input files that a number or a page depends on.
        left_out: Metrics that it has no value of, and what they would need.
        pseudonyms: What people who rate are called in it, for the lead's key.
    """

    study: Study
    metrics: tuple[BoundMetric, ...]
    name: str
    folder: Path
    whole: bool
    choices: Mapping[str, object]
    left_out: tuple[LeftOut, ...] = ()
    pseudonyms: Pseudonyms = field(default_factory=Pseudonyms, repr=False)

    def __repr__(self) -> str:
        """Name the run: all of its study would fill pages."""
        return f"Run({self.name!r}, {str(self.folder)!r})"

    def is_done(self) -> bool:
        """Look again whether all of it is there: another process may have written it meanwhile."""
        return is_whole(self.folder)

    def finish(self) -> None:
        """Write the manifest: from now on the run is whole."""
        write_manifest(self.folder, self.study.inputs, self.choices)


def open_run(
    path: Path | str,
    *,
    seed: int | None = None,
    texts: Literal["full", "ids", "none"] | None = None,
    metrics: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    offline: bool = False,
    option: str = ONLY,
    whole: bool = False,
) -> Run:
    """Open a study and plan its run.

    Args:
        path: The study's folder.
        seed: Overrules study.toml's.
        texts: Overrules study.toml's.
        metrics: Names of metrics to compute beside the study's own; `all` stands for every metric
            that can score an answer of the study on this machine, in its usual forms.
        only: Names of metrics to compute instead of the study's own.
        offline: Fetch no model, whatever study.toml allows.
        option: The option that `only` was typed under, for what is said of a wrong name.
        whole: Keep ids and tags, whatever [privacy] texts says: for who holds one study against
            another, and numbers the cases of both at the end.

    Raises:
        InvalidInput: Every problem of the study, or of the metrics' names; or study.toml names a
            GPU for their models that cannot be had.
    """
    study = Study.open_whole(path)
    study = replace(study, config=overruled(study.config, seed, texts, offline=offline))
    pseudonyms = study.pseudonyms
    # Named or not, everything is computed under pseudonyms: no number follows from a name.
    study = study.with_pseudonyms()
    study = study if whole else study.private()
    chosen = choose_metrics(study, metrics, only, option=option)
    refuse_missing_gpu(metric.missing for metric in chosen.metrics)
    study = replace(study, config=with_metrics(study.config, chosen.metrics))
    with use_models(models_of(study)):
        # Which imports take a metric's place follows from the files, which are hashed as they are.
        choices = run_choices(study.config, chosen.metrics, chosen.left_out)
        name = run_name(study.inputs, choices)
        study, chosen = with_imports(study, chosen)
    folder = study.path / "results" / name
    return Run(
        study, chosen.metrics, name, folder, is_whole(folder), choices, chosen.left_out, pseudonyms
    )
