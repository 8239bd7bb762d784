"""What browsers send, as models: every field with its bounds."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

_Client = Annotated[str, StringConstraints(pattern=r"^[0-9a-f-]{8,64}$")]
_Code = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
_Line = Annotated[str, StringConstraints(max_length=400, pattern=r"^[^\x00]*$")]
_Words = Annotated[str, StringConstraints(max_length=8000, pattern=r"^[^\x00]*$")]
_Secret = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]
_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Nothing(_Body):
    """Nothing but the form itself."""


class Link(_Body):
    """What stands behind the # of a personal link, and whether the computer is shared."""

    token: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    shared: Annotated[str, StringConstraints(max_length=3)] = ""


class Speaks(_Body):
    """A language to go on in."""

    language: Annotated[str, StringConstraints(pattern=r"^[A-Za-z-]{2,16}$")]


class Agreed(_Body):
    """The version of the information that was read and agreed to."""

    version: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{12}$")]


class Rested(_Body):
    """The batch after which a break was taken."""

    after: Annotated[int, Field(ge=1, le=100_000)]


class PutsOff(_Body):
    """The answer that is to come again at the end of its batch."""

    code: _Code


class Sits(_Body):
    """On which device a rater rates: what its page calls itself, and whether they go on there."""

    device: _Client
    takes: bool = False
    leaves: bool = False


class HasRead(_Body):
    """The decision of a reviewer that was read."""

    review: Annotated[int, Field(ge=0, le=2**53)]


class SaidBody(_Body):
    """One thing that a rater says; `client` is its name, made at the click."""

    client: _Client
    code: _Code
    dimension: _Line = ""
    about: _Line = ""
    label: _Line = ""
    number: Annotated[float, Field(allow_inf_nan=False)] | None = None
    reason: Annotated[str, StringConstraints(pattern=r"^(cannot_judge|not_applicable)?$")] = ""
    comment: _Words | None = None
    seconds: Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)] | None = None
    confidence: _Share | _Line | None = None
    at: Annotated[str, StringConstraints(pattern=r"^([0-9TZ:.-]{20,30})?$")] = ""
    dangerous: bool | None = None
    why: _Words = ""
    takes_back: Annotated[str, StringConstraints(pattern=r"^([0-9a-f-]{8,64})?$")] = ""
    carried: bool = False
    language: Annotated[str, StringConstraints(pattern=r"^([A-Za-z-]{2,16})?$")] = ""


class SaidTogether(_Body):
    """What a browser has to send, in the order in which it was said."""

    said: Annotated[tuple[SaidBody, ...], Field(min_length=1, max_length=50)]


class Guessed(_Body):
    """A guess of the system behind an answer."""

    client: _Client
    code: _Code
    system: _Line
    sure: _Share | None = None


class Status(_Body):
    """What the room does from now on, and why."""

    status: Literal["open", "paused", "closed"]
    why: _Words = ""


class ReviewVerdict(_Body):
    """What a reviewer says of one label: a verdict, words, or nothing."""

    code: _Code
    dimension: _Line = ""
    about: _Line = ""
    outcome: Literal["", "mistake", "difference", "fine"] = ""
    note: _Words = ""


class Decided(_Body):
    """What a reviewer says of a rater's first answers, and what becomes of them.

    A form has no lists: it numbers the fields of each verdict, as in `code.0` and `note.0`.
    """

    decision: Literal["keep", "passed", "again"]
    note: _Words = ""
    seen: Annotated[int, Field(ge=0, le=2**53)] = 0
    read: Annotated[int, Field(ge=0, le=2**53)] | None = None
    verdicts: Annotated[tuple[ReviewVerdict, ...], Field(max_length=2000)] = ()

    @model_validator(mode="before")
    @classmethod
    def _of_form(cls, fields: object) -> object:
        if not isinstance(fields, dict):
            return fields
        whole: dict[str, object] = {}
        verdicts: dict[str, dict[str, object]] = {}
        for name, value in fields.items():
            field, dot, number = str(name).partition(".")
            if dot:
                verdicts.setdefault(number, {})[field] = value
            else:
                whole[name] = value
        return {**whole, "verdicts": list(verdicts.values())} if verdicts else whole


class Settles(_Body):
    """What an adjudicator says of one difference: a label, a number as it is typed, or nothing.

    An empty label says that none can be given; a number is read where there is no label.
    """

    dimension: _Line
    about: _Line = ""
    label: _Line | None = None
    number: Annotated[str, StringConstraints(max_length=40, pattern=r"^[^\x00]*$")] = ""
    comment: _Words = ""
    at: Annotated[str, StringConstraints(pattern=r"^(d[0-9]{1,4})?$")] = ""


class Passphrase(_Body):
    """A passphrase that is set; no error quotes it, and no log holds it."""

    passphrase: _Secret


class BatchSigned(_Body):
    """A batch, and the hash of it as its rater was shown it."""

    batch: Annotated[int, Field(ge=1, le=100_000)]
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Signs(_Body):
    """A passphrase given again, and what it signs."""

    passphrase: _Secret
    batches: Annotated[tuple[BatchSigned, ...], Field(min_length=1, max_length=1000)]


class Resets(_Body):
    """Whose passphrase is taken away, and why."""

    rater: _Line
    why: _Words = ""
