"""Medical concepts named in texts: an open vocabulary, and UMLS through QuickUMLS.

What enters: texts. What leaves: the concepts that they name, each with its place and identifier,
and the hash and the sources of the vocabulary that knows them. Whether a text affirms or denies
what it names is not looked at.

`open_vocabulary` reads the vocabularies that are installed beside medassay, puts together what
they mean by the same concept, and keeps the result. None of their packages is imported; their
pickles are read by a reader that runs nothing.
"""

from medassay.models.concepts.open import open_vocabulary, vocabulary_facts
from medassay.models.concepts.sources import missing_sources
from medassay.models.concepts.umls import UmlsTerms, open_umls, umls_facts
from medassay.models.concepts.vocabulary import FoundConcept, Vocabulary

__all__ = [
    "FoundConcept",
    "UmlsTerms",
    "Vocabulary",
    "missing_sources",
    "open_umls",
    "open_vocabulary",
    "umls_facts",
    "vocabulary_facts",
]
