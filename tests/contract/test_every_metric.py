"""What every registered metric must keep to, whoever wrote it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import cycle
from typing import TypeVar

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tools.toy_aligner import ToyAligner
from tools.toy_encoder import ToyEncoder
from tools.toy_judge import ToyJudge

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import Declaration, declarations, resolve
from medassay.metrics.declaration import KINDS
from medassay.metrics.registry import Pair
from medassay.models import ModelSetup, use_models
from medassay.models.concepts import Vocabulary
from medassay.scores import Name
from medassay.testing import of_metric as contract
from medassay.testing.of_metric import QUESTION, TEXTS
from medassay.text import split_sentences

# Whether answer and reference can change places is declared; these are ours that can.
SYMMETRIC = frozenset(one.name for one in declarations() if one.symmetric)
CAN: frozenset[str] = frozenset(
    {
        "bertscore_f1",
        "concept_f1",
        "embedding_similarity",
        "minilm_match_f1",
        "rouge1",
        "rouge2",
        "rougeL",
    }
)
# Choices that a name must make and that the test of symmetry takes.
ALSO: Mapping[str, str] = {
    "bertscore_f1": ",model=distilbert-base-uncased,layer=4",
    "medcon": ",rule=compat",
}
NOT_SYMMETRIC: Mapping[str, str] = {
    "alignscore": "holds the answer against the reference, not the other way",
    "average_precision": "reads no text",
    "bertscore_precision": "asks of the answer's pieces only",
    "bertscore_recall": "asks of the reference's pieces only",
    "bleu": "precision with a penalty for short answers only",
    "bpref": "reads no text",
    "citation_f1": "reads no reference text",
    "citation_precision": "reads no reference text",
    "citation_recall": "reads no reference text",
    "chain_completeness": "reads no reference",
    "citation_support": "holds statements against sentences",
    "coherence": "reads no reference",
    "concept_coverage": "reads no reference",
    "context_coverage": "reads no reference",
    "context_relevance": "reads no reference",
    "contradiction": "holds statements against sentences",
    "danger_flag": "reads no reference",
    "evidence_utilisation": "reads no reference",
    "exact_match": "reads no reference",
    "faithfulness": "holds statements against sentences",
    "hallucination": "holds statements against sentences",
    "judged": "reads no text",
    "length": "reads no reference",
    "lexical_support": "asks of the statement's words only",
    "medcon": "counts the reference's terms, not its concepts",
    "minilm_match_precision": "asks of the answer's pieces only",
    "minilm_match_recall": "asks of the reference's pieces only",
    "ndcg": "reads no text",
    "over_limit": "reads no reference",
    "precision": "reads no text",
    "precision_returned": "reads no text",
    "r_precision": "reads no text",
    "recall": "reads no text",
    "reciprocal_rank": "reads no text",
    "rougeLsum": "unites matches over the lines of the reference",
    "sari": "counts what the answer adds to the source and deletes from it",
    "semantic_accuracy": "reads no reference text",
    "success": "reads no text",
    "text_match": "passes over a reference without a word, and counts such an answer as wrong",
}


class Matcher:
    """Stands for QuickUMLS: every word is a term, and two words mean the same."""

    def match(self, text: str, *, ignore_syntax: bool) -> list[list[dict[str, object]]]:
        assert ignore_syntax
        cui = {"eased": "pain"}
        return [[{"term": word, "cui": cui.get(word, word)}] for word in text.split()]


VOCABULARY = Vocabulary(
    ["pain", "pain eased", "one", "العلة"], [0, 1, 2, 2], [("P", "pain"), ("E", "e"), ("O", "one")]
)


def every_variant() -> dict[str, Declaration]:
    """Give each metric with every value of every choice (3 for a cut-off), one change at a time."""
    names: dict[str, Declaration] = {}
    for declared in declarations():
        start = {p.name: p.default or next(iter(p.values), "4") for p in declared.parameters}
        changes = [{p.name: value} for p in declared.parameters for value in p.values]
        for change in [{}, *changes]:
            cut = 3 if declared.takes_k else None
            names[str(Name.of(declared.name, cut, **{**start, **change}))] = declared
    return names


VARIANTS = every_variant()
READING = [name for name, declared in VARIANTS.items() if declared.if_empty is not None]
"""Those that read the answer's text."""
POOLED = [name for name, declared in VARIANTS.items() if declared.pool is not None]


@pytest.fixture(autouse=True, scope="module")
def toy_models() -> Iterator[None]:
    """Put a toy in place of each model: what is tested here is what no model may change."""
    toy = ToyEncoder()
    given: dict[str, object] = {"minilm": toy, "distilbert-base-uncased": toy}
    given |= {"quickumls": Matcher(), "concepts": VOCABULARY}
    given |= {"AlignScore-base": ToyAligner(), "punkt": split_sentences, "nli": ToyJudge()}
    with use_models(ModelSetup(given=given)):
        yield


HARD = ["", " ", "\n", "one", "😀", "👩‍⚕️ 🩺", "السلام عليكم", "שלום 12", "e\u0301", "\x00", "|1,2|"]
texts = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=60),
    st.sampled_from(HARD),
    st.lists(st.sampled_from(["the", "pain", "eased", "\n", "12"]), max_size=12).map(" ".join),
)
filled = texts.filter(str.strip)


def build(given: tuple[str, str, str]) -> Pair:
    return contract.made_pair(*given)


pairs = st.tuples(texts, filled, filled).map(build)
Drawn = TypeVar("Drawn")


def drawn(strategy: st.SearchStrategy[Drawn], count: int) -> Sequence[Drawn]:
    """Draw examples once, for every metric: to draw them takes longer than to score them."""
    found: list[Drawn] = []

    @settings(max_examples=count, deadline=None, database=None, phases=[Phase.generate])
    @given(strategy)
    def draw(one: Drawn) -> None:
        found.append(one)

    draw()
    assert len(found) >= count
    return found


@cache
def batches() -> Sequence[tuple[list[Pair], Sequence[int]]]:
    orders = st.lists(pairs, min_size=1, max_size=5).flatmap(
        lambda batch: st.tuples(st.just(batch), st.permutations(range(len(batch))))
    )
    return drawn(orders, 15)


@cache
def pairs_and_texts() -> Sequence[tuple[Pair, str]]:
    return drawn(st.tuples(pairs, texts), 15)


def test_ours_declare_what_is_known_of_their_symmetry() -> None:
    declared = {declaration.name for declaration in declarations()}
    assert declared >= CAN | NOT_SYMMETRIC.keys()
    assert SYMMETRIC >= CAN
    assert not SYMMETRIC & NOT_SYMMETRIC.keys()


@pytest.mark.parametrize("name", VARIANTS)
def test_the_declaration_tells_all(name: str) -> None:
    contract.declaration_tells_all(resolve(name))


@pytest.mark.parametrize("name", VARIANTS)
def test_scores_are_in_range_and_know_no_neighbours(name: str) -> None:
    for batch, order in batches():
        contract.scores_hold(resolve(name), batch, order)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_key_covers_all_that_is_read(name: str) -> None:
    for pair, text in pairs_and_texts():
        contract.key_covers_all(resolve(name), pair, text)


@pytest.mark.parametrize("name", READING)
def test_an_empty_answer_is_worth_what_is_declared(name: str) -> None:
    for ((case, _), _), blank in zip(pairs_and_texts(), cycle(["", " ", "\n\t"]), strict=False):
        contract.empty_is_as_declared(resolve(name), case, blank)


@pytest.mark.parametrize("name", VARIANTS)
def test_an_answer_whose_text_is_not_held_has_no_value_of_a_text(name: str) -> None:
    for pair, text in pairs_and_texts():
        if text.strip():
            contract.text_not_held_is_none(resolve(name), pair, text)


@pytest.mark.parametrize("name", VARIANTS)
def test_silence_is_worth_what_is_declared(name: str) -> None:
    for (case, _), _ in pairs_and_texts():
        contract.silence_is_as_declared(resolve(name), case)


@pytest.mark.parametrize("name", POOLED)
def test_pooled_values_are_in_range(name: str) -> None:
    for batch, _ in batches():
        contract.pooled_is_in_range(resolve(name), batch)


def test_every_kind_of_odd_text_has_a_sample() -> None:
    assert tuple(TEXTS) == KINDS
    for declared in declarations():
        assert declared.odd.keys() <= set(KINDS)
        assert not declared.odd or declared.if_empty is not None


@pytest.mark.parametrize("name", READING)
def test_odd_texts_come_out_as_declared(name: str) -> None:
    """Not failed, not by accident: each kind has the outcome that `metrics explain` says."""
    reference = "Yes. He should rest at home until the pain is gone, and drink water."
    case, answer = build(("", reference, "He should rest at home with his pain."))
    case = case.model_copy(update={"question": QUESTION})
    contract.odd_texts_are_as_declared(resolve(name), case, answer)


@pytest.mark.parametrize("name", VARIANTS)
def test_texts_of_any_script_are_read_or_refused(name: str) -> None:
    """Not 0 for the right answer in Chinese, not 1 for the opposite in Arabic."""
    contract.scripts_are_read_or_refused(resolve(name))


@settings(max_examples=100, deadline=None)
@given(first=filled, second=filled)
@pytest.mark.parametrize("name", sorted(SYMMETRIC))
def test_symmetric_metrics_are(name: str, first: str, second: str) -> None:
    metric = resolve(f"{name}(ref=human{ALSO.get(name, '')})")
    contract.swapped_is_the_same(metric, first, second)


@pytest.mark.parametrize(
    ("name", "answer", "reference"),
    [
        ("bleu", "a b c d", "a b c d e"),
        ("rougeLsum", "a a", "a\na"),
        ("medcon", "pain", "pain eased"),
    ],
)
def test_the_others_are_not(name: str, answer: str, reference: str) -> None:
    metric = resolve(f"{name}(ref=human{ALSO.get(name, '')})")
    found = []
    for text, target in ((answer, reference), (reference, answer)):
        case = Case.model_validate({"case": "1", "references": [{"text": target}]})
        found.append(metric.score_batch([(case, Answer(system="S", case="1", text=text))])[0])
    assert found[0] != found[1]
