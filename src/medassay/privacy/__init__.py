"""What a string in a record is of, and who may see it.

A record's field says what its text is of (a case's id, a tag, words of an answer, a rater's name,
a name of the study's design, or words of ours); a record with a string that says nothing is refused
when its class is made. So what a setting of `[privacy]` takes out follows from types, and whoever
adds a record cannot forget it.

What enters: records. What leaves: the same records without what an audience may not see. Knows
nothing of studies, files or pages.
"""

from medassay.privacy.audience import Audience, Texts
from medassay.privacy.kinds import (
    CaseId,
    DesignName,
    DocumentId,
    Kind,
    RaterName,
    SystemName,
    Tag,
    TagName,
    Text,
    Words,
)
from medassay.privacy.marked import UnmarkedText, check_marked
from medassay.privacy.sealing import sealed

__all__ = [
    "Audience",
    "CaseId",
    "DesignName",
    "DocumentId",
    "Kind",
    "RaterName",
    "SystemName",
    "Tag",
    "TagName",
    "Text",
    "Texts",
    "UnmarkedText",
    "Words",
    "check_marked",
    "sealed",
]
