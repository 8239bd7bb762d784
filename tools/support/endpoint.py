"""A judge of support behind an endpoint, beside lexical support, on the same claims.

    python -m tools.support.endpoint STUDY

takes what the judge of a study by `tools.kqa_judged` said into tests/data/support/endpoint.csv.
"""

import csv
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medassay.models.nli import SupportVerdict
from medassay.study import Study
from medassay.tables import csv_bytes
from tools.kqa_judged import JUDGE
from tools.support.classes import CLASSES, codes_of
from tools.support.data import DATA, LABELS, claims
from tools.support.figures import Figure, measure
from tools.support.ranks import area_rows, areas, lexical_support

SAID: Final = DATA / "endpoint.csv"
_CHANCE: Final = 0.5
_HEAD: Final = """
## A model behind an endpoint

Any endpoint of the OpenAI protocol can be asked the same, as a judge: \
`medassay judge STUDY --ask` with the prompt `data/prompts/support.txt` \
([how](judge.md#ask-a-judge)). Measured here is the embedded model, SmolLM2-135M-Instruct: \
**plumbing**, which shows that asking works, and what a judge that knows nothing looks like. It \
was asked {asked} of the claims, those on the first {questions} questions, since it is slow; all \
rows below are of these. {without}

{areas}

| judge | said as most physicians | entailment | neutral | contradiction |
| :--- | ---: | ---: | ---: | ---: |
{rows}

{sentence} A judge for your own study is tested on your own people's labels the same way: \
`medassay judge STUDY`.
"""


def keep_said(study: Path) -> Path:
    """Write down what the judge of a study said of each claim, in the claims' order."""
    frame = Study.open_whole(study).judgements_on_file.frame.filter(pl.col("rater") == JUDGE)
    rows = sorted(
        (int(row["about"].partition(":")[2]), row["label"] or row["reason"], row["probabilities"])
        for row in frame.iter_rows(named=True)
    )
    SAID.write_bytes(csv_bytes(("claim", "said", "probabilities"), rows))
    return SAID


def _said() -> list[dict[str, str]]:
    with SAID.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def endpoint_section(seed: int) -> str:
    """Measure the endpoint's labels beside lexical support."""
    rows = [row for row in _said() if row["said"] in LABELS]
    told = [claims()[int(row["claim"])] for row in rows]
    lost = Counter(row["said"] for row in _said() if row["said"] not in LABELS)
    said = {
        "the embedded model behind an endpoint": [LABELS[row["said"]] for row in rows],
    }
    order = {name: [-float(CLASSES.index(one)) for one in each] for name, each in said.items()}
    values = {"lexical support": lexical_support(told)}
    values |= {f"{name}: its labels": np.asarray(column) for name, column in order.items()}
    likely = _chances(rows)
    if likely is not None:
        values["the embedded model behind an endpoint: its probability"] = likely
    areas_of = areas(told, values, seed)
    truth, questions = codes_of([one.label for one in told]), [one.question for one in told]
    lines = []
    for name, verdicts in said.items():
        one = measure(truth, codes_of(verdicts), questions, seed)
        cells = [name, _say(one.accuracy), *(f"{k} of {n}" for k, n in one.hits)]
        lines.append(f"| {' | '.join(cells)} |")
    reasons = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in lost.items())
    return _HEAD.format(
        asked=len(_said()),
        questions=len(set(questions)),
        without=f"Without a verdict: {reasons}." if lost else "Each reply was a verdict.",
        areas="\n".join(area_rows(areas_of)),
        rows="\n".join(lines),
        sentence=_sentence(areas_of, said["the embedded model behind an endpoint"]),
    )


def _chances(rows: Sequence[dict[str, str]]) -> NDArray[np.float64] | None:
    """Give the probability of entailment, where each reply has one."""
    if not all(row["probabilities"] for row in rows):
        return None
    return np.asarray([json.loads(row["probabilities"]).get("entailment", 0.0) for row in rows])


def _sentence(found: dict[str, tuple[Figure, Figure]], said: Sequence[SupportVerdict]) -> str:
    own, less = found["the embedded model behind an endpoint: its labels"]
    most, count = Counter(said).most_common(1)[0]
    word = next(word for word, verdict in LABELS.items() if verdict is most)
    chance = (
        "whether it does better than chance is undecided"
        if own.low <= _CHANCE <= own.high
        else (
            "it tells entailed claims from others"
            if own.low > _CHANCE
            else "it ranks them the wrong way round"
        )
    )
    beaten = (
        "Counting shared words beats it."
        if less.low > 0
        else (
            "Whether it beats counting shared words is undecided."
            if less.high >= 0
            else "It beats counting shared words."
        )
    )
    return f'It says "{word}" of {count} claims; {chance}. {beaten}'


def _say(one: Figure) -> str:
    return f"{one.value:.2f} ({one.low:.2f} to {one.high:.2f})"


if __name__ == "__main__":
    print(f"wrote {keep_said(Path(sys.argv[1]))}")
