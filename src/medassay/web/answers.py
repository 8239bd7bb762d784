"""What a view gives back, and the one form in which errors are told."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from typing import TYPE_CHECKING, Any

from medassay.errors import MedassayError
from medassay.tables import text_bytes

if TYPE_CHECKING:
    from starlette.responses import Response


@dataclass
class Refused(MedassayError):
    """A request that is not met.

    Attributes:
        status: The status of HTTP.
        word: A word for programs, which is also the text's key in the catalogues.
        sentence: What is wrong, in English.
        problems: Each thing that is wrong with what was sent, as `Problem.as_dict` gives it.
    """

    status: int
    word: str
    sentence: str
    problems: Sequence[Mapping[str, object]] = ()

    def __post_init__(self) -> None:
        super().__init__(self.sentence)


def error_json(refused: Refused) -> dict[str, object]:
    """Give the form of every error.

    Example:
        >>> error_json(Refused(404, "not_there", "There is no such page."))
        {'word': 'not_there', 'sentence': 'There is no such page.', 'problems': []}
    """
    return {
        "word": refused.word,
        "sentence": refused.sentence,
        "problems": list(refused.problems),
    }


def plain(value: object) -> Any:  # noqa: ANN401 - JSON is what it is
    """Give records as plain data; a mapping by pairs becomes a list of its values with their keys.

    Example:
        >>> from medassay.campaign.room import Given
        >>> plain({("harm", ""): Given(label="none")})[0]["dimension"]
        'harm'
    """
    if value is None or isinstance(value, str | int | float):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        if all(isinstance(key, tuple) for key in value):
            return [
                {"dimension": key[0], "about": key[1], **asdict(entry)}
                for key, entry in value.items()
            ]
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value


def as_json(value: object) -> bytes:
    """Write plain data as JSON."""
    import json

    return text_bytes(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def json_answer(value: object, status: int = 200) -> "Response":
    """Answer with JSON."""
    from starlette.responses import Response

    return Response(as_json(value), status, media_type="application/json")
