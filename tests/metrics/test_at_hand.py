"""Which metrics what somebody has makes possible."""

import json

import pytest
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.metrics import AT_HAND, declarations, metrics_for


def names(have: str) -> set[str]:
    return {declared.name for _, declared in metrics_for(have)}


def test_each_thing_makes_what_is_known_of_it_possible() -> None:
    assert {"rouge1", "bleu", "medcon"} <= names("references")
    assert {"citation_f1", "citation_support"} <= names("evidence")
    assert {"faithfulness", "context_relevance"} <= names("contexts")
    assert {"recall", "ndcg"} <= names("grades")
    assert "exact_match" in names("options")
    assert "coherence" in names("reasoning")
    assert {"length", "danger_flag"} <= names("answers")


def test_nothing_that_needs_more_is_listed() -> None:
    assert not names("answers") & {"rouge1", "recall", "faithfulness", "exact_match"}
    assert not {name for name, _ in metrics_for("references")} & {"rouge1(ref=note)", "length"}
    reads = {name for name, declared in metrics_for("contexts") if declared.name == "faithfulness"}
    assert reads == {"faithfulness(against=retrieved)"}


def test_hardly_a_metric_is_in_no_list() -> None:
    listed = set().union(*map(names, AT_HAND))
    # It reads the chain and what was retrieved: two things at once.
    assert {declared.name for declared in declarations()} - listed == {"evidence_utilisation"}


def test_the_verb_lists_them_and_names_what_there_is() -> None:
    told = CliRunner().invoke(app, ["metrics", "list", "options"])
    assert "exact_match" in told.output
    assert "rouge1" not in told.output
    as_json = CliRunner().invoke(app, ["metrics", "list", "options", "--json"])
    assert {row["metric"] for row in json.loads(as_json.output)} == {
        "exact_match", "semantic_accuracy",
    }  # fmt: skip
    with pytest.raises(InvalidInput, match='Did you mean "references"'):
        metrics_for("reference")
