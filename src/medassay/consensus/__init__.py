"""What the raters jointly say.

What enters: judgements (or preferences), as units x raters with holes. What leaves: a `ScoreTable`
with one source a dimension and method, of the same shape as a metric's; label distributions; and
tallies of preferences. One method a file; whoever imports this room has them all registered.
"""

from medassay.consensus import label_sum, majority, mean
from medassay.consensus.consensus import consensus, consensus_of_units, source_name
from medassay.consensus.distribution import LabelDistribution, label_distribution
from medassay.consensus.majority import majority_codes
from medassay.consensus.method import Declaration, Method, consensus_methods, find_method
from medassay.consensus.tally import PreferenceTally, SystemTally, tally_preferences

__all__ = [
    "Declaration",
    "LabelDistribution",
    "Method",
    "PreferenceTally",
    "SystemTally",
    "consensus",
    "consensus_methods",
    "consensus_of_units",
    "find_method",
    "label_distribution",
    "majority_codes",
    "source_name",
    "tally_preferences",
]

# To import a method's file is to register it.
_DECLARED = (label_sum, majority, mean)
