"""Answer clinical questions from guidelines without a model, and evaluate the answers end to end.

BM25 (k1 = 1.2, b = .75) ranks whole guidelines by the words of question and options. Each option is
scored by the rarer words that it shares with the lines of the first guideline that fit the question
best; the margin over the second option is the confidence.

    python examples/bm25_clinical.py FOLDER
"""

import json
import math
import re
import sys
from collections import Counter
from pathlib import Path

from typer.testing import CliRunner

from medassay.cases import Case, Document, read_cases, read_documents
from medassay.cli.app import app
from medassay.study import write_demo

Index = dict[str, Counter[str]]


def words(text: str) -> list[str]:
    """Split into lower-case words and numbers."""
    return re.findall(r"[a-z0-9]+", text.lower())


def rank(query: list[str], index: Index) -> list[tuple[float, str]]:
    """Score every text by BM25, the best first, equal ones by name."""
    mean = sum(counts.total() for counts in index.values()) / len(index)
    found = []
    for name, counts in index.items():
        length = 1.2 * (0.25 + 0.75 * counts.total() / mean)
        parts = (rarity(w, index) * counts[w] * 2.2 / (counts[w] + length) for w in set(query))
        found.append((math.fsum(parts), name))
    return sorted(found, key=lambda one: (-one[0], one[1]))


def rarity(word: str, index: Index) -> float:
    """Give BM25's weight of a word: the fewer texts have it, the more it says."""
    have = sum(word in counts for counts in index.values())
    return math.log(1 + (len(index) - have + 0.5) / (have + 0.5))


def answer(case: Case, guidelines: dict[str, Document], index: Index) -> dict[str, object]:
    """Rank, score the options, choose, and say how."""
    asked = words(case.question or "")
    ranking = rank(asked + words(" ".join(case.options.values())), index)[:10]
    first = guidelines[ranking[0][1]]
    lines = [line.strip("*-# ") for line in (first.text or "").splitlines() if words(line)]
    best = rank(asked, {line: Counter(words(line)) for line in lines})[:8]
    near = {word for _, line in best for word in words(line)}
    scores = {}
    for letter, text in case.options.items():
        weights = {word: rarity(word, index) for word in words(text)}
        shared = math.fsum(weight for word, weight in weights.items() if word in near)
        scores[letter] = shared / (math.fsum(weights.values()) or 1.0)
    choice, second = sorted(scores, key=lambda letter: (-scores[letter], letter))[:2]
    shared_words = sorted(set(asked) & near, key=lambda word: (-rarity(word, index), word))[:5]
    return {
        "case": case.case,
        "statements": [
            {"text": f"The answer is ({choice}) {case.options[choice]}.", "citations": []},
            {"text": f"{first.title}: {best[0][1]}", "citations": [first.id]},
        ],
        "retrieved": [{"document": name, "score": round(score, 6)} for score, name in ranking],
        "reasoning": f"Clinical presentation: {(case.question or '').split('. ')[0]}.\n"
        f"Findings that the guideline has too: {', '.join(shared_words)}.\n"
        f"Differential diagnosis: {'; '.join(case.options.values())}.\n"
        f'The guideline {first.title} ({first.id}) says: "{best[0][1]}".\n'
        f"Therefore the answer is ({choice}) {case.options[choice]}.",
        "choice": choice,
        "confidence": round(0.25 + 0.75 * (scores[choice] - scores[second]), 6),
    }


def main(folder: Path) -> None:
    """Answer the questions of the clinical demo, and run medassay on the answers."""
    write_demo(folder, "clinical")
    guidelines = read_documents(folder / "documents.jsonl")
    index = {name: Counter(words(one.text or "")) for name, one in guidelines.items()}
    answers = [answer(case, guidelines, index) for case in read_cases(folder / "cases.jsonl")]
    lines = [json.dumps(one, ensure_ascii=False) for one in answers]
    (folder / "answers").mkdir(exist_ok=True)
    (folder / "answers" / "bm25.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["run", str(folder)])
    print(done.output)
    sys.exit(done.exit_code)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
