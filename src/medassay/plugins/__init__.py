"""What other packages bring: found by their entry points, loaded one by one, each misfit named.

What enters: the name of a group of entry points. What leaves: what each entry holds, or the problem
why it cannot be had. One misfit stops nobody. Knows nothing of what is brought.
"""

from medassay.plugins.offer import Offer, offers, provider_of, versions
from medassay.plugins.raised import words_of

__all__ = ["Offer", "offers", "provider_of", "versions", "words_of"]
