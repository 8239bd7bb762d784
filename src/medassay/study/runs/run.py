"""Plan a run of a study: what it is called, where its results go, whether they are there.

It is called by its input files and by its choices: all else that a number or a page depends on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

from medassay import plugins
from medassay.__about__ import __version__
from medassay.cases import Case, read_cases
from medassay.errors import InvalidInput, MedassayError, Problem
from medassay.metrics import BoundMetric
from medassay.models import installed_versions, python_version, use_models
from medassay.models.device import refuse_missing_gpu
from medassay.study.config.own_rules import model_setup_of
from medassay.study.config.study_toml import MetricChoice, StudyConfig, read_config
from medassay.study.contents.pseudonyms import Pseudonyms
from medassay.study.files.names import misnamed, table_file
from medassay.study.folder import Study, models_of
from medassay.study.metric_choice import (
    ONLY,
    LeftOut,
    choose_metrics,
    left_out_of,
    named_metrics,
    names_all,
    with_imports,
)
from medassay.study.opening.choices import resolve_metrics
from medassay.study.opening.inputs import input_hashes
from medassay.study.runs.manifest import any_manifest, is_whole, run_name, write_manifest

__all__ = [
    "Run",
    "find_completed_run",
    "open_run",
]


_LIBRARIES: Final = ("jinja2", "matplotlib", "numpy", "polars", "scipy")
_NAMING: Final[Mapping[str, set[str]]] = {
    "ranking": {"clusters"},
    "safety": {"tag"},
    "domain": {"tags"},
    "consensus": {"controls"},
}
"""Settings that name cases and tags; the hash of study.toml is among the inputs in any case."""


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


def open_run(  # noqa: PLR0913 - each is one choice of a run
    path: Path | str,
    *,
    seed: int | None = None,
    texts: Literal["full", "ids", "none"] | None = None,
    metrics: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    offline: bool = False,
    against: Path | None = None,
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
        against: An earlier run that stands beside this one; overrules study.toml's.
        option: The option that `only` was typed under, for what is said of a wrong name.
        whole: Keep ids and tags, whatever [privacy] texts says: for who holds one study against
            another, and numbers the cases of both at the end.

    Raises:
        InvalidInput: Every problem of the study, or of the metrics' names; or study.toml names a
            GPU for their models that cannot be had.
    """
    study = Study.open_whole(path)
    config = _overruled(study.config, seed, texts, offline=offline, against=against)
    study = replace(study, config=config)
    pseudonyms = study.pseudonyms
    # Named or not, everything is computed under pseudonyms: no number follows from a name.
    study = study.with_pseudonyms()
    study = study if whole else study.private()
    chosen = choose_metrics(study, metrics, only, option=option)
    refuse_missing_gpu(metric.missing for metric in chosen.metrics)
    study = replace(study, config=_with_metrics(study.config, chosen.metrics))
    with use_models(models_of(study)):
        # Which imports take a metric's place follows from the files, which are hashed as they are.
        choices = _run_choices(study.config, chosen.metrics, chosen.left_out)
        name = run_name(study.inputs, choices)
        study, chosen = with_imports(study, chosen)
    folder = study.path / "results" / name
    return Run(
        study, chosen.metrics, name, folder, is_whole(folder), choices, chosen.left_out, pseudonyms
    )


def find_completed_run(
    path: Path | str,
    *,
    seed: int | None = None,
    texts: Literal["full", "ids", "none"] | None = None,
    metrics: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    offline: bool = False,
    against: Path | None = None,
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
        config = _overruled(read_config(folder), seed, texts, offline=offline, against=against)
        chosen = named_metrics(config, metrics, only)
        config = _with_metrics(config, chosen)
        with use_models(model_setup_of(folder, config, _CasesOnFile(folder))):
            choices = _run_choices(config, chosen, left_out_of(chosen))
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


def _overruled(
    config: StudyConfig,
    seed: int | None,
    texts: Literal["full", "ids", "none"] | None,
    *,
    offline: bool,
    against: Path | None,
) -> StudyConfig:
    """Lay the choices of one run over those of study.toml.

    Raises:
        InvalidInput: More text is asked for than study.toml allows.
    """
    if seed is not None:
        config = config.model_copy(update={"run": config.run.model_copy(update={"seed": seed})})
    if texts is not None:
        if not config.privacy.allows(texts):
            must = f"show no more than study.toml allows ({config.privacy.texts})"
            hint = "Change [privacy] texts in study.toml if you may."
            raise InvalidInput(Problem("--texts", must, texts, hint))
        privacy = config.privacy.model_copy(update={"texts": texts})
        config = config.model_copy(update={"privacy": privacy})
    if offline:
        models = config.models.model_copy(update={"download": False})
        config = config.model_copy(update={"models": models})
    if against is not None:
        config = config.beside(against)
    return config


def _with_metrics(config: StudyConfig, metrics: Sequence[BoundMetric]) -> StudyConfig:
    """Name the metrics of a run in its settings, where they are not the study's own."""
    names = [str(metric.name) for metric in metrics]
    if names == [str(metric.name) for metric in resolve_metrics(config.rules.metrics)]:
        return config
    named = [MetricChoice(name=name) for name in names]
    return config.model_copy(update={"metrics": named})


def _settings(config: StudyConfig) -> dict[str, Any]:
    """Give what study.toml says, as far as its [privacy] lets it be told.

    Where models are is no part of a result: their hashes are in the signatures.
    """
    settings: dict[str, Any] = config.model_dump(mode="json", by_alias=True, exclude={"models"})
    for section, names in _NAMING.items() if config.privacy.texts != "full" else ():
        if settings[section] is not None:
            settings[section] = {
                key: value for key, value in settings[section].items() if key not in names
            }
    return settings


def _brought() -> dict[str, str]:
    """Say what other packages bring; formats are left out, which no number and no page asks."""
    return {k: v for k, v in plugins.versions().items() if not k.startswith("formats: ")}


def _run_choices(
    config: StudyConfig, metrics: Sequence[BoundMetric], left_out: Sequence[LeftOut]
) -> dict[str, object]:
    """Give everything but the input files that a number or a page depends on."""
    return {
        "medassay": __version__,
        # Another version of these may give other bytes: numbers, their last digits, or drawings.
        "libraries": {"python": python_version(), **installed_versions(*_LIBRARIES)},
        "settings": _settings(config),
        "protocol": config.rules.model_dump(mode="json"),
        **({"plug_ins": brought} if (brought := _brought()) else {}),
        "metrics": {str(m.name): m.signature.digest for m in metrics},
        # The report names them with what they lack; that may change though the others stay.
        **({"left_out": [asdict(out) for out in left_out]} if left_out else {}),
    }
