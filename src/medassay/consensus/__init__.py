"""What the raters jointly say.

What enters: judgements (or preferences), as units x raters with holes. What leaves: a `ScoreTable`
with one source a dimension and method, of the same shape as a metric's; what a method says of each
rater; label distributions; and tallies of preferences. One method a file; whoever imports this room
has ours registered, and other packages bring theirs.
"""

import sys
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from types import ModuleType

from medassay.consensus.by_answer import majority_codes
from medassay.consensus.consensus import (
    consensus,
    consensus_of_units,
    criteria_sums,
    join_units,
    of_whole_answers,
    source_name,
)
from medassay.consensus.dawid_skene import DawidSkene, fit_dawid_skene
from medassay.consensus.details import (
    ConsensusDetails,
    LabelDistribution,
    RaterQuality,
    TieMeans,
    TieSensitivity,
    consensus_details,
    label_distribution,
    rater_qualities,
    tie_sensitivity,
)
from medassay.consensus.harm import HarmPrevalence, harm_prevalence
from medassay.consensus.mace import Mace, fit_mace, mace_settings, no_competence
from medassay.consensus.mace import Settings as MaceSettings
from medassay.consensus.method import (
    Joined,
    KnownToModel,
    Method,
    MethodDeclaration,
    Model,
    consensus_method,
    consensus_methods,
    consensus_plugin_problems,
    find_method,
    fitted_method,
    title_of,
)
from medassay.consensus.preferences import (
    BradleyTerry,
    PreferenceTally,
    Strength,
    SystemTally,
    bradley_terry,
    tally_preferences,
)

__all__ = [
    "BradleyTerry",
    "ConsensusDetails",
    "DawidSkene",
    "HarmPrevalence",
    "Joined",
    "KnownToModel",
    "LabelDistribution",
    "Mace",
    "MaceSettings",
    "Method",
    "MethodDeclaration",
    "Model",
    "PreferenceTally",
    "RaterQuality",
    "Strength",
    "SystemTally",
    "TieMeans",
    "TieSensitivity",
    "bradley_terry",
    "consensus",
    "consensus_details",
    "consensus_method",
    "consensus_methods",
    "consensus_of_units",
    "consensus_plugin_problems",
    "criteria_sums",
    "find_method",
    "fit_dawid_skene",
    "fit_mace",
    "fitted_method",
    "harm_prevalence",
    "join_units",
    "label_distribution",
    "mace_settings",
    "majority_codes",
    "no_competence",
    "of_whole_answers",
    "rater_qualities",
    "source_name",
    "tally_preferences",
    "tie_sensitivity",
    "title_of",
]

# To import a method's file is to register it. Every file of this room is imported, so that a new
# one is known by being there.
for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")


class _Room(ModuleType):
    """This room, called as the function it is there for: `medassay.consensus(judgements)`.

    Room and function bear one name, and whichever is imported first, the name stands for both.
    """

    __call__ = staticmethod(consensus)
    __signature__ = signature(consensus)


sys.modules[__name__].__class__ = _Room
