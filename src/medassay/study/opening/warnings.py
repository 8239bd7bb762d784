"""What a reader should know of a study though nothing is wrong, said as far as each may hear it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from medassay.answers import Answers
from medassay.cases import Cases
from medassay.errors import Problem
from medassay.judgements import Raters
from medassay.study.contents.document_labels import DocumentLabel, counted_labels
from medassay.study.contents.private import raters_without_words
from medassay.study.contents.pseudonyms import Pseudonyms
from medassay.study.contents.raters import print_left_out
from medassay.text import Counted

__all__ = [
    "OpeningWords",
    "question_warnings",
]


_RATER = "rater"


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
        must = "give scores that single precision tells apart"
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
