"""The 66 semantic types of UMLS whose concepts MEDCON counts."""

from typing import Final

__all__ = ["SEMANTIC_TYPES"]

_GROUPS: Final = {
    "Anatomy": "T017 T018 T021 T022 T023 T024 T025 T026 T029 T030 T031",
    "Chemicals & Drugs": "T103 T104 T109 T114 T116 T120 T121 T122 T123 T125 T126 T127 T129 T130"
    " T131 T192 T195 T196 T197 T200",
    "Devices": "T074 T075 T203",
    "Disorders": "T019 T020 T033 T037 T046 T047 T048 T049 T050 T184 T190 T191",
    "Genes & Molecular Sequences": "T028 T085 T086 T087 T088",
    "Phenomena": "T034 T038 T067 T068 T069 T070",
    "Physiology": "T032 T039 T040 T041 T042 T043 T044 T045 T201",
}

SEMANTIC_TYPES: Final = frozenset(" ".join(_GROUPS.values()).split())
"""All types of seven groups of the Semantic Network: the list of ACI-bench and ArchEHR-QA."""
