"""What a judge may say, the form that its reply must have, and what a reply says.

How likely a judge held each label, from the log-probabilities of its own verdict's tokens.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Final

from medassay.judgements import Dimension, NumberScale
from medassay.models.endpoints import JsonSchema, Reply
from medassay.tables import parse_strictly, without_halves

__all__ = ["PAIR", "Menu", "Verdict", "likelihoods", "menu_of"]

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


_CANNOT: Final = "cannot judge"
_WHEN: Final = "What there is to read does not let you decide."
_FIELD: Final = "verdict"
_LONGEST_REASON: Final = 600
_FENCED: Final = re.compile(r"```(?:json)?\s*\n(.*)\n\s*```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge said, or why it said nothing that counts.

    Attributes:
        label: The label; None where there is none.
        number: The number, on a scale of numbers.
        reason: Why there is neither: cannot_judge is the judge's own word, the others are not
            verdicts (`judgements.rows.NO_VERDICT`).
        rationale: What it gives as its reason.
        probabilities: Label to probability, where the endpoint tells.
    """

    label: str | None = None
    number: float | None = None
    reason: str | None = None
    rationale: str = ""
    probabilities: Mapping[str, float] | None = None


@dataclass(frozen=True)
class Menu:
    """What a judge may say.

    Attributes:
        words: Each accepted word, to the label that it stands for.
        shown: Each label with when to choose it, as the judge reads it.
        number: The numbers that it may give instead.
        rationale: Whether it gives its reason first.
        held: Whether the endpoint holds the reply to the schema.
    """

    words: Mapping[str, str]
    shown: Sequence[Mapping[str, str]]
    number: NumberScale | None = None
    rationale: bool = True
    held: bool = True

    @property
    def form(self) -> Mapping[str, str]:
        """Give the JSON that a reply must be, as an example."""
        why = "one or two sentences with the words of the reply that decide"
        return {**({"reason": why} if self.rationale else {}), _FIELD: "..."}

    @property
    def schema(self) -> JsonSchema:
        """Give the JSON that a reply must be: first the reason, then the verdict that follows."""
        verdict_field: dict[str, object] = {
            "type": "string",
            "enum": [choice["verdict"] for choice in self.shown],
        }
        if self.number is not None:
            verdict_field = {"anyOf": [{"type": "number"}, {"type": "string", "enum": [_CANNOT]}]}
        reason = {"reason": {"type": "string", "maxLength": _LONGEST_REASON}}
        fields = {**(reason if self.rationale else {}), _FIELD: verdict_field}
        return {
            "type": "object",
            "properties": fields,
            "required": list(fields),
            "additionalProperties": False,
        }

    def read(self, reply: Reply) -> Verdict:
        """Read what a judge said: from the field `verdict` of the one object that its reply is.

        A reply with anything before or after the object is off the menu, whatever it quotes.

        Example:
            >>> menu = menu_of(Dimension(id="safe", question="Is it safe?", scale="nominal",
            ...     labels=({"label": "yes"}, {"label": "no"})))
            >>> menu.read(Reply.said('{"reason": "It says: verdict yes", "verdict": "no"}')).label
            'no'
            >>> menu.read(Reply.said('The reply says {"verdict": "yes"}.')).reason
            'off_menu'
            >>> menu.read(Reply("cut_off", '{"reason": "Rest')).reason
            'cut_off'
        """
        if reply.ended in {"refused", "cut_off", "failed"}:
            return Verdict(reason=reply.ended)
        fenced = _FENCED.fullmatch(reply.text.strip())
        try:
            parsed = parse_strictly(fenced[1] if fenced else reply.text, halves=True)
        except (ValueError, RecursionError):
            parsed = None
        if not isinstance(parsed, Mapping):
            return Verdict(reason="off_menu")
        reason = parsed.get("reason")
        rationale = without_halves(reason) if isinstance(reason, str) else ""
        return self._verdict(parsed.get(_FIELD), rationale, reply)

    def _verdict(self, value: object, rationale: str, reply: Reply) -> Verdict:
        word = _folded(value) if isinstance(value, str) else None
        if word == _CANNOT:
            return Verdict(reason="cannot_judge", rationale=rationale)
        if self.number is not None:
            fits = isinstance(value, int | float) and not isinstance(value, bool)
            if fits and self._holds(float(str(value))):
                return Verdict(number=float(str(value)), rationale=rationale)
            return Verdict(reason="off_menu", rationale=rationale)
        labels = sorted({label for known, label in self.words.items() if _folded(known) == word})
        if len(labels) != 1:
            return Verdict(reason="off_menu", rationale=rationale)
        words = [choice["verdict"] for choice in self.shown]
        likely = likelihoods(reply, _FIELD, words, but=_CANNOT, held=self.held)
        return Verdict(label=labels[0], rationale=rationale, probabilities=likely)

    def _holds(self, number: float) -> bool:
        import polars as pl

        return self.number is not None and bool(self.number.holds(pl.Series([number])).all())


def _folded(word: str) -> str:
    return " ".join(word.split()).casefold()


def menu_of(dimension: Dimension) -> Menu:
    """Give what a judge may say on a dimension."""
    cannot = {"verdict": _CANNOT, "when": _WHEN}
    if dimension.number is not None:
        number_choice = {"verdict": str(dimension.number), "when": ""}
        return Menu({}, (number_choice, cannot), dimension.number)
    shown = [{"verdict": label.label, "when": label.description} for label in dimension.labels]
    return Menu(dimension.words, (*shown, cannot))


PAIR: Final = Menu(
    {"a": "a", "b": "b", "tie": "tie"},
    (
        {"verdict": "A", "when": "Reply A is better."},
        {"verdict": "B", "when": "Reply B is better."},
        {"verdict": "tie", "when": "Neither is better: equally good, or equally bad."},
        {"verdict": _CANNOT, "when": _WHEN},
    ),
)
"""What a judge may say of two answers."""
