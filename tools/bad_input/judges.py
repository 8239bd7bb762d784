"""Model judges and certificates that cannot be used."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from medassay.study.certificates.certificate import (
    Certificate,
    DomainPrint,
    JudgeIdentity,
    certificate_bytes,
    rules_of,
)
from tools.bad_input.bad_case import BadCase

_DECLARED: Final = '[judges.{}]\nmodel = "large"\nversion = "3"\nprompt = "prompt.txt"\n'
_JUDGED: Final = "rater,rater_kind,system,case,dimension,label\n"
_PAIRS: Final = "rater,rater_kind,case,system_a,system_b,choice\n"


def _declared(name: str, *, prompt: bool = True) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        study = folder / "study"
        with (study / "study.toml").open("a", encoding="utf-8") as file:
            file.write(_DECLARED.format(name))
        if prompt:
            (study / "prompt.txt").write_text("Rate it.\n", encoding="utf-8")

    return make


def _by_model(folder: Path) -> None:
    rows = "judge,model,clinic,01,quality,5\njudge,model,robot,01,quality,2\n"
    (folder / "study" / "judgements.csv").write_text(_JUDGED + rows, encoding="utf-8")


def _misspelt(folder: Path) -> None:
    _by_model(folder)
    _declared("jugde")(folder)


def _without_prompt(folder: Path) -> None:
    _by_model(folder)
    _declared("judge", prompt=False)(folder)


def _two_kinds(folder: Path) -> None:
    _by_model(folder)
    rows = "judge,person,01,clinic,robot,a\n"
    (folder / "study" / "preferences.csv").write_text(_PAIRS + rows, encoding="utf-8")


def _edited(folder: Path) -> None:
    certificate = Certificate(
        software="medassay",
        study="Two questions",
        inputs={},
        rater="judge",
        judge=JudgeIdentity(model="large", version="4", settings="", prompt=""),
        domain=DomainPrint(protocol="ratings", name="first aid", tags={}),
        rules=rules_of(0.2),
        dimensions=[],
        order=[],
        seal="of another file",
    )
    _certificate(folder).write_bytes(certificate_bytes(certificate))


def _no_certificate(folder: Path) -> None:
    _certificate(folder).write_text("The judge is good.\n", encoding="utf-8")


def _certificate(folder: Path) -> Path:
    inner = folder / "study" / "certificates"
    inner.mkdir()
    return inner / "judge.json"


JUDGES: Final = [
    BadCase(
        "A judge that rated nothing",
        "study.toml declares `jugde`, and no rater is called so",
        _misspelt,
    ),
    BadCase(
        "A judge who is a person",
        "study.toml declares `r1` a judge, whose judgements are a person's",
        _declared("r1"),
    ),
    BadCase(
        "A judge of two kinds",
        "a model in judgements.csv is a person in preferences.csv",
        _two_kinds,
    ),
    BadCase(
        "A judge without its prompt",
        "study.toml declares a prompt that is not beside it",
        _without_prompt,
    ),
    BadCase(
        "A certificate changed by hand",
        "certificates/judge.json with another version in it",
        _edited,
    ),
    BadCase("No certificate", "certificates/judge.json with a sentence in it", _no_certificate),
    BadCase(
        "A certificate for nobody in particular",
        "a model that rated, and study.toml does not say which model it is or what about",
        _by_model,
        "medassay judge study --certify",
    ),
]
