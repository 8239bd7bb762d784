"""What a run depends on beside its input files."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, Literal

from medassay import plugins
from medassay.__about__ import __version__
from medassay.errors import InvalidInput, Problem
from medassay.metrics import BoundMetric
from medassay.models import installed_versions, python_version
from medassay.study.choices import resolve_metrics
from medassay.study.config import MetricChoice, StudyConfig
from medassay.study.metric_choice import LeftOut

__all__ = ["overruled", "run_choices", "with_metrics"]

_LIBRARIES: Final = ("jinja2", "matplotlib", "numpy", "polars", "scipy")


def overruled(
    config: StudyConfig,
    seed: int | None,
    texts: Literal["full", "ids", "none"] | None,
    *,
    offline: bool,
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
    return config


def with_metrics(config: StudyConfig, metrics: Sequence[BoundMetric]) -> StudyConfig:
    """Name the metrics of a run in its settings, where they are not the study's own."""
    names = [str(metric.name) for metric in metrics]
    if names == [str(metric.name) for metric in resolve_metrics(config.rules.metrics)]:
        return config
    named = [MetricChoice(name=name) for name in names]
    return config.model_copy(update={"metrics": named})


_NAMING: Final[Mapping[str, set[str]]] = {
    "ranking": {"clusters"},
    "safety": {"tag"},
    "domain": {"tags"},
    "consensus": {"controls"},
}
"""Settings that name cases and tags; the hash of study.toml is among the inputs in any case."""


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


def run_choices(
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
