"""Data inside the page: the cases for the case browser, and the files that its buttons hand out."""

import json
from base64 import b64encode
from hashlib import sha256

from medassay.analyses.results import AnswerResult, Results
from medassay.exhibits.natural_order import natural_order
from medassay.report.names import Names
from medassay.report.styles import answer_styles
from medassay.text import is_marked_up, markdown_tree, packed

__all__ = ["cases_json", "json_for_script", "script_hash"]

# What could end the script element or start a comment in it, and what old engines take for a line.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
_DIGITS = 6
_DOCUMENTS = 20
"""So many of an answer's retrieved documents are named; a run of TREC lists a thousand a case."""


def json_for_script(value: object) -> str:
    r"""Write JSON that can stand inside a script element, whatever the text says.

    Example:
        >>> json_for_script("</script>")
        '"\\u003c/script\\u003e"'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_ESCAPES)


def script_hash(content: str) -> str:
    """Name a script in the content security policy, so that no other script can run."""
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def cases_json(results: Results) -> str:
    """Pack every case: words that recur are written once and pointed at by position."""
    names = Names(results)
    reasons: dict[str, int] = {}
    order = {source.name: i for i, source in enumerate(results.sources)}
    systems = {s.id: i for i, s in enumerate(results.systems)}
    judged = dict.fromkeys(d.id for d in results.dimensions)
    judged |= dict.fromkeys(
        j.dimension for c in results.cases for a in c.answers for j in a.judgements
    )
    dimensions = {name: i for i, name in enumerate(judged)}
    cases = [
        {
            "id": case.case,
            "rank": case.in_ranking and not results.study.descriptive,
            "q": case.question,
            "n": case.narrative,
            "e": case.evidence,
            "r": case.references,
            "t": case.tags,
            "o": case.options,
            "g": case.gold,
            "d": case.relevant,
            "a": [_answer(a, order, systems, dimensions, reasons) for a in case.answers],
        }
        for case in sorted(results.cases, key=lambda entry: natural_order(entry.case))
    ]
    styles = answer_styles(results)
    # Of very many chains only some are read again; the others' steps are not marked.
    read = [
        any(mark.kind == "step" for mark in answer.marks)
        for case in results.cases
        for answer in case.answers
        if answer.reasoning
    ]
    return json_for_script(
        {
            "systems": [[s.id, names.of_system(s.id)] for s in results.systems],
            "sources": [
                [s.name, names.of_source(s.name), styles[s.name].decimals, styles[s.name].drop_zero]
                + ([1] if s.kind == "consensus" else [])
                for s in results.sources
            ],
            "dimensions": [[name, names.of_dimension(name)] for name in dimensions],
            "labels": [
                next(([i.label for i in d.labels] for d in results.dimensions if d.id == name), [])
                for name in dimensions
            ],
            "texts": results.study.texts,
            "partly": any(read) and not all(read),
            "synthetic": results.study.synthetic,
            "reasons": list(reasons),
            "cases": cases,
        }
    )


def _answer(
    answer: AnswerResult,
    sources: dict[str, int],
    systems: dict[str, int],
    dimensions: dict[str, int],
    reasons: dict[str, int],
) -> list[object]:
    values: list[float | str | None] = [None] * len(sources)
    for score in answer.scores:
        place = sources.get(score.source)
        if place is None:
            continue
        if score.value is None:
            values[place] = f"r{reasons.setdefault(score.reason, len(reasons))}"
        else:
            # Six digits are more than the page prints; the files hold them all.
            values[place] = float(f"{score.value:.{_DIGITS}g}")
    judgements = [
        [
            dimensions[j.dimension],
            j.said if j.label is not None else None,
            "" if j.label is not None else j.reason,
            j.rater,
            j.comment,
        ]
        for j in answer.judgements
    ]
    return [
        systems.get(answer.system, answer.system),
        answer.status,
        answer.text,
        values,
        judgements,
        [
            [
                [sources[name] for name in statements.metrics if name in sources],
                [[s.text, s.verdict, s.evidence, s.sentence, s.why] for s in statements.statements],
            ]
            for statements in answer.statements
        ],
        answer.choice,
        answer.confidence,
        answer.reasoning,
        answer.retrieved[:_DOCUMENTS],
        [
            [
                mark.kind,
                mark.of,
                mark.says,
                [[place.part, place.start, place.end] for place in mark.places],
            ]
            for mark in answer.marks
        ],
        len(answer.retrieved[_DOCUMENTS:]),
        [_layout(answer.text), _layout(answer.reasoning)],
    ]


def _layout(text: str | None) -> list[object] | int:
    """Lay a text out as its Markdown means it; 0 where that is how it was written."""
    return packed(markdown_tree(text)) if text and is_marked_up(text) else 0
