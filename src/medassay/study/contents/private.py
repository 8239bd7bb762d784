"""A study's parts without what [privacy] keeps in it: tags, comments and, where asked, case ids.

What is computed of such a study, by whatever analysis, and what is said of it can hold none of
these, since it never met them. Texts stay, for metrics read them; what they become is the concern
of records and their types.

Numbers stand in the order of the names that they stand for, so that sorting comes out the same, and
numbering a second time changes nothing.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, get_args

from medassay.annotations import case_numbers, numbered
from medassay.answers import Answers
from medassay.cases import Case, Cases
from medassay.judgements import OWN_WORDS, About, Judgements, Preferences, Raters, Rubric
from medassay.metrics.danger import Category
from medassay.scores import ScoreTable
from medassay.study.config.study_toml import StudyConfig
from medassay.study.contents.document_labels import DocumentLabel
from medassay.study.contents.imported import Imported
from medassay.tables import changed

if TYPE_CHECKING:
    import polars as pl

__all__ = ["PrivateNames", "numbering_of", "raters_without_words"]

_TAG: Final = "tag "
_VALUE: Final = "value "
_SHOWN: Final = "text "
_KEPT: Final = "kept in the study"
_SCENARIO: Final = "scenario"
"""A tag that the program itself gives a meaning: wordings of one question."""


@dataclass(frozen=True)
class PrivateNames:
    """What the parts of a study are called that keeps its own names.

    Attributes:
        cases: Case to its number; empty where cases keep their ids.
        tags: Each tag that something is computed by to its number; other tags are left out.
        values: Those tags to their values, and these to their numbers.
        parts: Criteria, documents and evidence that a judgement may be about to their numbers;
            empty where they keep their ids.
    """

    cases: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, config: StudyConfig, cases: Cases, rubric: Rubric) -> "PrivateNames":
        """Number what a study's setting keeps: tags under `ids`, cases as well under `none`."""
        dangers = _danger_tags(config, cases)
        used = {tag for tag in (config.ranking.clusters, config.safety.tag) if tag is not None}
        tags = {_SCENARIO: _SCENARIO, **numbered(used, _TAG)}
        base = config.safety.tag
        tags |= {name: tags[base] + name.removeprefix(base) for name in dangers}
        kinds = _kinds(rubric)
        strange = {value for name in dangers for value in _values(cases, name)} - kinds
        danger = {kind: kind for kind in kinds} | numbered(strange, _VALUE)
        values = {
            name: danger if name in dangers else numbered(_values(cases, name), _VALUE)
            for name in tags
        }
        if config.privacy.texts != "none":
            return cls({}, tags, values)
        return cls(case_numbers(cases.ids), tags, values, numbered(_parts(cases), "part-"))

    def case(self, case: Case) -> Case:
        """Give a case without its other tags, under its number."""
        tags = {
            self.tags[name]: self.values[name][value]
            for name, value in case.tags.items()
            if name in self.tags
        }
        criteria = tuple(
            criterion.model_copy(update={"id": self.parts.get(criterion.id, criterion.id)})
            for criterion in case.criteria
        )
        number = self.cases.get(case.case, case.case)
        return case.model_copy(update={"case": number, "tags": tags, "criteria": criteria})

    def of_cases(self, cases: Cases) -> Cases:
        """Give the cases so."""
        return Cases(changed(self.case, cases.records))

    def of_answers(self, answers: Answers) -> Answers:
        """Give the answers under the numbers of their cases."""
        if not self.cases:
            return replace(answers, warnings=())
        return Answers(
            changed(
                lambda answer: answer.model_copy(update={"case": self.cases[answer.case]}),
                answers.records,
            ),
            asked=answers.asked.called(self.cases),
        )

    def of_judgements(self, judgements: Judgements) -> Judgements:
        """Give the judgements without what raters wrote in words of their own."""
        return judgements.of_rows(self._said(judgements.frame))

    def of_preferences(self, preferences: Preferences) -> Preferences:
        """Give the preferences without what raters wrote in words of their own."""
        return preferences.of_rows(self._said(preferences.frame))

    def of_imported(self, imported: Imported) -> Imported:
        """Give imported scores without what somebody wrote beside a missing one."""
        table = ScoreTable(self._numbered(imported.table.without_details().frame))
        return replace(imported, table=table, notes=())

    def of_relevance(self, labels: Iterable[DocumentLabel]) -> tuple[DocumentLabel, ...]:
        """Give the labels of documents under the numbers of their cases."""
        return tuple(
            label.model_copy(update={"case": self.cases.get(label.case, label.case)})
            for label in labels
        )

    def of_config(self, config: StudyConfig) -> StudyConfig:
        """Give the settings with cases and tags called as everywhere; the domain's are left out."""
        clusters = config.ranking.clusters
        update: dict[str, object] = {
            "ranking": config.ranking.model_copy(
                update={"clusters": None if clusters is None else self.tags[clusters]}
            ),
            "safety": config.safety.model_copy(update={"tag": self.tags[config.safety.tag]}),
            "domain": config.domain.model_copy(update={"tags": []}),
            "corrections": [one.model_copy(update={"reason": _KEPT}) for one in config.corrections],
        }
        if config.consensus is not None:
            controls = [
                control_item.model_copy(
                    update={"case": self.cases.get(control_item.case, control_item.case)}
                )
                for control_item in config.consensus.controls
            ]
            update["consensus"] = config.consensus.model_copy(update={"controls": controls})
        return config.model_copy(update=update)

    def _said(self, frame: "pl.DataFrame") -> "pl.DataFrame":
        import polars as pl

        return self._numbered(
            frame.with_columns(
                pl.when(pl.col(name).is_not_null()).then(pl.lit(_KEPT)).alias(name)
                for name in OWN_WORDS
            )
        )

    def _about(self, text: str) -> str:
        """Give what a judgement is about, with numbers in place of ids."""
        about = About.read(text)
        if about is None or not about.id:
            return text
        # What no case holds, such as a document that a system found, has no number.
        number = self.parts.get(about.id) or hashlib.sha256(about.id.encode()).hexdigest()[:12]
        return text[: len(text) - len(about.id)] + number

    def _numbered(self, frame: "pl.DataFrame") -> "pl.DataFrame":
        import polars as pl

        if not self.cases:
            return frame
        if "about" in frame.columns:
            abouts = {text: self._about(text) for text in frame["about"].unique().to_list()}
            frame = frame.with_columns(pl.col("about").replace(abouts))
        return frame.with_columns(
            pl.col("case").replace_strict(
                list(self.cases), list(self.cases.values()), return_dtype=pl.String()
            )
        )


def numbering_of(cases: Sequence[str]) -> str:
    """Tell one numbering of cases from another: with other cases a number is another case's.

    Example:
        >>> numbering_of(["a", "b"]) == numbering_of(["b", "a"]) != numbering_of(["a", "c"])
        True
    """
    return hashlib.sha256(json.dumps(sorted(cases)).encode()).hexdigest()[:12]


def raters_without_words(raters: Raters) -> Raters:
    """Give the raters without what was written of them; who saw another text is still told."""
    shown = numbered({rater.shown for rater in raters if rater.shown}, _SHOWN)
    return Raters(
        replace(
            rater,
            expertise=_KEPT if rater.expertise else "",
            conflicts=_KEPT if rater.conflicts and not rater.declares_none else rater.conflicts,
            reason=_KEPT if rater.reason else "",
            shown=shown.get(rater.shown, ""),
        )
        for rater in raters
    )


def _danger_tags(config: StudyConfig, cases: Cases) -> set[str]:
    """Name the tags that make a kind of error of a choice: `danger`, `danger-A`."""
    base = config.safety.tag
    return {
        name for case in cases for name in case.tags if name == base or name.startswith(f"{base}-")
    }


def _kinds(rubric: Rubric) -> set[str]:
    """Name the kinds of error that are words of ours or of the rubric's: they tell of no case."""
    own = (dimension.id.removesuffix("-severity") for dimension in rubric.dimensions)
    return {*get_args(Category), *own}


def _parts(cases: Cases) -> set[str]:
    return {
        part.id
        for case in cases
        for parts in (case.criteria, case.documents, case.evidence)
        for part in parts
    }


def _values(cases: Cases, tag: str) -> set[str]:
    return {case.tags[tag] for case in cases if tag in case.tags}
