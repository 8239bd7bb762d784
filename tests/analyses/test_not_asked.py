"""What counts answers leaves out those that nobody asked for, and counts those that are lost."""

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools.standard.asked import Pair, in_turn, write_asked
from typer.testing import CliRunner

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.accuracy import accuracies_of, pairs_of
from medassay.analyses.builtin.harm_by_system import harm_by_system
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.inputs.answer_choices import choices_of
from medassay.analyses.inputs.study_columns import consensus_of, ranking_cases
from medassay.analyses.inputs.system_boards import Leaderboards, mean_scores
from medassay.analyses.triage import triage_study
from medassay.analyses.versions import compare_versions
from medassay.answers import Answer, Answers, CasesPerSystem
from medassay.cases import Case, Cases
from medassay.cli.app import app
from medassay.judgements.campaign import Secret
from medassay.library import run_and_report
from medassay.metrics import score
from medassay.scores import Reason, ScoreTable
from medassay.study import RunOptions as Wanted
from medassay.study import Shard, Study, open_run, score_shard, score_study, take_in_shards
from medassay.web.viewer import Viewed
from medassay.web.viewer.chosen import ViewerFilter

METRICS = ("rouge1(ref=human)", "bleu(ref=human)")


def sampled(cases: int, systems: int, share: float, seed: int) -> list[Pair]:
    """Ask each system each case with this chance; every case of one system at least."""
    rng = np.random.default_rng(seed)
    asked = rng.random((systems, cases)) < share
    asked[rng.integers(systems, size=cases), np.arange(cases)] = True
    return [(f"s{i}", f"c{j:03}") for i, j in np.argwhere(asked).tolist()]


DESIGNS = {
    "six questions, one each": in_turn(6, 3, 1),
    "seven systems, 74 questions, one each": in_turn(74, 7, 1),
    "balanced, two of four": in_turn(12, 4, 2),
    "all but one": in_turn(10, 5, 4),
    "sampled": sampled(14, 4, 0.4, 1),
    "sampled thinly": sampled(20, 5, 0.1, 2),
    "one system alone was asked all": [*in_turn(8, 1, 1), ("s1", "c000"), ("s2", "c003")],
}


@dataclass(frozen=True)
class Done:
    """A study of perfect answers, and what its run found."""

    folder: Path
    pairs: list[Pair]
    results: Results

    def asked(self, system: str) -> int:
        return sum(name == system for name, _ in self.pairs)

    @property
    def boards(self) -> Leaderboards:
        boards = leaderboards_in(self.results.analyses)
        assert boards is not None
        return boards


@pytest.fixture(scope="module", params=DESIGNS)
def done(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Done:
    pairs = DESIGNS[request.param]
    folder = write_asked(tmp_path_factory.mktemp("asked") / "study", pairs)
    return Done(folder, pairs, run_study(open_run(folder))[0])


def test_perfect_answers_have_perfect_means_wherever_they_stand(done: Done) -> None:
    study = Study.open(done.folder)
    rows = mean_scores(study, score_study(study, open_run(done.folder).metrics))
    assert {(row.metric, row.system) for row in rows} == {
        (metric, system) for metric in METRICS for system in study.systems
    }
    for row in rows:
        assert row.mean == pytest.approx(1)
        assert (row.scored, row.unscored, row.why) == (done.asked(row.system), 0, "")


def test_no_board_counts_what_was_not_asked(done: Done) -> None:
    assert done.boards.standings
    for row in done.boards.standings:
        assert row.mean == pytest.approx(3 if "quality" in row.source else 1), row
        assert (row.n, row.missing, row.never_answered) == (done.asked(row.system), 0, 0), row
        assert row.not_asked == done.results.study.counts.cases - row.n
    own = {system: {c for s, c in done.pairs if s == system} for system, _ in done.pairs}
    for pair in done.boards.comparisons:
        assert pair.n == len(own[pair.system_a] & own[pair.system_b])


def test_harm_is_bounded_over_what_was_asked(done: Done) -> None:
    harm = done.results.analyses.of(harm_by_system)
    assert harm is not None
    assert {of.system: of.n for of in harm.systems if of.kind == "harmful"} == {
        system: done.asked(system) for system in {system for system, _ in done.pairs}
    }


def test_the_viewer_shows_the_answers_of_those_who_were_asked(done: Done) -> None:
    viewed, everything = Viewed.open(done.folder), ViewerFilter()
    lines = [viewed.line(place) for place in viewed.found(everything)]
    assert sorted((line.system, line.case) for line in lines) == sorted(done.pairs)
    for line in lines:
        case = viewed.case(line.case, everything)
        assert case is not None
        assert {(answer.system, line.case) for answer in case.answers} == {
            pair for pair in done.pairs if pair[1] == line.case
        }
        assert {answer.status for answer in case.answers} == {"given"}


def test_triage_queues_nothing_that_was_not_asked(done: Done, tmp_path: Path) -> None:
    pairs = done.pairs[::2]
    folder = tmp_path / "study"
    shutil.copytree(done.folder, folder)
    said = (folder / "judgements.csv").read_text(encoding="utf-8").splitlines()
    judged = {tuple(row.split(",")[1:3]) for row in said[1:]} - set(pairs)
    kept = [row for row in said[1:] if tuple(row.split(",")[1:3]) in judged]
    (folder / "judgements.csv").write_text("\n".join([said[0], *kept, ""]), encoding="utf-8")
    study = Study.open(folder)
    report = triage_study(study, [], count=999, secret=Secret.new(), dimension="quality")
    assert report.open == len(pairs)
    assert {(entry.system, entry.case) for entry in report.queue} == set(pairs)


@pytest.mark.parametrize("form", ["inspect", "mt-metrics-eval", "potato", "label-studio", "redcap"])
def test_no_export_misses_what_was_not_asked(tmp_path: Path, form: str) -> None:
    folder = write_asked(tmp_path / "study", DESIGNS["balanced, two of four"])
    into = str(tmp_path / "out")
    said = CliRunner().invoke(app, ["export", str(folder), "--to", form, "--into", into])
    assert said.exit_code == 0, said.output
    assert "never given" not in said.output
    assert "has no score" not in said.output


def test_nothing_printed_says_that_an_answer_is_missing(done: Done) -> None:
    counts = done.results.study.counts
    systems = {system for system, _ in done.pairs}
    assert counts.answers_missing == 0
    assert counts.answers_not_asked == len(systems) * counts.cases - len(done.pairs)
    assert {s.id: (s.missing, s.not_asked) for s in done.results.systems} == {
        system: (0, counts.cases - done.asked(system)) for system in systems
    }
    assert {(a.system, c.case) for c in done.results.cases for a in c.answers} <= set(done.pairs)
    assert not [s for s in done.results.sources if s.unscored]
    said = json.dumps(done.results.model_dump(mode="json"))
    assert "never answered" not in said
    assert "not judged" not in said


def test_a_system_is_what_it_would_be_in_a_study_of_its_own_cases(
    done: Done, tmp_path: Path
) -> None:
    """Dropping what was not asked gives the same: each system by itself was asked everything."""
    system = done.pairs[0][0]
    own = [pair for pair in done.pairs if pair[0] == system]
    alone = write_asked(tmp_path / "alone", own, said=False)
    boards = leaderboards_in(run_study(open_run(alone))[0].analyses)
    assert boards is not None
    for row in boards.standings:
        here = done.boards.of_pair[row.source, system]
        assert (here.mean, here.n, here.missing) == (row.mean, row.n, row.missing)
        assert here.interval == row.interval


VERBS = {
    "check": ["not asked"],
    "score": ["1.000"],
    "agree": ["quality"],
    "consensus": ["3.000"],
    "validity": [],
    "run": ["Report:"],
    "report": [],
}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_runs_on_a_design_of_one_each(tmp_path: Path, verb: str) -> None:
    folder = write_asked(tmp_path / "study", DESIGNS["seven systems, 74 questions, one each"])
    if verb == "report":
        CliRunner().invoke(app, ["run", str(folder)])
    said = CliRunner().invoke(app, [verb, str(folder)])
    assert said.exit_code == 0, said.output
    for words in VERBS[verb]:
        assert words in said.output
    assert "never answered" not in said.output
    assert "0.1" not in said.output or verb not in {"score", "consensus"}


def found(folder: Path) -> dict[str, Any]:
    whole = run_study(open_run(folder))[0].model_dump(mode="json")
    whole["study"].pop("asked")
    whole.pop("run")
    whole.pop("warnings")
    return whole


def test_a_list_of_everything_is_no_list(tmp_path: Path) -> None:
    everything = in_turn(6, 3, 3)
    said = write_asked(tmp_path / "said" / "study", everything)
    silent = write_asked(tmp_path / "silent" / "study", everything, said=False)
    assert found(said) == found(silent)


def scored_columns(folder: Path) -> ScoreTable:
    return consensus_of(Study.open(folder))


def test_a_case_ranks_where_all_who_were_asked_were_judged(tmp_path: Path) -> None:
    pairs = DESIGNS["balanced, two of four"]
    folder = write_asked(tmp_path / "study", pairs)
    said = (folder / "judgements.csv").read_text(encoding="utf-8").splitlines()
    kept = [row for row in said if f"{pairs[0][0]},{pairs[0][1]}," not in row]
    (folder / "judgements.csv").write_text("\n".join([*kept, ""]), encoding="utf-8")
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[ranking]\ncases = "judged-everywhere"\n')
    study = Study.open(folder)
    assert ranking_cases(study) == study.cases.ids[1:]


@pytest.mark.parametrize("design", ["balanced, two of four", "sampled", "six questions, one each"])
def test_an_answer_that_was_asked_for_and_never_came_counts(tmp_path: Path, design: str) -> None:
    pairs = DESIGNS[design]
    system, case = pairs[0]
    folder = write_asked(tmp_path / "study", pairs, never_given=[(system, case)])
    results, scored = run_study(open_run(folder))
    boards = leaderboards_in(results.analyses)
    assert boards is not None
    n = sum(name == system for name, _ in pairs)
    row = boards.of_pair[METRICS[0], system]
    assert row.mean == pytest.approx((n - 1) / n)
    assert (row.n, row.missing, row.never_answered) == (n, 0, 1)
    assert row.mean_given == pytest.approx(1) or n == 1
    rated = boards.of_pair["mean(dimension=quality)", system]
    others = {name for name, of in pairs if of == case} - {system}
    assert (rated.n, rated.missing) == (n - 1, 1 if others else 0)
    assert results.study.counts.answers_missing == 1
    joined = [name for name in scored_columns(folder).sources if name.startswith("mean(")]
    for name in joined:
        assert scored_columns(folder).reasons(name) == {Reason.NEVER_ANSWERED: 1}
    rows = scored.table.select(METRICS[0])
    assert {(s, c) for s, c in rows.select("system", "case").iter_rows()} == set(pairs)


def test_shards_and_kept_scores_are_of_what_was_asked(tmp_path: Path) -> None:
    pairs = DESIGNS["sampled"]
    folder = write_asked(tmp_path / "study", pairs, never_given=pairs[:1])
    for number in (1, 2):
        score_shard(folder, Shard(number, 2), Wanted())
    wanted = take_in_shards(folder)
    joined = run_and_report(folder, **wanted.model_dump())
    assert (joined.computed, joined.reused) == (0, 2 * (len(pairs) - 1))
    # What a system was asked changes no kept score, and what counts is another run.
    other = next(f"s{i}" for i in range(4) if (f"s{i}", "c000") not in pairs)
    with (folder / "asked.csv").open("a", encoding="utf-8") as file:
        file.write(f"c000,{other}\n")
    again = run_and_report(folder)
    assert (again.computed, again.folder == joined.folder) == (0, False)


def test_scores_in_memory_have_a_row_for_what_was_asked() -> None:
    cases = Cases.of([Case(case=c, references=[{"text": "Rest at home."}]) for c in "123"])
    given = Answers.of(
        [Answer(system="A", case="1", text="Rest at home.")],
        CasesPerSystem.in_pairs([("A", "1"), ("A", "2")]),
    )
    table = score(cases, given, ["rouge1(ref=human)"])
    assert table.frame.select("case", "value").rows() == [("1", 1.0), ("2", 0.0)]
    grid = table.grid("rouge1(ref=human)", ["A"], "123", given.asked.mask(["A"], "123"))
    assert (grid.known.tolist(), grid.missing.tolist()) == ([[True, True, False]], [[False] * 3])


def chosen(pairs: Iterable[Pair], lost: Iterable[Pair] = ()) -> Answers:
    asked, gone = list(pairs), set(lost)
    given = [Answer(system=s, case=c, choice="A") for s, c in asked if (s, c) not in gone]
    return Answers.of(given, CasesPerSystem.in_pairs(asked))


def test_right_options_are_counted_over_what_was_asked() -> None:
    cases = Cases.of([Case(case=c, options={"A": "Yes", "B": "No"}, gold="A") for c in "1234"])
    answers = chosen([("s", "1"), ("s", "2"), ("t", "2"), ("t", "3"), ("u", "4")], [("t", "3")])
    choices = choices_of(cases, answers, answers.systems)
    rows = [row for row in accuracies_of(choices) if row.policy == "wrong"]
    assert [(row.system, row.right, row.n, row.never_answered) for row in rows] == [
        ("s", 2, 2, 0),
        ("t", 1, 2, 1),
        ("u", 1, 1, 0),
    ]
    # Only two of them were asked a question that is the same.
    assert [(p.system_a, p.system_b, p.n) for p in pairs_of(choices) if p.policy == "wrong"] == [
        ("s", "t", 1)
    ]


def test_a_gate_takes_nothing_for_lost_that_was_not_asked_again(tmp_path: Path) -> None:
    old = write_asked(tmp_path / "old", in_turn(12, 2, 2), said=False)
    new = write_asked(tmp_path / "new", [*in_turn(12, 2, 2)][:-6] + in_turn(12, 2, 2)[-6::2])
    compared = compare_versions(str(old), str(new), metrics=[METRICS[0]])
    [result] = compared.results
    assert [(row.n, row.lost) for row in result.systems] == [(12, 0), (9, 0)]
    assert not result.flips
    assert any(
        warning.startswith(f"3 answers were not asked of {new} again (asked.csv)")
        for warning in compared.warnings
    )
    # Asked again and never given, they are lost as ever.
    lost = write_asked(tmp_path / "lost", in_turn(12, 2, 2), never_given=in_turn(12, 2, 2)[-3:])
    [result] = compare_versions(str(old), str(lost), metrics=[METRICS[0]]).results
    assert [row.difference for row in result.systems] == pytest.approx([-1 / 12, -2 / 12])
