"""[judges.NAME] of study.toml: which model a model rater is, and how it is asked."""

import json
from importlib.resources import files
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, model_validator

from medassay.annotations import Guarded
from medassay.models.endpoints import EndpointSettings, Limits
from medassay.models.endpoints.settings import EmbeddedOrAddress
from medassay.tables import wrong

__all__ = ["PROMPTS", "JudgeConfig", "shipped_prompt"]

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
    prompt: Annotated[str, Guarded("medassay.study.config.own_files.outside_problem")] = ""
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
