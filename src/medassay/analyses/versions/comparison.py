"""What comparing two versions found."""

from dataclasses import dataclass

from medassay.analyses.versions.gate_permits import GatePermit
from medassay.analyses.versions.left_out import UnfitMetric
from medassay.error_analysis import Flip
from medassay.validity import GateResult, Verdict, joint_verdict

__all__ = ["VersionComparison"]


@dataclass(frozen=True)
class VersionComparison:
    """Everything that the gate says.

    Attributes:
        old: What the old version was called.
        new: What the new version was called.
        margin: The largest acceptable loss.
        identical: Whether nothing differs in anything that was compared.
        results: Against the old version, one for each of its metrics.
        lost_systems: Systems that only the old version has; all their scores are lost.
        lost_metrics: Metrics that only the old version has; all their scores are lost.
        new_systems: Systems that only the new version has: there is nothing to compare them with.
        new_metrics: Metrics that only the new version has, or has scores of: there is nothing to
            compare them with.
        unscored_metrics: Metrics that neither version has a score of: left out.
        warnings: What a reader should know.
        choices: Every answer to a multiple-choice question that chooses otherwise than before.
        damaged: What was kept and not believed, and was computed again.
        baseline: What the version was called that does not move; None where none was named.
        baseline_results: Against the baseline, one for each of its metrics.
        permits: What the raters of the new version, or else of the old one, permit of the metrics.
        unfit_metrics: Metrics that no verdict rests on, and why: left out.
    """

    old: str
    new: str
    margin: float
    identical: bool
    results: tuple[GateResult, ...]
    lost_systems: tuple[str, ...]
    lost_metrics: tuple[str, ...]
    new_systems: tuple[str, ...]
    new_metrics: tuple[str, ...]
    unscored_metrics: tuple[str, ...]
    warnings: tuple[str, ...]
    choices: tuple[Flip, ...] = ()
    damaged: tuple[str, ...] = ()
    baseline: str | None = None
    baseline_results: tuple[GateResult, ...] = ()
    permits: tuple[GatePermit, ...] = ()
    unfit_metrics: tuple[UnfitMetric, ...] = ()

    @property
    def all_results(self) -> tuple[GateResult, ...]:
        """List what was found against either version."""
        return self.results + self.baseline_results

    @property
    def verdict(self) -> Verdict:
        """Join all verdicts: worse if any is, metric not worse if all are, else undecided."""
        return joint_verdict([result.verdict for result in self.all_results])

    @property
    def blocked(self) -> bool:
        """Say whether the verdict must not pass, since scores are missing."""
        return any(result.blocked for result in self.all_results)

    @property
    def rows(self) -> int:
        """Count the tests that share the level: systems by metrics, of either comparison."""
        return sum(len(result.systems) for result in self.all_results)
