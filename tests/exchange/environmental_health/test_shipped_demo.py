"""The demo that ships is what the import of docs/environmental-health.md makes of the panel."""

from pathlib import Path

from medassay.exchange.environmental_health import import_environmental_health
from medassay.study import write_demo

PANEL = Path(__file__).parents[3] / "examples" / "environmental-health" / "panel"


def test_the_demo_is_the_panel_as_it_is_imported(tmp_path: Path) -> None:
    import_environmental_health(tmp_path / "panel", [PANEL], synthetic=True)
    write_demo(tmp_path / "demo", "environmental-health")
    shipped = {path.relative_to(tmp_path / "demo") for path in (tmp_path / "demo").rglob("*.*")}
    named = {"study.toml", "SOURCE.txt"}
    for path in (one for one in shipped if one.name not in named):
        assert (tmp_path / "panel" / path).read_bytes() == (tmp_path / "demo" / path).read_bytes()
    ours = (tmp_path / "demo" / "study.toml").read_text(encoding="utf-8").splitlines()
    theirs = (tmp_path / "panel" / "study.toml").read_text(encoding="utf-8").splitlines()
    assert [a for a, b in zip(ours, theirs, strict=True) if a != b] == [
        'title = "A synthetic panel on pollutants and health"'
    ]
    assert "synthetic = true" in ours
