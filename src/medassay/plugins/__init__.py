"""What other packages bring: found by their entry points, loaded one by one, each misfit named.

What enters: the name of a group of entry points. What leaves: what each entry holds, the file that
it is, what its module registers, or the problem why it cannot be had. One misfit stops nobody.
Knows nothing of what is brought.
"""

from medassay.plugins.attempt import Raised, attempt, unheard
from medassay.plugins.code import code_of
from medassay.plugins.files import OfferedFile, offered_file, offered_names, taken_names
from medassay.plugins.offer import REMEDY, Offer, offers, provider_of, versions
from medassay.plugins.raised import words_of
from medassay.plugins.registered import Registered

__all__ = [
    "REMEDY",
    "Offer",
    "OfferedFile",
    "Raised",
    "Registered",
    "attempt",
    "code_of",
    "offered_file",
    "offered_names",
    "offers",
    "provider_of",
    "taken_names",
    "unheard",
    "versions",
    "words_of",
]
