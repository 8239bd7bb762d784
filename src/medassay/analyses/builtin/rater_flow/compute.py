"""Count who is listed, who is left out and why, and who judged how much."""

from collections import Counter
from dataclasses import replace

from medassay.analyses.builtin.rater_flow.record import RaterCount, RaterFlow
from medassay.analyses.inputs.readable import OnFile, on_file_of
from medassay.judgements import Judgements, Preferences, RaterKind
from medassay.study.folder import Study

__all__ = ["count_raters", "flow_of"]


def count_raters(on_file: OnFile, judgements: Judgements, preferences: Preferences) -> RaterFlow:
    """Count listed, excluded by reason, qualified, and who judged; a line for each rater.

    Without a raters table everyone who judged is listed, and nothing more is known of them.
    """
    everything, counted = Counter[str](), Counter[str]()
    kinds: dict[str, RaterKind] = {}
    for table in (on_file.judgements, on_file.preferences):
        current = table.current()
        everything.update(current["rater"].to_list())
        kinds |= dict(current.select("rater", "rater_kind").unique().iter_rows())
    for counting in (judgements, preferences):
        counted.update(counting.current()["rater"].to_list())
    raters = []
    for name in [rater.rater for rater in on_file.raters] or sorted(kinds):
        known = on_file.raters.get(name)
        apart = everything[name] - counted[name] if name in on_file.models else 0
        kind = kinds.get(name, known.kind)
        raters.append(RaterCount(replace(known, kind=kind), everything[name], apart))
    rows = judgements.current()
    qualified = [count for count in raters if not count.rater.excluded]
    excluded = [count for count in raters if count.rater.excluded]
    return RaterFlow(
        listed=len(raters),
        excluded=dict(sorted(Counter(count.rater.reason for count in excluded).items())),
        qualified=len(qualified),
        judged=sum(count.judgements > count.apart for count in qualified),
        judgements=sum(count.judgements - count.apart for count in qualified),
        left_out=sum(count.judgements for count in excluded),
        raters=tuple(raters),
        order_known=not len(rows) or any(rows[name].count() for name in ("position", "time")),
    )


def flow_of(study: Study) -> RaterFlow:
    """Count those of a study."""
    return count_raters(on_file_of(study), study.judgements, study.preferences)
