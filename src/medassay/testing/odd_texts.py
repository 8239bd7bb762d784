"""Texts that are no ordinary answers, of every kind that metrics declare an outcome for."""

from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ["QUESTION", "TEXTS"]

QUESTION: Final = "Is it safe to rest at home?"

TEXTS: Final[Mapping[str, Sequence[str]]] = {
    "one word": ["rest"],
    "10,000 words": ["He should rest at home and drink water. " * 1250],
    "other scripts": [
        "他应该在家休息。",
        "عليه أن يستريح في البيت.",
        "उसे घर पर आराम करना चाहिए।",
    ],
    "emoji alone": ["😀 👩‍⚕️ 🩺"],
    "punctuation alone": ["?! ... --"],
    "control characters alone": ["\x00\x01\x07"],
    "the question again": [QUESTION],
}
