"""The table of judges' probabilities."""

from medassay.analyses.builtin.judge_probabilities.record import JudgeProbabilities
from medassay.exhibits import PROPORTION, Names, Table, shown, table_of
from medassay.exhibits.cells import how
from medassay.exhibits.columns import counted, estimated

__all__ = ["probability_tables"]


def probability_tables(report: JudgeProbabilities, _: Names) -> list[Table]:
    """Show each judge's Brier score beside that of the base rates, and its calibration."""
    return [
        table_of(
            report.rows,
            (
                shown("Judge", "judge"),
                shown("Dimension", "dimension"),
                counted("Answers", "answers"),
                counted("Without", "without"),
                shown("As most people", "right", PROPORTION, why_not="reason"),
                shown("Its probability", "sure", PROPORTION, why_not="reason"),
                estimated("Brier", "brier", interval="brier_interval"),
                shown("Brier of base rates", "base", PROPORTION, why_not="reason"),
                estimated("ECE", "ece", interval="ece_interval"),
            ),
            id="judge-probabilities",
            title="How far judges' probabilities can be believed",
            caption="Against the label of more than half of the people. Brier: 0 is sure and "
            "right, 1 sure and wrong; under that of the base rates it says more than how common "
            "each label is. ECE: how far the probability of the likeliest label lies from how "
            "often it is right, in ten bins; of few answers it is above 0 by chance. "
            + how(row.brier_interval for row in report.rows),
        )
    ]
