"""The files of scores of mt-metrics-eval."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from medassay.exchange.declaration import Format, Option, Reads, Writes
from medassay.exchange.glimpse import Glimpse
from medassay.exchange.mt_metrics_eval.exporting import export_mt_metrics_eval
from medassay.exchange.mt_metrics_eval.importing import import_mt_metrics_eval
from medassay.exchange.other_tools.declaring import told
from medassay.exchange.outcome import Outcome
from medassay.study import Scored, Study

__all__ = ["MT_METRICS_EVAL"]


def _take(
    study: Study,
    files: Sequence[Path],
    *,
    pair: Annotated[str | None, Option("The language pair, where the folder has several.")] = None,
    name: Annotated[
        str, Option("What the table of scores is called in the study.")
    ] = "mt-metrics-eval",
) -> Outcome:
    return Outcome.of(*import_mt_metrics_eval(study, files, pair, name))


def _give(study: Study, scored: Scored, into: Path) -> Outcome:
    return told(export_mt_metrics_eval(study, scored, into))


def _is_one(seen: Glimpse) -> bool:
    return seen.holds("*.seg.score") or seen.path.name.endswith(".seg.score")


MT_METRICS_EVAL: Final = Format(
    id="mt-metrics-eval",
    title="mt-metrics-eval",
    reads=Reads(
        about="mt-metrics-eval: scores by segment, each a case.",
        files="Files that end in .seg.score, or a test set's folder.",
        is_one=_is_one,
        take=_take,
    ),
    writes=Writes(
        about="mt-metrics-eval: a test set with every metric's and every rater's scores.",
        into="A new folder for the files.",
        metavar="FOLDER",
        give=_give,
    ),
)
