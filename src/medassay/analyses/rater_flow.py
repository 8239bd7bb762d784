"""From the raters who are listed to those whose judgements are counted."""

from collections import Counter

from medassay.analyses.results.agreement import RaterFlow, RaterResult
from medassay.judgements import Rater
from medassay.study.folder import Study

__all__ = ["rater_flow"]


def rater_flow(study: Study) -> RaterFlow:
    """Count listed, excluded by reason, qualified, and who judged; a line for each rater.

    Without a raters table everyone who judged is listed, and nothing more is known of them.
    """
    said = Counter[str]()
    kinds: dict[str, str] = {}
    for table in (study.judgements_on_file, study.preferences_on_file):
        current = table.current()
        said.update(current["rater"].to_list())
        kinds |= dict(current.select("rater", "rater_kind").unique().iter_rows())
    listed = [one.rater for one in study.raters] or sorted(kinds)
    counted = _counted(study)
    raters = [
        _result(
            study.raters.get(name),
            kinds.get(name),
            said[name],
            apart=said[name] - counted[name] if name in study.judges.raters else 0,
        )
        for name in listed
    ]
    qualified = [one for one in raters if not one.excluded]
    return RaterFlow(
        listed=len(raters),
        excluded=dict(sorted(Counter(one.reason for one in raters if one.excluded).items())),
        qualified=len(qualified),
        judged=sum(one.judgements > one.apart for one in qualified),
        judgements=sum(one.judgements - one.apart for one in qualified),
        left_out=sum(study.left_out.values()),
        raters=raters,
    )


def _counted(study: Study) -> Counter[str]:
    """Count what is counted like a person's judgement."""
    said = Counter[str](study.judgements.current()["rater"].to_list())
    said.update(study.preferences.current()["rater"].to_list())
    return said


def _result(rater: Rater, kind: str | None, judgements: int, *, apart: int) -> RaterResult:
    return RaterResult(
        rater=rater.rater,
        kind=kind or rater.kind,
        expertise=rater.expertise,
        external=rater.external,
        conflicts=rater.conflicts,
        shown=rater.shown,
        excluded=rater.excluded,
        reason=rater.reason,
        judgements=judgements,
        apart=apart,
    )
