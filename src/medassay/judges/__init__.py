"""Model judges: asked through endpoints, tested against people, and certified.

What enters: a study, and judges that its study.toml names. What leaves: rows of judgements and
preferences like anyone's, each with what the judge gave as its reason; and a certificate of what
was tested of one, which travels. What a certificate holds, and whether one holds for a study, is
`medassay.study.certificates`.
"""

from medassay.judges.ask import Judged, ask_judge, askable_judges, estimate_judge, judged_by
from medassay.judges.certify import import_certificate, refuse_undeclared, write_certificate
from medassay.judges.prompts import criterion_prompt, judge_prompt

__all__ = [
    "Judged",
    "ask_judge",
    "askable_judges",
    "criterion_prompt",
    "estimate_judge",
    "import_certificate",
    "judge_prompt",
    "judged_by",
    "refuse_undeclared",
    "write_certificate",
]
