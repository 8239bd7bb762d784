"""Make a study of one model under ten prompts from its probabilities of four options.

    python -m tools.make_llama_study SCORES FOLDER

SCORES holds <subject>_scores.npy, shape (prompts, questions, 4), and <subject>_targets.npy, the
index of the right option. The choice is the likeliest option, the confidence its probability. Each
prompt is a system, all of one family. Texts are not in the source.
"""

import sys
from pathlib import Path
from typing import Final

import numpy as np

from medassay.tables import jsonl_bytes, write_atomically

_LETTERS: Final = "ABCD"
_SETTINGS: Final = """\
schema = 1
title = "LLaMA-13B under ten prompts"
description = "One model answers multiple-choice questions of MMLU under ten prompts; its \
confidence is the probability of the option that it chose."
source = "github.com/bhaweshiitk/ConformalLLM, commit 5419c30; Kumar et al. 2023, arXiv:2305.18404"
licence = "MIT"

[protocol]
name = "clinical-mcq"

[[metrics]]
name = "exact_match"
"""


def llama_files(scores: Path) -> dict[str, bytes]:
    """Give the study's files."""
    cases: list[dict[str, object]] = []
    answers: dict[str, list[dict[str, object]]] = {}
    found = sorted(scores.glob("*_scores.npy"))
    if not found:
        sys.exit(f"{scores}: no file <subject>_scores.npy is here")
    for path in found:
        subject = path.name.removesuffix("_scores.npy")
        given = np.load(path)
        targets = np.load(path.with_name(f"{subject}_targets.npy"))
        cases += [
            {
                "case": f"{subject}-{i:03}",
                "options": dict.fromkeys(_LETTERS, ""),
                "gold": _LETTERS[target],
                "tags": {"subject": subject},
            }
            for i, target in enumerate(targets)
        ]
        for prompt, questions in enumerate(given, start=1):
            answers.setdefault(f"prompt-{prompt:02}", []).extend(
                {
                    "case": f"{subject}-{i:03}",
                    "choice": _LETTERS[int(options.argmax())],
                    "confidence": min(1.0, float(options.max())),
                }
                for i, options in enumerate(questions)
            )
    settings = _SETTINGS
    files = {"cases.jsonl": jsonl_bytes(cases)}
    for system, records in answers.items():
        files[f"answers/{system}.jsonl"] = jsonl_bytes(records)
        settings += f'\n[systems.{system}]\ntitle = "Prompt {system[-2:]}"\nfamily = "LLaMA-13B"\n'
    files["study.toml"] = settings.encode()
    return files


def main(scores: Path, folder: Path) -> None:
    """Write the study."""
    for name, content in llama_files(scores).items():
        write_atomically(folder / name, content)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
