"""Scores of texts that a model could not read at once are counted by their parts."""

from medassay.analyses import count_shortened
from medassay.analyses.results.whole import ShortenedResult
from medassay.metrics import resolve
from medassay.scores import Reason, Score, ScoreTable, Unscored

CUT = "alignscore(ref=human)"
READ = "minilm_match_f1(ref=human)"


def test_cut_and_windows_are_two_things_and_the_unscored_are_neither() -> None:
    table = ScoreTable.from_rows(
        [
            ("A", "1", CUT, Score(0.5, (2.0,))),
            ("A", "2", CUT, Score(0.5, (0.0,))),
            ("A", "3", CUT, Unscored(Reason.FAILED, "")),
            ("A", "1", READ, Score(0.5, (1.0, 3.0))),
            ("A", "2", READ, Score(0.5, (2.0, 2.0))),
            ("A", "3", READ, Score(0.5, (1.0, 1.0))),
            ("A", "1", "length", Score(3.0)),
        ]
    )
    metrics = [resolve(name) for name in (CUT, READ, "length")]
    assert count_shortened(table, metrics) == [
        ShortenedResult(metric=CUT, scored=2, cut=1, in_windows=0),
        ShortenedResult(metric=READ, scored=3, cut=0, in_windows=2),
    ]
