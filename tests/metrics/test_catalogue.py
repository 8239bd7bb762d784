"""The page of metrics says what the metrics declare now."""

from tools.make_metrics_page import PAGE, page

from medassay.metrics import declarations


def test_the_page_in_the_docs_is_current() -> None:
    """If this fails after a change of a metric: python -m tools.make_metrics_page."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_metric_has_its_section() -> None:
    text = page()
    for declared in declarations():
        assert f"## {declared.title or declared.name}\n" in text
        assert all(said in text for said in declared.blind_spots)
