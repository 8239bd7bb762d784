"""A metric of your own: how many numbers of the answer does a reference have?

Run it: python examples/add_a_metric.py
"""

import re
from collections.abc import Mapping, Sequence

from medassay import Answer, Answers, Case, Cases, Score, Unscored, score
from medassay.metrics import Declaration, Direction, Pair, metric
from medassay.metrics.declaration import KINDS, REF, REFERENCES, TEXT, references
from medassay.scores import Reason

DECLARATION = Declaration(
    name="number_precision",
    title="Number precision",
    question="Which share of the answer's numbers does a reference have?",
    unit="a fraction",
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=(*REFERENCES, TEXT),
    parameters=(REF,),
    if_no_answer=0,
    if_empty=Reason.EMPTY_ANSWER,
    undefined_when="the answer has no number",
    odd=dict.fromkeys(KINDS, "undefined"),
    blind_spots=("A number in words is not seen.",),
    reference="this example",
)


@metric(DECLARATION)
def number_precision(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Compare the numbers of each answer with those of its references."""
    scores: list[Score | Unscored] = []
    for case, answer in pairs:
        known = set(re.findall(r"\d+", " ".join(references(case, arguments["ref"]))))
        found = re.findall(r"\d+", answer.text or "")
        if found:
            scores.append(Score(sum(number in known for number in found) / len(found)))
        else:
            scores.append(Unscored(Reason.UNDEFINED, "no number in the answer"))
    return scores


if __name__ == "__main__":
    case = {"case": "1", "references": [{"text": "Take 400 mg, at most 3 times a day."}]}
    cases = Cases.of([Case.model_validate(case)])
    said = {"A": "400 mg, 3 times a day", "B": "400 mg, 6 times a day", "C": "Ask a pharmacist"}
    answers = Answers.of(Answer(system=s, case="1", text=text) for s, text in said.items())
    table = score(cases, answers, ["number_precision(ref=human)"])
    for system, value, detail in table.frame.select("system", "value", "detail").iter_rows():
        print(system, detail if value is None else value)
