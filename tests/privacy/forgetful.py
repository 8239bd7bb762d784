"""A package of somebody who never thought of privacy: it quotes what it reads wherever it can."""

import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Final

import pytest

from medassay import plugins
from medassay.metrics import declarations, registry
from medassay.metrics.registry import GROUP

__all__ = ["METRICS", "SLIPS", "install", "settle"]

_MODULE: Final = '''
"""Metrics that say whatever comes to hand."""
import logging
import sys
import warnings

from medassay.errors import MissingBackend, Problem, UnusableModel
from medassay.metrics import Declaration, Direction, metric
from medassay.metrics.declaration import Need
from medassay.metrics.statements import Checked, StatementCheck
from medassay.models.nli import SupportFinding, SupportVerdict
from medassay.scores import Reason, Score, Unscored

KNOWN = "as seen in zqcase0, zqtagkey0 zqtagvalue0: zqtext0 zqdocument0"
TEXT = Need(words=f"text {KNOWN}", of_answer=lambda answer: answer.text)

def quoted(case, answer):
    return f"{case.case} {dict(case.tags)} {case.question} {case.options} {answer.text}"

def said(pairs, arguments):
    return [f"look at {quoted(*pair)}" for pair in pairs]

def checked(pairs, arguments):
    found = SupportFinding(SupportVerdict.SUPPORTED, 0, 0.5, "as they say")
    return [[Checked(a.text or "", found, a.text, a.text or "", True)] for _, a in pairs]

def angry(pairs, arguments):
    raise ValueError(" ".join(quoted(*pair) for pair in pairs))

def declared(name, **more):
    return Declaration(**({
        "name": name, "title": f"Doses {KNOWN}", "question": f"Is it right {KNOWN}?",
        "unit": f"points {KNOWN}", "low": 0, "high": 1, "direction": Direction.HIGHER,
        "needs": (TEXT,), "if_no_answer": Reason.NEVER_ANSWERED, "parts": ("p",),
        "undefined_when": f"never, {KNOWN}", "reference": f"our notes {KNOWN}",
        "cost": KNOWN, "blind_spots": (KNOWN,),
    } | more))

@metric(declared("forgetful", cautions=said, statements=StatementCheck(checked, {})))
def forgetful(pairs, arguments):
    """Score two of three answers, and quote the third."""
    scores = []
    for place, (case, answer) in enumerate(pairs):
        print(quoted(case, answer))
        print(quoted(case, answer), file=sys.stderr)
        warnings.warn(quoted(case, answer), stacklevel=1)
        logging.getLogger("forgetful").warning(quoted(case, answer))
        value = (len(answer.text) % 7) / 7
        reason = list(Reason)[place // 3% len(Reason)]
        scores.append(
            Unscored(reason, quoted(case, answer)) if place % 3 == 2 else Score(value, (value,)))
    return scores

@metric(declared("raising"))
def raising(pairs, arguments):
    case, answer = pairs[-1]
    raise ValueError(quoted(case, answer))

@metric(declared("lacking"))
def lacking(pairs, arguments):
    words = quoted(*pairs[-1])
    raise MissingBackend(words, words, words)

@metric(declared("unusable"))
def unusable(pairs, arguments):
    words = quoted(*pairs[-1])
    raise UnusableModel(Problem(words, words, words, words))

@metric(declared("silent"))
def silent(pairs, arguments):
    return [Unscored(Reason.CASE_LACKS, quoted(*pair)) for pair in pairs]

@metric(declared("warner", cautions=angry))
def warner(pairs, arguments):
    return [Score(0.5, (0.5,)) for _ in pairs]

@metric(declared("picky", needs=(Need(words="text", of_answer=lambda answer: int(answer.text)),)))
def picky(pairs, arguments):
    return [Score(0.5, (0.5,)) for _ in pairs]

@metric(declared("checking", statements=StatementCheck(angry, {})))
def checking(pairs, arguments):
    return [Score(0.5, (0.5,)) for _ in pairs]
'''
METRICS: Final = ("forgetful", "raising", "lacking", "unusable", "silent", "warner")
"""Those that a run survives."""
_IMPORTS: Final = (
    "from medassay.annotations import PValue\nfrom medassay.annotations.record import Plain\n"
)
SLIPS: Final = {
    "a text that says nothing": (
        f"{_IMPORTS}class Seen(Plain, infers=False):\n    seen: str",
        "UnmarkedText: Seen.seen (str) may hold text",
    ),
    "nothing of inference": (
        f"{_IMPORTS}class Seen(Plain):\n    n: int",
        "missing 1 required keyword-only argument: 'infers'",
    ),
    "a p that must be there": (
        f"{_IMPORTS}class Seen(Plain, infers=False):\n    p: PValue",
        "WrongInference: Seen.p must hold an inference",
    ),
}
"""Records that a package declares and should not, and what is said of them."""


def settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the metrics that a test installs be gone after it."""
    declarations()
    monkeypatch.setattr(registry.REGISTRY, "known", dict(registry.REGISTRY.known))
    monkeypatch.setattr(registry.REGISTRY, "problems", None)


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, more: str = "") -> None:
    """Install the package as others install theirs: by an entry point; `more` is code below it."""
    module = folder / "forgetful_metrics.py"
    module.write_text(f"{_MODULE}\n{more}\n", encoding="utf-8")
    monkeypatch.delitem(sys.modules, "forgetful_metrics", raising=False)
    monkeypatch.syspath_prepend(folder)
    entry = EntryPoint(name="forgetful", value="forgetful_metrics", group=GROUP)
    entries = EntryPoints([entry])
    monkeypatch.setattr(plugins, "entry_points", lambda: entries)
