"""The model judges of a study: who they are declared to be, and which certificates lie beside."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from medassay.cases import Cases
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Dimension, Judgements, Preferences, Raters
from medassay.study.certificates.certificate import (
    Certificate,
    CertifiedDimension,
    read_certificate,
    rules_of,
)
from medassay.study.certificates.fingerprint import DomainPrint, JudgeIdentity, domain_of, print_of
from medassay.study.certificates.record import StandingOfCertificate
from medassay.study.config.judges import PROMPTS, shipped_prompt
from medassay.study.config.own_files import outside_problem
from medassay.study.config.study_toml import StudyConfig
from medassay.study.files.names import CERTIFICATES, STUDY_FILE
from medassay.tables import file_bytes

__all__ = ["Judges", "certificate_files", "model_raters", "read_judges"]


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
            "A rater is one person or one model: give the other a name of its own.", None,
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
