"""Draw a study: who asked what, what systems answered, what raters said. This is the truth.

Nothing here knows how tables look, and nothing in this folder knows how the product reads them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from tests.front_door.plans import Plan
from tests.front_door.words import material

__all__ = ["Asked", "Dimension", "Drawn", "Given", "Key", "Scale", "draw"]

Key: TypeAlias = tuple[str, str, int]
"""Case, system, sample."""


@dataclass(frozen=True)
class Scale:
    """What raters may give.

    Attributes:
        kind: The word of shares.toml.
        values: Every value, from low to high.
        words: The word of each value, where raters gave words.
        best_is_low: Whether the lowest value is the best.
    """

    kind: str
    values: tuple[float, ...]
    words: tuple[str, ...] = ()
    best_is_low: bool = False

    @property
    def ends(self) -> tuple[float, float]:
        """Give the lowest and the highest value."""
        return self.values[0], self.values[-1]

    @property
    def yes_no(self) -> bool:
        """Say whether a question was answered by yes or no, however written."""
        return self.kind in {"yes/no", "0/1"}

    @property
    def in_words(self) -> bool:
        """Say whether raters gave words that are no yes or no."""
        return bool(self.words) and not self.yes_no


@dataclass(frozen=True)
class Dimension:
    """One thing that raters were asked.

    Attributes:
        role: What it is, as header_words.toml calls it.
        name: What people call it in a header.
        scale: What raters may give.
    """

    role: str
    name: str
    scale: Scale

    @property
    def harm(self) -> bool:
        """Say whether the high end tells of harm."""
        return self.role == "harmful"


@dataclass(frozen=True)
class Asked:
    """A case: its id, question, topic, reference, and what it is tagged with."""

    case: str
    question: str
    topic: str
    reference: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Given:
    """An answer, and what is known of it."""

    text: str | None
    contexts: tuple[str, ...] = ()
    confidence: float | None = None
    seconds: float | None = None
    tokens: int | None = None
    choice: str | None = None
    cost: float | None = None
    retrieved: tuple[str, ...] = ()


@dataclass(frozen=True)
class Drawn:
    """The truth of a study: all that was asked, answered and said of it."""

    language: str
    cases: tuple[Asked, ...]
    systems: tuple[str, ...]
    raters: tuple[str, ...]
    dimensions: tuple[Dimension, ...]
    samples: int
    answers: Mapping[Key, Given]
    ratings: Mapping[tuple[str, str, Key], float]
    comments: Mapping[tuple[str, Key], str]
    scores: Mapping[tuple[str, Key], float]
    preferences: Mapping[tuple[str, str], str]

    @property
    def keys(self) -> list[Key]:
        """List what was asked of whom: case by case, system by system."""
        return list(self.answers)

    @property
    def metrics(self) -> list[str]:
        """List the metrics that have scores."""
        return list(dict.fromkeys(metric for metric, _ in self.scores))


def draw(plan: Plan, rng: np.random.Generator) -> Drawn:
    """Draw a study that the plan's layout can hold."""
    cases = _cases(plan, rng)
    systems = _systems(plan, rng)
    answers = _answers(plan, rng, cases, systems)
    # Where systems were drawn by lot, one may have been asked nothing.
    systems = tuple(name for name in systems if any(key[1] == name for key in answers))
    raters = _raters(plan, rng) if plan.rated else ()
    dimensions = _dimensions(plan, rng) if plan.rated and plan.layout != "preferences" else ()
    there = [key for key, given in answers.items() if given.text is not None]
    ratings = _ratings(plan, rng, raters, dimensions, there)
    said = material("comments")[plan.language]
    comments = {
        (rater, key): str(rng.choice(said))
        for rater in raters
        for key in there
        if plan.has("comment") and rng.random() < 0.5
    }
    metrics = _metrics(plan, rng)
    scores = {
        (metric, key): round(float(rng.uniform(0.05, 1)), 2) for key in there for metric in metrics
    }
    return Drawn(
        plan.language, cases, systems, raters, dimensions, plan.samples, answers, ratings,
        comments, scores, _preferences(plan, rng, cases, systems, raters),
    )  # fmt: skip


def _cases(plan: Plan, rng: np.random.Generator) -> tuple[Asked, ...]:
    topics, asked = (material(name)[plan.language] for name in ("topics", "questions"))
    pairs = [(topic, words) for topic in topics for words in asked]
    count = int(rng.integers(6, 13))
    chosen = [pairs[i] for i in rng.choice(len(pairs), count, replace=False)]
    style = str(rng.choice(["1", "Q1", "q01", "C-001"]))
    fields = ["cardiology", "general practice", "dermatology", "neurology"]
    cases = []
    for number, (topic, words) in enumerate(chosen, 1):
        name = {"1": f"{number}", "Q1": f"Q{number}", "q01": f"q{number:02}"}.get(style)
        tags = {}
        if plan.has("topic"):
            tags["topic"] = fields[number % len(fields)]
        if plan.has("age"):
            tags["age"] = f"{int(rng.integers(18, 90))}"
        reference = _text(plan, rng, topic, 1) if plan.has("reference") else None
        question = words.replace("{t}", topic)
        cases.append(Asked(name or f"C-{number:03}", question, topic, reference, tags))
    return tuple(cases)


def _text(plan: Plan, rng: np.random.Generator, topic: str, count: int) -> str:
    sentences = material("sentences")[plan.language]
    chosen = rng.choice(len(sentences), count, replace=False)
    glue = "" if plan.language in {"zh", "ja"} else " "
    filled = (sentences[i].replace("{t}", topic) for i in chosen)
    return glue.join(text.replace("{n}", str(rng.integers(2, 15))) for text in filled)


def _systems(plan: Plan, rng: np.random.Generator) -> tuple[str, ...]:
    if plan.layout == "rag_log" and not plan.several_systems:
        return ("the one",)
    names = list(material("systems")[plan.systems])
    least = 2 if plan.layout in {"preferences", "sheet_per_system"} or plan.sampled else 1
    count = int(rng.integers(max(least, 2 if rng.random() < 0.85 else 1), 5))
    count = 2 if plan.layout == "preferences" else count
    if plan.systems != "letters":
        rng.shuffle(names)
    return tuple(names[: min(count, len(names))])


def _answers(
    plan: Plan, rng: np.random.Generator, cases: Sequence[Asked], systems: Sequence[str]
) -> dict[Key, Given]:
    answers: dict[Key, Given] = {}
    count = len(systems)
    few = int(rng.integers(1, count)) if plan.sampled else count
    in_turn = rng.random() < 0.5
    for row, case in enumerate(cases):
        # By design some systems a case, in turn or by lot: nothing of it is missing.
        lot = rng.choice(count, few, replace=False).tolist()
        turn = [(row + place) % count for place in range(few)]
        asked = [systems[place] for place in sorted(turn if in_turn else lot)]
        for system in asked:
            for sample in range(plan.samples):
                given = _given(plan, rng, case)
                lost = plan.blank != "none" and plan.may_lose_answers and rng.random() < 0.04
                answers[case.case, system, sample] = Given(None) if lost else given
    return answers


def _given(plan: Plan, rng: np.random.Generator, case: Asked) -> Given:
    yes, no = material("yes_no")[plan.language]
    match plan.texts:
        case "long":
            text = _text(plan, rng, case.topic, int(rng.integers(2, 5)))
        case "short":
            text = _text(plan, rng, case.topic, 1)
        case "yes_no":
            text = yes if rng.random() < 0.5 else no
        case _:
            text = f"{int(rng.integers(1, 40)) * 25}"
    contexts: tuple[str, ...] = ()
    if plan.has("contexts"):
        found = (_text(plan, rng, case.topic, 1) for _ in range(int(rng.integers(1, 4))))
        contexts = tuple(dict.fromkeys(found))
    return Given(
        text,
        contexts,
        round(float(rng.uniform(0.3, 1)), 2) if plan.has("confidence") else None,
        round(float(rng.uniform(0.8, 60)), 1) if plan.has("seconds") else None,
        int(rng.integers(40, 900)) if plan.has("tokens") else None,
        str(rng.choice(list("ABCD"))) if plan.has("choice") else None,
        round(float(rng.uniform(0.001, 0.09)), 4) if plan.has("cost") else None,
        _retrieved(plan, rng),
    )


def _retrieved(plan: Plan, rng: np.random.Generator) -> tuple[str, ...]:
    """Draw ids of documents, where the texts themselves are not told."""
    if not plan.has("retrieved") or plan.has("contexts"):
        return ()
    return tuple(f"doc{number:02}" for number in rng.choice(30, 3, replace=False))


def _raters(plan: Plan, rng: np.random.Generator) -> tuple[str, ...]:
    names = list(material("raters")[plan.raters]["names"])
    if plan.raters == "latin":
        rng.shuffle(names)
    count = 1 if plan.rater_place != "column" else int(rng.integers(1, 4))
    if plan.layout in {"sheet_per_rater", "reviewers", "file_per_rater"}:
        count = max(count, 2)
    return tuple(f"{plan.rater_word} {name}".strip() for name in names[:count])


def _dimensions(plan: Plan, rng: np.random.Generator) -> tuple[Dimension, ...]:
    """Give one to three: the first on the plan's scale, others on it or from 1 to 5."""
    count = 1 if plan.layout == "reviewers" else int(rng.choice([1, 2, 3], p=[0.35, 0.4, 0.25]))
    first = scale_of(plan.scale, plan)
    asked = ("harmful", "correct") if first.yes_no else ()
    roles = ["accuracy", "completeness", "clarity", "empathy", "helpfulness"]
    rng.shuffle(roles)
    if asked:
        roles = [asked[int(rng.random() < 0.4)], *roles]
    made = []
    for place, role in enumerate(roles[:count]):
        scale = first
        if place and (first.yes_no or rng.random() < 0.25):
            scale = scale_of("1-5", plan)
        made.append(Dimension(role, plan.word(role, rng), scale))
    return tuple(made)


def scale_of(kind: str, plan: Plan) -> Scale:
    """Make the scale of that kind, in the words of the plan's language."""
    yes, no = material("yes_no")[plan.language]
    low = plan.best_is_low and kind in {"1-5", "1-6", "1-3", "1-7"}
    match kind:
        case "half":
            return Scale(kind, tuple(np.arange(1, 5.5, 0.5).tolist()))
        case "0/1" | "yes/no":
            return Scale(kind, (0.0, 1.0), (no, yes))
        case "three words":
            return Scale(kind, (1.0, 2.0, 3.0), tuple(material("graded_words")[plan.language]))
        case "five words":
            five = tuple(material("five_words")[plan.language])
            return Scale(kind, (1.0, 2.0, 3.0, 4.0, 5.0), five)
    first, _, last = kind.partition("-")
    return Scale(kind, tuple(map(float, range(int(first), int(last) + 1))), best_is_low=low)


def _ratings(
    plan: Plan,
    rng: np.random.Generator,
    raters: Sequence[str],
    dimensions: Sequence[Dimension],
    keys: Sequence[Key],
) -> dict[tuple[str, str, Key], float]:
    given: dict[tuple[str, str, Key], float] = {}
    for dimension in dimensions:
        values = dimension.scale.values
        narrow = plan.narrow and dimension.scale.kind == "1-5"
        shown = values[:3] if narrow else values
        high = 0.75 if plan.harm_most else 0.2
        for rater in raters:
            for key in keys:
                if dimension.harm:
                    value = float(rng.random() < high)
                else:
                    value = float(shown[int(rng.integers(len(shown)))])
                if plan.blank == "none" or rng.random() > 0.12:
                    given[rater, dimension.name, key] = value
        _reach_both_ends(given, dimension.name, shown)
    return given


def _reach_both_ends(
    given: dict[tuple[str, str, Key], float], name: str, shown: Sequence[float]
) -> None:
    """Let both ends occur: what a scale ends at must not be a matter of luck."""
    own = [at for at in given if at[1] == name]
    if len(own) > 1:
        given[own[0]], given[own[-1]] = float(shown[0]), float(shown[-1])


def _metrics(plan: Plan, rng: np.random.Generator) -> list[str]:
    if not plan.has("scores") or plan.samples > 1:
        return []  # A study holds one score for a system and case.
    family = str(rng.choice(["ragas", "ragas", "overlap", "judge"]))
    names: list[str] = material("metrics")[family]
    return names[: int(rng.integers(2, len(names) + 1))]


def _preferences(
    plan: Plan,
    rng: np.random.Generator,
    cases: Sequence[Asked],
    systems: Sequence[str],
    raters: Sequence[str],
) -> dict[tuple[str, str], str]:
    if plan.layout != "preferences":
        return {}
    options = [*systems[:2], "tie"]
    return {
        (rater, case.case): str(rng.choice(options, p=[0.5, 0.35, 0.15]))
        for rater in raters
        for case in cases
    }
