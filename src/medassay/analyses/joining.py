"""The ways of joining labels that stand side by side in a report."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from medassay.analyses.score_columns import step_rng
from medassay.consensus import ConsensusDetails, KnownToModel, consensus_details, find_method
from medassay.study.config.package_words import hushes_packages
from medassay.study.folder import Study

__all__ = ["Fitted", "Joining", "fitted_of", "joining_of"]

_ALWAYS: Final = ("majority", "majority(ties=lower)", "dawid_skene")
"""MACE is not among them: it is fitted where study.toml asks (simulations/mace-competence.md)."""


@dataclass(frozen=True)
class Joining:
    """How several labels of an answer may become one.

    Attributes:
        methods: Canonical names of the ways that stand side by side: a few always, and the study's.
        own: Those that the study names.
        given: Control items and label priors, by dimension.
        hushed: Whether other packages' ways keep their own words to themselves.
    """

    methods: tuple[str, ...]
    own: tuple[str, ...]
    given: Mapping[str, KnownToModel]
    hushed: bool = False


@dataclass(frozen=True)
class Fitted:
    """The ways of joining labels, each fitted to the study's labels.

    Attributes:
        ways: One for each dimension that was judged and each way: those that systems are ranked by
            among them.
    """

    ways: tuple[ConsensusDetails, ...]


def joining_of(study: Study) -> Joining:
    """Say how a study may join its labels."""
    own = tuple(str(find_method(name)[1]) for name in study.config.rules.consensus)
    methods = tuple(dict.fromkeys([*_ALWAYS, *own]))
    return Joining(methods, own, study.given, hushes_packages(study.config))


def fitted_of(study: Study) -> Fitted:
    """Fit every way that stands side by side, with all that it says beside its scores."""
    joining = joining_of(study)
    # The same stream as `consensus_of`, so that these fits are those that systems are ranked by.
    return Fitted(
        tuple(
            consensus_details(
                study.judgements,
                joining.methods,
                given=joining.given,
                rng=step_rng(study, "s38"),
                hushed=joining.hushed,
            )
        )
    )
