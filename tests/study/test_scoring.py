"""What was scored once is not scored again, whatever happens in between."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import BoundMetric
from medassay.scores import Score, ScoreTable, Unscored
from medassay.study import Scored, Study, open_run, score_study
from medassay.study.scoring import score_study as scoring
from medassay.tables import jsonl_bytes

NAMES = ["rouge1(ref=human)", "length"]
Pairs = Sequence[tuple[Case, Answer]]


class Watched:
    """Metrics that note what they are asked, and can be made to die."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: Counter[str] = Counter()
        self.dies_after: float = float("inf")

    def metric(self, bound: BoundMetric) -> BoundMetric:
        def compute(pairs: Pairs, arguments: Mapping[str, str]) -> list[Score | Unscored]:
            if self.asked.total() >= self.dies_after:
                raise KeyboardInterrupt
            self.asked.update(answer.text or "" for _, answer in pairs)
            return bound.compute(pairs, arguments)

        return BoundMetric(bound.name, bound.declaration, bound.arguments, compute)

    def score(self) -> Scored:
        self.asked.clear()
        run = open_run(self.folder, only=NAMES)
        # What copies of this process are asked is not noted here.
        return score_study(run.study, [self.metric(one) for one in run.metrics], processes=1)


@pytest.fixture
def watched(folder: Path) -> Watched:
    return Watched(folder)


def answer(folder: Path, system: str, texts: dict[str, str]) -> None:
    lines = [{"case": case, "text": text} for case, text in texts.items()]
    (folder / "answers" / f"{system}.jsonl").write_bytes(jsonl_bytes(lines))


def test_the_second_time_nothing_is_computed(watched: Watched) -> None:
    first = watched.score()
    # 8 of 11 answers have a reference; ROUGE answers for the rest itself. All 11 have a length.
    assert watched.asked.total() == 19
    assert (first.computed, first.reused) == (22, 0)
    second = watched.score()
    assert watched.asked.total() == 0
    assert (second.computed, second.reused) == (0, 22)
    assert second.table.frame.equals(first.table.frame)


def test_only_a_changed_answer_is_scored_again(watched: Watched, folder: Path) -> None:
    watched.score()
    answer(folder, "C", {"c1": "Keep very still.", "c3": "Water.", "c4": "Yes, it does."})
    changed = watched.score()
    assert watched.asked == {"Keep very still.": 2}
    assert (changed.computed, changed.reused) == (2, 20)


def test_a_changed_reference_rescores_its_own_case_only(watched: Watched, folder: Path) -> None:
    watched.score()
    path = folder / "cases.jsonl"
    path.write_text(path.read_text().replace("Rest it for two days.", "Rest it for three days."))
    watched.score()
    assert watched.asked == {"Rest it for two days.": 1, "Rest for a week.": 1, "Keep still.": 1}


def test_what_no_metric_reads_rescores_nothing(watched: Watched, folder: Path) -> None:
    watched.score()
    path = folder / "cases.jsonl"
    path.write_text(path.read_text().replace("How long?", "How long then?"))
    (folder / "answers" / "A.jsonl").rename(folder / "answers" / "renamed.jsonl")
    (folder / "judgements.csv").unlink()
    watched.score()
    assert watched.asked.total() == 0


def test_a_run_that_is_killed_loses_nothing_done(
    watched: Watched, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Watched(folder).score().table
    for path in (folder / "results" / "kept").rglob("*.parquet"):
        path.unlink()
    monkeypatch.setattr(scoring, "BLOCK", 3)
    watched.dies_after = 9
    with pytest.raises(KeyboardInterrupt):
        watched.score()
    done = watched.asked.total()
    assert done >= 9
    watched.dies_after = float("inf")
    again = watched.score()
    assert watched.asked.total() == 19 - done
    assert again.table.frame.equals(whole.frame)


def test_a_damaged_kept_file_is_noticed_and_scored_again(watched: Watched, folder: Path) -> None:
    first = watched.score()
    path = min((folder / "results" / "kept").rglob("*.parquet"))
    path.write_bytes(path.read_bytes()[:-1])
    again = watched.score()
    assert [one.file for one in again.damaged] == [path.relative_to(folder).as_posix()]
    assert watched.asked.total() in {8, 11}  # one of the two metrics
    assert again.table.frame.equals(first.table.frame)


def test_the_order_of_answers_and_cases_means_nothing(watched: Watched, folder: Path) -> None:
    table = watched.score().table
    for path in [folder / "cases.jsonl", *(folder / "answers").iterdir()]:
        path.write_text("\n".join(reversed(path.read_text().splitlines())) + "\n")
    for path in (folder / "results" / "kept").rglob("*.parquet"):
        path.unlink()
    again: ScoreTable = watched.score().table
    assert again.frame.equals(table.frame)


def test_equal_texts_are_scored_once(watched: Watched, folder: Path) -> None:
    answer(folder, "D", {"c1": "Keep still."})
    scored = watched.score()
    assert watched.asked["Keep still."] == 2  # once for each metric, not for each system
    assert Study.open(folder).systems == ("A", "B", "C", "D")
    values = scored.table.select("length").filter(scored.table.select("length")["case"] == "c1")
    assert dict(values.select("system", "value").iter_rows()) == {
        "A": 5.0,
        "B": 4.0,
        "C": 2.0,
        "D": 2.0,
    }
