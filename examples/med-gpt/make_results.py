"""Write the made-up results files of this folder: three models, ten questions, two raters."""

import csv
import json
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
COLUMNS = (
    "question", "answer", "model", "retrieved_chunks", "relevance_score", "faithfulness_score",
    "human_score",
)  # fmt: skip
QUESTIONS = (
    (
        "What should I do first for a nosebleed?",
        "Sit up, lean forward and pinch the soft part of the nose for ten to fifteen minutes.",
        "Do not lean back, because blood then runs down the throat.",
    ),
    (
        "How is a mild burn cooled?",
        "Cool the burn under cool running water for twenty minutes.",
        "Do not use ice, butter or toothpaste on a burn.",
    ),
    (
        "How much should an adult drink during a fever?",
        "Adults with a fever should drink small amounts often, about two litres a day.",
        "Dark urine is a sign that more fluid is needed.",
    ),
    (
        "When does a cut need stitches?",
        "A cut that gapes, is deep or does not stop bleeding after ten minutes needs stitches.",
        "Cuts of the face and hand should be seen by a doctor within hours.",
    ),
    (
        "How is a tick removed?",
        "Grip the tick close to the skin with fine tweezers and pull straight out.",
        "Do not use oil, glue or heat, and watch the place for four weeks.",
    ),
    (
        "What helps against travel sickness?",
        "Sit in the front, look at the horizon and avoid reading.",
        "Medicines against travel sickness work best when taken an hour before the journey.",
    ),
    (
        "How long should I rest a sprained ankle?",
        "Rest a sprained ankle for one to two days, then begin gentle movement.",
        "Ice may be applied for up to twenty minutes at a time.",
    ),
    (
        "Do antibiotics help against a cold?",
        "Colds are caused by viruses, and antibiotics do not act on viruses.",
        "Most colds pass within ten days without treatment.",
    ),
    (
        "What are signs of dehydration in a child?",
        "Signs of dehydration in a child are few wet nappies, a dry mouth and no tears.",
        "A child who is drowsy or breathes fast needs a doctor at once.",
    ),
    (
        "How can I prevent mosquito bites?",
        "Wear long sleeves, use a repellent with DEET and sleep under a net.",
        "Mosquitoes that carry malaria bite mostly between dusk and dawn.",
    ),
)
VAGUE = "There are various measures for this. Ask a professional if you are unsure."
LENIENT = 0.3


def answers(first: str, second: str) -> dict[str, tuple[str, float]]:
    """Give each model's answer and how good it was made."""
    return {
        "phi": (first, 3.7),
        "tinyllama": (VAGUE, 2.0),
        "gemma:2b": (f"{first} {second}", 4.4),
    }


def main() -> None:
    """Write evaluation_results.csv, and the same with each rater's scores."""
    chance = Random(8)  # noqa: S311 - invented data, the same every time
    rows: list[dict[str, object]] = []
    second: list[int] = []
    for question, *facts in QUESTIONS:
        for model, (text, good) in answers(*facts).items():
            weaker = model == "phi" and chance.random() < LENIENT
            said = VAGUE.partition(". ")[0] + "." if weaker else text
            good_here = 2.6 if weaker else good
            scores = [
                min(5, max(1, round(chance.gauss(good_here + lean, 0.6)))) for lean in (0.0, 0.2)
            ]
            second.append(scores[1])
            relevance = min(0.99, max(0.05, 0.16 * good_here + chance.gauss(0, 0.08)))
            faithful = min(1.0, max(0.0, 0.2 * good_here + chance.gauss(0, 0.12)))
            row = (question, said, model, json.dumps(facts), f"{relevance:.3f}", f"{faithful:.3f}")
            rows.append(dict(zip(COLUMNS, (*row, scores[0]), strict=True)))
    write("evaluation_results.csv", rows)
    write("rater_1.csv", rows)
    write("rater_2.csv", [{**r, "human_score": s} for r, s in zip(rows, second, strict=True)])


def write(name: str, rows: list[dict[str, object]]) -> None:
    """Write a table as pandas does."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
