"""How far do the raters agree?"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from medassay.agreement import ALL_CASES, Agreement, DesignNote, PassageAgreement, Slice, few_cases
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.rater_agreement import Agreed
from medassay.analyses.results.whole import Records
from medassay.exhibits import Names, shown, table_of
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.columns import (
    Shown,
    counted,
    estimate,
    estimate_fields,
    estimated,
    how,
    missing,
)
from medassay.exhibits.drawing import DotPanel, Mark, Picture, dot_grid
from medassay.exhibits.numbers import (
    PROPORTION,
    ci,
    count_of,
    listed,
    listed_few,
    number_word,
)
from medassay.exhibits.sentences import as_sentence, stopped
from medassay.exhibits.table import Cell, Column, Table

_OF: Final = {
    "phase": ("With and without calibration items", "Items"),
    "pair": ("Agreement of each pair of raters", "Raters"),
    "system": ("Agreement on each system's answers", "System"),
    "self": ("Agreement of raters with themselves, first label against repeat", "Rater"),
}


def part_tables(parts: Sequence[Slice], names: Names) -> list[Table]:
    """Give a table for each way in which agreement was taken by parts."""
    by = {way: [part for part in parts if part.by == way] for way in _OF}
    return [_by_part(way, own, names) for way, own in by.items() if own]


def _by_part(way: str, parts: Sequence[Slice], names: Names) -> Table:
    title, heading = _OF[way]
    called: Callable[[str], str] = names.of_system if way == "system" else str
    return table_of(
        ((names.of_dimension(part.agreement.dimension), part) for part in parts),
        (
            shown(heading, lambda part: called(part.group), file="group"),
            shown("Coefficient", "agreement.coefficient", says=_title_of, file="coefficient"),
            shown("Labels", "agreement.mapping", file="labels"),
            estimated(
                "Value", "agreement.value", interval="agreement.interval",
                why_not="agreement.reason", file="value",
            ),
            shown(
                "Answers", "agreement.n_units", "{:,}".format, file="answers",
                adds={"raters": "agreement.n_raters"},
            ),
        ),
        id=f"agreement-by-{way}",
        title=title,
        caption="Each value rests on the answers that both labels are there for. "
        f"{how(part.agreement.interval for part in parts)}",
        grouped_by="dimension",
        stands="file",
    )  # fmt: skip


def _title_of(part: Slice) -> str:
    return part.agreement.title


def bands_table(panel: Sequence[Agreement], names: Names) -> Table:
    """Put the words that publications have for each value side by side."""
    own = [a for a in panel if a.bands and a.subset == "all cases"]
    own = own or [a for a in panel if a.bands]
    sources = list(dict.fromkeys(source for a in own for source in a.bands))
    return table_of(
        ((names.of_dimension(a.dimension), a) for a in own),
        (
            shown("Coefficient", "coefficient", says=lambda a: a.title),
            shown("Labels", "mapping", file="labels"),
            shown("Value", "value", PROPORTION),
            *(shown(source, _band(source), file=source) for source in sources),
        ),
        id="agreement-bands",
        title="What publications call these values",
        caption="None of them derives its bounds, and they differ: name the source beside the "
        "word, and read the interval before either. A dash: the publication does not speak of this "
        "coefficient or has no word for this value.",
        empty="No publication has a word for any of these values.",
        grouped_by="dimension",
        stands="file",
    )


def _band(source: str) -> Callable[[Agreement], str | None]:
    return lambda agreement: agreement.bands.get(source)


def bands_in_words(bands: Mapping[str, str]) -> str:
    """Say each word once, with the publications that use it.

    Example:
        >>> bands_in_words({"Landis & Koch (1977)": "fair", "Fleiss (1981)": "poor"})
        'fair (Landis & Koch 1977), poor (Fleiss 1981)'
    """
    by_word: dict[str, list[str]] = {}
    for source, word in bands.items():
        by_word.setdefault(word, []).append(source.replace("(", "").replace(")", ""))
    return ", ".join(f"{word} ({'; '.join(sources)})" for word, sources in by_word.items())


_ANY: Final = "any"


def passage_table(passages: Sequence[PassageAgreement], names: Names) -> Table:
    """Show the pairwise F1 of characters, of passages of any kind and of each."""
    return table_of(
        ((names.of_dimension(row.dimension), row) for row in passages),
        (
            shown("Passages", lambda row: row.kind or _ANY, file="kind"),
            estimated("Characters, F1", "value", file="f1", axis=(0, 1)),
            counted("Both mark", "both"),
            counted("One marks", "one"),
            counted("Neither", "neither"),
            counted("Answers", "n_answers", file="answers"),
            counted("Cases", "n_cases", file="cases"),
        ),
        id="passage-agreement",
        title="Agreement on passages",
        caption="Characters of an answer that both of two raters marked, twice, by those that each "
        "marked, over all pairs of raters of an answer (both, one or neither of whom marked any). "
        "1: they mark the same characters; 0: none in common. Not corrected for chance. "
        + how(row.interval for row in passages),
        grouped_by="dimension",
    )


def same_passages(passages: Sequence[PassageAgreement], names: Names) -> str:
    """Say how far two raters mark the same characters, on the dimensions most and least."""
    known = sorted(
        (
            (agreed.value, agreed)
            for agreed in passages
            if not agreed.kind and agreed.value is not None
        ),
        key=lambda pair: -pair[0],
    )
    if not known:
        return ""
    (value, best), *_, (low, worst) = [*known, known[-1]]
    on, around = names.of_dimension(best.dimension), _brackets(ci(best.interval))
    text = (
        f"Two raters marked the same characters on {on} with an F1 of {PROPORTION(value)}{around}."
    )
    if best is worst:
        return text
    on, around = names.of_dimension(worst.dimension), _brackets(ci(worst.interval))
    return f"{text} The lowest F1 is {PROPORTION(low)}{around}, on {on}."


def _brackets(text: str) -> str:
    return f" ({text})" if text else ""


_UNDEFINED: Final = "undefined here: "
"""What a reason begins with, and a sentence says already."""
_LIKELY: Final = 0.75
"""Share of one label from which two raters agree by chance on more than half of all answers."""
_MOST: Final = 4
"""Dimensions of which more that agree alike are told as one."""


def same_label(panel: Sequence[Agreement], names: Names) -> str:
    """Say how often two raters chose the same label, and where one label makes that likely."""
    pairs = sorted(
        (
            (agreement.value, agreement)
            for agreement in panel
            if (str(agreement.coefficient), agreement.mapping) == ("mean_pairwise", "full")
            and agreement.subset == panel[0].subset
            and agreement.value is not None
        ),
        key=lambda pair: -pair[0],
    )
    if not pairs:
        return ""
    commonest = {
        agreement.dimension: agreement.value
        for agreement in panel
        if (agreement.coefficient, agreement.mapping) == ("commonest", "full")
        and agreement.subset == panel[0].subset
    }

    def beside(agreement: Agreement) -> str:
        share = commonest.get(agreement.dimension)
        if share is None or share < _LIKELY:
            return ""
        return f" ({_percent(share)} of ratings were one label, so chance alone gives much of this)"

    (value, best), *_, (low, worst) = [*pairs, pairs[-1]]
    share, on = _percent(value), names.of_dimension(best.dimension)
    if len(pairs) > _MOST and share == _percent(low):
        return f"On average, two raters agreed on {share} of answers on every question."
    of = f"{best.n_units:,} answers" if best.n_units else "answers"
    text = f"On average, two raters agreed on {share} of {of} on {on}{beside(best)}."
    if best is worst:
        return text
    least, on = _percent(low), names.of_dimension(worst.dimension)
    if share == least and len(pairs) == 2:  # noqa: PLR2004 - both are named
        return f"{text} They agreed as often on {on}{beside(worst)}."
    return f"{text} They agreed least on {on}: on {least} of answers{beside(worst)}."


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"


_FEW: Final = 30


def main_agreement(agreed: Agreed, names: Names) -> Table:
    """Give each dimension its headline, and what stands beside it."""
    chosen = [row for headline in agreed.headlines for row in headline.rows_of(agreed.panel)]
    return _agreement(
        chosen,
        names,
        "agreement-main",
        "Agreement of the raters",
        "",
    )


def every_coefficient(panel: Sequence[Agreement], names: Names) -> Table:
    """Put the coefficients of all cases beside those of the ranking cases."""
    return _agreement(panel, names, "agreement", "Every coefficient of agreement")


def _agreement(
    known: Sequence[Agreement], names: Names, table_id: str, title: str, more: str = ""
) -> Table:
    subsets = list(dict.fromkeys(a.subset for a in known))
    rows: dict[tuple[str, str, str], dict[str, Agreement]] = {}
    for a in known:
        rows.setdefault((a.dimension, a.mapping, a.coefficient), {})[a.subset] = a
    return table_of(
        ((names.of_dimension(dimension), by) for (dimension, *_), by in rows.items()),
        (
            shown(
                "Coefficient", lambda by: _first(by).coefficient, file="coefficient",
                says=lambda by: _first(by).title, detail=lambda by: _meaning(_first(by)),
            ),
            shown("Labels", lambda by: _first(by).mapping, file="labels"),
            *(column for subset in subsets for column in _of_subset(subset)),
            shown(
                "Called", lambda by: bands_in_words(_first(by).bands) or None, file="called",
                wide=True,
            ),
            Shown(Column("Note", ("note",)), _note),
        ),
        id=table_id,
        title=title,
        caption=f"{_agreement_caption(known)} {more}".strip(),
        empty="No answer was judged by two raters, so agreement cannot be measured.",
        grouped_by="dimension",
        stands="file" if table_id == "agreement" else "page",
    )  # fmt: skip


_BySubset = Mapping[str, Agreement]
_NOT_COMPUTED: Final = "Not computed for these cases."


def _first(by: _BySubset) -> Agreement:
    return next(iter(by.values()))


def _of_subset(subset: str) -> tuple[Shown[_BySubset], Shown[_BySubset]]:
    """Declare a coefficient's value on some cases, and how many answers and raters it rests on."""
    field, group = subset.replace(" ", "_"), subset.capitalize()
    counts = (f"{field}_answers", f"{field}_raters")

    def value(by: _BySubset) -> Cell:
        own = by.get(subset)
        if own is None:
            return missing(_NOT_COMPUTED, 4)
        return estimate(own.value, own.interval, own.reason)

    def answers(by: _BySubset) -> Cell:
        own = by.get(subset)
        if own is None:
            return missing(_NOT_COMPUTED, 2)
        return Cell(f"{own.n_units:,}", (own.n_units, own.n_raters))

    return (
        Shown(Column("Value", estimate_fields(field), numeric=True, group=group), value),
        Shown(Column("Answers", counts, numeric=True, group=group), answers),
    )


def _meaning(agreement: Agreement) -> str:
    meanings = {
        "1": agreement.one,
        "0": agreement.zero,
        "below 0": agreement.below_zero,
    }
    return "\n".join(f"{end}: {words}" for end, words in meanings.items() if words)


def _note(by: _BySubset) -> Cell:
    notes = list(dict.fromkeys(note for agreement in by.values() for note in agreement.remarks))
    if not notes:
        return Cell("", (None,))
    sentence = "; ".join(notes)
    flagged = "raters agree on" in sentence
    whole = "no interval" if "nothing to resample" in sentence else "read the note"
    word = "high agreement, low value" if flagged else whole
    return Cell(word, (sentence,), detail="\n".join(as_sentence(note) for note in notes))


def _agreement_caption(agreements: Sequence[Agreement]) -> str:
    parts = ["Over answers rated twice or more."]
    parts.append("1: perfect; 0: chance, where corrected for.")
    units = [a.n_units for a in agreements]
    if units and min(units) < _FEW:
        largest, smallest = max(units), min(units)
        span = f"{smallest:,}" if smallest == largest else f"{smallest:,} to {largest:,}"
        parts.append(f"Few answers ({span}): read the interval, not the value alone.")
    parts.append(few_cases(a.n_cases for a in agreements if a.interval is not None))
    parts.append(how(a.interval for a in agreements))
    return " ".join(part for part in parts if part)


_BASIS: Final = ("agreement-main", "agreement")
_PASSAGES: Final = ("passage-agreement",)
_AGREEMENT: Final = ReaderQuestion.AGREEMENT


def agreement_findings(agreed: Agreed, names: Names) -> tuple[Finding, ...]:
    """Say how often raters agree, and how far beyond chance, on the dimensions least and most."""
    texts = (
        ("same-label", same_label(agreed.panel, names), _BASIS),
        ("agreement", _sentence(agreed, names), _BASIS),
        ("same-passages", same_passages(agreed.passages, names), _PASSAGES),
    )
    return tuple(Finding(name, text, basis, _AGREEMENT) for name, text, basis in texts if text)


def agreement_notes(agreed: Agreed, names: Names) -> tuple[str, ...]:
    """Say what the design does to the coefficients, and where agreement is high and kappa low."""
    return (*(_of_design(note, names) for note in agreed.notes), *_paradoxes(agreed.panel, names))


def agreement_cautions(agreed: Agreed) -> list[str]:
    """Say each note on the design once, with the dimensions that it holds for."""
    return [
        f"Agreement{' on ' if n.dimension else ''}{n.dimension}: {n.text}." for n in agreed.notes
    ]


def _of_design(note: DesignNote, names: Names) -> str:
    where = f"{names.of_dimension(note.dimension)}: " if note.dimension else ""
    return as_sentence(f"{where}{note.text}")


def _paradoxes(panel: Sequence[Agreement], names: Names) -> list[str]:
    first = panel[0].subset if panel else ""
    # A weighted coefficient sees another agreement than a plain one: each note names its own.
    flagged: dict[tuple[str, str], dict[str, None]] = {}
    for agreement in panel:
        where = f"{names.of_dimension(agreement.dimension)}, {agreement.mapping} labels"
        for note in agreement.notes:
            if agreement.subset == first and note.startswith("raters agree on"):
                flagged.setdefault((where, note), {})[agreement.title] = None
    places: dict[tuple[str, str], list[str]] = {}
    for (where, note), titles in flagged.items():
        places.setdefault((listed(list(titles)), note), []).append(where)
    return [
        as_sentence(f"{listed(where)}: {titles}: {note}")
        for (titles, note), where in places.items()
    ]


def _sentence(agreed: Agreed, names: Names) -> str:
    known = [a for a in agreed.panel if a.subset == ALL_CASES] or agreed.panel
    told = [headline.rows_of(known)[0] for headline in agreed.headlines]
    if not told and agreed.passages:
        return ""
    if not told:
        return (
            f"Agreement cannot be measured: in {count_of(agreed.judgements, 'rating')} "
            "no answer was rated by two raters."
        )
    by_title: dict[str, list[Agreement]] = {}
    for each in told:
        if each.value is not None:
            by_title.setdefault(each.title, []).append(each)
    if not by_title:
        why = told[0].reason.removeprefix(_UNDEFINED)
        return stopped(f"Agreement is undefined on every dimension: {why}")
    lacking: dict[str, list[str]] = {}
    for each in told:
        if each.value is None:
            why = each.reason.removeprefix(_UNDEFINED)
            lacking.setdefault(why, []).append(names.of_dimension(each.dimension))
    sentences = [_of_one_coefficient(own, agreed, names) for own in by_title.values()]
    sentences += [
        f"Agreement on {listed_few(dimensions, _MOST)} is undefined: {stopped(why)}"
        for why, dimensions in lacking.items()
    ]
    return " ".join(sentences)


def _of_one_coefficient(agreements: Sequence[Agreement], agreed: Agreed, names: Names) -> str:
    """Say a coefficient on the dimensions least and most, and what makes it say little."""
    valued = sorted(agreements, key=_value)
    unsure = [a for a in valued if a.interval is None]
    valued = [a for a in valued if a.interval is not None] or valued
    low, high = valued[0], valued[-1]
    of = _read(agreed.panel, valued)
    title, lowest, on = low.title, PROPORTION(_value(low)), names.of_dimension(low.dimension)
    beside = _beside(low, of)
    if low is high:
        sentences = [f"{title} is {lowest} on {on} ({beside})."]
    elif lowest == PROPORTION(_value(high)):
        units = [a.n_units for a in valued]
        n = f"{min(units):,}" if min(units) == max(units) else f"{min(units):,} to {max(units):,}"
        where = f"each of {number_word(len(valued))} dimensions"
        sentences = [f"{title} is {lowest} on {where} ({n} {of[1]})."]
    else:
        sentences = [f"{title} is lowest on {on}, {lowest} ({beside})."]
        highest, on = PROPORTION(_value(high)), names.of_dimension(high.dimension)
        sentences.append(f"It is highest on {on}, {highest} ({_beside(high, of)}).")
        if _overlap(low, high):
            sentences.append("The two intervals overlap.")
        sentences += _between(valued[1:-1], names, of)
    if min(a.n_units for a in valued) < _FEW:
        sentences.append("These are few answers.")
    if 0 < len(unsure) < len(agreements):
        dimensions = listed_few([names.of_dimension(a.dimension) for a in unsure], _MOST)
        sentences.append(f"On {dimensions} it has no interval and says little.")
    return " ".join(sentences)


def _between(valued: Sequence[Agreement], names: Names, of: tuple[str, str]) -> list[str]:
    """Say the value of a dimension between the least and the most; of several only that."""
    if len(valued) == 1:
        own = valued[0]
        on = names.of_dimension(own.dimension)
        return [f"On {on} it is {PROPORTION(_value(own))} ({_beside(own, of)})."]
    many = number_word(len(valued)) if valued else ""
    return [f"On the other {many} dimensions it is between the two."] if valued else []


def _read(panel: Sequence[Agreement], valued: list[Agreement]) -> tuple[str, str]:
    """Say on which answer, and answers, the values rest; those with holes may be left out."""
    every: dict[tuple[str, str, str], int] = {}
    for agreement in panel:
        key = agreement.dimension, agreement.mapping, agreement.subset
        every[key] = max(every.get(key, 0), agreement.n_units)
    whole = all(
        agreement.n_units == every[agreement.dimension, agreement.mapping, agreement.subset]
        for agreement in valued
    )
    return (
        ("answer rated twice or more", "answers rated twice or more")
        if whole
        else ("answer with all of its ratings", "answers with all of their ratings")
    )


def _value(agreement: Agreement) -> float:
    return agreement.value if agreement.value is not None else 0.0


def _beside(agreement: Agreement, of: tuple[str, str]) -> str:
    """Give the interval, and how many answers it rests on."""
    return "; ".join(filter(None, [ci(agreement.interval), count_of(agreement.n_units, *of)]))


def _overlap(low: Agreement, high: Agreement) -> bool:
    if low.interval is None or high.interval is None:
        return False
    return low.interval.high >= high.interval.low


_ACROSS = 3


def agreement_picture(panel: Sequence[Agreement], names: Names) -> dict[str, Picture]:
    """Draw coefficients down, dimensions across, over all cases where there are such."""
    known = [agreement for agreement in panel if agreement.subset == ALL_CASES] or panel
    # How common the commonest label is says nothing of agreement by itself.
    shown = [a for a in known if a.value is not None and a.coefficient != "commonest"]
    if not shown:
        return {}
    full = [agreement for agreement in shown if agreement.mapping == "full"]
    rows = list(dict.fromkeys(_row(agreement) for agreement in [*full, *shown]))
    panels = []
    for dimension in dict.fromkeys(agreement.dimension for agreement in shown):
        own = [agreement for agreement in shown if agreement.dimension == dimension]
        marks = {_row(agreement): [_mark(agreement)] for agreement in own}
        panels.append(DotPanel(names.of_dimension(dimension), marks, 0.0, (_low(shown), 1.0)))
    units = [agreement.n_units for agreement in shown]
    span = f"{min(units):,}" if min(units) == max(units) else f"{min(units):,} to {max(units):,}"
    caption = (
        f"Over the {span} answers rated twice or more. 1: perfect; 0: chance, but for unanimous "
        "and pairwise agreement. Open circles: coarser labels. "
        f"{how(agreement.interval for agreement in shown)}"
    )
    figure = dot_grid(panels, rows, _ACROSS, synthetic=names.synthetic)
    return {"agreement": Picture("Agreement of the raters", figure, caption)}


def _row(agreement: Agreement) -> str:
    return (
        agreement.title
        if agreement.mapping == "full"
        else f"{agreement.title}, {agreement.mapping}"
    )


def _mark(agreement: Agreement) -> Mark:
    value = agreement.value if agreement.value is not None else 0.0
    low, high = (
        (agreement.interval.low, agreement.interval.high) if agreement.interval else (None, None)
    )
    return Mark(value, low, high, full=agreement.mapping == "full")


def _low(shown: list[Agreement]) -> float:
    ends = [agreement.interval.low for agreement in shown if agreement.interval]
    ends += [agreement.value for agreement in shown if agreement.value is not None]
    return 0.0 if min(ends) >= 0 else max(-1.0, round(min(ends) - 0.1, 1))


@analysis(
    Declaration(
        id="agreement",
        title="How far the raters agree",
        question="How far do the raters agree, in pairs, with themselves and on each dimension?",
        section="panel",
        part="panel-agreement",
        infers=False,
        reader="organiser",
        place=20,
        finding_place=100,
        tables=lambda agreed, names: [
            main_agreement(agreed, names),
            *([every_coefficient(agreed.panel, names)] if agreed.panel else []),
            *part_tables(agreed.parts, names),
            *([bands_table(agreed.panel, names)] if agreed.panel else []),
            *([passage_table(agreed.passages, names)] if agreed.passages else []),
        ],
        pictures=lambda agreed, names: agreement_picture(agreed.panel, names),
        notes=agreement_notes,
        cautions=agreement_cautions,
        finding=agreement_findings,
    )
)
def agreement(agreed: Agreed) -> Agreed | None:
    """Give what was found of the panel; nothing where nobody judged."""
    return agreed if agreed.judgements else None


def panel_in(records: Records) -> tuple[Agreement, ...]:
    """Give the panel's coefficients of a run; nothing where it was not asked."""
    agreed = records.of(agreement)
    return agreed.panel if agreed else ()


def parts_in(records: Records) -> tuple[Slice, ...]:
    """Give the coefficients of parts of the panel; nothing where a run was not asked."""
    agreed = records.of(agreement)
    return agreed.parts if agreed else ()
