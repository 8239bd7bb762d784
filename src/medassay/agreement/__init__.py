"""How far raters agree with each other.

What enters: judgements or preferences, as units x raters with holes. What leaves: one `Agreement` a
coefficient, with its interval over cases, its numbers of answers, cases, raters and pairs, or the
reason why it has no value. One coefficient a file, each with its formula as a function of plain
arrays; whoever imports this room has ours registered, and other packages bring theirs.
"""

from importlib import import_module
from pkgutil import iter_modules

from medassay.agreement.agree import (
    Slice,
    Slicing,
    agree,
    agree_by,
    agree_on_preferences,
    dimensions_of,
    slicings,
)
from medassay.agreement.bands import BandSource, band, band_sources, bands_of, borne_out_band
from medassay.agreement.coefficient import (
    Coefficient,
    CoefficientDeclaration,
    Prepared,
    coefficient,
    coefficient_plugin_problems,
    coefficients,
    find_coefficient,
)
from medassay.agreement.design import DesignNote, check_design
from medassay.agreement.draws import CaseDraws, draw_cases, few_cases
from medassay.agreement.fleiss import fleiss_kappa
from medassay.agreement.kappas import brennan_prediger_s, cohen_kappa, gwet_ac
from medassay.agreement.krippendorff import coincidences, krippendorff_alpha
from medassay.agreement.on_units import (
    ALL_CASES,
    Agreement,
    Headline,
    agree_on_units,
    alpha_of,
    headlines,
)
from medassay.agreement.passages import PassageAgreement, agree_on_passages

__all__ = [
    "ALL_CASES",
    "Agreement",
    "BandSource",
    "CaseDraws",
    "Coefficient",
    "CoefficientDeclaration",
    "DesignNote",
    "Headline",
    "PassageAgreement",
    "Prepared",
    "Slice",
    "Slicing",
    "agree",
    "agree_by",
    "agree_on_passages",
    "agree_on_preferences",
    "agree_on_units",
    "alpha_of",
    "band",
    "band_sources",
    "bands_of",
    "borne_out_band",
    "brennan_prediger_s",
    "check_design",
    "coefficient",
    "coefficient_plugin_problems",
    "coefficients",
    "cohen_kappa",
    "coincidences",
    "dimensions_of",
    "draw_cases",
    "few_cases",
    "find_coefficient",
    "fleiss_kappa",
    "gwet_ac",
    "headlines",
    "krippendorff_alpha",
    "slicings",
]

# To import a coefficient's file is to register it. Every file of this room is imported, so that a
# new one is known by being there.
for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
