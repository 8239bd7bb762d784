"""Model judges: what was tested of one is written into a certificate, which travels.

What a certificate holds, and whether one holds for a study, is `medassay.study.certificates`.
"""

from medassay.judges.certify import import_certificate, refuse_undeclared, write_certificate
from medassay.judges.criterion_prompt import criterion_prompt

__all__ = [
    "criterion_prompt",
    "import_certificate",
    "refuse_undeclared",
    "write_certificate",
]
