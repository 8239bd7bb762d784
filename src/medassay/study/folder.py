"""Open a study's folder: read everything, check everything, report every problem at once.

What a reader should know of a study though nothing is wrong, said as far as each may hear it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from medassay.answers import Answers, CasesPerSystem
from medassay.api_checks import plainly_signed
from medassay.cases import Cases, near_clusters
from medassay.consensus import KnownToModel
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Judgements, Preferences, Raters, Rubric
from medassay.models import ModelSetup
from medassay.progress import tell
from medassay.stats.randomness import Seed
from medassay.study.certificates.certificate import Judges, describe_judge, domain_of, read_judges
from medassay.study.certificates.checks import StandingOfCertificate
from medassay.study.config.study_toml import (
    NEAR_EQUAL,
    StudyConfig,
    SystemConfig,
    model_setup_of,
    read_config,
    rule_problems,
)
from medassay.study.contents.cases_and_answers import (
    asked_of_strangers,
    read_study_answers,
    read_study_cases,
    with_shared_texts,
)
from medassay.study.contents.document_labels import (
    DocumentLabel,
    counted_labels,
    read_relevance,
    with_labels,
)
from medassay.study.contents.known_ids import KnownIds, named_anywhere, unknown_systems
from medassay.study.contents.metric_scores import Imported, read_imported
from medassay.study.contents.private import (
    PrivateNames,
    Pseudonyms,
    numbering_of,
    raters_without_words,
)
from medassay.study.contents.ratings import (
    correction_problems,
    count_left_out,
    describe_unsaid,
    given_in,
    given_problems,
    of_people,
    print_left_out,
    read_judgements,
    read_preferences,
    read_raters,
    turned,
    unasked_raters,
)
from medassay.study.files.names import misnamed, unread, unreadable
from medassay.study.opening.choices import (
    choice_problems,
    input_hashes,
    opening_problems,
    own_protocol_problems,
    rubric_in_use,
)
from medassay.tables import gc_paused
from medassay.text import Counted

_RATER = "rater"
_PARTS = 11
"""Readings of a study's files, one after the other."""


@dataclass(frozen=True)
class OpeningWords:
    """What opening a study found odd.

    Attributes:
        odd: Notes about files; they quote what stands there.
        said: Sentences that neither quote nor name a rater.
        labels: What experts say of documents, whoever they are.
        raters: Who the raters are, excluded ones among them.
        models: Raters whose labels do not count like a person's.
        left_out: Each excluded rater to how much they said.
        pseudonyms: What people are called outside of the study's own files.
    """

    odd: Sequence[Problem]
    said: Sequence[str]
    labels: Sequence[DocumentLabel]
    raters: Raters
    models: Collection[str]
    left_out: dict[str, int]
    pseudonyms: Pseudonyms

    def whole(self) -> tuple[str, ...]:
        """Say all of it, to whoever has the files."""
        return _told(self, str)

    def with_pseudonyms(self) -> tuple[str, ...]:
        """Say it with pseudonyms; of names that are odd, how many there are."""
        if not self.pseudonyms.of:
            return self.whole()
        return _told(self._renamed(), _unnamed)

    def without_quotes(self) -> tuple[str, ...]:
        """Say it with pseudonyms and without any word of the files."""
        words = self._renamed()
        return _told(replace(words, raters=raters_without_words(words.raters)), _unquoted)

    def _renamed(self) -> "OpeningWords":
        left_out = {self.pseudonyms.called(name): n for name, n in self.left_out.items()}
        labels = self.pseudonyms.of_labels(self.labels)
        raters = self.pseudonyms.of_raters(self.raters)
        ordered = dict(sorted(left_out.items()))
        return replace(self, labels=labels, raters=raters, left_out=ordered)


def _told(words: OpeningWords, say: Callable[[Problem], str]) -> tuple[str, ...]:
    _, lost = counted_labels(words.labels, words.raters, words.models)
    odd = map(say, words.odd)
    return (*odd, *words.said, *lost, *print_left_out(words.raters, words.left_out))


def _unquoted(odd: Problem) -> str:
    return str(odd.without_quotes())


def _unnamed(odd: Problem) -> str:
    return _unquoted(odd) if odd.column == _RATER else str(odd)


def question_warnings(cases: Cases, answers: Answers) -> list[Problem]:
    """Say which questions lack a right option or grades, and which rankings are unsorted or tie."""
    problems = []
    asked, open_, ungraded = 0, [], set()
    for case in cases:
        if case.options:
            asked += 1
            if case.gold is None:
                open_.append(case.case)
        if all(document.grade is None for document in case.documents):
            ungraded.add(case.case)
    if open_:
        hint = "Without one their answers are neither right nor wrong, and count nowhere."
        counted = f"none for {len(open_)} of {asked}"
        must, got = "have a gold for every question", f"{counted}, {open_[0]} first"
        problems.append(Problem("cases", must, got, hint, counted=counted))
    ranked = answers.tally.rankings
    if ranked.unsorted.count:
        hint = "The scores were taken, as trec_eval does."
        must = "list retrieved documents by falling score"
        problems.append(_odd(must, "other orders", ranked.unsorted, ranked.count, hint))
    if ranked.blurred.count:
        must = "give scores that differ in single precision"
        hint = "They tie, as in trec_eval, and rank by id; leave the scores out to keep the order."
        problems.append(_odd(must, "others", ranked.blurred, ranked.count, hint))
    if ranked.partly.count:
        hint = "Their order was taken as it stands."
        must = "score every retrieved document or none"
        problems.append(_odd(must, "some without one", ranked.partly, ranked.count, hint))
    without = sorted(ranked.cases & ungraded)
    # Where nobody graded anything, retrieval is not what the study is about.
    if without and len(ungraded) < len(cases):
        counted = f"none for {len(without)} of {len(cases)} cases"
        must, got = (
            "have graded documents where there are rankings",
            f"{counted}, {without[0]} first",
        )
        hint = "Retrieval is not scored there."
        problems.append(Problem("cases", must, got, hint, counted=counted))
    return problems


def _odd(must: str, what: str, odd: Counted, ranked: int, hint: str) -> Problem:
    counted = f"{what} in {odd.count} of {ranked}"
    return Problem("answers", must, f"{counted}, {odd.first} first", hint, counted=counted)


_Read = TypeVar("_Read")


@plainly_signed
@dataclass(frozen=True, repr=False)  # all that it holds would fill pages
class Study:
    """Everything that a study's folder holds, checked.

    Attributes:
        path: The folder.
        config: study.toml.
        rubric: The dimensions in use.
        cases: What was asked.
        answers: What was answered.
        judgements_on_file: What raters judged, excluded raters among them.
        preferences_on_file: What raters preferred, excluded raters among them.
        raters: Who they are; empty where the study does not say.
        imported: Other people's scores, a table for each file.
        judges: Who the model raters are, and their certificates.
        warnings: What a reader should know, though nothing is wrong.
        relevance: What single experts say of documents, where it counts; cases hold the joint view.
        called: Case to its number, where cases are not named.
        pseudonyms: What people are called elsewhere; empty where they are called so here.
        people: Pseudonym to name, where what is told names people.
        warnings_with_pseudonyms: The warnings, naming people so.
        warnings_without_quotes: The warnings in words that quote no file and name no person.
        unasked: Raters of rooms that recorded "nothing found" of passages without asking.
    """

    path: Path
    config: StudyConfig
    rubric: Rubric
    cases: Cases
    answers: Answers
    judgements_on_file: Judgements
    preferences_on_file: Preferences
    raters: Raters
    imported: tuple[Imported, ...]
    judges: Judges
    warnings: tuple[str, ...]
    relevance: tuple[DocumentLabel, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    pseudonyms: Pseudonyms = field(default_factory=Pseudonyms)
    people: Mapping[str, str] = field(default_factory=dict)
    warnings_with_pseudonyms: tuple[str, ...] = ()
    warnings_without_quotes: tuple[str, ...] = ()
    unasked: frozenset[str] = frozenset()

    @classmethod
    def open(cls, path: Path | str) -> "Study":
        """Open a study as far as its [privacy] lets it be seen; see `private`.

        Raises:
            InvalidInput: Every problem of every file.
        """
        return cls.open_whole(path).private()

    @classmethod
    @gc_paused()
    def open_whole(cls, path: Path | str) -> "Study":
        """Open a study with every id, name and comment of its files, whatever its [privacy] says.

        For what writes the study's own files and campaigns, or calls `private` later; nothing else
        may be made of it.

        Raises:
            InvalidInput: Every problem of every file.
        """
        folder = Path(path)
        if not folder.is_dir():
            got, hint = "no such folder", f"Make one with: medassay new {folder} --protocol ratings"
            if folder.is_file():
                got, hint = "a file", f"Make a study of it: medassay import {folder} --into STUDY"
            raise InvalidInput(Problem(str(path), "be the folder of a study", got, hint))
        reader = _Reader()
        notes: list[Problem] = []
        reader.problems += [*unreadable(folder), *misnamed(folder)]
        config = reader.collect(lambda: read_config(folder))
        rubric = None if config is None else reader.collect(lambda: rubric_in_use(folder, config))
        cases = reader.collect(lambda: read_study_cases(folder))
        answers = reader.collect(lambda: read_study_answers(folder, cases, config))
        known = KnownIds.of(cases, answers)
        judgements = reader.collect(lambda: read_judgements(folder, rubric, known, notes))
        preferences = reader.collect(lambda: read_preferences(folder, known, notes))
        raters = reader.collect(lambda: read_raters(folder, judgements, preferences, notes))
        imported = reader.collect(lambda: read_imported(folder, known))
        labels = reader.collect(lambda: read_relevance(folder, known.cases, raters))
        cases = reader.collect(lambda: with_shared_texts(folder, cases, answers, labels or ()))
        judges = reader.collect(lambda: _judges(folder, config, judgements, preferences, raters))
        if config is not None:
            reader.problems += own_protocol_problems(folder, config)
        if config is not None and rubric is not None:
            reader.problems += choice_problems(config, rubric, cases, imported or ())
            reader.problems += correction_problems(config, rubric, judgements)
            reader.problems += rule_problems(folder, config)
            reader.problems += given_problems(config, rubric, cases)
            if imported and not reader.problems:
                reader.problems += opening_problems(folder, config, cases, imported)
        if (
            reader.problems
            or config is None
            or rubric is None
            or cases is None
            or answers is None
            or judgements is None
            or preferences is None
            or raters is None
            or imported is None
            or judges is None
            or labels is None
        ):
            raise InvalidInput(dict.fromkeys(reader.problems))
        apart = () if config.raters.models == "counted" else judges.raters
        relevance, _ = counted_labels(labels, raters, apart)
        cases, overruled = with_labels(cases, relevance, answers)
        notes += [*overruled, *(note for scores in imported for note in scores.notes)]
        odd = [*cases.warnings, *answers.warnings, *notes, *question_warnings(cases, answers)]
        systems = named_anywhere(
            answers, judgements, preferences, [scores.table for scores in imported]
        )
        lines = [
            *answers.asked.describe(systems, cases.ids),
            *map(str, unread(folder)),
            *describe_unsaid(folder, answers, judgements),
        ]
        named = config.privacy.raters == "named"
        names = Pseudonyms.given(judgements, preferences, raters, labels, named=named)
        left_out = count_left_out(raters, judgements, preferences)
        words = OpeningWords(odd, lines, labels, raters, apart, left_out, names)
        study = cls(
            folder, config, rubric, cases, answers, judgements, preferences, raters, imported,
            judges, words.whole(), relevance, pseudonyms=names,
            warnings_with_pseudonyms=words.with_pseudonyms(),
            warnings_without_quotes=words.without_quotes(), unasked=unasked_raters(folder),
        )  # fmt: skip
        told_of = [name for name, settings_of in config.systems.items() if settings_of.kind is None]
        strange = [
            *unknown_systems(told_of, systems),
            *asked_of_strangers(answers.asked, systems, config),
        ]
        if strange:
            raise InvalidInput(strange)
        return replace(study, warnings=(*study.warnings, *study.describe_judges()))

    def private(self) -> "Study":
        """Give the study without what its settings keep: whatever is computed of it cannot tell.

        People's names are replaced unless raters are `named`. Under `ids` tags and the words of
        comments go too, under `none` case ids as well. Numbers stand in their place where something
        is computed by them. Texts stay: metrics read them.
        """
        if self.pseudonyms.of and not self.pseudonyms.named:
            return self.with_pseudonyms().private()
        if self.config.privacy.texts == "full":
            return self
        names = PrivateNames.of(self.config, self.cases, self.rubric)
        study = replace(
            self,
            config=names.of_config(self.config),
            cases=names.of_cases(self.cases),
            answers=names.of_answers(self.answers),
            judgements_on_file=names.of_judgements(self.judgements_on_file),
            preferences_on_file=names.of_preferences(self.preferences_on_file),
            raters=raters_without_words(self.raters),
            imported=tuple(map(names.of_imported, self.imported)),
            judges=self._judges_of_whole,
            warnings=self.warnings_without_quotes,
            relevance=names.of_relevance(self.relevance),
            called=self.called or names.cases,
        )
        return replace(study, warnings=(*study.warnings, *study.describe_judges()))

    def with_pseudonyms(self) -> "Study":
        """Give the study with pseudonyms for people who rate, and all else as it is."""
        if not (names := self.pseudonyms).of:
            return self
        study = replace(
            self._called(names),
            judges=self._judges_of_whole,
            warnings=self.warnings_with_pseudonyms,
            pseudonyms=Pseudonyms(drawn_as=names.drawn_as),
            people=names.people(),
        )
        told = self.warnings if names.named else (*study.warnings, *study.describe_judges())
        return replace(study, warnings=told)

    def by_name(self) -> "Study":
        """Give the study as it is told of: with people's names where it names them."""
        return self._called(Pseudonyms(self.people)) if self.people else self

    def _called(self, names: Pseudonyms) -> "Study":
        """Give the study with raters called otherwise."""
        return replace(
            self,
            config=of_people(self.config, names.of),
            judgements_on_file=names.of_judgements(self.judgements_on_file),
            preferences_on_file=names.of_preferences(self.preferences_on_file),
            raters=names.of_raters(self.raters),
            relevance=names.of_labels(self.relevance),
            unasked=frozenset(map(names.called, self.unasked)),
        )

    @property
    def _judges_of_whole(self) -> Judges:
        """Give the judges with the domain of the whole study, whatever of it is kept later."""
        if self.judges.domain is not None:
            return self.judges
        return replace(self.judges, domain=domain_of(self.config, self.cases))

    @cached_property
    def everyone(self) -> Judgements:
        """Give what people and models judged, corrected; what excluded raters said is left out."""
        excluded = [rater.rater for rater in self.raters.excluded]
        on_file = self.judgements_on_file.counting(self.config.phases_that_count)
        on_file = turned(on_file, self.config.corrections)
        return on_file.without_raters(excluded) if excluded else on_file

    @cached_property
    def judgements(self) -> Judgements:
        """Give what counts as people's judgement: models' only as far as [raters] lets them."""
        apart = {
            dimension: [name for name in self.judges.raters if not self.counts(name, dimension)]
            for dimension in self.rubric.ids
        }
        return self.everyone.without(apart) if self.judges.raters else self.everyone

    @cached_property
    def preferences_of_all(self) -> Preferences:
        """Give what people and models preferred; what excluded raters said is left out."""
        excluded = [rater.rater for rater in self.raters.excluded]
        on_file = self.preferences_on_file.counting(self.config.phases_that_count)
        return on_file.without_raters(excluded) if excluded else on_file

    @cached_property
    def preferences(self) -> Preferences:
        """Give what counts as people's preference; no certificate speaks of preferences."""
        if self.config.raters.models == "counted" or not self.judges.raters:
            return self.preferences_of_all
        return self.preferences_of_all.without_raters(self.judges.raters)

    def standing(self, judge: str, dimension: str) -> StandingOfCertificate:
        """Say whether a judge's certificate holds here, and whether its labels are counted."""
        declared = self.rubric.dimension(dimension)
        return self.judges.standing(judge, declared, self.config, self.cases)

    def describe_judge(self, judge: str) -> list[str]:
        """Say of a model rater whether its labels count, and what its certificate is worth."""
        frame, preferred = self.everyone.current(), self.preferences_of_all.current()
        judged = set(frame.filter(frame["rater"] == judge)["dimension"])
        return describe_judge(
            judge,
            [self.standing(judge, name) for name in self.rubric.ids if name in judged],
            pairs=bool((preferred["rater"] == judge).any()),
            pairs_count=self.config.raters.models == "counted",
        )

    def describe_judges(self) -> list[str]:
        """Say it of each model rater."""
        return [line for judge in self.judges.raters for line in self.describe_judge(judge)]

    def counts(self, judge: str, dimension: str) -> bool:
        """Say whether a model's labels on a dimension are counted like a person's."""
        return self.standing(judge, dimension).counted

    @cached_property
    def left_out(self) -> dict[str, int]:
        """Count what each excluded rater said."""
        return count_left_out(self.raters, self.judgements_on_file, self.preferences_on_file)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """List every system that answered, was judged, or has imported scores; sorted."""
        tables = [scores.table for scores in self.imported]
        return named_anywhere(self.answers, self.judgements, self.preferences, tables)

    def system(self, name: str) -> SystemConfig:
        """Give what study.toml says about a system."""
        return self.config.systems.get(name, SystemConfig())

    def missing(self, system: str) -> int:
        """Count the cases that a system was asked and never answered; none without answers."""
        if not len(self.answers):
            return 0
        return self.asked.count(system, len(self.cases)) - self.answers.answered(system)

    @property
    def asked(self) -> CasesPerSystem:
        """Say which system was asked which case."""
        return self.answers.asked

    @cached_property
    def families(self) -> dict[str, str]:
        """Give the family of each system that has one."""
        return {
            name: system_config.family
            for name, system_config in self.config.systems.items()
            if system_config.family
        }

    @cached_property
    def clusters(self) -> dict[str, str]:
        """Give the cluster of each case that has the tag named under [ranking] clusters.

        Where `near-equal` is named, cases that ask nearly the same are one (`near_clusters`).
        """
        tag = self.config.ranking.clusters
        tagged = {} if tag is None else {c.case: c.tags[tag] for c in self.cases if tag in c.tags}
        return near_clusters(self.cases) if tag == NEAR_EQUAL and not tagged else tagged

    def require_whole(self) -> None:
        """Refuse to write files of the study from what does not hold all of them.

        Raises:
            ValueError: It was opened as its [privacy] lets it be seen.
        """
        if self.judges.domain is not None:
            message = "the study's own files are written from Study.open_whole, not from Study.open"
            raise ValueError(message)

    @cached_property
    def seed(self) -> int:
        """Give what every draw follows from, the same whatever cases and raters are called."""
        stands_for = {n: case for case, n in self.called.items()} | dict(self.pseudonyms.drawn_as)
        return Seed(self.config.run.seed, stands_for) if stands_for else self.config.run.seed

    @cached_property
    def numbering(self) -> str:
        """Give what the numbers of the cases are numbers of; empty where cases have their ids."""
        return numbering_of(list(self.called)) if self.called else ""

    @cached_property
    def given(self) -> dict[str, KnownToModel]:
        """Give each dimension's control items and label priors."""
        return given_in(self.config.consensus, self.rubric)

    @cached_property
    def known(self) -> KnownIds:
        """Give the ids that rows may refer to."""
        return KnownIds.of(self.cases, self.answers)

    @cached_property
    def inputs(self) -> dict[str, str]:
        """Give the SHA-256 of every file that the study was read from."""
        return input_hashes(self.path, self.config)


def models_of(study: Study) -> ModelSetup:
    """Give the setup under which a study's metrics run: folders start at the study's."""
    return model_setup_of(study.path, study.config, study.cases)


def _judges(
    folder: Path,
    config: StudyConfig | None,
    judgements: Judgements | None,
    preferences: Preferences | None,
    raters: Raters | None,
) -> Judges | None:
    if config is None or judgements is None or preferences is None or raters is None:
        return None
    return read_judges(folder, config, judgements, preferences, raters)


class _Reader:
    """Goes on after a problem, so that all are found in one reading.

    Attributes:
        problems: Those of all that was read so far.
    """

    def __init__(self) -> None:
        """Begin without a problem."""
        self.problems: list[Problem] = []
        self._read = 0

    def collect(self, read: Callable[[], _Read]) -> _Read | None:
        """Give what was read; None where it has problems."""
        self._read += 1
        tell("reading the study", self._read, _PARTS)
        try:
            return read()
        except InvalidInput as error:
            self.problems += error.problems
        return None
