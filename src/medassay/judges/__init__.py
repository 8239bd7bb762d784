"""Model judges: asked through endpoints, tested against people, and certified.

What enters: a study, and judges that its study.toml names. What leaves: rows of judgements and
preferences like anyone's, each with what the judge gave as its reason; and a certificate of what
was tested of one, which travels. Before it is written, text is planted in answers to see whether it
moves the judge: what it says then is kept apart from all judgements. What a certificate holds, and
whether one holds for a study, is `medassay.study.certificates`.
"""

from medassay.judges.ask import Judged, ask_judge, askable_judges, estimate_judge, judged_by
from medassay.judges.canaries import (
    CanaryReplies,
    ask_canaries,
    canary_texts,
    estimate_canaries,
)
from medassay.judges.certify import (
    import_certificate,
    known_of,
    note_tries,
    refuse_undeclared,
    write_certificate,
)
from medassay.judges.questions import criterion_prompt, judge_prompt

__all__ = [
    "CanaryReplies",
    "Judged",
    "ask_canaries",
    "ask_judge",
    "askable_judges",
    "canary_texts",
    "criterion_prompt",
    "estimate_canaries",
    "estimate_judge",
    "import_certificate",
    "judge_prompt",
    "judged_by",
    "known_of",
    "note_tries",
    "refuse_undeclared",
    "write_certificate",
]
