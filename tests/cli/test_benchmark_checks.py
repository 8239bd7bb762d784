"""Benchmarks are looked at before use: cases, criteria and labels."""

import csv
import json
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import pytest
from tests.report.prose.test_found import NUMBER, printed

from medassay.analyses import run_study
from medassay.analyses.builtin import benchmark_checks as checks
from medassay.analyses.builtin.benchmark_checks import benchmark_checks
from medassay.cases import Case, Cases, near
from medassay.exhibits.claim import ReaderQuestion
from medassay.exhibits.names import Names
from medassay.judgements import Judgements, load_rubric
from medassay.report import findings
from medassay.study import Study, open_run
from medassay.validity import LabelCopy, find_copies
from medassay.validity.label_copies import read_copy

Command = Callable[..., Any]
ASKED = [
    "How much paracetamol may an adult take in one day if the liver is healthy?",
    "how much paracetamol may an adult take in one day, if the liver is healthy",
    "Is a rash after amoxicillin always a sign of an allergy in children?",
    "Which vaccines does a person of 70 need before the winter begins?",
]


def study(folder: Path, model: list[str], *, tags: bool = False, texts: str = "full") -> Path:
    """Make a study in which anna rates 16 answers, and a model gives the labels of the list."""
    (folder / "answers").mkdir(parents=True)
    settings = (
        f'schema = 1\ntitle = "Looked at"\n[protocol]\nname = "ratings"\n'
        f'[privacy]\ntexts = "{texts}"\n'
    )
    settings += '[ranking]\nclusters = "topic"\n' if tags else ""
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    cases = [
        {"case": f"c{k}", "question": asked, **({"tags": {"topic": str(k // 2)}} if tags else {})}
        for k, asked in enumerate(ASKED)
    ]
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)) + "\n", encoding="utf-8")
    keys = [(system, case["case"]) for system in "ABCD" for case in cases]
    for system in "ABCD":
        lines = [json.dumps({"case": case["case"], "text": f"See {system}."}) for case in cases]
        (folder / "answers" / f"{system}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    rows = [["anna", "person", *key, "quality", str(1 + k % 3)] for k, key in enumerate(keys)]
    rows += [["gpt", "model", *key, "quality", said] for key, said in zip(keys, model, strict=True)]
    header = ["rater", "rater_kind", "system", "case", "dimension", "label"]
    with (folder / "judgements.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return folder


COPY = [str(1 + k % 3) for k in range(16)]
OTHER = [*COPY[:-1], "5"]


def test_check_and_report_say_so(tmp_path: Path, medassay: Command) -> None:
    folder = study(tmp_path / "study", COPY)
    said = medassay("check", folder)
    assert said.code == 0
    labels = (
        "Check whether a person gave the labels of anna on Overall quality: all 16 equal those of "
        "the model gpt. By chance it happens in about 19 of 100 such files (raters who agree on 9 "
        "of 10 answers)."
    )
    assert labels in " ".join(said.out.split())
    near = (
        "2 of 4 cases ask nearly the same question as another case (1 pair, 1 with the same words)."
    )
    assert near in " ".join(said.out.split())
    told = json.loads(medassay("check", folder, "--json").out)["benchmark"]
    assert len(told) == 2
    results, _ = run_study(open_run(folder))
    of = {one.id: one for one in findings(results)}
    assert of["copied-labels"].answers is ReaderQuestion.WHOSE
    assert near in of["near-equal-cases"].text
    assert of["near-equal-cases"].text.endswith(
        "Each is counted separately. Leave one of each out, or give both one cluster tag."
    )


def test_near_equal_cases_are_one_cluster_where_the_study_says_so(tmp_path: Path) -> None:
    for texts in ("full", "ids", "none"):
        folder = study(tmp_path / texts, OTHER, texts=texts)
        assert Study.open(folder).clusters == {}
        with (folder / "study.toml").open("a", encoding="utf-8") as settings:
            settings.write('[ranking]\nclusters = "near-equal"\n')
        joined = Study.open(folder).clusters
        assert len(joined) == 2
        assert len(set(joined.values())) == 1
    results, _ = run_study(open_run(tmp_path / "full"))
    of = {one.id: one for one in findings(results)}
    assert of["near-equal-cases"].text.endswith("treat each group of them as one cluster.")
    tagged = study(tmp_path / "tagged", OTHER, tags=True)
    cases = tagged / "cases.jsonl"
    apart = [json.loads(line) for line in cases.read_text("utf-8").splitlines()]
    rows = [{**case, "tags": {"topic": case["case"]}} for case in apart]
    cases.write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    assert len(set(Study.open(tagged).clusters.values())) == len(ASKED)
    results, _ = run_study(open_run(tagged))
    of = {one.id: one for one in findings(results)}
    assert "Each is counted separately" in of["near-equal-cases"].text


def test_other_labels_and_declared_clusters_are_no_fault(tmp_path: Path) -> None:
    results, _ = run_study(open_run(study(tmp_path / "study", OTHER, tags=True)))
    of = {one.id: one for one in findings(results)}
    assert "copied-labels" not in of
    assert "counted separately" not in of["near-equal-cases"].text


def test_no_case_is_named_where_ids_are_kept(tmp_path: Path) -> None:
    folder = study(tmp_path / "study", OTHER, texts="none")
    results, _ = run_study(open_run(folder))
    record = results.analyses.of(benchmark_checks)
    assert record is not None
    assert [pair.first in {"c0", "c1"} for pair in record.cases] == [False]


@pytest.mark.parametrize(
    ("text", "points", "says"),
    [
        ("Fails to advise a visit to the emergency department", 5, "a fault"),
        ("The response incorrectly states that ibuprofen is safe", 3, "a fault"),
        ("Correctly names the dose", -4, "what is right"),
        ("Avoids naming a diagnosis", -2, "what is right"),
        ("Fails to advise a visit to the emergency department", -5, None),
        ("Does not recommend antibiotics", 5, None),
        ("Does not mention red flags", -5, None),
        ("Advises the person not to fail to come back", 5, None),
    ],
)
def test_words_are_held_against_the_sign_of_points(
    text: str, points: float, says: str | None
) -> None:
    from medassay.analyses.builtin.benchmark_checks import _odd_criteria

    case = Case.model_validate(
        {"case": "1", "question": "Why?", "criteria": [{"id": "a", "text": text, "points": points}]}
    )
    assert [odd.says for odd in _odd_criteria(case)] == ([says] if says else [])


def test_one_question_of_many_texts_is_no_near_equal_case() -> None:
    from medassay.analyses.builtin.benchmark_checks import _near_cases

    words = [f"the trial number {k} found {k * 7} of {k * 11} persons" for k in range(40)]
    of_texts = Cases.of(
        Case.model_validate({"case": str(k), "question": "What was found?", "narrative": text})
        for k, text in enumerate([*words, words[3]])
    )
    [pair], at_least = _near_cases(of_texts, {})
    assert not at_least
    assert (pair.first, pair.second, pair.same) == ("3", "40", True)
    of_one_text = Cases.of(
        Case.model_validate({"case": str(k), "question": f"What is {k}?", "narrative": words[0]})
        for k in range(9)
    )
    assert _near_cases(of_one_text, {}) == ((), False)


def test_where_cases_are_too_many_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = Cases.of(
        Case.model_validate({"case": str(k), "question": "What was found?"}) for k in range(4)
    )
    nobody = Judgements.from_rows([], load_rubric("likert5"))

    def said() -> list[str]:
        found = checks.checks_of(cases, {}, nobody, frozenset(), {})
        return [one.text for one in checks.benchmark_words(found, Names())]

    assert said()[0].startswith(
        "4 of 4 cases ask nearly the same question as another case (6 pairs"
    )
    monkeypatch.setattr(near, "MOST_CASES", 4)
    assert said()[0].startswith("4 of 4 cases ask")  # as many as may be compared, and no more
    for module in (near, checks):
        monkeypatch.setattr(module, "MOST_CASES", 3)
    monkeypatch.setattr(near, "_texts", None)  # nor are their texts put together in memory
    assert said() == ["Near-equal cases were not looked for: there are more than 3 cases."]


NEAR = tuple(checks.NearCases(f"a{k}", f"b{k}", 0.9, k < 23, together=False) for k in range(37))
ODD = tuple(checks.OddCriterion("a", f"c{k}", 2, "a fault") for k in range(41))
COPIES = tuple(LabelCopy("anna", "gpt", "", f"d{k}", 16 + k, 5) for k in range(7))


@pytest.mark.parametrize(
    "found",
    [
        checks.BenchmarkChecks(
            NEAR, 83, at_least=False, criteria=ODD, of_criteria=97, copies=COPIES
        ),
        checks.BenchmarkChecks(NEAR, 83, at_least=True, criteria=(), of_criteria=0, copies=()),
        checks.BenchmarkChecks((), 83, at_least=True, criteria=(), of_criteria=0, copies=()),
        checks.BenchmarkChecks(
            (), 83, at_least=False, criteria=(), of_criteria=0,
            copies=(LabelCopy("anna", "", "judge", "d", 90, 5),),
        ),
    ],
)  # fmt: skip
def test_every_number_of_a_sentence_is_in_its_table(found: checks.BenchmarkChecks) -> None:
    names = Names()
    tables = {table.id: printed(table) for table in checks._tables(found, names)}
    for said in checks.benchmark_words(found, names):
        told = " ".join(tables[name] for name in said.basis)
        assert set(NUMBER.findall(said.text)) <= set(NUMBER.findall(told)), (said.text, told)


def test_labels_that_stand_for_scores_are_a_copy() -> None:
    said: dict[Hashable, Hashable] = {k: "abc"[k % 3] for k in range(12)}
    scores: dict[Hashable, Hashable] = {k: (k % 3) / 2 for k in range(12)}
    [copy] = find_copies({"anna": said}, {"judge": scores}, "quality", "scores")
    assert (copy.source, copy.answers, copy.labels) == ("judge", 12, 3)
    assert find_copies({"anna": said}, {"judge": scores | {3: 0.7}}, "quality", "scores") == []


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("ab" * 4, "ab" * 4),  # eight are too few
        ("a" * 30, "a" * 30),  # one label tells nothing
        ("ab" * 10, "ab" * 9 + "aa"),
        ("a" * 11 + "b", "a" * 11 + "b"),  # chance makes that often
    ],
)
def test_few_or_one_sided_labels_are_no_copy(mine: str, theirs: str) -> None:
    assert read_copy(dict(enumerate(mine)), dict(enumerate(theirs)), equal=True) is None
