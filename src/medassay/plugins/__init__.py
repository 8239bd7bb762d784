"""What other packages bring: found by their entry points, loaded one by one, each misfit named.

What enters: the name of a group of entry points. What leaves: what each entry holds, what its
module registers, or the problem why it cannot be had. One misfit stops nobody. Knows nothing of
what is brought.
"""

from medassay.plugins.attempt import Raised, attempt, unheard
from medassay.plugins.offer import REMEDY, Offer, offers, provider_of, versions
from medassay.plugins.raised import words_of
from medassay.plugins.registered import Registered

__all__ = [
    "REMEDY",
    "Offer",
    "Raised",
    "Registered",
    "attempt",
    "offers",
    "provider_of",
    "unheard",
    "versions",
    "words_of",
]
