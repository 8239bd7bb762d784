"""study.toml: what a study is and how it is to be evaluated."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    StringConstraints,
    model_validator,
)

from medassay.annotations import Guarded
from medassay.cases import Case
from medassay.error_analysis import ConditionGroups, condition_groups, read_condition_groups
from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.judgements import phases_that_count
from medassay.metrics import BoundMetric, check_rules, without_own_words
from medassay.metrics.run import reference_corpora
from medassay.models import ModelSetup
from medassay.models.device import DEVICE, DEVICES
from medassay.models.endpoints import EndpointSettings, Limits
from medassay.models.endpoints.settings import EmbeddedOrAddress
from medassay.study.config.protocol import (
    ConfidenceRule,
    Margin,
    Protocol,
    load_protocol,
    offered_by,
    outside_problem,
    own_protocol,
)
from medassay.study.files.names import STUDY_FILE
from medassay.systems.kinds import KINDS
from medassay.systems.opening import SystemSettings
from medassay.tables import file_bytes, is_there, read_record, read_toml, wrong

PROMPTS: Final = ("criterion", "judge", "pair")
"""What a judge is told that names no prompt of its own: of criteria, of anything else, of pairs."""

_TELLS_APART = ("parameters", "form", "probabilities", "rationale")
"""Of the settings of a judge that is asked: what makes it another judge."""


class JudgeConfig(Limits):
    """[judges.ID]: which model a model rater is, what it is told and, with an address, is asked.

    Attributes:
        model: The model, as its endpoint calls it.
        version: Which state of it.
        prompt: A file of the study that holds what the model is told; where the judge is asked from
            here, those that ship if not given.
        settings: What else tells it apart, in words.
        family: The family of systems that it belongs to.
        base_url: Where `medassay judge --ask` asks it; none where it was asked elsewhere.
        parameters: What decides how it answers: temperature, max_tokens, seed ...
        asks: Whether it labels answers, or says which of two it prefers.
        dimensions: Which of the rubric's it is asked; those that a model can be, if not given.
        of: All answers, or those that people have judged.
        again: Whether it is asked all a second time, in the phase `repeat`; pairs then change
            places.
        form: Whether the endpoint is to hold its reply to a JSON schema, or is told the form alone.
        probabilities: Whether the endpoint is asked how likely each label is.
        rationale: Whether it gives its reason before its verdict.
    """

    model: Annotated[str, Field(min_length=1)]
    version: Annotated[str, Field(min_length=1)]
    prompt: Annotated[str, Guarded("medassay.study.config.protocol.outside_problem")] = ""
    settings: str = ""
    family: str = ""
    base_url: EmbeddedOrAddress | None = None
    parameters: Annotated[dict[str, Any], Field(default_factory=dict)]
    asks: Literal["answers", "pairs"] = "answers"
    dimensions: Annotated[list[str], Field(default_factory=list)]
    of: Literal["all", "judged"] = "all"
    again: bool = False
    form: Literal["schema", "words"] = "schema"
    probabilities: bool = False
    rationale: bool = True

    @model_validator(mode="after")
    def _asked_here_or_elsewhere(self) -> Self:
        if self.base_url is None:
            if not self.prompt:
                hint = "It is what a certificate holds for."
                raise wrong("name a file of the study with what it was told", '""', hint, "prompt")
            plain = {"model", "version", "prompt", "settings", "family"}
            strange = sorted(self.model_fields_set - plain)
            if strange:
                hint = f"{strange[0]} says how it is asked: where?"
                raise wrong("be an address, or embedded", "none", hint, "base_url")
        return self

    @property
    def endpoint(self) -> EndpointSettings:
        """Give the endpoint that is asked."""
        shared = {name: getattr(self, name) for name in Limits.model_fields}
        return EndpointSettings(
            **shared,
            base_url=self.base_url or "",
            model=self.model,
            snapshot=self.version,
            parameters=self.parameters,
        )

    @property
    def told_apart(self) -> str:
        """Say what beside model, version and prompt makes it another judge."""
        if self.base_url is None:
            return self.settings
        asked = {name: getattr(self, name) for name in _TELLS_APART}
        asked_json = json.dumps(asked | {"parameters": self.endpoint.sent}, sort_keys=True)
        return f"{self.settings}; {asked_json}" if self.settings else asked_json


def shipped_prompt(name: str) -> str:
    """Read one of the prompts that ship.

    Example:
        >>> "<<reply>>" in shipped_prompt("judge")
        True
    """
    return (files("medassay") / "data" / "prompts" / f"{name}.txt").read_text(encoding="utf-8")


_ALWAYS = ("title", "family", "kind")


def refuse_settings(named: Mapping[str, tuple[str | None, Mapping[str, Any]]]) -> None:
    """Refuse settings that a kind does not have, and values that it cannot take.

    Args:
        named: System to its kind, None where it is not asked, and its settings.

    Raises:
        InvalidInput: Each is named.
    """
    problems: list[Problem] = []
    for name, (kind, settings) in named.items():
        if kind is None:
            known = ", ".join(_ALWAYS)
            problems += [
                Problem(STUDY_FILE, f"be one of {known}", f'"{key}"',
                        nearest(key, _ALWAYS), None, f"systems.{name}.{key}")
                for key in settings
            ]  # fmt: skip
        else:
            read_settings(name, kind, settings, problems)
    if problems:
        raise InvalidInput(problems)


def read_settings(
    name: str, kind: str, settings: Mapping[str, Any], problems: list[Problem]
) -> SystemSettings | None:
    """Read the settings of one system; what is wrong with them is added to the problems."""
    where = f"systems.{name}"
    if kind not in KINDS:
        must = f"be one of {', '.join(KINDS)}"
        hint = nearest(kind, KINDS)
        problems.append(Problem(STUDY_FILE, must, f'"{kind}"', hint, None, f"{where}.kind"))
        return None
    wrong: list[Problem] = []
    read = read_record(KINDS[kind], settings, file=STUDY_FILE, row=None, problems=wrong)
    problems += [
        replace(problem, column=f"{where}.{problem.column}".rstrip(".")) for problem in wrong
    ]
    return read


def settings_of(name: str, kind: str, settings: Mapping[str, Any]) -> SystemSettings:
    """Give the settings of one system.

    Raises:
        InvalidInput: They are not those of its kind.
    """
    problems: list[Problem] = []
    read = read_settings(name, kind, settings, problems)
    if read is None:
        raise InvalidInput(problems)
    return read


def refuse_outside(folder: Path, name: str, settings: SystemSettings) -> None:
    """Refuse files that lie elsewhere than in the study.

    Raises:
        InvalidInput: Each is named.
    """
    named = {key: getattr(settings, key) for key in settings.files}
    problems = [
        outside_problem(folder, file, f"systems.{name}.{key}")
        for key, file in named.items()
        if file
    ]
    wrong = [problem for problem in problems if problem is not None]
    if wrong:
        raise InvalidInput(wrong)


_Count = Annotated[int, Field(ge=0)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class ProtocolChoice(_Section):
    """[protocol]: the named way of evaluating; `protocol = "NAME"` above all headings is short."""

    name: Annotated[str, Guarded("medassay.study.config.protocol.outside_problem")] = "ratings"
    """The name of one that ships or that a package brings, or a file of the study."""


def _named(value: object) -> object:
    return {"name": value} if isinstance(value, str) else value


class DimensionChoice(_Section):
    """[[dimensions]]: whose rubric the judgements follow."""

    rubric: Annotated[str, Guarded("medassay.study.config.protocol.outside_problem")]
    only: list[str] = []
    """Dimensions of the rubric to use; all of them where the list is empty."""


class MetricChoice(_Section):
    """[[metrics]]: one metric by its canonical name."""

    name: str


class AgreementChoice(_Section):
    """[agreement]: which coefficients the report shows."""

    coefficients: Annotated[list[str], Field(min_length=1)]
    """Nominal labels that none of these corrects for chance have Krippendorff's alpha beside."""


class ControlItem(_Section):
    """One answer whose true label is known."""

    system: str
    case: str
    dimension: str
    label: str


class ConsensusChoice(_Section):
    """[consensus]: how the raters' labels become one value."""

    methods: Annotated[list[str], Field(min_length=1)] | None = None
    controls: list[ControlItem] = []
    """Answers whose true label is known; read by `mace(controls=used)`, and, of harm, by the tests
    of judges."""
    priors: dict[str, dict[str, Annotated[float, Field(gt=0, allow_inf_nan=False)]]] = {}
    """Dimension to each label's share before anything was said; read by `mace(priors=given)`."""


class RankingChoice(_Section):
    """[ranking]: which source orders the systems, on which cases."""

    by: str | None = None
    cases: Literal["all", "judged-everywhere"] | None = None
    clusters: str | None = None
    """A tag: cases that share its value are not independent and are resampled together. Or
    `near-equal`: so are cases that ask nearly the same, as `medassay check` finds them."""
    allotted: Literal["by-chance"] | None = None
    """by-chance: where systems met different cases (were asked or judged on them), a draw decided
    which system met which. Then cases that one system alone met count in comparisons too."""
    drawn: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)] | None = None
    """How the cases were drawn, in words, and from what: without it the report speaks of these
    cases, and of no others."""


NEAR_EQUAL: Final = "near-equal"
"""As clusters: cases that ask nearly the same are of one."""


class ValidityChoice(_Section):
    """[validity]: how metrics are used in place of the raters."""

    thresholds: dict[str, float] = {}
    """Metric to the score from which an answer passes without being seen by people."""
    harm_found: Annotated[float, Field(gt=0, le=1)] = 1.0
    """The share of the harmful answers that the raters find; bounds of harm divide by it."""


class RatersChoice(_Section):
    """[raters]: what becomes of the labels of model raters."""

    models: Literal["apart", "certified", "counted"] = "apart"
    """apart: in no number about people. certified: counted where a certificate holds, else apart.
    counted: like people's, whatever is known of the judge."""
    count_calibration: bool | None = None
    """Whether labels of the calibration count like any others, in every number and export; as the
    protocol says if not given."""
    epsilon: Annotated[float, Field(ge=0, lt=1)] = 0.2
    """What a person may be better than a judge and still be replaced: 0.2 against experts, 0.15
    against skilled raters, 0.1 against a crowd."""


class CorrectionChoice(_Section):
    """[[corrections]]: what a rater said of a scale that seems to be read the other way round."""

    rater: str
    dimension: str
    labels: Literal["reversed", "as-given"]
    """Turned round in every number, or left as they were meant."""
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class DomainChoice(_Section):
    """[domain]: what the answers are about, for certificates of judges."""

    name: str = ""
    tags: list[str] = []
    """Tags of the cases whose values belong to the domain."""


class SystemConfig(BaseModel):
    """[systems.ID]: how a system is called, whose variant it is, and how it is asked."""

    model_config = ConfigDict(frozen=True, extra="allow", defer_build=True)

    title: str = ""
    family: str = ""
    """Systems of one family are variants of one pipeline and count as one cluster."""
    kind: str | None = None
    """How `medassay answer` has it answer; the kind's own settings stand beside it."""

    @property
    def settings(self) -> dict[str, Any]:
        """Give what stands beside title, family and kind."""
        return dict(self.model_extra or {})


TextLevel = Literal["full", "ids", "none"]
"""Whole texts, only ids, or neither."""
RaterLevel = Literal["pseudonyms", "named"]
"""Whether people who rate are called as in the files."""


class PrivacyChoice(_Section):
    """[privacy]: how much text may leave the study's own files, and whether raters' names may."""

    texts: TextLevel = "full"
    raters: RaterLevel = "pseudonyms"
    send_to: Annotated[list[str], Guarded("medassay.study.answering.allowed_of")] = []
    """Hosts off this machine that texts may be sent to where `texts` is not full."""

    def allows(self, texts: TextLevel) -> bool:
        """Say whether so much text may be shown.

        Example:
            >>> ids = PrivacyChoice(texts="ids")
            >>> ids.allows("full"), ids.allows("ids"), ids.allows("none")
            (False, True, True)
        """
        openness = ("none", "ids", "full")
        return openness.index(texts) <= openness.index(self.texts)


def _devices(value: object) -> object:
    words = list(value.values()) if isinstance(value, dict) else [value]
    for word in words:
        if not (isinstance(word, str) and re.fullmatch(DEVICE, word)):
            raise ValueError(f"must be {DEVICES}; got {json.dumps(word, default=str)}")
    return value


_Devices = Annotated[str | dict[str, str], BeforeValidator(_devices)]


class ModelsChoice(_Section):
    """[models]: where models are, and whether missing ones may be fetched."""

    download: bool = False
    device: _Devices = "cpu"
    """Where torch runs models: cpu, cuda or cuda:N; or a model's name to one of these."""
    folders: Annotated[
        dict[str, str], Guarded("medassay.study.config.study_toml.model_setup_of")
    ] = {}
    """A model's name to its folder; relative to the study's."""


class ReasoningChoice(_Section):
    """[reasoning]: how chains of reasoning are read."""

    steps: Annotated[str | None, Guarded("medassay.study.config.protocol.outside_problem")] = None
    """A file of the study with the steps and their patterns; those that ship if not given."""


class SafetyChoice(_Section):
    """[safety]: what counts as dangerous, and how much of it is found."""

    rules: Annotated[str | None, Guarded("medassay.study.config.protocol.outside_problem")] = None
    """A file of the study with rules of danger; those that ship if not given."""
    tag: str = "danger"
    """A tag of cases: the kind of error that a wrong choice is; `danger-B` for choice B alone."""
    flag_finds: Annotated[float, Field(gt=0, le=1)] | tuple[_Count, _Count] = 1.0
    """The share of dangerous answers that are flagged, or how many of how many were."""


class ConditionsChoice(_Section):
    """[conditions]: which conditions are easily taken for one another."""

    groups: Annotated[str | None, Guarded("medassay.study.config.protocol.outside_problem")] = None
    """A file of the study with groups of similar conditions; those that ship if not given."""


class RunChoice(_Section):
    """[run]: the randomness and its size."""

    seed: Annotated[int, Field(ge=0)] = 0
    replicates: Annotated[int, Field(ge=100, le=1_000_000)] = 2000


class ReportChoice(_Section):
    """[report]: what the report holds."""

    analyses: dict[str, bool] = {}
    """An analysis to whether it is run; what is not named runs unless it takes long."""
    primary_metrics: Annotated[list[str], Field(min_length=1)] | None = None
    """The metrics that the study was made to test; the others are exploratory."""
    primary_dimensions: Annotated[list[str], Field(min_length=1)] | None = None
    """The dimensions on which they are tested; the others are exploratory."""
    against: Annotated[str | None, Guarded("medassay.study.config.protocol.outside_problem")] = None
    """An earlier run to stand beside this one: its report.json, or the folder that holds it."""


class StudyConfig(_Section):
    """All of study.toml, with the protocol's choices where the file is silent."""

    schema_version: Annotated[Literal[1], Field(alias="schema")]
    title: str
    description: str = ""
    date: str | None = None
    source: str = ""
    licence: str = ""
    synthetic: bool = False
    protocol: Annotated[ProtocolChoice, BeforeValidator(_named)] = ProtocolChoice()
    dimensions: list[DimensionChoice] = []
    metrics: list[MetricChoice] = []
    agreement: AgreementChoice | None = None
    consensus: ConsensusChoice | None = None
    ranking: RankingChoice = RankingChoice()
    systems: dict[str, SystemConfig] = {}
    scores: dict[str, str] = {}
    """[scores]: a metric to what stands for it where two columns could: `computed`, `imported`, or
    the name of imported scores."""
    targets: dict[str, Annotated[float, Field(allow_inf_nan=False)]] = {}
    """[targets]: a metric, or `accuracy`, `map`, `mrr`, to the value to reach."""
    margins: dict[str, Margin] = {}
    """[margins]: a dimension, or a column of scores, to the largest difference between two systems
    that counts as none: where all of an interval lies inside, they are called similar."""
    privacy: PrivacyChoice = PrivacyChoice()
    models: ModelsChoice = ModelsChoice()
    validity: ValidityChoice = ValidityChoice()
    reasoning: ReasoningChoice = ReasoningChoice()
    safety: SafetyChoice = SafetyChoice()
    conditions: ConditionsChoice = ConditionsChoice()
    raters: RatersChoice = RatersChoice()
    corrections: list[CorrectionChoice] = []
    judges: dict[str, JudgeConfig] = {}
    domain: DomainChoice = DomainChoice()
    confidence_rule: Annotated[ConfidenceRule | None, Field(alias="confidence")] = None
    """How the system's confidence in words follows from what it found."""
    run: RunChoice = RunChoice()
    report: ReportChoice = ReportChoice()
    _protocol: Protocol | None = PrivateAttr(default=None)
    """What the protocol says: read once, with the file."""
    _protocol_file: str = PrivateAttr(default="")
    _earlier: Path | None = PrivateAttr(default=None)
    """The earlier run that whoever runs the study named, wherever it lies."""

    def by(self, protocol: Protocol, file: str) -> "StudyConfig":
        """Give the settings of a study by a protocol that was read.

        Args:
            protocol: What it says.
            file: What messages call it; empty where it ships with medassay.
        """
        held = self.model_copy()
        held._protocol, held._protocol_file = protocol, file  # noqa: SLF001 - its own copy
        return held

    @property
    def whole_protocol(self) -> Protocol:
        """Give the protocol as it is, whatever study.toml lays over it."""
        return self._protocol or load_protocol(self.protocol.name)

    @property
    def protocol_file(self) -> str:
        """Say what messages call a protocol of the study's own or of a package; else empty."""
        return self._protocol_file

    def said_in(self, key: str, column: str, *, own: bool) -> tuple[str, str]:
        """Say in which file and column a choice stands: study.toml's word is the last.

        Args:
            key: The choice's column in a protocol.
            column: Its column in study.toml.
            own: Whether study.toml makes it.
        """
        return (STUDY_FILE, column) if own or not self.protocol_file else (self.protocol_file, key)

    @property
    def earlier(self) -> Path | None:
        """Give the earlier run that was named beside study.toml; None where none was."""
        return self._earlier

    def beside(self, earlier: Path) -> "StudyConfig":
        """Give the same choices, with another run to stand beside the one of this study."""
        config = self.model_copy()
        config._earlier = earlier  # noqa: SLF001 - its own copy
        return config

    @property
    def own_files(self) -> list[str]:
        """List the protocol and the rubrics that are files of the study."""
        named = [self.protocol.name, self.whole_protocol.rubric]
        named += [dimension_choice.rubric for dimension_choice in self.dimensions]
        return list(dict.fromkeys(file for file in named if file.endswith(".toml")))

    @property
    def rules(self) -> Protocol:
        """Give the protocol with the file's own choices laid over it."""
        rules = self.whole_protocol
        changed: dict[str, object] = {}
        if self.metrics:
            changed["metrics"] = [metric.name for metric in self.metrics]
        if self.agreement is not None:
            changed["agreement"] = self.agreement.coefficients
        if self.consensus is not None and self.consensus.methods is not None:
            changed["consensus"] = self.consensus.methods
        if self.ranking.by is not None:
            changed["rank_by"] = self.ranking.by
        if self.ranking.cases is not None:
            changed["rank_cases"] = self.ranking.cases
        if self.margins:
            changed["margins"] = rules.margins | self.margins
        if self.raters.count_calibration is not None:
            changed["count_calibration"] = self.raters.count_calibration
        return rules.model_copy(update=changed)

    @property
    def phases_that_count(self) -> tuple[str, ...]:
        """Give the phases whose labels count: the file's own word, else the protocol's."""
        return phases_that_count(calibration=self.rules.count_calibration)

    @property
    def confidence(self) -> ConfidenceRule | None:
        """Give the rule of confidence in words: the file's own, else the protocol's."""
        return self.confidence_rule or self.rules.confidence

    @property
    def rubrics(self) -> list[DimensionChoice]:
        """Give the rubrics in use: the file's own, else the protocol's."""
        return self.dimensions or [DimensionChoice(rubric=self.rules.rubric)]


def read_config(folder: Path) -> StudyConfig:
    """Read and check a study's study.toml.

    Raises:
        InvalidInput: It is missing, is no TOML, or has keys or values that cannot be; or so is the
            protocol that it names. Each is named.
    """
    path = folder / STUDY_FILE
    if not is_there(path):
        hint = f"Make one with: medassay new {folder} --protocol ratings"
        raise InvalidInput(Problem(str(path), "be a file that exists", "nothing there", hint))
    config = read_toml(StudyConfig, file_bytes(path, STUDY_FILE), STUDY_FILE)
    refuse_settings(
        {
            name: (settings_of.kind, settings_of.settings)
            for name, settings_of in config.systems.items()
        }
    )
    name = config.protocol.name
    if name.endswith(".toml"):
        return config.by(own_protocol(folder, name), name)
    try:
        return config.by(load_protocol(name), offered_by(name))
    except UnknownName as error:
        hint = f"{error.hint} A file of your own ends in .toml."
        must = "name a protocol"
        problem = Problem(STUDY_FILE, must, f'"{error.name}"', hint, None, "protocol.name")
        raise InvalidInput(problem) from error


def hushes_packages(config: StudyConfig) -> bool:
    """Say whether coefficients and consensus methods of other packages keep their words.

    Where `[privacy]` keeps texts they may quote one; where the protocol describes only they may
    speak of a test or an interval, and nothing reads what they say.
    """
    return config.privacy.texts != "full" or config.rules.descriptive


def as_shown(metric: BoundMetric, config: StudyConfig) -> BoundMetric:
    """Give a metric that computes the same and, where texts are kept, quotes nothing."""
    return metric if config.privacy.texts == "full" else without_own_words(metric)


_KEYS: Final = {
    "reasoning": "reasoning.steps",
    "danger": "safety.rules",
    "conditions": "conditions.groups",
}


def own_rules(config: StudyConfig) -> dict[str, str]:
    """Give what the study's own rules are about, and their files."""
    named = {
        "reasoning": config.reasoning.steps,
        "danger": config.safety.rules,
        "conditions": config.conditions.groups,
    }
    return {about: file for about, file in named.items() if file is not None}


def rule_folders(config: StudyConfig) -> dict[str, str]:
    """Give the files under the names by which metrics ask for them."""
    return {f"rules/{about}": file for about, file in own_rules(config).items()}


def groups_of(folder: Path, config: StudyConfig) -> ConditionGroups:
    """Give the study's own groups of similar conditions, else those that ship."""
    file = config.conditions.groups
    if file is None:
        return condition_groups()
    return read_condition_groups(file_bytes(folder / file, file), file)


def rule_problems(folder: Path, config: StudyConfig) -> list[Problem]:
    """Say what is wrong with the study's own rules: no such file in it, or the file's faults."""
    problems: list[Problem] = []
    for about, file in own_rules(config).items():
        outside = outside_problem(folder, file, _KEYS[about])
        if outside is not None:
            problems.append(outside)
            continue
        if not is_there(folder / file):
            must = "name a file that exists"
            problems.append(Problem(STUDY_FILE, must, f'"{file}"', "", None, _KEYS[about]))
            continue
        try:
            content = file_bytes(folder / file, file)
            if about == "conditions":
                read_condition_groups(content, file)
            else:
                check_rules(about, content, file)
        except InvalidInput as error:
            problems += error.problems
    return problems


def model_setup_of(folder: Path, config: StudyConfig, cases: Iterable[Case]) -> ModelSetup:
    """Give the setup of a study that need not be open; the cases are gone through if asked for."""
    return ModelSetup(
        folders={**config.models.folders, **rule_folders(config)},
        base=folder,
        device=config.models.device,
        download=config.models.download,
        keep_in=folder / "results" / "kept" / "models",
        corpora=reference_corpora(cases),
        keep_texts=config.privacy.texts == "full",
    )
