"""The faults that one statement can have, by kind."""

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from tools.mutate.mutant import Kind
from tools.mutate.source import Source, Span, parts_of

Fault = tuple[Span, str]
"""What is replaced, and by what."""
_Ends = ast.expr | ast.stmt

_OTHER_WAY: Final[dict[type[ast.cmpop], tuple[str, str]]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
_ENDLESS: Final = re.compile(r"\b(count|cycle|repeat|iter)\(")
_PRIVATE: Final = re.compile(
    r"privacy|keep_texts|texts\s*[!=]=|reveal|blind|seal|prun|secret|audience|hides|\btags?\b"
    r"|describ|infer|excluded|masked"
)
"""Words of conditions on who may see what, on what may be said, and on cases' tags."""
_SEALS: Final = re.compile(r"(^|\.|_)(pruned|sealed|stripped|blinded|masked|without_texts)$")
"""Names of what takes something away from what is given to it."""


def signs(statement: ast.stmt, source: Source) -> Iterator[Fault]:
    """Plus for minus, minus for plus, and a minus sign dropped."""
    if isinstance(statement, ast.AugAssign) and not _joins(statement.value):
        if isinstance(statement.op, ast.Add):
            yield _between(statement.target, statement.value, "+=", "-=", source)
        elif isinstance(statement.op, ast.Sub):
            yield _between(statement.target, statement.value, "-=", "+=", source)
    for node in parts_of(statement):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            if _joins(node.left) or _joins(node.right):
                continue
            pair = ("+", "-") if isinstance(node.op, ast.Add) else ("-", "+")
            yield _between(node.left, node.right, *pair, source)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield source.span(node), f"({source.of(node.operand)})"


def comparisons(statement: ast.stmt, source: Source) -> Iterator[Fault]:
    """A bound that no longer belongs, or now does, and alike for different."""
    for node in parts_of(statement):
        if isinstance(node, ast.Compare):
            for one, sign, other in zip(
                [node.left, *node.comparators], node.ops, node.comparators, strict=False
            ):
                if type(sign) in _OTHER_WAY:
                    yield _between(one, other, *_OTHER_WAY[type(sign)], source)


def rows(statement: ast.stmt, source: Source) -> Iterator[Fault]:
    """The first or the last of what is gone through, a condition, or an element is dropped."""
    if isinstance(statement, ast.Continue):
        yield source.span(statement), "pass"
    if isinstance(statement, ast.For):
        yield from _shorter(statement.iter, source)
    for node in parts_of(statement):
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            for loop in node.generators:
                yield from _shorter(loop.iter, source)
                yield from ((source.span(one), "True") for one in loop.ifs)
        if isinstance(node, ast.List) and len(node.elts) > 1:
            yield from _without_one(node.elts, source)
        if isinstance(node, ast.Dict) and len(node.values) > 1 and None not in node.keys:
            for key, value in zip(node.keys, node.values, strict=True):
                assert key is not None  # noqa: S101 - looked at above
                start = source.span(key)[0]
                end = source.span(value)[1]
                behind = re.match(rb"\s*,", source.data[end:])
                if behind:
                    yield (start, end + behind.end()), ""


def labels(statement: ast.stmt, source: Source) -> Iterator[Fault]:
    """Two names, values or words change places."""
    if isinstance(statement, ast.Return) and isinstance(statement.value, ast.Tuple):
        yield from _swapped(statement.value.elts, source)
    for node in parts_of(statement):
        if isinstance(node, ast.IfExp):
            yield from _swapped([node.body, node.orelse], source)
        elif isinstance(node, ast.Dict):
            yield from _swapped(node.values, source)
        elif isinstance(node, ast.Call):
            yield from _swapped([word.value for word in node.keywords if word.arg], source)
            # Names in a row are mostly of different things: such a swap stops at once.
            yield from _swapped([_if_of_something(one) for one in node.args], source)


def tags(statement: ast.stmt, source: Source) -> Iterator[Fault]:
    """A condition about who may see what is turned or dropped, or its remover not called."""
    for node in _conditions(statement):
        if _PRIVATE.search(source.of(node)):
            for new in (f"not ({source.of(node)})", "True", "False"):
                yield source.span(node), new
    for node in parts_of(statement):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        if _SEALS.search(source.of(node.func)) and not isinstance(node.args[0], ast.Starred):
            yield source.span(node), source.of(node.args[0])


FAULTS: Final[dict[Kind, Callable[[ast.stmt, Source], Iterator[Fault]]]] = {
    Kind.SIGN: signs,
    Kind.COMPARISON: comparisons,
    Kind.ROW: rows,
    Kind.LABEL: labels,
    Kind.TAG: tags,
}


def _joins(node: ast.expr) -> bool:
    """Say whether a sum with this joins texts or lists."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | bytes)
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else None
        name = node.func.id if isinstance(node.func, ast.Name) else name
        return name in {"str", "list", "tuple", "sorted", "join", "set", "keys"}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _joins(node.left) or _joins(node.right)
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp | ast.Set)


def _between(left: _Ends, right: _Ends, old: str, new: str, source: Source) -> Fault:
    """Replace a sign that stands between two parts."""
    begin, end = source.span(left)[1], source.span(right)[0]
    sign = re.search(rb"\s+".join(map(re.escape, old.encode().split())), source.data[begin:end])
    assert sign is not None  # noqa: S101 - the parser has seen it there
    return (begin + sign.start(), begin + sign.end()), new


def _shorter(node: ast.expr, source: Source) -> Iterator[Fault]:
    text = source.of(node)
    if not _ENDLESS.search(text):
        yield source.span(node), f"list({text})[1:]"
        yield source.span(node), f"list({text})[:-1]"


def _without_one(parts: Sequence[ast.expr], source: Source) -> Iterator[Fault]:
    for one, other in pairwise(parts):
        yield (source.span(one)[0], source.span(other)[0]), ""


def _if_of_something(node: ast.expr) -> ast.expr | None:
    return node if isinstance(node, ast.Attribute | ast.Subscript | ast.Constant) else None


def _swapped(parts: Sequence[ast.expr | None], source: Source) -> Iterator[Fault]:
    """Swap neighbours that are written alike, and do not say the same."""
    for one, other in pairwise(parts):
        if one is None or other is None or _shape(one) != _shape(other):
            continue
        (a, b), (c, d) = source.span(one), source.span(other)
        # A bracket in between would belong to one of them only.
        if source.text((a, b)) != source.text((c, d)) and not set("()*") & set(source.text((b, c))):
            yield (a, d), source.text((c, d)) + source.text((b, c)) + source.text((a, b))


def _shape(node: ast.expr) -> object:
    return type(node.value) if isinstance(node, ast.Constant) else type(node)


def _conditions(statement: ast.stmt) -> Iterator[ast.expr]:
    if isinstance(statement, ast.If | ast.While):
        yield statement.test
    for node in parts_of(statement):
        if isinstance(node, ast.IfExp):
            yield node.test
        elif isinstance(node, ast.BoolOp):
            yield from node.values
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            for loop in node.generators:
                yield from loop.ifs
