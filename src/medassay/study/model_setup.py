"""The setup under which a study's metrics run, from its settings alone."""

from collections.abc import Iterable
from pathlib import Path

from medassay.cases import Case
from medassay.metrics.corpora import reference_corpora
from medassay.models import ModelSetup
from medassay.study.config import StudyConfig
from medassay.study.own_rules import rule_folders

__all__ = ["model_setup_of"]


def model_setup_of(folder: Path, config: StudyConfig, cases: Iterable[Case]) -> ModelSetup:
    """Give the setup of a study that need not be open; the cases are gone through if asked for."""
    return ModelSetup(
        folders={**config.models.folders, **rule_folders(config)},
        base=folder,
        device=config.models.device,
        download=config.models.download,
        keep_in=folder / "results" / "kept" / "models",
        corpora=reference_corpora(cases),
        keep_texts=config.privacy.texts == "full",
    )
