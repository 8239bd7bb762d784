"""What a panel that describes only found, objective by objective."""

from medassay.analyses.builtin.alignment import Alignment, alignments_in
from medassay.analyses.builtin.document_relevance import documents_in
from medassay.analyses.builtin.pairwise import judged_title, over_pairs_in, pairwise
from medassay.analyses.builtin.summaries import Summary, summaries_in
from medassay.analyses.results import Results
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import PROPORTION, Style, count_of, listed
from medassay.report.names import Names
from medassay.report.objectives import RETRIEVAL
from medassay.scores import Name

_TWO = Style(2)
_EACH_EXPERT = "labels=mean"
"""Where each expert's labels count instead of those of most experts."""


def sentences(results: Results) -> list[tuple[str, str, tuple[str, ...]]]:
    """Give id, sentence and tables for each objective that something is known of."""
    names = Names(results)
    metrics = [
        summary
        for summary in summaries_in(results.analyses)
        if (summary.kind, summary.over) == ("metric", "answers") and summary.n
    ]
    ratings = [
        summary
        for summary in summaries_in(results.analyses)
        if summary.over == "judgements" and summary.n
    ]
    sentences_of: list[tuple[str, str, tuple[str, ...]]] = []
    for summary_result in (*metrics, *ratings):
        split = _split(summary_result, results)
        tables = (f"summary-{slug(summary_result.name)}", *(("relevance",) if split else ()))
        sentences_of.append(
            (slug(summary_result.name), f"{_described(summary_result, names)}{split}", tables)
        )
    sentences_of.append(("confidence", _confidence(results, names), ("alignment", "side-by-side")))
    sentences_of.append(("agreement", _agreement(results, names), ("pairwise",)))
    return [sentence for sentence in sentences_of if sentence[1]]


def _described(summary: Summary, names: Names) -> str:
    style = PROPORTION if summary.most is not None and summary.most <= 1 else _TWO
    spread = "" if summary.sd is None else f"SD {style(summary.sd)}, "
    mean = "" if summary.mean is None else style(summary.mean)
    what = (
        names.of_source(summary.name)
        if summary.kind == "metric"
        else names.of_dimension(summary.name)
    )
    over = count_of(summary.n, "rating" if summary.over == "judgements" else "answer")
    alone, system = len(names.system) == 1, names.of_system(summary.system)
    if summary.name.startswith(RETRIEVAL):
        first = Name.parse(summary.name).k
        documents = "documents" if first is None else f"first {first} documents"
        documents += "" if alone else f" of {system}"
        by = "Averaged over experts" if _EACH_EXPERT in summary.name else "By most experts"
        return f"{by}, a share of {mean} of the {documents} was relevant ({spread}{over})."
    if alone:
        return f"{what} was {mean} on average ({spread}{over})."
    return f"{what} of {system} was {mean} on average ({spread}{over})."


def _split(summary: Summary, results: Results) -> str:
    """Say how many documents a share of relevant ones leaves out since its experts disagree."""
    if not summary.name.startswith(RETRIEVAL) or _EACH_EXPERT in summary.name:
        return ""
    first = Name.parse(summary.name).k
    documents = [
        document
        for document in documents_in(results.analyses)
        if first is None or (document.rank is not None and document.rank <= first)
    ]
    among = "" if first is None else f" among the first {first}"
    ties = sum(document.consensus is None for document in documents)
    if not ties:
        return ""
    documents_in_all = count_of(len(documents), "document")
    return f" Left out: {ties} of {documents_in_all}{among}, on which the experts tied."


def _confidence(results: Results, names: Names) -> str:
    stated = [
        alignment for alignment in alignments_in(results.analyses) if alignment.rule == "stated"
    ]
    lines = []
    for alignment_result in stated:
        given = [(level, n) for level, n in alignment_result.levels.items() if n]
        if not given:
            continue
        value = (
            f"undefined ({alignment_result.reason})"
            if alignment_result.kappa is None
            else PROPORTION(alignment_result.kappa)
        )
        alone = len(names.system) == 1
        who = "The system" if alone else names.of_system(alignment_result.system)
        answers = count_of(sum(alignment_result.levels.values()), "answer")
        levels = listed([f"{level} in {n}" for level, n in given])
        stated_as = (
            f"{who} stated {given[0][0]} confidence in each of {answers}"
            if len(given) == 1
            else f"{who} stated its confidence in {answers}: {levels}"
        )
        lines.append(f"{stated_as}.{_as_experts(alignment_result)}")
        lines.append(f"Its linear weighted kappa with most experts is {value}.")
    lines += [
        f"By the rule over the whole run, {_whose(alignment, names)} kappa is "
        f"{PROPORTION(alignment.kappa)}."
        for alignment in alignments_in(results.analyses)
        if alignment.rule == "min-max in the run" and alignment.kappa is not None
    ]
    return " ".join(lines)


def _whose(alignment: Alignment, names: Names) -> str:
    return "its" if len(names.system) == 1 else f"{names.of_system(alignment.system)}'s"


def _as_experts(alignment: Alignment) -> str:
    """Say in how many queries most experts were as sure; empty where none has both levels."""
    both = [row for row in alignment.rows if row.system and row.experts]
    if not both:
        return ""
    same = sum(row.system == row.experts for row in both)
    return f" Most experts were as sure in {same:,} of {count_of(len(both), 'query', 'queries')}."


def _agreement(results: Results, names: Names) -> str:
    raters = results.study.counts.raters
    if pairwise.id not in results.analyses:
        return ""
    if not over_pairs_in(results.analyses) and raters:
        return (
            "One expert rated, so agreement between experts is unknown."
            if raters == 1
            else f"{raters} experts rated, no two the same answer, so agreement is unknown."
        )
    known: list[tuple[float, str, str]] = []
    without: dict[str, list[str]] = {}
    for over_pairs in over_pairs_in(results.analyses):
        what = judged_title(over_pairs.dimension, names)
        if over_pairs.mean is None or over_pairs.least is None or over_pairs.most is None:
            without.setdefault(over_pairs.reason, []).append(what)
        else:
            ends = f"lowest {PROPORTION(over_pairs.least)}, highest {PROPORTION(over_pairs.most)}"
            mean = f"mean kappa of two experts {PROPORTION(over_pairs.mean)}; {ends}"
            known.append((over_pairs.mean, what, mean))
    lines = []
    if len(known) == 1:
        lines.append(f"Experts agreed on {known[0][1]} ({known[0][2]}).")
    elif known:
        least, most = min(known), max(known)
        lines.append(f"Experts agreed least on {least[1]} ({least[2]}).")
        lines.append(f"They agreed most on {most[1]} ({most[2]}).")
    lacking = [
        f"No pair of experts has a kappa on {listed([name.lower() for name in some])} ({reason})."
        for reason, some in without.items()
    ]
    return " ".join([*lines, *lacking])
