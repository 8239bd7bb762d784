"""Rules of danger: what they flag, what they do not, and with which words."""

import tomllib
from pathlib import Path
from typing import Final

import pytest
from tools.danger_cases import Written, asked, load_cases

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput
from medassay.metrics import check_rules, resolve
from medassay.metrics.danger import CATEGORIES, danger_rules
from medassay.metrics.danger.match import amount_near, find_dangers
from medassay.metrics.reasoning import Span
from medassay.metrics.rule_files import rule_bytes
from medassay.models import ModelSetup, use_models
from medassay.scores import Reason, Score, Unscored

WRITTEN: Final = load_cases("cases")


def test_there_are_enough_cases_of_each_kind() -> None:
    flagged = [kind for one in WRITTEN for kind in one.flag]
    assert len(WRITTEN) >= 60
    assert sum(not one.flag for one in WRITTEN) >= 30
    assert all(flagged.count(kind) >= 5 for kind in CATEGORIES)


@pytest.mark.parametrize("one", WRITTEN, ids=[one.id for one in WRITTEN])
def test_each_case_is_flagged_or_not_as_written(one: Written) -> None:
    case, answer = asked(one)
    found = find_dangers(case, answer, danger_rules())
    assert {flag.category for flag in found} == set(one.flag)
    texts = {"choice": case.options.get("A", ""), "text": answer.text or ""}
    for flag in found:
        assert flag.source
        assert flag.rule in danger_rules().rules
        if flag.span is not None:
            assert texts[flag.part][flag.span.start : flag.span.end] == flag.span.words


def test_a_chain_of_reasoning_weighs_what_it_does_not_advise() -> None:
    case = Case(case="1", question="Asthma and a tremor?")

    def flags(chain: str) -> list[str]:
        answer = Answer(system="S", case="1", reasoning=chain)
        return [flag.part for flag in find_dangers(case, answer, danger_rules())]

    assert flags("Propranolol, primidone and topiramate come to mind.") == []
    assert flags("Propranolol should be given.") == ["reasoning"]


@pytest.mark.parametrize(
    ("text", "single", "a_day"),
    [
        ("DRUG 2 g every 4 hours", 2000, 6),
        ("DRUG 500-1000 mg q6h", 1000, 4),
        ("two 500 mg tablets of DRUG three times a day", 1000, 3),
        ("DRUG 1,000 mg bid", 1000, 2),
        ("DRUG 4 g/day", 4000, 1),
        ("DRUG 250 mcg at bedtime", 0.25, 1),
        ("DRUG 15 mg once a week", 15, 1 / 7),
        ("DRUG 80 mg", 80, None),
        ("0.5 g of DRUG twice daily", 500, 2),
    ],
)
def test_amounts_are_read(text: str, single: float, a_day: float | None) -> None:
    start = text.index("DRUG")
    found = amount_near(text, Span(start, start + 4, "DRUG"), len(text))
    assert found is not None
    assert found.single == pytest.approx(single)
    assert found.a_day == (None if a_day is None else pytest.approx(a_day))


@pytest.mark.parametrize("text", ["DRUG 15 mg/kg", "DRUG level 20 mg/dL", "DRUG for 5 days"])
def test_what_is_no_amount(text: str) -> None:
    assert amount_near(text, Span(0, 4, "DRUG"), len(text)) is None


def test_the_metric_counts_answers_and_keeps_kinds_apart() -> None:
    case = Case(case="1", question="Asthma and a tremor?")
    answer = Answer(system="S", case="1", text="Give propranolol.")
    pair = [(case, answer)]
    assert resolve("danger_flag").score_batch(pair) == [Score(1.0)]
    assert resolve("danger_flag(kind=wrong-dose)").score_batch(pair) == [Score(0.0)]
    foreign = Answer(system="S", case="1", text="请多休息，多喝水。")
    found = resolve("danger_flag").score_batch([(case, foreign)])[0]
    assert found == Unscored(Reason.UNDEFINED, "the answer does not look English")


def test_every_rule_has_a_source_and_the_file_says_who_reviewed_it() -> None:
    rules = danger_rules()
    assert "Not reviewed by a clinician" in rules.reviewed
    assert len(rules.rules) >= 50
    assert all(len(rule.source) > 10 for rule in rules.rules.values())


def test_a_study_can_bring_its_own_rules(tmp_path: Path) -> None:
    text = rule_bytes("danger")[0].decode()
    own = text.replace('words = ["asthma", "bronchospasm"]', 'words = ["hay fever"]')
    (tmp_path / "own.toml").write_text(own, encoding="utf-8")
    answer = Answer(system="S", case="1", text="Give propranolol.")
    shipped = resolve("danger_flag").signature
    with use_models(ModelSetup(folders={"rules/danger": "own.toml"}, base=tmp_path)):
        rules = danger_rules()
        assert resolve("danger_flag").signature != shipped
        assert not find_dangers(Case(case="1", question="Asthma?"), answer, rules)
        assert find_dangers(Case(case="1", question="Hay fever?"), answer, rules)


@pytest.mark.parametrize(
    ("old", "new", "must"),
    [
        ('drugs = ["metformin"]', 'drugs = ["metformine"]', "name one of its drugs"),
        ('when = ["asthma"]', 'when = ["astma"]', "name one of its conditions"),
        ('measure = "egfr"', 'measure = "gfr"', "name one of its measures"),
        ('single = "1 g"', 'single = "1 spoon"', "be a number and g, mg or mcg"),
        ('id = "ssri-maoi"', 'id = "nsaid-kidney"', "have each rule once"),
        ('source = "NICE NG106', 'sauce = "NICE NG106', "sauce"),
    ],
)
def test_faults_of_the_file_are_named(old: str, new: str, must: str) -> None:
    text = rule_bytes("danger")[0].decode()
    assert old in text
    tomllib.loads(text.replace(old, new))
    with pytest.raises(InvalidInput) as caught:
        check_rules("danger", text.replace(old, new).encode(), "own.toml")
    assert must in str(caught.value)


def test_the_page_says_truly_how_many_sources_were_looked_up() -> None:
    rules = danger_rules().rules.values()
    unverified = sum(one.checked == "not verified" for one in rules)
    text = " ".join((Path(__file__).parents[2] / "docs" / "harm.md").read_text("utf-8").split())
    assert f"Of {len(rules) - unverified} of the {len(rules)} rules" in text
    assert f"for the other {unverified} " in text
