"""How likely a judge held each label, from the log-probabilities of its own verdict's tokens."""

import json
import re
from collections.abc import Sequence
from math import exp
from typing import Final

from medassay.models.endpoints import Reply
from medassay.tables import parse_strictly

__all__ = ["likelihoods"]

_ENOUGH: Final = 0.5
"""Labels of a free reply must hold so much of the probability together."""
_UNCLEAR: Final = 0.01
"""So much of what labels hold may begin several alike."""
_MARK: Final = "\u0001here"


def likelihoods(
    reply: Reply, field: str, words: Sequence[str], *, but: str, held: bool
) -> dict[str, float] | None:
    r"""Give the probability of each label, where the endpoint gave those of its tokens.

    The tokens are followed through the field's own value up to the first that decides: the chance
    of a label is the product of those of the tokens that lead to it. What begins no label is left
    out, and the rest adds up to 1.

    Args:
        reply: The reply: one JSON object.
        field: The field of the object that holds the verdict.
        words: What may stand there.
        but: The one of them that is no label, and gets no probability.
        held: Whether the endpoint held the reply to these words. Then what it gives anything else
            was never open to it, however much that is.

    Returns:
        None where tokens or alternatives lack, where tokens that were not taken begin several
        labels, or where the labels of a reply that was free hold less than half of the
        probability together.

    Example:
        >>> from math import log
        >>> tokens = (('{"verdict": "', 0.0, ()),
        ...           ("no", log(0.6), (("no", log(0.6)), ("yes", log(0.3)), ("x", log(0.1)))),
        ...           ('"}', 0.0, ()))
        >>> reply = Reply("answered", '{"verdict": "no"}', tokens=tokens)
        >>> likelihoods(reply, "verdict", ["yes", "no", "?"], but="?", held=False)
        {'yes': 0.333333, 'no': 0.666667}
    """
    place = _place_of(reply.text, field)
    all_tokens = "".join(token for token, _, _ in reply.tokens)
    if place is None or not all_tokens.startswith(reply.text):
        return None
    chances = _followed(
        reply, place, {word: json.dumps(word, ensure_ascii=False)[1:] for word in words}
    )
    if chances is None:
        return None
    chances.pop(but, None)
    whole = sum(chances.values())
    if whole <= (0 if held else _ENOUGH):
        return None
    return {word: round(chance / whole, 6) for word, chance in chances.items()}


def _place_of(text: str, field: str) -> int | None:
    """Find where the value of a field of the outermost object begins, behind its quotation mark."""
    for key in re.finditer(rf'"{field}"\s*:\s*"', text):
        try:
            _, end = json.JSONDecoder().raw_decode(text, key.end() - 1)
            whole = text[: key.end()] + json.dumps(_MARK)[1:-1] + text[end - 1 :]
            parsed = parse_strictly(whole, halves=True)
        except (ValueError, RecursionError):
            continue
        if isinstance(parsed, dict) and parsed.get(field) == _MARK:
            return key.end()
    return None


def _followed(reply: Reply, place: int, ends: dict[str, str]) -> dict[str, float] | None:
    """Follow the tokens from a place of the text on; `ends` are the words up to their quotation."""
    chances = dict.fromkeys(ends, 0.0)
    path, unclear, read, at = 1.0, 0.0, "", 0
    for token, log_chance, others in reply.tokens:
        start, at = at, at + len(token)
        if at <= place:
            continue
        before = reply.text[start:place] if start < place else ""
        if not others:
            return None
        decided = False
        for other, chance in {**dict(others), token: log_chance}.items():
            if not other.startswith(before):
                continue
            so_far = read + other[len(before) :]
            fits = [
                w for w, end in ends.items() if end.startswith(so_far) or so_far.startswith(end)
            ]
            if len(fits) == 1:
                chances[fits[0]] += path * exp(chance)
                decided = decided or other == token
            elif fits and other != token:
                unclear += path * exp(chance)
        if decided:
            return chances if unclear <= _UNCLEAR * sum(chances.values()) else None
        path, read = path * exp(log_chance), read + token[len(before) :]
    return None
