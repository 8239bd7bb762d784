"""No test against raters rests on a metric that its own rule leaves at its worst on equal texts."""

from pathlib import Path

from medassay.analyses import run_study
from medassay.analyses.builtin.trust import trusted_in
from medassay.study import open_run

SHORT = '{{"case": "c{n}", "question": "Q", "references": [{{"text": "{text}"}}]}}\n'
METRICS = '[[metrics]]\nname = "bleu(ref=human)"\n[[metrics]]\nname = "rouge1(ref=human)"\n'


def test_bleu_of_references_under_four_tokens_is_not_held_against_raters(folder: Path) -> None:
    texts = ("Rest it.", "A virus.", "Drink water.", "Keep still.")
    cases = "".join(SHORT.format(n=n, text=text) for n, text in enumerate(texts, start=1))
    (folder / "cases.jsonl").write_text(cases, encoding="utf-8")
    settings = folder / "study.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + METRICS, encoding="utf-8")
    results, _ = run_study(open_run(folder))
    held = {entry.metric for on in trusted_in(results.analyses) for entry in on.table.entries}
    assert "rouge1(ref=human)" in held
    assert "bleu(ref=human)" not in held
    assert any("it is not tested against raters" in warning for warning in results.warnings)
