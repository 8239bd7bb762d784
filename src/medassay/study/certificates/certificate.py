"""A certificate: what was tested of a judge, what it holds for, and what readers are told of it."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from medassay.annotations import DesignName, RaterName, Tag, TagName, Words
from medassay.annotations.record import Plain
from medassay.cases import Cases
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Dimension, Judgements, Preferences, Raters
from medassay.study.certificates.checks import (
    FEWEST,
    FINDS,
    FLIPS,
    PLANTED,
    SHIFT,
    WORSE,
    CanaryRecord,
    JudgeDimensionResult,
    StandingOfCertificate,
)
from medassay.study.config.protocol import outside_problem
from medassay.study.config.study_toml import PROMPTS, StudyConfig, shipped_prompt
from medassay.study.files.names import CERTIFICATES, STUDY_FILE
from medassay.tables import file_bytes, file_stem, json_bytes, json_fault, parse_widely, read_record
from medassay.validity import JudgeKnown, JudgeOrder, JudgeWithout, SharedMisses


class JudgeIdentity(Plain, infers=False):
    """Which judge: what makes a model say what it says."""

    model: DesignName
    version: DesignName
    settings: DesignName
    """Such as the temperature, in words."""
    prompt: Words
    """SHA-256 of what the model was told."""

    def changes(self, now: "JudgeIdentity") -> list[str]:
        """Name the parts that differ, and how."""
        changed = [
            f'its {part} was "{old}" and is "{new}"'
            for part in ("model", "version", "settings")
            for old, new in [(getattr(self, part), getattr(now, part))]
            if old != new
        ]
        return [*changed, *(["its prompt changed"] if self.prompt != now.prompt else [])]


class RubricPrint(Plain, infers=False):
    """What raters are asked on a dimension: a SHA-256 of each part."""

    dimension: DesignName
    question: Words
    scale: Words
    """The scale, its labels and their scores."""
    guidance: Words
    """When to choose which label: descriptions, precedence, examples; and what is read for it."""

    def changes(self, now: "RubricPrint") -> list[str]:
        """Name the parts that differ."""
        return [
            f"the {part} of {self.dimension} changed"
            for part in ("question", "scale", "guidance")
            if getattr(self, part) != getattr(now, part)
        ]


class DomainPrint(Plain, infers=False):
    """What the answers were about."""

    protocol: DesignName
    name: DesignName
    tags: dict[TagName, list[Tag]]
    """Tag to the SHA-256 of each of its values among the cases; only tags that study.toml names as
    part of the domain. Hashes, since a certificate travels and may say nothing of a case."""

    def changes(self, now: "DomainPrint", *, named: bool = True) -> list[str]:
        """Name the parts of the other domain that this one does not hold.

        Args:
            now: The other domain.
            named: Whether its tags may be named.
        """
        changed = [
            f'the {part} was "{old}" and is "{new}"'
            for part, old, new in (
                ("protocol", self.protocol, now.protocol),
                ("domain", self.name, now.name),
            )
            if old != new
        ]
        if sorted(self.tags) != sorted(now.tags):
            old, new = (
                ", ".join(sorted(domain_print.tags)) or "none" for domain_print in (self, now)
            )
            are = f"were {old} and are {new}" if named else "are others"
            changed.append(f"the tags of the domain {are}")
            return changed
        for tag, values in sorted(now.tags.items()):
            strange = sum(value not in self.tags[tag] for value in values)
            if strange:
                of = tag if named else "a tag"
                changed.append(
                    f"{strange} of the {len(values)} values of {of} were not among those tested"
                )
        return changed


def print_of(dimension: Dimension) -> RubricPrint:
    """Take the fingerprint of a dimension; titles and aliases change nothing that is asked.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> asked = load_rubric("likert5").dimension("quality")
        >>> reworded = asked.model_copy(update={"question": "How good?"})
        >>> print_of(asked).changes(print_of(reworded))
        ['the question of quality changed']
    """
    labels = dimension.labels
    return RubricPrint(
        dimension=dimension.id,
        question=hash_of(dimension.question),
        scale=hash_of(
            [dimension.scale, [[label.label, label.score] for label in labels], *_more(dimension)]
        ),
        guidance=hash_of(
            [
                [label.description for label in labels],
                list(dimension.precedence),
                list(dimension.reads or ()),
                dimension.derived,
                [[example.model_dump() for example in label.examples] for label in labels],
            ]
        ),
    )


def _more(dimension: Dimension) -> list[object]:
    """Give what a dimension without labels asks: a number, or spans of some kinds."""
    fields = {"number", "kinds", "severities"}
    asked = dimension.model_dump(include=fields, exclude_defaults=True)
    return [asked] if asked else []


def domain_of(config: StudyConfig, cases: Cases) -> DomainPrint:
    """Say what a study's answers are about."""
    return DomainPrint(
        protocol=config.rules.name,
        name=config.domain.name,
        tags={tag: _values(tag, cases) for tag in sorted(config.domain.tags)},
    )


def _values(tag: str, cases: Cases) -> list[str]:
    return sorted({hash_of(case.tags[tag]) for case in cases if tag in case.tags})


def hash_of(value: object) -> str:
    """Give the SHA-256 of plain data, whatever the order of its keys."""
    return hashlib.sha256(json_bytes(value, compact=True)).hexdigest()


_AGAIN: Final = "Write it again: medassay judge STUDY --certify, in the study that it comes from."


_SCHEMA: Final = 3
_ALLOWED: Final = ("allowed", "allows")
_ASKED: Final = ("asked for", "asks for")


def rules_of(epsilon: float) -> "Rules":
    """Give the rules of today, with a study's own epsilon."""
    return Rules(
        epsilon=epsilon, flips=FLIPS, shift=SHIFT, worse=WORSE, fewest=FEWEST, finds=FINDS,
        planted=PLANTED,
    )  # fmt: skip


class Rules(Plain, infers=False):
    """What a pass asked for."""

    epsilon: float
    flips: float
    """At most this share of verdicts may change."""
    shift: float
    """At most this share of the scale's span may lie between judge and people."""
    worse: float
    """Balanced accuracy that may be lacking of the left-out person's."""
    fewest: int
    """Answers that most people must call so before a judge can be shown to find them."""
    finds: float
    """More than this share of them must be found."""
    planted: int
    """Answers that each kind of canary was planted in, where any was."""

    def laxer_than(self, here: "Rules") -> list[str]:
        """Name the rules that let more pass than those of this study."""
        more = [("epsilon", 1), ("flips", 1), ("shift", 1), ("worse", 1)]
        return [
            f"its tests {verb} {name} {mine:g}, and this study {verb_here} {theirs:g}"
            for name, sign in (*more, ("fewest", -1), ("finds", -1), ("planted", -1))
            for mine, theirs in [(getattr(self, name), getattr(here, name))]
            for verb, verb_here in [_ALLOWED if sign > 0 else _ASKED]
            if sign * mine > sign * theirs
        ]


class LabelUse(Plain, infers=False):
    """How often labels of people had served to test a judge before."""

    tries: int
    """Tests before this one that read labels of the same answers: of another judge, prompt or
    setting, or on other answers as well."""
    answers: int
    """Answers of this test that one of them had read."""
    of_answers: int
    """Answers of this test."""


class CertifiedDimension(Plain, infers=True):
    """What was tested on one dimension, and what came out."""

    rubric: RubricPrint
    passed: bool
    failed: list[Words]
    open: list[Words]
    """Tests that did not decide, or were not made."""
    tested: JudgeDimensionResult
    canaries: CanaryRecord | None
    """What text that was planted in answers did; None where none was planted."""
    known: list[JudgeKnown]
    """What the judge and people call answers that are known to be harmful."""
    misses: list[SharedMisses]
    """How much of all harm the judge finds, the more of people's oversights it shares."""
    labels_served: LabelUse
    cannot_see: Words
    """What no label of people can show."""


class Certificate(Plain, infers=True):
    """All of it. The seal is a hash of everything else: a changed file no longer fits it."""

    schema_version: Literal[3] = 3
    """1 knew nothing of labels that matter, 2 of planted text and of known harm."""
    software: Words
    study: DesignName
    """The title of the study that it comes from."""
    inputs: dict[DesignName, Words]
    """Its files and their SHA-256."""
    rater: RaterName
    """The judge's id in that study."""
    judge: JudgeIdentity
    domain: DomainPrint
    rules: Rules
    dimensions: list[CertifiedDimension]
    order: list[JudgeOrder]
    seal: Words


def seal_of(content: dict[str, object]) -> str:
    """Give the hash of everything but the seal."""
    return hash_of({name: value for name, value in content.items() if name != "seal"})


def certificate_bytes(certificate: Certificate) -> bytes:
    """Write a certificate; the same one gives the same bytes."""
    return json_bytes(certificate.model_dump(mode="json"))


def certificate_name(rater: str) -> str:
    """Name the file of a judge's certificate.

    Example:
        >>> certificate_name("gpt 4/a")
        'gpt-4-a.json'
    """
    return f"{file_stem(rater)}.json"


def read_certificate(path: Path, shown_as: str) -> Certificate:
    """Read a certificate and hold it against its seal.

    Raises:
        InvalidInput: It is no certificate, or was changed after it was written.
    """
    content = file_bytes(path, shown_as)
    try:
        values = parse_widely(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        problem = Problem(shown_as, "be a certificate in JSON", json_fault(error), _AGAIN)
        raise InvalidInput(problem) from error
    problems: list[Problem] = []
    if not isinstance(values, dict):
        raise InvalidInput(
            Problem(shown_as, "be a certificate in JSON", type(values).__name__, _AGAIN)
        )
    schema = values.get("schema_version", _SCHEMA)
    if schema != _SCHEMA:
        problem = Problem(shown_as, f"be {_SCHEMA}", str(schema), _AGAIN, None, "schema_version")
        raise InvalidInput(problem)
    certificate = read_record(Certificate, values, file=shown_as, row=None, problems=problems)
    if certificate is None:
        raise InvalidInput(problems)
    if seal_of(certificate.model_dump(mode="json")) != certificate.seal:
        must, got = "be as medassay wrote it", "a file that does not fit its seal"
        raise InvalidInput(Problem(shown_as, must, got, _AGAIN, None, "seal"))
    return certificate


CANNOT_SEE: Final = (
    "Harm that all raters overlook is in no label. A judge that overlooks it too passes all the "
    "same, unless raters read, blind, answers that are known to be harmful."
)


def served_before(use: LabelUse) -> list[str]:
    """Say that labels had served before, for the list of what a certificate leaves open.

    Example:
        >>> served_before(LabelUse(tries=2, answers=280, of_answers=300))
        ['labels of 280 of its 300 answers served 2 tests of judges before']
    """
    if not use.tries:
        return []
    tests = "1 test of a judge" if use.tries == 1 else f"{use.tries} tests of judges"
    return [f"labels of {use.answers} of its {use.of_answers} answers served {tests} before"]


def describe_reach(judge: str, certified: CertifiedDimension) -> list[str]:
    """Say how much of all harm a judge finds, by how much it shares of people's oversights.

    One sentence a reading of harm; none where the rubric reads no label as harm.
    """
    readings = dict.fromkeys(row.reading for row in certified.misses)
    return [
        _range(judge, reading, [row for row in certified.misses if row.reading == reading])
        for reading in readings
    ]


def _range(judge: str, reading: str, rows: Sequence[SharedMisses]) -> str:
    best = max(row.finds for row in rows)
    if rows[0].measured:
        worst = min(rows, key=lambda row: row.finds)
        return (
            f"Most people called {worst.people_find:.0%} of the answers known to be {reading} so. "
            f"{judge} finds {worst.finds:.0%} to {best:.0%} of all {reading} answers, the less the "
            "more it overlooks what they overlook."
        )
    alike = [row for row in rows if row.shared == 1]
    finds = _either(f"{row.finds:.0%}" for row in alike)
    people = _either(f"{row.people_find:.0%}" for row in alike)
    return (
        f"{judge} finds {best:.0%} of what most people call {reading}. If it overlooks whatever "
        f"they overlook, it finds {finds} of all {reading} answers where they find {people}."
    )


def _either(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}"


def describe_judge(
    judge: str, standings: Sequence[StandingOfCertificate], *, pairs: bool, pairs_count: bool
) -> list[str]:
    """Say whether a model rater's labels count, and what its certificate is worth.

    Args:
        judge: Its id.
        standings: One for each dimension that it judged.
        pairs: Whether it preferred answers over others.
        pairs_count: Whether such preferences of models count like people's.

    Returns:
        Sentences; none of a judge that said nothing.
    """
    apart = [
        standing_of_certificate
        for standing_of_certificate in standings
        if not standing_of_certificate.counted
    ]
    lines = []
    if apart or (pairs and not pairs_count and not standings):
        of = f" on {', '.join(s.dimension for s in apart)}" if len(apart) < len(standings) else ""
        lines.append(
            f"{judge} is a model: its judgements{of} are compared with people's and are in no "
            "agreement, consensus or ranking."
        )
    lines += [
        _counted(judge, standing_of_certificate)
        for standing_of_certificate in standings
        if standing_of_certificate.counted
    ]
    if pairs and pairs_count:
        lines.append(
            f"{judge} is a model and its preferences are counted like a person's; no certificate "
            "speaks of preferences."
        )
    return [
        *lines,
        *(
            f"The certificate of {judge} is not honoured on "
            f"{standing_of_certificate.dimension}: {'; '.join(standing_of_certificate.why)}."
            for standing_of_certificate in apart
            if standing_of_certificate.status == "refused"
        ),
    ]


def _counted(judge: str, standing_of_certificate: StandingOfCertificate) -> str:
    if standing_of_certificate.status == "honoured":
        open_ = (
            f"; open: {', '.join(standing_of_certificate.open)}"
            if standing_of_certificate.open
            else ""
        )
        return (
            f"{judge} is a model and counted like a person on "
            f"{standing_of_certificate.dimension}: its certificate "
            f"holds{open_}."
        )
    why = (
        f"its certificate is refused: {'; '.join(standing_of_certificate.why)}"
        if standing_of_certificate.why
        else "no certificate"
    )
    return (
        f"{judge} is a model and counted like a person on "
        f"{standing_of_certificate.dimension}, and nothing shows that "
        f"it may be ({why})."
    )


def without_verdict(judge: str, without: JudgeWithout) -> str:
    """Say how often a judge that was asked gave no verdict, and what those could change.

    Example:
        >>> print(without_verdict("gpt", JudgeWithout("safe", 50, 1, 3, 0, 0, 40, 30, 2)))
        gpt gave no verdict on safe for 4 of 50 answers (1 off the menu, 3 refused): none of \
these counts as a label. It says what most people say of 75 to 80% of 40 answers, whatever they \
had been.
    """
    counts = {
        "off the menu": without.off_menu,
        "refused": without.refused,
        "cut off": without.cut_off,
        "failed": without.failed,
    }
    why = ", ".join(f"{count:,} {words}" for words, count in counts.items() if count)
    text = (
        f"{judge} gave no verdict on {without.dimension} for {without.count:,} of "
        f"{without.asked:,} answers ({why}): none of these counts as a label."
    )
    if without.bounds is None:
        return (
            f"{text} No answer has a label of most people, so what they could change is not known."
        )
    low, high = (f"{100 * share:.0f}" for share in without.bounds)
    share = f"{low}%" if low == high else f"{low} to {high}%"
    return (
        f"{text} It says what most people say of {share} of {without.held:,} answers, whatever "
        "they had been."
    )


@dataclass(frozen=True)
class Judges:
    """Who the model judges are.

    Attributes:
        raters: Model raters who are not excluded, sorted.
        identities: What study.toml declares of them.
        certificates: Those in the folder certificates/, by file.
        domain: What the study is about, where its tags are kept and cannot tell; None: they can.
    """

    raters: tuple[str, ...] = ()
    identities: Mapping[str, JudgeIdentity] = field(default_factory=dict)
    certificates: Mapping[str, Certificate] = field(default_factory=dict)
    domain: DomainPrint | None = None

    def standing(
        self, rater: str, dimension: Dimension, config: StudyConfig, cases: Cases
    ) -> StandingOfCertificate:
        """Say whether a certificate holds for a judge on a dimension, and if not, what changed."""
        rule = config.raters.models
        refused: list[str] = []
        for file, certificate in sorted(self.certificates.items()):
            if certificate.rater != rater and not self._same_model(certificate, rater):
                continue
            why, left_open = self._held_against(certificate, rater, dimension, config, cases)
            if not why:
                return StandingOfCertificate(
                    dimension=dimension.id,
                    status="honoured",
                    why=[],
                    open=left_open,
                    counted=rule != "apart",
                )
            refused += [f"{CERTIFICATES}/{file}: {what}" for what in why]
        return StandingOfCertificate(
            dimension=dimension.id,
            status="refused" if refused else "none",
            why=refused,
            open=[],
            counted=rule == "counted",
        )

    def tested(
        self, rater: str, dimension: Dimension, config: StudyConfig, cases: Cases
    ) -> CertifiedDimension | None:
        """Give what was tested of a judge by the certificate that holds; None where none does."""
        for _, certificate in sorted(self.certificates.items()):
            if certificate.rater != rater and not self._same_model(certificate, rater):
                continue
            why, _ = self._held_against(certificate, rater, dimension, config, cases)
            if not why:
                return next(d for d in certificate.dimensions if d.rubric.dimension == dimension.id)
        return None

    def _same_model(self, certificate: Certificate, rater: str) -> bool:
        identity = self.identities.get(rater)
        return identity is not None and certificate.judge.model == identity.model

    def _held_against(
        self,
        certificate: Certificate,
        rater: str,
        dimension: Dimension,
        config: StudyConfig,
        cases: Cases,
    ) -> tuple[list[str], list[str]]:
        """Give what speaks against honouring a certificate, and what it leaves open itself."""
        certified_dimension = next(
            (d for d in certificate.dimensions if d.rubric.dimension == dimension.id), None
        )
        if certified_dimension is None:
            return [f"it does not speak of {dimension.id}"], []
        identity = self.identities.get(rater)
        if identity is None:
            why = [f"study.toml declares no [judges.{rater}]"]
        else:
            why = certificate.judge.changes(identity)
        why += certified_dimension.rubric.changes(print_of(dimension))
        if self.domain is None:
            why += certificate.domain.changes(domain_of(config, cases))
        else:
            why += certificate.domain.changes(self.domain, named=False)
        why += certificate.rules.laxer_than(rules_of(config.raters.epsilon))
        if not certified_dimension.passed:
            why.append(f"the judge did not pass: {'; '.join(certified_dimension.failed)}")
        return why, certified_dimension.open


def read_judges(
    folder: Path,
    config: StudyConfig,
    judgements: Judgements,
    preferences: Preferences,
    raters: Raters,
) -> Judges:
    """Find the model raters, what is declared of them, and the certificates.

    Raises:
        InvalidInput: A declared judge is no model rater of the study, a prompt is no file of the
            study, or a certificate is none.
    """
    kinds = _kinds(judgements, preferences, raters)
    problems = [
        _stranger(name, kinds)
        for name, judge_config in sorted(config.judges.items())
        if kinds and (name in kinds or judge_config.base_url is None)
    ]
    wrong = [problem for problem in problems if problem is not None]
    wrong += _of_two_kinds(judgements, preferences)
    identities: dict[str, JudgeIdentity] = {}
    certificates: dict[str, Certificate] = {}
    for name, judge_config in sorted(config.judges.items()):
        try:
            identities[name] = JudgeIdentity(
                model=judge_config.model,
                version=judge_config.version,
                settings=judge_config.told_apart,
                prompt=_prompt(folder, name, judge_config.prompt),
            )
        except InvalidInput as error:
            wrong += error.problems
    for path in certificate_files(folder):
        try:
            certificates[path.name] = read_certificate(path, f"{CERTIFICATES}/{path.name}")
        except InvalidInput as error:
            wrong += error.problems
    if wrong:
        raise InvalidInput(wrong)
    return Judges(model_raters(judgements, preferences, raters), identities, certificates)


def model_raters(
    judgements: Judgements, preferences: Preferences, raters: Raters
) -> tuple[str, ...]:
    """List the model raters who are not excluded."""
    kinds = _kinds(judgements, preferences, raters)
    return tuple(
        sorted(
            name
            for name, kind in kinds.items()
            if kind == "model" and not raters.get(name).excluded
        )
    )


def certificate_files(folder: Path) -> list[Path]:
    """List the certificates of a study by name."""
    inner = folder / CERTIFICATES
    return sorted(path for path in inner.glob("*.json") if not path.name.startswith("."))


def _kinds(judgements: Judgements, preferences: Preferences, raters: Raters) -> dict[str, str]:
    kinds: dict[str, str] = {rater.rater: rater.kind for rater in raters}
    for table in (judgements, preferences):
        kinds |= dict(table.frame.select("rater", "rater_kind").unique().iter_rows())
    return kinds


def _of_two_kinds(judgements: Judgements, preferences: Preferences) -> list[Problem]:
    """Name those who are a person in one table and a model in the other."""
    of_judgements, other = (
        dict(table.frame.select("rater", "rater_kind").unique().iter_rows())
        for table in (judgements, preferences)
    )
    return [
        Problem(
            "preferences", f"be {of_judgements[name]} for {name}, as in judgements", other[name],
            "A rater is one person or one model: give the other another name.", None,
            "rater_kind",
        )
        for name in sorted(of_judgements.keys() & other.keys())
        if of_judgements[name] != other[name]
    ]  # fmt: skip


def _stranger(name: str, kinds: Mapping[str, str]) -> Problem | None:
    if kinds.get(name) == "model":
        return None
    models = sorted(model for model, kind in kinds.items() if kind == "model")
    if name in kinds:
        hint = "Give these judgements rater_kind model, or take the judge out of study.toml."
        got = f'"{name}", who is a person'
    else:
        hint = nearest(name, models) or f"Known: {', '.join(models) or 'none'}."
        got = f'"{name}"'
    return Problem(STUDY_FILE, "name a model rater of the study", got, hint, None, f"judges.{name}")


def _prompt(folder: Path, name: str, prompt: str) -> str:
    if not prompt:
        shipped = "".join(map(shipped_prompt, PROMPTS))
        return hashlib.sha256(shipped.encode()).hexdigest()
    outside = outside_problem(folder, prompt, f"judges.{name}.prompt")
    if outside is not None:
        raise InvalidInput(outside)
    return hashlib.sha256(file_bytes(folder / prompt, prompt)).hexdigest()
