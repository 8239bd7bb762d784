"""Model judges: what was tested of one is written into a certificate, which travels.

What a certificate holds, and whether one holds for a study, is `medassay.study.certificates`.
"""

from medassay.judges.certify import refuse_undeclared, take_certificate, write_certificate

__all__ = [
    "refuse_undeclared",
    "take_certificate",
    "write_certificate",
]
