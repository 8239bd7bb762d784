"""What a study says of models, as the setup under which its metrics run."""

from medassay.metrics.corpora import reference_corpora
from medassay.models import ModelSetup
from medassay.study.folder import Study
from medassay.study.own_rules import rule_folders

__all__ = ["models_of"]


def models_of(study: Study) -> ModelSetup:
    """Give the setup: folders start at the study's, and results stay inside it."""
    config = study.config
    return ModelSetup(
        folders={**config.models.folders, **rule_folders(config)},
        base=study.path,
        download=config.models.download,
        keep_in=study.path / "results" / "kept" / "models",
        corpora=reference_corpora(study.cases),
        keep_texts=config.privacy.texts == "full",
    )
