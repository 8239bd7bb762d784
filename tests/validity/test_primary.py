"""Primary metrics and dimensions: they alone are corrected and permitted."""

from pathlib import Path

import numpy as np
import pytest
from tools.standard.making import add_settings

from medassay.analyses import at_best_of
from medassay.analyses.inputs.study_columns import ScoreColumn, adjusted_validities
from medassay.errors import InvalidInput
from medassay.scores import Grid
from medassay.stats import holm
from medassay.study import Study, new_study
from medassay.validity import Primary, Source, Trust, correlate, trust

SYSTEMS = tuple(f"s{i:02}" for i in range(16))
CASES = tuple(f"c{i:02}" for i in range(40))
METRICS = ("good", "fair", "poor")


@pytest.fixture(scope="module")
def sources() -> dict[str, Source]:
    """Make three metrics and the raters on two dimensions."""
    rng = np.random.default_rng(4)
    truth = rng.normal(size=(16, 1))
    noise = {"good": 1.0, "fair": 3.0, "poor": 9.0, "h1": 1.0, "h2": 1.0}
    known = np.ones((16, 40), dtype=np.bool_)
    values = {name: truth + spread * rng.normal(size=(16, 40)) for name, spread in noise.items()}
    return {name: Source(name, Grid(SYSTEMS, CASES, row, known)) for name, row in values.items()}


def tables(sources: dict[str, Source], primary: Primary) -> list[Trust]:
    metrics, raters = [sources[name] for name in METRICS], [sources["h1"], sources["h2"]]
    rng = np.random.default_rng(1)
    return trust(metrics, [], raters, rng=rng, replicates=300, primary=primary)


def test_holm_counts_the_primary_metrics_and_the_others_are_exploratory(
    sources: dict[str, Source],
) -> None:
    table, _ = tables(sources, Primary(frozenset({"fair", "poor"})))
    entries = {entry.metric: entry for entry in table.entries}
    tested = [entries["fair"].p, entries["poor"].p]
    adjusted = holm([p for p in tested if p is not None]).tolist()
    assert [entries["fair"].p_adjusted, entries["poor"].p_adjusted] == adjusted
    good = entries["good"]
    assert good.tau is not None
    assert (good.p_adjusted, good.p_fdr, good.more) == (None, None, None)
    assert good.uses == ("exploratory",)
    assert "study.toml names other metrics" in good.why


def test_on_another_dimension_all_are_exploratory_and_the_gate_counts_one_alone(
    sources: dict[str, Source],
) -> None:
    first, second = tables(sources, Primary(consensuses=frozenset({"h1"})))
    whole, _ = tables(sources, Primary())
    assert {entry.uses for entry in second.entries} == {("exploratory",)}
    assert all(entry.surrogacy and entry.surrogacy.p_adjusted is None for entry in second.entries)
    lines = [entry.surrogacy for entry in first.entries if entry.surrogacy]
    p = [line.p for line in lines if line.p is not None]
    assert [line.p_adjusted for line in lines] == pytest.approx(holm(p).tolist())
    # Of ranking nothing changes there: that family was one dimension already.
    assert [entry.p_adjusted for entry in first.entries] == [
        entry.p_adjusted for entry in whole.entries
    ]


def test_correlations_have_no_adjusted_p_beyond_the_family(sources: dict[str, Source]) -> None:
    metrics = [sources[name] for name in METRICS]
    validities = correlate(metrics, [sources["h1"]], rng=np.random.default_rng(1), replicates=100)
    columns = [ScoreColumn(name, "metric", "higher", None) for name in METRICS]
    columns.append(ScoreColumn("h1", "consensus", "higher", None, "quality", "mean"))
    rows = adjusted_validities(columns, validities, Primary(frozenset({"good"})))
    adjusted = {row.metric: (row.p_adjusted, row.p_adjusted_everywhere) for row in rows}
    p = next(row.p for row in rows if row.metric == "good")
    assert adjusted == {"good": (p, p), "fair": (None, None), "poor": (None, None)}


def test_check_counts_the_primary_ones_and_names_what_is_not_there(tmp_path: Path) -> None:
    study = tmp_path / "study"
    new_study(study, "ratings")
    assert (whole := at_best_of(Study.open(study))) is not None
    assert whole.metrics == 4
    add_settings(study, '[report]\nprimary_metrics = ["rouge1(ref=human)"]\n')
    assert (primary := at_best_of(Study.open(study))) is not None
    assert primary.metrics == 1
    path = study / "study.toml"
    text = path.read_text(encoding="utf-8").replace('["rouge1(ref=human)"]', '["rogue1"]')
    path.write_text(f'{text}\nprimary_dimensions = ["qualty"]\n', encoding="utf-8")
    with pytest.raises(InvalidInput) as raised:
        Study.open(study)
    words = str(raised.value)
    assert "report.primary_metrics" in words
    assert '"rogue1"' in words
    assert "report.primary_dimensions" in words
    assert "name a dimension of this study: quality" in words
