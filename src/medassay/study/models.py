"""What a study says of models, as the setup under which its metrics run."""

from medassay.models import ModelSetup
from medassay.study.folder import Study
from medassay.study.model_setup import model_setup_of

__all__ = ["models_of"]


def models_of(study: Study) -> ModelSetup:
    """Give the setup: folders start at the study's, and results stay inside it."""
    return model_setup_of(study.path, study.config, study.cases)
