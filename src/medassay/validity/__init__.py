"""What the numbers are worth: rankings of systems, and how far each metric agrees with the raters.

What enters: sources (a name, a grid of scores, the direction that is better), whoever made them.
What leaves: leaderboards with the places that the cases bear out, and rank correlations with their
p, their intervals by estimand, and the reliability of what was correlated.
"""

from medassay.validity.budget import BudgetPoint, annotation_budget
from medassay.validity.composite import Composite, CompositeValue, Term, composite_values
from medassay.validity.correlation import Validity, correlate
from medassay.validity.diagnostics import KINDS, RaterDiagnostic, diagnose_raters
from medassay.validity.gate import Change, Flip, GateResult, Verdict, gate
from medassay.validity.leaderboard import Comparison, Leaderboard, Standing
from medassay.validity.overall import archehr_overalls
from medassay.validity.ranking import rank_systems
from medassay.validity.source import Direction, Source
from medassay.validity.tau_interval import ESTIMANDS, TauInterval
from medassay.validity.without_rater import WithoutRater, leave_one_rater_out

__all__ = [
    "ESTIMANDS",
    "KINDS",
    "BudgetPoint",
    "Change",
    "Comparison",
    "Composite",
    "CompositeValue",
    "Direction",
    "Flip",
    "GateResult",
    "Leaderboard",
    "RaterDiagnostic",
    "Source",
    "Standing",
    "TauInterval",
    "Term",
    "Validity",
    "Verdict",
    "WithoutRater",
    "annotation_budget",
    "archehr_overalls",
    "composite_values",
    "correlate",
    "diagnose_raters",
    "gate",
    "leave_one_rater_out",
    "rank_systems",
]
