"""Paragraphs and tables are parsed, and say the same to the digit, for every protocol."""

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter
from tests.report.ranked import rows_of, with_rows
from tests.report.tried import tried, with_tried
from tools.standard.shared import SharedRuns

from medassay.analyses import run_study
from medassay.analyses.builtin.accuracy import Accuracy
from medassay.analyses.builtin.calibration import Calibration
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.results import Results
from medassay.analyses.results.whole import Records
from medassay.exchange.environmental_health import import_environmental_health
from medassay.exchange.med_gpt import import_med_gpt
from medassay.report import read_results
from medassay.report.contents import tables_of
from medassay.report.names import Names
from medassay.report.privacy import guarded
from medassay.report.prose import SOFTWARE, Statement, found_statements, methods_statements
from medassay.report.store import report_json
from medassay.report.tables import Table
from medassay.study import new_study, open_run, protocol_names

NUMBER = re.compile(r"(?<![\w.])−?(?:\d[\d,]*)?\.?\d+(?!\w)")
# Limits of a method, and how many were compared or asked: of the design, not results.
DESIGN = re.compile(
    r"[Ww]ith under \d+ cases|the largest of \d+|, \d+ raters?\)|over \d+ of the words"
)
ROOT = Path(__file__).parents[3]
FASTER = "\n[run]\nreplicates = 100\n"
SCENARIOS = ("S1,NO2,asthma,Does it?", "S2,O3,death,Does that?")
RATINGS = ("S1,E1,2,5,High", "S1,E2,1,4,Medium", "S2,E1,0,3,Low", "S2,E2,1,3,Low")
RANKING = ("S1,1,a,0.9,1,{0}", "S1,2,b,0.5,0,{0}", "S2,1,a,0.2,1,{0}")
CONFIDENCE = ("S1,High", "S2,Low")
SCORED = ("Why?,So.,phi,4,5", "How?,Thus.,phi,2,2", "Why?,Ask.,gemma,3,5", "How?,No.,gemma,1,2")
ODD = {
    "panel of one scenario": ("panel", "S1", "E"),
    "panel of one expert": ("panel", "S", "E1"),
    "panel of one scenario and one expert": ("panel", "S1", "E1"),
    "results of one question": ("results", "Why?", ""),
    "results of one model": ("results", "", "phi"),
    "results of one question and one model": ("results", "Why?", "phi"),
    "results of one question, one model and one rater": ("results of one", "Why?", "phi"),
    "ratings of one system": ("ratings", "", "A"),
    "ratings of one system on one case by one rater": ("ratings", "c1", "A"),
}
"""Of what kind, of which case, and of whom: the least that each protocol can be given."""


def printed(table: Table) -> str:
    """Give every word of a table as it is printed."""
    heads = [f"{column.group} {column.title} {column.axis or ''}" for column in table.columns]
    cells = [f"{cell.text} {cell.aside} {cell.detail}" for row in table.rows for cell in row.cells]
    about = [row.about for row in table.rows]
    return " ".join([table.title, table.caption, *heads, *about, *cells])


def as_percent(number: str) -> Iterable[str]:
    """Give what a printed share of 0 to 1 is in whole percent: a sentence may say either."""
    if re.fullmatch(r"0?\.\d+", number):
        yield f"{100 * float(number):.0f}"
    if re.fullmatch(r"1?\.0+", number):
        yield f"{100 * float(number):.0f}"


def without_names(text: str, results: Results) -> str:
    """Take names out: ROUGE-1 and precision@3 hold no number of the results."""
    names = Names(results)
    known = [*names.system.values(), *names.source.values(), *names.dimension.values()]
    known += [*names.system, *names.source]
    for name in sorted(known, key=len, reverse=True):
        text = text.replace(name, " ")
    return text


def third_party(results: Results, said: Iterable[Statement]) -> list[tuple[str, str]]:
    """Find numbers of sentences that are in no table named beside them."""
    tables = {table.id: table for table in tables_of(results)}
    found = []
    for one in said:
        assert one.basis, one.text
        told = " ".join(printed(tables[name]) for name in one.basis if name in tables)
        known = set(NUMBER.findall(told))
        known |= {number.lstrip("−") for number in known}
        known |= {percent for number in known for percent in as_percent(number)}
        numbers = NUMBER.findall(DESIGN.sub(" ", without_names(one.text, results)))
        found += [(number, one.text) for number in numbers if number not in known]
    return found


def write_lines(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def take_panel(folder: Path, files: Path, case: str, expert: str) -> None:
    """Take a panel of the scenarios and the experts whose names begin like these."""
    asked = [row for row in SCENARIOS if row.startswith(case)]
    rated = [row for row in RATINGS if row.startswith(case) and f",{expert}" in row]
    found = [row.format("E1") for row in RANKING if row.startswith(case)]
    sure = [row for row in CONFIDENCE if row.startswith(case)]
    head = "scenario_id,expert_id,factuality,interpretability,expert_confidence"
    write_lines(files / "a.csv", "scenario_id,pollutant,outcome,query", *asked)
    write_lines(files / "b.csv", head, *rated)
    head = "scenario_id,document_rank,document,similarity,relevance,expert_id"
    write_lines(files / "c.csv", head, *found)
    write_lines(files / "d.csv", "scenario_id,system_confidence", *sure)
    import_environmental_health(folder, [files])


def take_results(folder: Path, files: Path, case: str, model: str, *, raters: int) -> None:
    rows = [row for row in SCORED if row.startswith(case) and f",{model}" in row]
    head = ["question", "answer", "model", "human_score_an", "human_score_bo"][: 3 + raters]
    kept = [",".join(row.split(",")[: 3 + raters]) for row in (",".join(head), *rows)]
    import_med_gpt(folder, [write_lines(files / "results.csv", *kept)])


def write_ratings(folder: Path, case: str, system: str) -> None:
    """Keep of the invented study of the protocol `ratings` one system, and one case of it."""
    new_study(folder, "ratings", empty=True)
    cases = [case] if case else ["c1", "c2", "c3"]
    raters = ["r1"] if case else ["r1", "r2"]
    (folder / "answers").mkdir(exist_ok=True)
    write_lines(folder / "cases.jsonl", *(
        f'{{"case": "{one}", "question": "Why?", "references": [{{"text": "It is a cold."}}]}}'
        for one in cases))  # fmt: skip
    write_lines(folder / "answers" / f"{system}.jsonl", *(
        f'{{"case": "{one}", "text": "It is a cold {one}."}}' for one in cases))  # fmt: skip
    write_lines(folder / "judgements.csv", "rater,system,case,dimension,label", *(
        f"{rater},{system},{one},quality,{at + int(rater[1])}"
        for rater in raters for at, one in enumerate(cases)))  # fmt: skip


@pytest.fixture(scope="module", params=[*protocol_names(), *ODD])
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Run the invented example that each protocol comes with, and studies of hardly anything."""
    files = tmp_path_factory.mktemp("new")
    folder = tmp_path_factory.mktemp("ran") / "study"
    kind, case, whom = ODD.get(request.param, ("", "", ""))
    if kind == "panel":
        take_panel(folder, files, case, whom)
    elif kind == "ratings":
        write_ratings(folder, case, whom)
    elif kind:
        take_results(folder, files, case, whom, raters=1 if kind.endswith("one") else 2)
    else:
        new_study(folder, request.param)
    settings = folder / "study.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + FASTER, encoding="utf-8")
    return run_study(open_run(folder))[0]


@pytest.mark.slow
def test_tables_of_a_report_that_is_read_back_are_the_same(ran: Results, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(report_json(ran))
    assert tables_of(read_results(path)) == tables_of(guarded(ran))


@pytest.mark.slow
def test_every_number_of_the_results_is_in_its_tables(ran: Results) -> None:
    said = found_statements(ran)
    assert said
    assert third_party(ran, said) == []


@pytest.mark.slow
def test_the_methods_cite_the_software_and_sign_every_metric(ran: Results) -> None:
    text = " ".join(one.text for one in methods_statements(ran))
    assert f"[{SOFTWARE.key}]" in text
    assert ran.run.name in text
    names = Names(ran)
    for source in ran.sources:
        if source.kind != "consensus":
            assert names.of_source(source.name) in text
    if ran.study.descriptive:
        assert "no interval, no test, no ranking" in text
        assert "seed" not in text


def test_a_number_that_no_table_holds_would_be_found(make_results: Callable[..., Results]) -> None:
    results = make_results(cases=8)
    wrong = Statement("Alder is ahead by 0.123 [0.012, 9.87].", ("leaderboard",))
    assert [number for number, _ in third_party(results, [wrong])] == ["0.123", "0.012", "9.87"]


def leader_of(results: Results) -> str:
    text = next(s.text for s in found_statements(results) if "leaderboard" in s.basis)
    found = re.match(r"(\w+) (?:scored highest|leads) on ", text)
    assert found is not None, text
    return found[1]


def turned(results: Results) -> Results:
    """Give each system's values the place at the other end of the order."""
    own = leaderboards_in(results.analyses).by(results.primary)
    ordered = sorted(own, key=lambda s: -(s.mean or 0.0))
    swapped = {
        row.system: replace(other, system=row.system)
        for row, other in zip(ordered, reversed(ordered), strict=True)
    }
    return with_rows(
        results,
        (swapped[row.system] if row.source == results.primary else row for row in rows_of(results)),
    )


def test_the_system_said_to_lead_has_the_best_mean_whichever_it_is(
    make_results: Callable[..., Results],
) -> None:
    plain = make_results(cases=8)
    leaders = []
    for results in (plain, turned(plain)):
        ranked = leaderboards_in(results.analyses).by(results.primary)
        own = [row for row in ranked if row.mean is not None]
        best = max(own, key=lambda s: s.mean or 0.0)
        leaders.append(leader_of(results))
        assert leaders[-1] == Names(results).of_system(best.system)
    assert leaders[0] != leaders[1]


def test_a_metric_is_said_to_rank_with_or_against_the_raters_as_its_tau_says(
    make_results: Callable[..., Results],
) -> None:
    plain = make_results(cases=8)
    for sign in (1, -1):
        found = [
            replace(c, tau=c.tau and sign * c.tau, pairs_alike=alike)
            for c in tried(plain)
            for alike in (c.pairs_alike if sign == 1 else c.pairs_reversed,)
        ]
        results = with_tried(plain, found)
        text = next(s.text for s in found_statements(results) if s.basis[0] == "tau")
        taus = re.search(r"\(tau ([^)]*?)(?: each)?(?:; |\))", text)
        assert taus is not None, text
        positive = [not one.startswith("−") for one in re.split(r", | and ", taus[1])]
        told = re.search(r" (\d+) of 15 pairs of systems as the raters do", text)
        assert told is not None, text
        assert (int(told[1]) > 15 / 2) == any(positive)


def test_the_software_is_cited_in_the_words_of_its_citation_file() -> None:
    told = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    fields = dict(re.findall(r'(?m)^(title|version|license): "?([^"\n]+?)"?$', told))
    authors = re.findall(r"(?m)^  - name: (.+)$", told)
    for part in (*fields.values(), *authors):
        assert part in SOFTWARE.text
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] in SOFTWARE.text


def calibrated(make_results: Callable[..., Results], **numbers: Any) -> Results:  # noqa: ANN401 - plain data that pydantic checks
    around = {"low": 0.1, "high": 0.3, "level": 0.95, "method": "m", "estimand": "e"}
    groups = [
        {"tag": "", "value": "", "system": "a1", "policy": policy, "right": 60, "n": 100}
        | {"no_choice": 3, "never_answered": 0, "share": 0.6, "interval": around}
        for policy in ("wrong", "first")
    ]
    chosen = TypeAdapter(Accuracy).validate_python(
        {"groups": groups, "pairs": [], "tags_left_out": []}
    )
    calibration = {"system": "a1", "n": 97, "without": 3, "few": True, "brier": 0.21}
    calibration |= {"brier_interval": around, "ece_interval": around, "ece": 0.12, "mce": 0.3}
    calibration |= {"gap": 0.2, "gap_interval": around, "gap_p": 0.04}
    calibration |= dict.fromkeys(("reliability", "resolution", "uncertainty", "within"), 0.1)
    calibration |= dict.fromkeys(
        ("ece_binary_edges", "ece_equal_mass", "ece_debiased", "auroc", "risk_area"), 0.2
    )
    calibration |= {"risk_area_best": 0.1, "bins": [], "coverage": [], "risk": []}
    calibration |= {"recalibrated": [], "a_bin_lower": 0, "in_no_bin": 0, **numbers}
    measured = TypeAdapter(Calibration).validate_python({"systems": [calibration]})
    return make_results(cases=8, analyses=Records({"accuracy": chosen, "calibration": measured}))


@pytest.mark.parametrize(
    ("gap", "low", "high", "words"),
    [
        (0.2, 0.1, 0.3, "The confidence of Alder overstates accuracy by 0.200 on average"),
        (-0.2, -0.3, -0.1, "The confidence of Alder understates accuracy by 0.200 on average"),
        (
            0.1,
            -0.1,
            0.3,
            "Whether the confidence of Alder over- or understates accuracy is undecided",
        ),
    ],
)
def test_confidence_is_said_to_overstate_only_where_the_interval_of_the_gap_says_so(
    make_results: Callable[..., Results], gap: float, low: float, high: float, words: str
) -> None:
    around = {"low": low, "high": high, "level": 0.95, "method": "m", "estimand": "e"}
    ways = [{"method": "temperature", "folds": 10, "brier": 0.2, "ece": 0.045}]
    results = calibrated(
        make_results, confidence=0.6 + gap, accuracy=0.6, gap=gap, gap_interval=around,
        recalibrated=ways,
    )  # fmt: skip
    said = found_statements(results)
    [text] = [one.text for one in said if "calibration-recalibrated" in one.basis]
    assert text.startswith(words)
    assert "Recalibrated by one temperature, it would be 0.045 (cross-validated)." in text
    assert "The 97 answers are fewer than about 300" in text
    own = [one for one in said if one.basis[0] in {"accuracy", "calibration"}]
    assert len(own) == 4
    assert third_party(results, own) == []


def test_sentences_have_their_intervals_in_round_brackets(standard_run: SharedRuns) -> None:
    told = [statement.text for statement in found_statements(standard_run("clinical").results)]
    assert any(re.search(r"accuracy of \S+ \(95% CI \S+ to \S+\) over", text) for text in told)
    assert not any(re.search(r"\[[−\d]", text) for text in told)
