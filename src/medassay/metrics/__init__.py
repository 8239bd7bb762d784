"""Automatic metrics: one file a metric, declared as data, with its arithmetic in plain functions.

What enters: cases and answers. What leaves: a `ScoreTable`, or the scores of one batch with the
keys under which a study keeps them. `resolve` turns a canonical name such as `rouge1(ref=human)`
into a metric that can score; `metric` registers a new one, here or in anyone's package.
"""

from medassay.metrics.batch import Batch
from medassay.metrics.bound import (
    BoundMetric,
    Contents,
    Reading,
    describe_readings,
    readings_of,
    why_nothing_rests,
    without_own_words,
)
from medassay.metrics.danger.rules import check_rules
from medassay.metrics.declaration import Declaration, Direction, Level, Need, Parameter, Reads
from medassay.metrics.registry import Pair, metric
from medassay.metrics.resolve import (
    AT_HAND,
    declarations,
    metrics_for,
    plugin_problems,
    resolve,
    usual_names,
)
from medassay.metrics.run import score

__all__ = [
    "AT_HAND",
    "Batch",
    "BoundMetric",
    "Contents",
    "Declaration",
    "Direction",
    "Level",
    "Need",
    "Pair",
    "Parameter",
    "Reading",
    "Reads",
    "check_rules",
    "declarations",
    "describe_readings",
    "metric",
    "metrics_for",
    "plugin_problems",
    "readings_of",
    "resolve",
    "score",
    "usual_names",
    "why_nothing_rests",
    "without_own_words",
]
