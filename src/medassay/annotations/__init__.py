"""What a value in a record is of, said in its type; and records without what a reader may not get.

A field says what its text is of (a case's id, a tag, words of an answer, a rater's name, a name of
the study's design, or words of ours), and whether its number is an inference (an interval, the
outcome of a test, a verdict that rests on one). A record with a string that says nothing is refused
when its class is made. So what a setting of `[privacy]` takes out, and what a protocol that
describes only may not hold, follow from types, and whoever adds a record cannot forget it.

What enters: records. What leaves: the same records, pruned. Knows nothing of studies, files or
pages.
"""

from medassay.annotations.brief import Brief, brief
from medassay.annotations.record import (
    Audience,
    CaseId,
    Describing,
    DesignName,
    DocumentId,
    Guarded,
    Inference,
    Kind,
    NamedRaters,
    PValue,
    RankEnd,
    RaterName,
    Reliability,
    SystemName,
    Tag,
    TagName,
    TestWords,
    Text,
    Texts,
    UnmarkedText,
    Varied,
    Words,
    WrongInference,
    case_numbers,
    check_inference,
    check_marked,
    mark_on,
    numbered,
    numbers_of_cases,
    pruned,
    record,
)

__all__ = [
    "Audience",
    "Brief",
    "CaseId",
    "Describing",
    "DesignName",
    "DocumentId",
    "Guarded",
    "Inference",
    "Kind",
    "NamedRaters",
    "PValue",
    "RankEnd",
    "RaterName",
    "Reliability",
    "SystemName",
    "Tag",
    "TagName",
    "TestWords",
    "Text",
    "Texts",
    "UnmarkedText",
    "Varied",
    "Words",
    "WrongInference",
    "brief",
    "case_numbers",
    "check_inference",
    "check_marked",
    "mark_on",
    "numbered",
    "numbers_of_cases",
    "pruned",
    "record",
]
