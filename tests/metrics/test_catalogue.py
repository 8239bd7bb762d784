import json

from medassay.metrics import catalogue, resolve


def test_the_catalogue_is_json_and_its_examples_resolve() -> None:
    entries = json.loads(json.dumps(catalogue()))
    assert [entry["name"] for entry in entries] == sorted(entry["name"] for entry in entries)
    for entry in entries:
        metric = resolve(entry["example"])
        assert str(metric.name) == entry["example"]
        assert metric.declaration.question == entry["question"]


def test_it_says_what_each_reference_needs() -> None:
    (bleu,) = (entry for entry in catalogue() if entry["name"] == "bleu")
    assert bleu["needs"] == [
        {"of": "case", "words": "reference of kind human", "when": "ref=human"},
        {"of": "case", "words": "question with essential evidence", "when": "ref=note"},
        {"of": "answer", "words": "text", "when": None},
    ]
    assert bleu["if_no_answer"] == 0
