"""A run to render: invented numbers in the shape and size of the demo study."""

from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

import pytest
from pydantic import TypeAdapter

from medassay.agreement import Headline
from medassay.analyses.builtin.label_counts import LabelCount, LabelCounts
from medassay.analyses.builtin.preferences import SideBySide
from medassay.analyses.builtin.rating_counts import DimensionCounts, RatingCounts
from medassay.analyses.inputs.rater_agreement import Agreed
from medassay.analyses.reading import results_of
from medassay.analyses.results import Results
from medassay.validity import ESTIMANDS

SYSTEMS = {"a1": "Alder", "b2": "Birch", "c3": "Cedar", "e4": "Elm", "f5": "Fir", "o6": "Oak"}
LABELS = (
    {"fluency": ["No errors", "Some errors", "Major errors"]}
    | {"population": ["Yes", "Partially", "No"], "intervention": ["Yes", "Partially", "No"]}
    | {"outcome": ["Yes", "Partially", "No"], "direction_agreement": ["Same", "Different"]}
)
METRICS = (
    {"bleu(ref=human)": ("BLEU", 100.0, 8.0), "rouge1(ref=human)": ("ROUGE-1", 1.0, 0.27)}
    | {"rouge2(ref=human)": ("ROUGE-2", 1.0, 0.07)}
    | {"rougeL(ref=human)": ("ROUGE-L", 1.0, 0.2)}
    | {"rougeLsum(ref=human)": ("ROUGE-Lsum", 1.0, 0.2)}
    | {"answer_length": ("Answer length", None, 38.0)}
)
NASTY = (
    "</script><img src=x onerror=\"document.title='owned'\"><!-- \u2028 שלום, مرحبا 🫁🧪 & "
    '"quotes" '
    "<b>bold</b> \u202eevil\u202c"
)
RARE_WORD = "zanthoxylum"
"""A word in every text of the study, so that a leak can be searched for."""
Factory = Callable[..., Results]


def consensus(dimension: str) -> str:
    return f"mean(dimension={dimension})"


def around(middle: float, half: float) -> Any:  # noqa: ANN401 - as below
    return interval(middle - half, middle + half, "these systems, new cases")


def interval(low: float, high: float, estimand: str, method: str = "percentile bootstrap") -> Any:  # noqa: ANN401 - plain data that pydantic checks
    made = {"low": round(low, 6), "high": round(high, 6), "level": 0.95, "method": method}
    return made | {"estimand": estimand, "replicates": 10_000}


def _study(cases: int) -> dict[str, Any]:
    return {
        "title": "Six systems that summarise evidence",
        "description": "Summaries of systematic reviews, compared with the reviews' own words.",
        "date": "2026-03",
        "protocol": "summaries",
        "protocol_title": "Summaries of evidence, judged facet by facet",
        "source": "Invented for the tests of medassay.",
        "licence": "Apache-2.0",
        "synthetic": True,
        "texts": "full",
        "counts": {"cases": cases, "systems": 6, "answers": 6 * cases - 9, "answers_missing": 9}
        | {"answers_empty": 2, "raters": 7, "judgements": 2873, "preferences": 452},
    }


def _sources() -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for name, (title, high, _) in METRICS.items():
        length = name == "answer_length"
        made.append(
            {
                "name": name,
                "title": title,
                "kind": "metric",
                "dimension": None,
                "method": None,
                "question": "How long is the answer?"
                if length
                else "How many words or word pairs does the answer share with the expert's?",
                "unit": "words" if length else "",
                "low": 0.0,
                "high": high,
                "direction": "none" if length else "higher",
                "scored": 2125,
                "unscored": {"the answer was never given": 9, "no reference": 2},
                "unscored_example": "case R-0007 has no reference of kind human",
                "signature": f"metric:{name}|version:1|lower:yes|stem:no",
                "control": length,
            }
        )
    made.extend(
        {"name": consensus(dimension)}
        | {"title": f"Mean rating, {dimension.replace('_', ' ')}", "kind": "consensus"}
        | {"dimension": dimension, "method": "mean"}
        | {"question": f"What did the raters say about {dimension.replace('_', ' ')}?"}
        | {"unit": "", "low": 0.0}
        | {"high": 1.0 if dimension == "direction_agreement" else 2.0}
        | {"direction": "higher", "scored": 598, "unscored": {"not judged": 1538}}
        | {"unscored_example": ""}
        | {"signature": f"consensus:mean|dimension:{dimension}|version:1"}
        | {"control": False}
        for dimension in LABELS
    )
    return made


def _standings(rng: Random, sources: list[dict[str, Any]]) -> list[dict[str, Any]]:
    made = []
    for source in sources:
        high = source["high"] or 60.0
        centre = METRICS[source["name"]][2] if source["name"] in METRICS else high * 0.7
        means = sorted((centre * rng.uniform(0.75, 1.25) for _ in SYSTEMS), reverse=True)
        places = rng.sample(list(SYSTEMS), len(SYSTEMS))
        letters = ["a", "ab", "ab", "bc", "c", "c"]
        ranges = [(1, 3), (1, 4), (1, 4), (2, 5), (4, 6), (4, 6)]
        for rank, system in enumerate(places):
            half = centre * 0.09
            last = rank == len(places) - 1
            none = source["name"] == consensus("direction_agreement") and last
            made.append(
                {
                    "source": source["name"],
                    "system": system,
                    "mean": None if none else means[rank],
                    "reason": "Not applicable in every case." if none else "",
                    "interval": None if none else around(means[rank], half),
                    "n": 0 if none else 49 if rank == 2 else 50,
                    "missing": 50 if none else 1 if rank == 2 else 0,
                    "letters": "" if none else letters[rank],
                }
                | {"rank": None if none else rank + 1, "never_answered": 0, "mean_given": None}
                | dict.fromkeys(("rank_low", "rank_high"))
                | ({} if none else dict(zip(("rank_low", "rank_high"), ranges[rank], strict=True)))
            )
    return made


def _comparisons(standings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    made = []
    for i, one in enumerate(standings):
        for other in standings[i + 1 :]:
            if other["source"] != one["source"]:
                break
            if one["mean"] is None or other["mean"] is None:
                difference, span, p, reason = None, None, None, "One of them has no score."
            else:
                difference, reason = one["mean"] - other["mean"], ""
                half = abs(one["mean"]) * 0.12
                span = around(difference, half)
                p = 0.001 if abs(difference) > half else 0.3
            made.append(
                {"source": one["source"], "system_a": one["system"]}
                | {"system_b": other["system"], "difference": difference}
                | {"interval": span, "p": p}
                | {"p_adjusted": None if p is None else min(1.0, p * 5)}
                | {"minimal_detectable_effect": None}
                | {"method": "paired permutation, Holm", "n": 49, "reason": reason}
            )
    return made


def _ratings(rng: Random) -> dict[str, Any]:
    counts: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    panel: list[dict[str, Any]] = []
    for dimension, words in LABELS.items():
        counts.append(
            {"dimension": dimension, "judgements": 637, "without_label": 12}
            | {"answers_judged": 598, "answers_judged_twice": 39, "raters": 2}
        )
        for scope, total, extra in (
            ("judgements", 637, "not applicable"),
            ("majority", 598, "tie"),
        ):
            given = [int(total * share) for share in (0.55, 0.3, 0.1)[: len(words)]]
            rows = [*zip(words, given, strict=True), (extra, total - sum(given))]
            labels += [
                {"dimension": dimension, "scope": scope, "label": label, "count": n}
                | {"share": n / total, "is_reason": label == extra}
                for label, n in rows
            ]
        for mapping in ("full", "any error") if len(words) > 2 else ("full",):
            for name, title in (
                ("unanimous", "Unanimous"),
                ("cohen", "Cohen's kappa"),
                ("cohen(weights=quadratic)", "Cohen's kappa, quadratic weights"),
                ("fleiss", "Fleiss' kappa"),
            ):
                for subset, n in (("all cases", 39), ("ranking cases", 18)):
                    value = rng.uniform(0.15, 0.75)
                    none = dimension == "direction_agreement" and subset == "ranking cases"
                    span = interval(value - 0.25, value + 0.2, "these raters, new cases")
                    panel.append(
                        {"dimension": dimension, "mapping": mapping, "subset": subset}
                        | {"coefficient": name, "title": title, "value": None if none else value}
                        | {"reason": "Both raters gave one label only." if none else ""}
                        | {"interval": None if none else span}
                        | {"n_units": n, "n_cases": n, "n_raters": 2, "n_pairs": n, "notes": []}
                        | {"no_interval": "", "one": "", "zero": "", "below_zero": "", "bands": {}}
                    )
    found: dict[str, object] = {
        "rating_counts": RatingCounts(tuple(DimensionCounts(**one) for one in counts)),
        "label_counts": LabelCounts(tuple(LabelCount(**one) for one in labels)),
        "preferences": _preferences(rng),
        "agreement": TypeAdapter(Agreed).validate_python(
            {"judgements": 2873, "panel": panel, "parts": [], "notes": [], "cautions": []}
            | {"headlines": [Headline(one, "fleiss", ("unanimous",)) for one in LABELS]}
        ),
    }
    return {"analyses": found}


def _preferences(rng: Random) -> SideBySide:
    standings = []
    for i, system in enumerate(SYSTEMS):
        share = 0.68 - 0.07 * i
        standings.append(
            {"system": system, "n": 150, "wins": int(share * 150) - 10, "ties": 20}
            | {"losses": 140 - int(share * 150), "win_share": share, "n_cases": 75}
            | {"interval": interval(share - 0.08, share + 0.08, "these raters, new cases")}
        )
    pairs = [
        {"system_a": a, "system_b": b, "a": rng.randint(5, 20), "b": rng.randint(5, 20), "tie": 4}
        for a, b in combinations(SYSTEMS, 2)
        if (a, b) != ("e4", "o6")
    ]
    return TypeAdapter(SideBySide).validate_python(
        {
            "dimensions": [
                {"dimension": "preference", "n": 452, "unlabelled": 0, "raters": 5, "cases": 201}
                | {"standings": standings, "pairs": pairs, "judged_more_than_once": 65}
                | {"pairwise_agreement": 0.61}
                | {"pairwise_agreement_interval": interval(0.49, 0.72, "these raters, new cases")}
                | {"reason": ""}
            ]
        }
    )


def _correlations(rng: Random) -> list[dict[str, Any]]:
    made = []
    for metric in METRICS:
        for dimension in LABELS:
            tau = rng.choice([-0.47, -0.2, -0.07, 0.2, 0.33])
            known = {"rouge1(ref=human)": (-0.6, 0.1361), "answer_length": (-0.8667, 0.0167)}
            tau, p = known.get(metric, (tau, 0.38)) if dimension == "fluency" else (tau, 0.38)
            none = (metric, dimension) == ("bleu(ref=human)", "direction_agreement")
            made.append(
                {
                    "metric": metric,
                    "consensus": consensus(dimension),
                    "dimension": dimension,
                    "method": "mean",
                    "tau": None if none else tau,
                    "undefined": "Every system has the same mean." if none else "",
                    "control": metric == "answer_length",
                    "sign_turned": False,
                    "p": None if none else p,
                    "p_method": None if none else "exact",
                    "p_adjusted": None if none or metric == "answer_length" else 1.0,
                    "p_adjusted_everywhere": None if none or metric == "answer_length" else 1.0,
                    "n_systems": 6,
                    "n_cases": 50,
                    "n_answers": 290,
                    "pairs_alike": None if none else round(7.5 + 7.5 * tau),
                    "pairs_reversed": None if none else round(7.5 - 7.5 * tau),
                    "intervals": []
                    if none
                    else [
                        {
                            "estimand": of,
                            "interval": interval(
                                max(-1, tau - w), min(1, tau + w), of, "basic bootstrap"
                            ),
                        }
                        for w, of in zip((0.4, 0.8, 0.9), ESTIMANDS, strict=True)
                    ],
                    "metric_reliability": {"value": 0.91, "systems": 6},
                    "consensus_reliability": {"value": None if none else 0.74, "systems": 6},
                }
            )
    return made


def _cases(rng: Random, count: int, sources: list[dict[str, Any]]) -> list[dict[str, Any]]:
    words = f"trial effect pain of {RARE_WORD} in adults was not clear and small ones found".split()
    made: list[dict[str, Any]] = []
    for number in range(count):
        answers: list[dict[str, Any]] = []
        for system in SYSTEMS:
            status = "never answered" if rng.random() < 0.004 else "given"
            text = " ".join(rng.choices(words, k=45)).capitalize() + "."
            scores = [
                {
                    "source": s["name"],
                    "value": None
                    if s["kind"] == "consensus" and number >= 100
                    else round(rng.uniform(0, 1), 6),
                    "reason": "not judged" if s["kind"] == "consensus" and number >= 100 else "",
                }
                for s in sources
            ]
            judgements = [
                {"rater": "r1", "dimension": dimension, "reason": ""}
                | {"label": rng.choice(labels) if rng.random() > 0.05 else None}
                | {"comment": f"Unclear {RARE_WORD}." if rng.random() < 0.02 else ""}
                for dimension, labels in LABELS.items()
                if number < 100
            ]
            for judgement in judgements:
                judgement["reason"] = "" if judgement["label"] else "not applicable"
            answers.append(
                {"system": system, "status": status}
                | {"text": None if status == "never answered" else text}
                | {"scores": scores, "judgements": judgements}
            )
        made.append(
            {"case": f"R-{number + 1:04d}", "in_ranking": number < 50}
            | {"evidence": [f"Sentence one about {RARE_WORD}."]}
            | {"question": f"Does treatment {number + 1} work? {RARE_WORD}"}
            | {"narrative": f"A patient asks about {RARE_WORD}.", "answers": answers}
            | {"references": [" ".join(rng.choices([*words, RARE_WORD], k=30)).capitalize() + "."]}
            | {"tags": {"condition": rng.choice(["asthma", "back pain", "stroke"])}}
        )
    made[0]["answers"][0]["text"] = made[0]["question"] = NASTY
    made[1]["case"] = 'odd "id" </script>&#x27;/ü'
    made[2]["answers"][1] |= {"status": "empty", "text": ""}
    return made


def build(cases: int = 356, seed: int = 11, **changes: object) -> Results:
    """Make a run; `changes` replace whole fields of `Results`, or of its study by `study_...`."""
    rng, sources = Random(seed), _sources()  # noqa: S311 - invented data, no secret
    standings = _standings(rng, sources)
    made: dict[str, Any] = {
        "study": _study(cases),
        "run": {"name": "5f1c9a20", "seed": 0, "replicates": 10_000}
        | {"software": "medassay 0.1.0"}
        | {"inputs": {"study.toml": "0f" * 32, "cases.jsonl": "1e" * 32}},
        "systems": [
            {"id": i, "title": t, "family": "", "answers": cases, "missing": 0, "empty": 0}
            for i, t in SYSTEMS.items()
        ],
        "dimensions": [
            {
                "id": d,
                "title": d.replace("_", " ").capitalize(),
                "question": f"What about {d.replace('_', ' ')}?",
                "scale": "ordinal",
                "labels": [
                    {"label": label, "score": float(len(ls) - 1 - i), "description": f"{label}."}
                    for i, label in enumerate(ls)
                ],
            }
            for d, ls in LABELS.items()
        ],
        "sources": sources,
        "ranking_rule": "the 50 cases on which all six were judged",
        "primary": consensus("fluency"),
        **_ratings(rng),
        "taus": _correlations(rng),
        "cases": _cases(rng, cases, sources),
        "methods": [
            {"title": "Ranking", "text": "Systems are ranked by their mean over the ranking cases."}
            | {"signature": "rank:mean|ties:average"}
        ],
        "warnings": [
            "There are no questions, evidence or citations, so metrics that need them are left out."
        ],
    }
    ranked = {"standings": standings, "comparisons": _comparisons(standings)}
    controls = [{"dimension": dimension, "share": 0.23} for dimension in LABELS]
    taus = {"tried": made.pop("taus"), "method": "mean", "dimension": "fluency"}
    taus |= {"by_chance": {"metrics": 6, "share": 0.41, "controls": controls}}
    made["analyses"] = {"leaderboards": ranked, **made["analyses"], "correlations": taus}
    made["ranking_cases"] = [c["case"] for c in made["cases"] if c["in_ranking"]]
    for name, value in changes.items():
        (made["study"] if name.startswith("study_") else made)[name.removeprefix("study_")] = value
    return results_of(made)


@pytest.fixture(scope="session")
def make_results() -> Factory:
    return build


@pytest.fixture(scope="session")
def results() -> Results:
    return build()


@pytest.fixture(scope="session")
def small() -> Results:
    return build(cases=12)
