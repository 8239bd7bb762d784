"""Why your number differs from the shared task's, though both are right by their own rule.

The ArchEHR-QA 2025 scorer compares an answer with the essential sentences of the note. It collects
their ids in a Python `set` of strings and walks through it to build the reference text. The order
of such a set depends on a random seed that every Python process draws anew (PYTHONHASHSEED), so the
sentences of the reference stand in another order each time. Metrics that look at the order of words
then print another number for the same submission.

This script takes one case, builds the reference the scorer's way in six processes with six seeds,
and scores the same answer each time; then it does the same with medassay, which keeps the order of
the document.

    python examples/why_your_number_differs.py
"""

import os
import subprocess
import sys

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve
from medassay.metrics.builtin.rouge import rouge
from medassay.metrics.builtin.sari import count_edits, sari_of_ngrams
from medassay.metrics.concept_overlap import count_ngrams
from medassay.scores import Score
from medassay.text import tokenize_13a

# An invented case: the notes of the shared task are under a data use agreement.
NARRATIVE = (
    "My father was in hospital for a week with his heart and came home on Friday. He is on three "
    "new tablets and still gets out of breath on the stairs."
)
QUESTION = "Why was he given water tablets, and how long will he need them?"
NOTE = {
    "1": "He was admitted with shortness of breath and swelling of both legs.",
    "2": "An echocardiogram showed that his heart pumps more weakly than it should.",
    "3": "He was given furosemide through a vein and lost six kilograms of fluid.",
    "4": "On the third day he walked the ward without oxygen.",
    "5": "He was changed to furosemide tablets, forty milligrams every morning.",
    "6": "His potassium was a little low and was replaced.",
    "7": "He should weigh himself every day and call us if he gains two kilograms.",
    "8": "The dose will be reviewed in the heart failure clinic in four weeks.",
}
ESSENTIAL = ["1", "2", "3", "5", "8"]
ANSWER = (
    "He was short of breath and his legs were swollen because his heart pumps more weakly than it "
    "should. Furosemide took six kilograms of fluid off him. He now takes it as tablets every "
    "morning, and the dose will be reviewed in the clinic in four weeks."
)

METRICS = ("rougeL(ref=note)", "rougeLsum(ref=note)", "bleu(ref=note)", "sari(ref=note)")


def the_scorers_order() -> list[str]:
    """Collect the essential ids as the official scorer does: in a set, then walk through it."""
    return list({sentence for sentence in NOTE if sentence in ESSENTIAL})


def score_in_order(order: list[str]) -> dict[str, float]:
    """Score the answer against the question and these sentences in this order."""
    question = f"{NARRATIVE}\n\n{QUESTION}"
    essential = "\n".join(NOTE[sentence] for sentence in order)
    reference = f"{question}\n\n{essential}"
    texts = (ANSWER, question, essential)
    answer, source, told = count_ngrams(tokenize_13a(text.lower()) for text in texts)
    return {
        "rougeL(ref=note)": rouge("rougeL", [ANSWER], [[reference]])[0],
        "rougeLsum(ref=note)": rouge("rougeLsum", [ANSWER], [[reference]])[0],
        "bleu(ref=note)": _bleu(reference),
        "sari(ref=note)": sari_of_ngrams(answer, count_edits(source, [told])),
    }


def score_with_medassay() -> dict[str, float]:
    """Score the same answer by the same metrics, as any study does."""
    evidence = [
        {"id": i, "text": text, "relevance": "essential" if i in ESSENTIAL else "not-relevant"}
        for i, text in NOTE.items()
    ]
    case = Case.model_validate(
        {"case": "1", "narrative": NARRATIVE, "question": QUESTION, "evidence": evidence}
    )
    return {name: _score(name, case) for name in METRICS}


def _bleu(reference: str) -> float:
    case = Case.model_validate({"case": "1", "references": [{"text": reference}]})
    return _score("bleu(ref=human)", case)


def _score(name: str, case: Case) -> float:
    [found] = resolve(name).score_batch([(case, Answer(system="A", case="1", text=ANSWER))])
    return found.value if isinstance(found, Score) else float("nan")


def say(label: str, order: list[str], values: dict[str, float]) -> None:
    """Print one line of the table, times 100 as leaderboards do."""
    numbers = "".join(f"{100 * values[name]:>10.2f}" for name in METRICS)
    print(f"{label:<10}{' '.join(order):<14}{numbers}")


def in_a_process_of_its_own(seed: int, way: str) -> str:
    """Run one line of the table under its own hash seed."""
    command = [sys.executable, __file__, way, f"seed {seed}"]
    environment = os.environ | {"PYTHONHASHSEED": str(seed)}
    done = subprocess.run(  # noqa: S603 - this very file
        command, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.rstrip("\n")


def main() -> None:
    """Print both tables, and what they show."""
    header = "".join(f"{name.partition('(')[0]:>10}" for name in METRICS)
    print("One submission, the same rules, six processes.\n")
    for title, way in (
        ("The official scorer's way: ids in a set", "official"),
        ("medassay: sentences in document order", "medassay"),
    ):
        print(f"{title}\n{'':<10}{'order':<14}{header}")
        for seed in range(6):
            print(in_a_process_of_its_own(seed, way))
        print()
    print(
        "Only the order of the reference's sentences moved. ROUGE-L and SARI look across the\n"
        "borders of sentences, so they move with it; ROUGE-Lsum compares line by line, and BLEU,\n"
        "which looks at four words in a row, did not happen to move. The official leaderboard\n"
        "prints ROUGE-Lsum and SARI, and two models that read the reference in its order, which\n"
        "are not run here. A number that is to be had again needs the order fixed: medassay takes\n"
        "the document's."
    )


if __name__ == "__main__":
    if len(sys.argv) == 1:
        try:
            main()
            sys.stdout.flush()
        except BrokenPipeError:  # whoever reads has read enough, as `head` has
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    elif sys.argv[1] == "official":
        drawn = the_scorers_order()
        say(sys.argv[2], drawn, score_in_order(drawn))
    else:
        say(sys.argv[2], ESSENTIAL, score_with_medassay())
