"""Hold what raters said against what each dimension asks them."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

import polars as pl

from medassay.errors import nearest
from medassay.judgements.intake import read_probabilities
from medassay.judgements.rows import MANY, REASONS, About, off_scale, refuse_both_or_neither
from medassay.judgements.rubric import (
    ANSWER_COLUMNS,
    NO_SPAN,
    AnswerColumn,
    Dimension,
    Rubric,
    words_for,
)
from medassay.tables import same_when_folded

if TYPE_CHECKING:
    from medassay.judgements.intake import Intake

_WHAT: Final[dict[AnswerColumn, str]] = {
    "label": "a label",
    "number": "a number",
    "kind": "the kind of a span",
}


class AnswerColumns:
    """The columns that a dimension gives their meaning, read row by row.

    Args:
        intake: The sheet, and where problems go.
        rubric: What is asked.
        dimension: The dimension of each row; unknown ones are refused here.
    """

    def __init__(self, intake: "Intake", rubric: Rubric, dimension: pl.Series) -> None:
        self._intake = intake
        self._rubric = rubric
        self._dimension = dimension
        known = dimension.is_in(rubric.ids).fill_null(value=False)
        strange = dimension.is_not_null() & ~known
        for row in strange.arg_true().to_list():
            must = f"be a dimension of {rubric.name}: {', '.join(rubric.ids)}"
            hint = nearest(dimension[row], rubric.ids)
            intake.refuse_one(row, "dimension", must, dimension[row], hint)

    def rated(self, reason: pl.Series) -> list[pl.Series]:
        """Read label, number, kind, severity, reason and about; each row says one thing."""
        intake = self._intake
        labels = {
            dimension.id: dimension.words
            for dimension in self._rubric.dimensions
            if dimension.labels
        }
        kinds = {
            dimension.id: {**words_for(dimension.kinds), NO_SPAN: NO_SPAN}
            for dimension in self._rubric.dimensions
            if dimension.kinds
        }
        kind = self._words("kind", kinds)
        about = intake.text("about").fill_null("")
        columns = [
            self._words("label", labels),
            self._numbers(),
            kind,
            self._severities(kind),
            reason,
            about,
        ]
        in_use = dict.fromkeys(dimension.column for dimension in self._rubric.dimensions)
        for name in in_use:
            if any(column in intake.sheet.columns for column in in_use):  # else it was said once
                mine = self._of(
                    dimension for dimension in self._rubric.dimensions if dimension.column == name
                )
                if name == "label":  # what an unknown dimension asks is most likely a label
                    mine |= ~self._of(self._rubric.dimensions)
                refuse_both_or_neither(intake, intake.text_of(name), reason, mine)
        self._refuse_other_columns()
        self._refuse_wrong_about(about, kind, reason)
        return columns

    def confidence(self) -> pl.Series:
        """Read how sure raters are, as the dimension lets them say it."""
        intake = self._intake
        values = intake.text_of("confidence")
        for dimension in self._rubric.dimensions:
            mine = self._of([dimension]) & values.is_not_null()
            if not mine.any():
                continue
            if not dimension.confidence:
                hint = "The rubric can ask for it: confidence, in docs/how-to/write-a-rubric.md."
                must = f"be empty, since {dimension.id} does not ask how sure a rater is"
                intake.refuse(mine, "confidence", must, values, hint)
            elif dimension.confidence_is_number:
                values = intake.share("confidence", values, mine)
            else:
                values = self._closed(
                    "confidence", values, mine, {w: w for w in dimension.confidence}
                )
        return values

    def probabilities(self) -> pl.Series:
        """Read how likely a model holds each label, as JSON from label to probability."""
        intake = self._intake
        read: list[str | None] = [None] * len(self._dimension)
        if "probabilities" in intake.sheet.columns:
            for dimension in self._rubric.dimensions:
                mine = self._of([dimension])
                if dimension.labels:
                    by_row = read_probabilities(intake, "probabilities", mine, dimension.words)
                    read = [new or old for new, old in zip(by_row, read, strict=True)]
                else:
                    values = intake.objects("probabilities")
                    must = f"be empty, since {dimension.id} has no labels"
                    intake.refuse(mine & values.is_not_null(), "probabilities", must, values)
        return pl.Series("probabilities", read, dtype=pl.String)

    def _of(self, dimensions: Iterable[Dimension]) -> pl.Series:
        """Say which rows are of these dimensions."""
        return self._dimension.is_in([dimension.id for dimension in dimensions]).fill_null(
            value=False
        )

    def _words(self, name: str, words: Mapping[str, Mapping[str, str]]) -> pl.Series:
        """Read a column of words, aliases as what they stand for; refuse what is none of them.

        Args:
            name: The column.
            words: Each dimension that has such words, its words to what they stand for.
        """
        values = self._intake.text(name)
        if not words or values.is_null().all():
            return values
        written = self._as_written(values, words)
        meanings = pl.DataFrame(
            [
                (dimension, word, meant)
                for dimension, known in words.items()
                for word, meant in known.items()
            ],
            schema=["dimension", name, "meant"],
            orient="row",
        )
        frame = pl.DataFrame([self._dimension, written])
        meant = frame.join(meanings, on=["dimension", name], how="left", maintain_order="left")
        mine = self._dimension.is_in(list(words)).fill_null(value=False)
        outside = values.is_not_null() & meant["meant"].is_null() & mine
        many = self._off_scale(name, values, words, outside) if name == "label" else set()
        for row in outside.arg_true().to_list():
            if row in many:
                continue
            known = words[self._dimension[row]]
            hint = nearest(values[row], known)
            if values[row] in REASONS:
                hint = f"It is a reason: put it in the column reason and leave the {name} empty."
            must = f"be one of {', '.join(dict.fromkeys(known.values()))}"
            self._intake.refuse_one(row, name, must, values[row], hint)
        return meant["meant"].alias(name)

    def _off_scale(
        self,
        name: str,
        labels: pl.Series,
        words: Mapping[str, Mapping[str, str]],
        outside: pl.Series,
    ) -> set[int]:
        """Refuse in one line what one rater said of one dimension in many rows; give the rows."""
        raters = self._intake.text_of("rater")
        groups: dict[tuple[str, str], list[int]] = {}
        for row in outside.arg_true().to_list():
            if labels[row] not in REASONS:
                groups.setdefault((self._dimension[row], raters[row] or ""), []).append(row)
        many = {about: rows for about, rows in groups.items() if len(rows) >= MANY}
        for (dimension, rater), rows in many.items():
            known = list(dict.fromkeys(words[dimension].values()))
            numbers = [self._intake.sheet.rows[row] for row in rows]
            found = off_scale([labels[row] for row in rows], numbers, dimension, known, rater)
            must = f"be one of {', '.join(known)}"
            self._intake.refuse_rows(rows[0], name, must, *found)
        return {row for rows in many.values() for row in rows}

    def _as_written(self, values: pl.Series, words: Mapping[str, Mapping[str, str]]) -> pl.Series:
        """Give words that only look like one of the rubric's as the rubric writes them."""
        pairs = pl.DataFrame([self._dimension, values]).unique().drop_nulls()
        strange = [
            (dimension, word, meant)
            for dimension, known in words.items()
            for word, meant in same_when_folded(
                pairs.filter(dimension=dimension).filter(~pl.col(values.name).is_in(list(known)))[
                    values.name
                ],
                known,
            ).items()
        ]
        if not strange:
            return values
        schema = ["dimension", values.name, "meant"]
        frame = pl.DataFrame([self._dimension, values])
        joined = frame.join(
            pl.DataFrame(strange, schema=schema, orient="row"),
            on=schema[:2], how="left", maintain_order="left",
        )  # fmt: skip
        return joined.select(pl.coalesce("meant", values.name).alias(values.name)).to_series()

    def _numbers(self) -> pl.Series:
        numbers = self._intake.real("number")
        if numbers.is_null().all():
            return numbers
        for dimension in self._rubric.dimensions:
            if dimension.number is not None:
                outside = ~dimension.number.holds(numbers) & self._of([dimension])
                must = f"be {dimension.number}"
                written = self._intake.text_of("number")
                self._intake.refuse(outside.fill_null(value=False), "number", must, written)
        return numbers

    def _severities(self, kind: pl.Series) -> pl.Series:
        """Read how bad a marked span is; one that is taken back has no severity."""
        marking = [marks_spans for marks_spans in self._rubric.dimensions if marks_spans.severities]
        severity = self._words(
            "severity",
            {marks_spans.id: words_for(marks_spans.severities) for marks_spans in marking},
        )
        if not marking and severity.is_null().all():
            return severity
        marked = kind.is_not_null() & (kind != NO_SPAN) & self._of(marking)
        written = self._intake.text_of("severity")
        lacking = marked & written.is_null()
        must = "say how bad the span is"
        self._intake.refuse(lacking.fill_null(value=False), "severity", must, "an empty cell")
        stray = written.is_not_null() & ~marked.fill_null(value=False)
        must = "be empty where no span is marked whose dimension asks for severity"
        self._intake.refuse(stray, "severity", must, written)
        return severity

    def _refuse_other_columns(self) -> None:
        """Refuse a label where a number is asked, and the like."""
        for name in ANSWER_COLUMNS:
            if name not in self._intake.sheet.columns:
                continue
            written = self._intake.text_of(name)
            for dimension in self._rubric.dimensions:
                if dimension.column != name:
                    stray = self._of([dimension]) & written.is_not_null()
                    must = f"be empty, since {dimension.id} asks for {_WHAT[dimension.column]}"
                    hint = f"Put it into the column {dimension.column}."
                    self._intake.refuse(stray, name, must, written, hint)

    def _refuse_wrong_about(self, about: pl.Series, kind: pl.Series, reason: pl.Series) -> None:
        """Refuse rows that are about something else than their dimension asks."""
        dimensions = {dimension.id: dimension for dimension in self._rubric.dimensions}
        nothing = ((kind == NO_SPAN) | reason.is_not_null()).fill_null(value=False)
        frame = pl.DataFrame([self._dimension, about, nothing.alias("nothing")])
        known = frame.filter(pl.col("dimension").is_in(list(dimensions))).unique()
        for name, text, empty in sorted(known.iter_rows()):
            dimension, read = dimensions[name], About.read(text)
            if read is not None and read.kind == dimension.about:
                continue
            marking = bool(dimension.kinds)
            if marking and empty and not text:
                continue
            must = About.must(dimension.about)
            if marking:
                must += f', or be empty where the kind is "{NO_SPAN}"'
            bad = (self._dimension == name) & (about == text) & (nothing == empty)
            got = f'"{text}"' if text else "an empty cell"
            self._intake.refuse(bad.fill_null(value=False), "about", must, got)

    def _closed(
        self, name: str, values: pl.Series, mine: pl.Series, words: Mapping[str, str]
    ) -> pl.Series:
        """Hold the words of some rows against a closed list."""
        like = self._intake.like(values, list(words))
        values = pl.select(pl.when(mine).then(like).otherwise(values)).to_series().alias(name)
        for row in (mine & ~values.is_in(list(words))).arg_true().to_list():
            must = f"be one of {', '.join(words)}"
            self._intake.refuse_one(row, name, must, values[row], nearest(values[row], words))
        return values
