"""Measure the reference systems on the clinical set, and write docs/reference-systems.md.

    python -m tools.make_systems_page

The page holds figures and no date: the same data and packages give the same bytes.
"""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.cases import Case, Document
from medassay.models import ModelSetup, use_models
from medassay.stats import PairedDifference, compare_paired, mcnemar_exact, wilson
from medassay.systems import Passage, Retriever, cut_passages, strategies
from medassay.systems.dialogue import converse
from medassay.systems.reasoning import EvidenceWeigher, answer_of, methods, query_of
from tools.tune_evidence import clinical_set, tuned_on

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference-systems.md"
SEED: Final = 1
_BASE: Final = "bm25"
_RETRIEVER: Final = "multi-stage"
_TOP: Final = 10
_DEMO: Final = "the demo's"
_HEAD: Final = """\
# Systems that come with it

<!-- slow: systems answer a hundred questions -->

A number means little alone. These systems are short, public and always the same: what yours adds \
is what it has above them. None knows medicine, and none is for patients. This page is written by \
`python -m tools.make_systems_page` on the hundred questions of `medassay demo --study clinical`, \
each written by a language model from one of twenty guidelines.

"""
_WHY: Final = """
The source of this set publishes a MAP and an MRR of 0.268 on 50 of the questions, with a \
precision@1 of 0 (`reports/evaluation_results.json` at its commit bad9ba9). Its file holds no \
rankings, so what went wrong there cannot be seen from here; \
[what can be said about it](clinical-mcq.md#what-can-be-said-about-a-precision1-of-0). Every \
strategy above, on all 100 questions, is far from that. The questions were written from these \
guidelines, often in their words: the numbers flatter all retrieval, and search by words most.

Documents are cut into passages of 100 words that share 20 with their neighbour, and a document \
ranks by its best passage. The query is the question with its options. Meaning is the embedded \
encoder's; concepts are those of [the open vocabulary](concepts.md).

"""


_EVIDENCE: Final = """\
By the evidence alone, no model reasons: an option weighs more where lines of the first guideline \
are near it in meaning, alone and together with what is asked. The two weights were tuned on 50 \
questions, those whose ids have the smallest SHA-256; \
[design/models.md](../design/models.md) names them. The table is of the \
other 50; chance is a quarter. Compared is [the demo's pipeline](../examples/bm25_clinical.py), by \
McNemar's exact test.
"""


def page() -> str:
    """Measure, and give the page."""
    cases, documents = clinical_set()
    passages = cut_passages(documents)
    # What is encoded once serves all.
    with use_models(ModelSetup()):
        ranks = reciprocal_ranks(cases, passages)
        right = choices_right(cases, passages)
        use = _use_section(documents)
    return "".join(
        [
            _HEAD,
            _retrieval_section(ranks),
            _WHY,
            _reasoning_section(cases, right),
            use,
        ]
    )


def reciprocal_ranks(
    cases: Sequence[Case], passages: Sequence[Passage]
) -> Mapping[str, NDArray[np.float64]]:
    """Give 1 / rank of each question's guideline among the first ten; 0 where it is not there."""
    found = {}
    for strategy in strategies():
        retriever = Retriever(passages, strategy.name)
        rows = []
        for case in cases:
            names = [hit.document for hit in retriever.rank(query_of(case), _TOP)]
            wanted = case.documents[0].id
            rows.append(1 / (names.index(wanted) + 1) if wanted in names else 0.0)
        found[strategy.name] = np.asarray(rows)
    return found


def choices_right(cases: Sequence[Case], passages: Sequence[Passage]) -> Mapping[str, list[bool]]:
    """Say for each method, and for the answers that ship, which questions it gets right."""
    shipped = files("medassay") / "data" / "studies" / "clinical" / "answers" / "bm25.jsonl"
    lines = shipped.read_text(encoding="utf-8").splitlines()
    chosen = {row["case"]: row["choice"] for row in map(json.loads, lines)}
    right = {_DEMO: [chosen[case.case] == case.gold for case in cases]}
    retriever, weigher = Retriever(passages, _RETRIEVER), EvidenceWeigher(passages)
    for method in methods():
        right[method.name] = [
            converse(answer_of(case, "s", method, retriever, weigher)).choice == case.gold
            for case in cases
        ]
    return right


def _retrieval_section(ranks: Mapping[str, NDArray[np.float64]]) -> str:
    names = sorted(ranks, key=lambda name: (-ranks[name].mean(), name))
    rows = np.asarray([ranks[name] - ranks[_BASE] for name in names])
    known = np.ones_like(rows, dtype=bool)
    differences = compare_paired(rows, known, rng=SEED)
    # A verdict on several at once: each interval at a level that holds for all together.
    together = compare_paired(rows, known, rng=SEED, level=1 - 0.05 / (len(names) - 1))
    told = {strategy.name: strategy.says for strategy in strategies()}
    lines = [
        "## Which retrieval finds the right guideline\n",
        f"{_best_sentence(names, together)}\n",
        "| strategy | what it does | MRR | first | among 3 | MRR minus BM25's |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for name, difference in zip(names, differences, strict=True):
        reciprocal = ranks[name]
        span = "" if name == _BASE else _signed(difference)
        first, three = (reciprocal == 1).sum(), (reciprocal >= 1 / 3).sum()
        lines.append(
            f"| `{name}` | {told[name]} | {reciprocal.mean():.3f} | {first} | {three} | {span} |"
        )
    return "\n".join(lines) + "\n"


def _best_sentence(names: Sequence[str], differences: Sequence[PairedDifference]) -> str:
    surely = [
        name
        for name, difference in zip(names, differences, strict=True)
        if difference.interval is not None and difference.interval.low > 0
    ]
    n = len(names) - 1
    if not surely:
        return f"None of {n} strategies is shown to be ahead of BM25: no interval lies above 0."
    listed = " and ".join(f"`{name}`" for name in surely)
    return (
        f"Of {n} strategies, {listed} {'is' if len(surely) == 1 else 'are'} ahead of BM25 on"
        f" questions like these, corrected for {n} comparisons (Bonferroni). The intervals in the"
        " table are at 95% each."
    )


def _reasoning_section(cases: Sequence[Case], right: Mapping[str, list[bool]]) -> str:
    named = tuned_on(cases)
    kept = np.asarray([case.case not in named for case in cases])
    base = np.asarray(right[_DEMO])
    told = {method.name: method.says for method in methods()}
    lines = [
        "## Which reasoning chooses the right option\n",
        _EVIDENCE,
        "| method | what it does | right of 50 | share | right alone | the demo's alone | p |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, chosen in right.items():
        ours = np.asarray(chosen)[kept]
        theirs = base[kept]
        interval = wilson(int(ours.sum()), len(ours), estimand="questions like these")
        share = f"{ours.mean():.2f} [{interval.low:.2f}, {interval.high:.2f}]"
        if name == _DEMO:
            lines.append(f"| {_DEMO} | BM25, shared words | {ours.sum()} | {share} | | | |")
            continue
        a, b = int((ours & ~theirs).sum()), int((theirs & ~ours).sum())
        p = mcnemar_exact(a, b).p
        lines.append(f"| `{name}` | {told[name]} | {ours.sum()} | {share} | {a} | {b} | {p:.2f} |")
    lines.append("\n" + _reasoning_sentence(right, kept))
    return "\n".join(lines) + "\n\n"


def _reasoning_sentence(right: Mapping[str, list[bool]], kept: NDArray[np.bool_]) -> str:
    base = np.asarray(right[_DEMO])[kept]
    values = {
        name: mcnemar_exact(
            int((np.asarray(chosen)[kept] & ~base).sum()),
            int((base & ~np.asarray(chosen)[kept]).sum()),
        ).p
        for name, chosen in right.items()
        if name != _DEMO
    }
    least = min(values.values())
    corrected = min(1.0, least * len(values))
    verdict = "one is ahead" if corrected < 0.05 else "none is shown to be ahead of it"  # noqa: PLR2004 - the usual level
    return (
        f"Of the {len(values)} methods, {verdict}: the smallest p is {least:.2f},"
        f" {corrected:.2f} after Holm's correction. Fifty questions show a difference only"
        " where it is large."
    )


def _use_section(documents: Sequence[Document]) -> str:
    return f"""## In Python

Retrieval, a method and what weighs the options are three parts that go together as you like. A \
method never knows which model it talks to: it yields prompts and is sent replies.

```python
from importlib.resources import as_file, files

from medassay.cases import read_cases, read_documents
from medassay.models import ModelSetup, use_models
from medassay.systems import Retriever, cut_passages
from medassay.systems.dialogue import converse
from medassay.systems.reasoning import EvidenceWeigher, answer_of, find_method

with as_file(files("medassay") / "data" / "studies" / "clinical") as folder:
    guidelines = read_documents(folder / "documents.jsonl").values()
    case = next(iter(read_cases(folder / "cases.jsonl")))
passages = cut_passages(guidelines)
with use_models(ModelSetup()):
    retriever = Retriever(passages, "{_RETRIEVER}")
    weigher = EvidenceWeigher(passages)
    answer = converse(answer_of(case, "mine", find_method("chain"), retriever, weigher))
print([hit.document for hit in (answer.retrieved or ())][:3])
print(f"{{len(passages)}} passages of {len(documents)} guidelines; {{answer.text}}")
```

```text
{_shown(documents)}
```

## Answers that cite a note

`medassay.systems.reference` has three: a model that answers and cites in one go, one that answers \
first and is asked after what each sentence rests on, and one that quotes the note and needs no \
model. Each keeps to 75 words, and a citation that the note has not is left out. \
`medassay.systems.reference` answers in free text from retrieved passages, as the med-gpt \
protocol's source has its models answer. What models are asked stands in \
[three files](../src/medassay/data/prompts); a study can have its own.
"""


def _shown(documents: Sequence[Document]) -> str:
    cases, _ = clinical_set()
    passages = cut_passages(documents)
    retriever, weigher = Retriever(passages, _RETRIEVER), EvidenceWeigher(passages)
    chain = next(method for method in methods() if method.name == "chain")
    answer = converse(answer_of(cases[0], "mine", chain, retriever, weigher))
    first = [hit.document for hit in answer.retrieved or ()][:3]
    return f"{first}\n{len(passages)} passages of {len(documents)} guidelines; {answer.text}"


def _signed(difference: PairedDifference) -> str:
    if difference.difference is None or difference.interval is None:
        return difference.undefined
    numbers = (difference.difference, difference.interval.low, difference.interval.high)
    value, low, high = (f"{n:+.3f}".replace("-", "−") for n in numbers)
    return f"{value} [{low}, {high}]"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
