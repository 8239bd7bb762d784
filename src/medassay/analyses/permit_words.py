"""The words of each permit of a metric, with where it holds, for all that print one."""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from medassay.validity import Scope, Use

Grant = Literal["rank", "screen", "gate between systems", "gate between versions"]
"""A use in place of raters, a gate with its scope."""


class _Words(NamedTuple):
    can: str
    column: str
    holds: str


_OTHER_KINDS: Final = "not shown for kinds of systems that nobody rated"
_WORDS: Final[dict[Grant, _Words]] = {
    "rank": _Words(
        "rank similar systems instead of asking raters", "Rank similar systems", _OTHER_KINDS
    ),
    "screen": _Words("choose which systems raters see", "Choose systems for rating", _OTHER_KINDS),
    "gate between systems": _Words(
        "tell a worse system from a better one",
        "Spot a worse system",
        "not shown within one kind of system, nor for versions of one system",
    ),
    "gate between versions": _Words(
        "block a worse version in your build",
        "Block a worse version",
        "shown for versions of one system alone",
    ),
}
GRANTS: Final[tuple[Grant, ...]] = tuple(_WORDS)


def grants_of(uses: Iterable[Use], scopes: Iterable[Scope]) -> tuple[Grant, ...]:
    """List what a metric may be used for, a gate with its scope.

    Example:
        >>> grants_of(("screen", "gate"), ("between systems",))
        ('screen', 'gate between systems')
    """
    given = {*uses, *(f"gate {scope}" for scope in scopes)}
    return tuple(grant for grant in _WORDS if grant in given)


def permit_words(who: str, grant: Grant) -> str:
    """Say what a metric can be used for, and where that is not shown.

    Example:
        >>> print(permit_words("m", "gate between versions"))
        m can block a worse version in your build. This is shown for versions of one system alone.
    """
    return f"{who} can {_WORDS[grant].can}. This is {limits(grant)}."


def limits(grant: Grant) -> str:
    """Say where a permit holds, or where it is not shown.

    Example:
        >>> limits("rank")
        'not shown for kinds of systems that nobody rated'
    """
    return _WORDS[grant].holds


def column_title(grant: Grant) -> str:
    """Head a column of ticks."""
    return _WORDS[grant].column


def uses_words() -> str:
    """Say what each use means, below a table."""
    return " ".join(
        f"{grant[0].upper()}{grant[1:]}: {words.can} ({words.holds})."
        for grant, words in _WORDS.items()
    )
