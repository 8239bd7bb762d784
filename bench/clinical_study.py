"""A study of so many answered clinical questions, made from those that ship; for timing alone.

Each question is one of the hundred that ship, its numbers drawn anew and its options shuffled, so
that no two questions, and no two chains of reasoning, are alike. The documents are the sections of
the twenty guidelines; each answer ranks twenty of them by the words that they share with the
question, disturbed at random. Its chain has the source's five steps in as many sentences, the
first two of which no other chain has; the others quote an option or a line of a guideline.
"""

import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np

from medassay.cases import read_cases, read_documents
from medassay.study import write_demo

__all__ = ["write_study"]

LISTED: Final = 20
SEED: Final = 7
_CITED: Final = 2
_RIGHT: Final = 0.6


def write_study(folder: Path, answers: int, *, chains: bool) -> None:
    """Write a study folder with one system's answers to so many questions."""
    write_demo(folder, "clinical")
    made = _Maker(folder, np.random.default_rng(SEED))
    for old in (folder / "answers").iterdir():
        old.unlink()
    with (
        (folder / "documents.jsonl").open("w", encoding="utf-8") as documents,
        (folder / "cases.jsonl").open("w", encoding="utf-8") as asked,
        (folder / "answers" / "bm25.jsonl").open("w", encoding="utf-8") as answered,
    ):
        documents.writelines(map(_line, made.sections))
        for place in range(answers):
            case, answer = made.row(place, chains=chains)
            asked.write(_line(case))
            answered.write(_line(answer))


def _line(row: dict[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


class _Maker:
    def __init__(self, folder: Path, rng: np.random.Generator) -> None:
        self.rng = rng
        self.cases = list(read_cases(folder / "cases.jsonl"))
        self.sections: list[dict[str, object]] = []
        self.guideline: list[str] = []
        for one in read_documents(folder / "documents.jsonl").values():
            for place, text in enumerate((one.text or "").split("\n### ")[1:], 1):
                heading = text.split("\n")[0].split(". ")[-1]
                title = f"{one.title}: {heading}"
                row: dict[str, object] = {
                    "id": f"{one.id}-{place:02}",
                    "title": title,
                    "text": text,
                }
                self.sections.append(row)
                self.guideline.append(one.id)
        words = [Counter(_words(str(one["text"]))) for one in self.sections]
        have = Counter(word for one in words for word in one)
        self.fit = np.array(
            [
                [
                    math.fsum(
                        math.log(len(words) / have[w])
                        for w in set(_words(case.question or ""))
                        if w in one
                    )
                    for one in words
                ]
                for case in self.cases
            ]
        )

    def row(self, place: int, *, chains: bool) -> tuple[dict[str, object], dict[str, object]]:
        """Make one case and its answer."""
        which = place % len(self.cases)
        case, name = self.cases[which], f"Q_{place:06}"
        question = re.sub(r"\d+", self._number, case.question or "")
        letters = list(case.options)
        texts = [case.options[letters[i]] for i in self.rng.permutation(len(letters))]
        options = dict(zip(letters, texts, strict=True))
        gold = letters[texts.index(case.options[case.gold or ""])]
        right = self.rng.random() < _RIGHT
        choice = gold if right else letters[int(self.rng.integers(len(letters)))]
        scores = self.fit[which] * self.rng.uniform(0.5, 1.5, len(self.sections))
        ranked = np.argsort(-scores)[:LISTED]
        first = self.sections[ranked[0]]
        lines = [line.strip("*-# ") for line in str(first["text"]).splitlines() if _words(line)]
        line = lines[int(self.rng.integers(len(lines)))]
        asked: dict[str, object] = {
            **case.model_dump(mode="json", include={"tags"}),
            "case": name,
            "question": question,
            "options": options,
            "gold": gold,
            "documents": [
                {"id": one["id"], "grade": 1 + (_shared(line, str(one["text"])) > _CITED)}
                for one, of in zip(self.sections, self.guideline, strict=True)
                if of == case.documents[0].id
            ],
        }
        answer: dict[str, object] = {
            "case": name,
            "statements": [
                {"text": f"The answer is ({choice}) {options[choice]}.", "citations": []},
                {"text": f"{first['title']}: {line}", "citations": [first["id"]]},
            ],
            "retrieved": [
                {"document": self.sections[i]["id"], "score": round(float(scores[i]), 6)}
                for i in ranked
            ],
            "choice": choice,
            "confidence": round(float(self.rng.beta(4 if right else 3, 2)), 6),
        }
        if chains:
            answer["reasoning"] = self._chain(question, options, choice, first, line)
        return asked, answer

    def _number(self, found: re.Match[str]) -> str:
        """Draw another number with as many digits."""
        least = 10 ** (len(found[0]) - 1)
        return str(self.rng.integers(least, 10 * least))

    def _chain(
        self,
        question: str,
        options: dict[str, str],
        choice: str,
        first: dict[str, object],
        line: str,
    ) -> str:
        words = sorted(set(_words(question)))
        findings = ", ".join(self.rng.choice(words, 5, replace=False))
        return (
            f"Clinical presentation: {question.split('. ', maxsplit=1)[0]}.\n"
            f"Findings that the guideline has too: {findings}.\n"
            f"Differential diagnosis: {'; '.join(options.values())}.\n"
            f'The guideline {first["title"]} ({first["id"]}) says: "{line}".\n'
            f"Therefore the answer is ({choice}) {options[choice]}."
        )


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _shared(line: str, text: str) -> int:
    return len(set(_words(line)) & set(_words(text)))
