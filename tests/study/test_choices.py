"""The clinical protocol on a sixteenth of MIRAGE: four real systems, choices only."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from tools.make_mirage_study import mirage_files

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.accuracy import accuracy
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.report import render
from medassay.report.privacy import guarded
from medassay.study import open_run
from medassay.tables import write_atomically

PREDICTIONS = Path(__file__).parents[1] / "data" / "mirage_mcq" / "predictions.csv"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("mirage")
    for name, content in mirage_files(PREDICTIONS).items():
        write_atomically(folder / name, content)
    return run_study(open_run(folder))[0]


def rows() -> list[dict[str, str]]:
    with PREDICTIONS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_accuracies_by_data_set_are_the_counts_of_the_file(results: Results) -> None:
    strict: Counter[tuple[str, str]] = Counter()
    first: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    for row in rows():
        for group in ("", row["dataset"]):
            key = (group, row["system"])
            total[key] += 1
            strict[key] += row["predicted"] == row["gold"]
            first[key] += (row["predicted"] or "A") == row["gold"]
    found = results.analyses.of(accuracy)
    assert found is not None
    counts = {"wrong": strict, "first": first}
    assert len(found.groups) == 2 * len(total) == 2 * 5 * 4
    for one in found.groups:
        key = (one.value, one.system)
        assert (one.right, one.n) == (counts[one.policy][key], total[key])
        assert one.interval is not None
        assert one.interval.method == "Wilson"
        assert one.interval.low < one.share < one.interval.high


@pytest.mark.slow
def test_the_two_policies_are_two_metrics_too(results: Results) -> None:
    found = results.analyses.of(accuracy)
    assert found is not None
    ranked = leaderboards_in(results.analyses).of_pair
    means = {pair: row.mean for pair, row in ranked.items()}
    for one in found.groups:
        if not one.tag:
            source = "exact_match" if one.policy == "wrong" else "exact_match(missing=first)"
            assert means[source, one.system] == pytest.approx(one.share, abs=1e-12)


@pytest.mark.slow
def test_pairs_count_the_questions_that_one_alone_has_right(results: Results) -> None:
    right = {(r["system"], r["dataset"], r["id"]): r["predicted"] == r["gold"] for r in rows()}
    questions = {(r["dataset"], r["id"]) for r in rows()}
    found = results.analyses.of(accuracy)
    assert found is not None
    strict = [one for one in found.pairs if one.policy == "wrong"]
    assert len(strict) == 6
    for one in strict:
        a = [right[one.system_a, *question] for question in questions]
        b = [right[one.system_b, *question] for question in questions]
        assert one.test.only_a == sum(x > y for x, y in zip(a, b, strict=True))
        assert one.test.only_b == sum(x < y for x, y in zip(a, b, strict=True))
        assert one.difference == pytest.approx((sum(a) - sum(b)) / len(questions))
        assert one.test.p <= one.p_adjusted <= 1


@pytest.mark.slow
def test_the_page_has_the_tables_and_the_picture(results: Results, tmp_path: Path) -> None:
    render(results, tmp_path, formats=("svg",))
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for name in ("accuracy", "mcnemar", "option-figures", "options", "option-confusion"):
        assert f'id="t-{name}"' in page
        assert (tmp_path / "tables" / f"{name}.csv").is_file()
    assert (tmp_path / "figures" / "confusion_matrix.svg").is_file()


def test_tags_stay_inside_where_texts_do(tmp_path: Path) -> None:
    for name, content in mirage_files(PREDICTIONS, every=20).items():
        write_atomically(tmp_path / name, content)
    results, _ = run_study(open_run(tmp_path, texts="ids"))
    found = guarded(results).analyses.of(accuracy)
    assert found is not None
    assert {row.tag for row in found.groups} == {""}
