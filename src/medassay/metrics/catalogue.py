"""Every metric as plain data, for `medassay metrics` and for the generated documentation."""

from medassay.metrics.declaration import Declaration
from medassay.metrics.parameter import Parameter
from medassay.metrics.registry import declarations
from medassay.scores import Reason

__all__ = ["catalogue"]


def catalogue() -> list[dict[str, object]]:
    """Describe every registered metric under keys that JSON can hold, sorted by name.

    Example:
        >>> [entry["example"] for entry in catalogue() if entry["name"] in ("length", "rouge1")]
        ['length', 'rouge1(ref=human)']
    """
    return [_describe(declaration) for declaration in declarations()]


def _describe(declared: Declaration) -> dict[str, object]:
    return {
        "name": declared.name,
        "example": _example(declared),
        "question": declared.question,
        "unit": declared.unit,
        "low": declared.low,
        "high": declared.high,
        "direction": str(declared.direction),
        "level": str(declared.level),
        "needs": [
            {
                "of": "answer" if need.of_case is None else "case",
                "words": need.words,
                "when": None if need.when is None else "=".join(need.when),
            }
            for need in declared.needs
        ],
        "parameters": [_parameter(parameter) for parameter in declared.parameters],
        "takes_k": declared.takes_k,
        "if_no_answer": _outcome(declared.if_no_answer),
        "if_empty": None if declared.if_empty is None else _outcome(declared.if_empty),
        "undefined_when": declared.undefined_when,
        "parts": list(declared.parts),
        "pools": declared.pool is not None,
        "reference": declared.reference,
        "version": declared.version,
    }


def _parameter(parameter: Parameter) -> dict[str, object]:
    return {
        "name": parameter.name,
        "says": parameter.says,
        "allowed": parameter.allowed,
        "default": parameter.default,
    }


def _outcome(outcome: float | Reason) -> float | str:
    return f"unscored: {outcome.words}" if isinstance(outcome, Reason) else outcome


def _example(declared: Declaration) -> str:
    """Write the shortest name that resolves; parameters without choices show their name."""
    required = [p for p in declared.parameters if p.default is None]
    inside = ",".join(f"{p.name}={p.values[0] if p.values else p.name}" for p in required)
    cut = "@5" if declared.takes_k else ""
    return f"{declared.name}{cut}({inside})" if inside else f"{declared.name}{cut}"
