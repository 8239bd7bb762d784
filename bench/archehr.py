"""Everything lexical that the archehr protocol scores, beside the peers; and how it grows.

Three things, in one run:

1. All lexical and citation metrics on 28 systems x 100 cases against two references, beside
   rouge-score, sacrebleu and a straight SARI with Counters (below). Citations cost the peers
   nothing here: the scorer's sets are as quick as ours. Values of SARI must be equal to 1e-9.
2. `medassay score` as a whole process on 2,800 and on 28,000 answers: wall time and peak memory.
3. The same again, when every score is kept already; and `medassay demo --study archehr-synthetic`,
   from scores to report, first and again.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from lexical import EVERY, REFS, REPEATS, make_study, peers, timed
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

from medassay.answers import Answer, Answers, write_answers
from medassay.cases import Cases, write_cases
from medassay.metrics import resolve
from medassay.metrics.declaration import references
from medassay.scores import Score
from medassay.text.words import split_word

AT_MOST, GROWTH, MEGABYTES, AGAIN = 1 / 20, 11, 400, 1 / 20
BASES = ("bleu", "rouge1", "rouge2", "rougeL", "rougeLsum", "sari")
CITATIONS = [
    f"citation_{kind}(gold={gold},rules={rules})"
    for kind in ("precision", "recall", "f1")
    for gold in ("strict", "lenient")
    for rules in ("archehr2025", "archehr2026")
]
NAMES = [f"{base}(ref={ref})" for base in BASES for ref in REFS] + CITATIONS


peer_tokens = Tokenizer13a()  # as evaluate calls it, but one for all, so that it remembers


def straight_sari(source: str, answer: str, refs: Sequence[str]) -> float:
    """Compute SARI the straight way: Counters of n-grams, text by text."""

    def grams(text: str, n: int) -> Counter[tuple[str, ...]]:
        words = peer_tokens(text.lower().rstrip()).split()
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    def share(part: float, whole: float) -> float:
        return part / whole if whole else 1.0

    def f1(p: float, r: float) -> float:
        return 2 * p * r / (p + r) if p + r else 0.0

    total = 0.0
    for n in (1, 2, 3, 4):
        told: Counter[tuple[str, ...]] = Counter()
        for ref in refs:
            told += grams(ref, n)
        s = Counter({g: k * len(refs) for g, k in grams(source, n).items()})
        c = Counter({g: k * len(refs) for g, k in grams(answer, n).items()})
        kept = s & c
        good = kept & told
        keep = f1(
            share(sum(good[g] / kept[g] for g in good), len(kept)),
            share(sum(good.values()), sum((s & told).values())),
        )
        gone = s - c
        right = gone - told
        delete = share(sum(right[g] / gone[g] for g in right), len(gone))
        added, wanted = set(c) - set(s), set(told) - set(s)
        both = len(added & wanted)
        total += (keep + delete + f1(share(both, len(added)), share(both, len(wanted)))) / 3
    return total / 4


def with_citations(cases: Cases, answers: Answers) -> Answers:
    """Give every answer its text as statements that cite."""
    cited = []
    for place, answer in enumerate(answers):
        words = (answer.text or "").split()
        pieces = [" ".join(words[i : i + 25]) for i in range(0, len(words), 25)]
        ids = [one.id for one in cases[answer.case].evidence]
        statements = [
            {"text": text, "citations": [ids[(place + i) % len(ids)]]}
            for i, text in enumerate(pieces)
        ]
        cited.append(
            Answer.model_validate(
                {"system": answer.system, "case": answer.case, "statements": statements}
            )
        )
    return Answers.of(cited)


def forget() -> None:
    """Forget the tokens of the repeat before, ours and the peers'."""
    split_word.cache_clear()
    Tokenizer13a.__call__.cache_clear()
    TokenizerRegexp.__call__.cache_clear()


def side_by_side(cases: Cases, answers: Answers) -> dict[str, object]:
    """Compare the arithmetic with the peers', as `lexical` does, SARI and citations included."""
    pairs = [(cases[answer.case], answer) for answer in answers]
    subset = [answer for answer in answers if int(answer.case) % EVERY == 0]
    metrics = {name: resolve(name) for name in NAMES}
    mine, theirs = [], []
    largest = 0.0
    for _ in range(REPEATS):
        forget()
        start = time.perf_counter()
        found = {name: metric.score_batch(pairs) for name, metric in metrics.items()}
        mine.append(time.perf_counter() - start)
        seconds, _ = timed(lambda: peers(cases, subset))
        start = time.perf_counter()
        straight = []
        for ref in REFS:
            for answer in subset:
                case = cases[answer.case]
                texts = references(case, ref)
                if ref == "note":
                    texts = ("\n".join(one.text for one in case.evidence),)
                source = f"{case.narrative}\n\n{case.question}"
                straight.append(straight_sari(source, answer.text or "", texts))
        theirs.append((seconds + time.perf_counter() - start) * len(answers) / len(subset))
        values = [
            score.value
            for ref in REFS
            for answer, score in zip(answers, found[f"sari(ref={ref})"], strict=True)
            if int(answer.case) % EVERY == 0 and isinstance(score, Score)
        ]
        largest = max(largest, *(abs(a - b) for a, b in zip(values, straight, strict=True)))
    ratio = statistics.median(mine) / statistics.median(theirs)
    print(f"{len(NAMES)} metrics on {len(answers)} answers; {REPEATS} repeats, median")
    print(f"  medassay {statistics.median(mine):.2f} s ({min(mine):.2f} to {max(mine):.2f})")
    print(
        f"  rouge-score + sacrebleu + straight SARI {statistics.median(theirs):.2f} s "
        f"({min(theirs):.2f} to {max(theirs):.2f}), timed on every {EVERY}th case, times {EVERY}"
    )
    print(f"  ratio 1/{1 / ratio:.0f} (claimed: at most 1/{1 / AT_MOST:.0f})")
    print(f"  largest difference of a SARI value: {largest:.1e}")
    return {"ratio": ratio, "held": ratio <= AT_MOST, "largest_difference": largest}


def write_study(folder: Path, cases: Cases, answers: Answers, times: int) -> None:
    """Write a study whose systems are there so many times, each time in other words."""
    folder.mkdir()
    metrics = "".join(f'[[metrics]]\nname = "{name}"\n' for name in NAMES)
    (folder / "study.toml").write_text(
        f'schema = 1\ntitle = "bench"\n[protocol]\nname = "archehr"\n{metrics}', encoding="utf-8"
    )
    write_cases(folder / "cases.jsonl", cases)
    for turn in range(times):
        copies = [
            Answer.model_validate(
                {
                    "system": f"{answer.system}-{turn}",
                    "case": answer.case,
                    "statements": [
                        {"text": f"{one.text} {turn}", "citations": list(one.citations)}
                        for one in answer.statements or ()
                    ],
                }
            )
            for answer in answers
        ]
        write_answers(folder / "answers", Answers.of(copies))


def whole_process(*words: str) -> tuple[float, float]:
    """Run a verb: wall seconds, and peak megabytes of that process."""
    with tempfile.TemporaryDirectory() as place:
        peak = Path(place) / "peak"
        command = [sys.executable, "-m", "tools.peak_memory", str(peak), "medassay", *words]
        start = time.perf_counter()
        subprocess.run(  # noqa: S603 - our own command
            [*command, "--json"],
            stdout=subprocess.DEVNULL,
            check=True,
            cwd=Path(__file__).parents[1],
        )
        return time.perf_counter() - start, float(peak.read_text(encoding="ascii"))


def growth(cases: Cases, answers: Answers) -> dict[str, object]:
    """Time whole processes on 2,800 and 28,000 answers, first and again."""
    with tempfile.TemporaryDirectory() as place:
        small, large = Path(place) / "small", Path(place) / "large"
        write_study(small, cases, answers, 1)
        write_study(large, cases, answers, 10)
        nothing = whole_process_of_nothing()
        first_small, _ = whole_process("score", str(small))
        first_large, peak = whole_process("score", str(large))
        again_large, _ = whole_process("score", str(large))
        demo = ("demo", str(Path(place) / "demo"), "--study", "archehr-synthetic")
        first_run, _ = whole_process(*demo)
        again_run, _ = whole_process(*demo)
    times, again = first_large / first_small, again_run / first_run
    print(f"medassay score, {len(answers)} answers: {first_small:.1f} s")
    print(
        f"medassay score, {10 * len(answers)} answers: {first_large:.1f} s, {peak:.0f} MB at most"
    )
    print(f"  {times:.1f} times the time for 10 times the answers (claimed: at most {GROWTH})")
    print(f"  peak {peak:.0f} MB (claimed: under {MEGABYTES})")
    print(f"  again {again_large:.1f} s = 1/{first_large / again_large:.1f}, every score kept")
    print(f"medassay demo --study archehr-synthetic: {first_run:.1f} s, again {again_run:.1f} s")
    print(f"  again = 1/{1 / again:.0f} (claimed: at most 1/{1 / AGAIN:.0f})")
    print(f"  of which starting Python and importing: {nothing:.1f} s")
    held = times <= GROWTH and peak < MEGABYTES and again <= AGAIN
    return {"times": times, "peak_megabytes": peak, "again": again, "held": held}


def whole_process_of_nothing() -> float:
    """Time a process that only imports what scoring imports."""
    start = time.perf_counter()
    code = "import medassay.study"
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own code
    return time.perf_counter() - start


def main() -> dict[str, object]:
    """Measure, print, and give the figures."""
    cases, plain = make_study()
    answers = with_citations(cases, plain)
    figures = {"side_by_side": side_by_side(cases, answers), "growth": growth(cases, answers)}
    print(json.dumps(figures, indent=2))
    return dict(figures)


if __name__ == "__main__":
    main()
