"""Text as LaTeX prints it, whatever signs are in it."""

import unicodedata
from typing import Final

__all__ = ["SIGNS", "escaped"]

_GREEK: Final = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu",
    "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "ς": "varsigma", "σ": "sigma", "τ": "tau",
    "υ": "upsilon", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma",
    "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma",
    "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "≈": "approx", "≠": "neq", "→": "to",
    "←": "leftarrow", "↑": "uparrow", "↓": "downarrow", "±": "pm", "×": "times", "÷": "div",
    "√": "surd", "∞": "infty", "•": "bullet", "≤": "leq", "≥": "geq", "·": "cdot", "∑": "sum",
    "∏": "prod", "∈": "in", "∼": "sim", "≡": "equiv", "∩": "cap", "∪": "cup", "⊂": "subset",
    "′": "prime", "†": "dagger", "‡": "ddagger", "¬": "neg",
}  # fmt: skip
SIGNS: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "^": r"\textasciicircum{}", "_": r"\_", "~": r"\textasciitilde{}", "%": r"\%",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\`{}", "−": r"$-$",
    **{sign: f"$\\{name}$" for sign, name in _GREEK.items()},
    "°": r"$^\circ$", "½": r"$\frac{1}{2}$", "¼": r"$\frac{1}{4}$", "¾": r"$\frac{3}{4}$",
    **{sign: f"$^{power}$" for power, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{sign: f"$_{index}$" for index, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    "…": r"\ldots{}", "“": "``", "”": "''", "„": ",,", "‘": "`", "’": "'", "–": "--", "—": "---",
    "‑": "-", "‐": "-", "§": r"\S{}", "¶": r"\P{}", "©": r"\copyright{}", "£": r"\pounds{}",
    "¿": "?`", "¡": "!`", "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}",
    "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}", "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}",
    "«": r"$\ll$", "»": r"$\gg$", "\u2009": r"\,", "\u202f": r"\,", "\u00a0": "~",
}  # fmt: skip
_ACCENTS: Final = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u",
    "\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d",
    "\u0327": "c", "\u0331": "b",
}  # fmt: skip
_OGONEK: Final = "\u0328"
_JOINED: Final = "-'"
"""Two of these a font of TeX would join into another sign."""


def escaped(text: str) -> str:
    r"""Write text so that LaTeX prints it as it is, in the seven-bit signs that any engine reads.

    Latin letters with accents, Greek and the signs of arithmetic print as such. A letter that
    pdflatex's own fonts do not have, such as one of another script, is written as its number in
    Unicode; signs that show nothing are left out.

    Example:
        >>> escaped("50 % of_all & κ"), escaped("Sjögren"), escaped("中文 a")
        ('50 \\% of\\_all \\& $\\kappa$', 'Sj\\"{o}gren', '[U+4E2D U+6587] a')
    """
    written: list[str] = []
    unknown: list[str] = []
    before = ""
    for sign in " ".join(unicodedata.normalize("NFC", text).split()):
        code = _written(sign)
        if code is None:
            unknown.append(f"U+{ord(sign):04X}")
        else:
            if unknown and code:
                written.append(_numbers(unknown))
                unknown = []
            written.append("{}" + code if sign == before and sign in _JOINED else code)
        before = sign
    return "".join([*written, *([_numbers(unknown)] if unknown else [])])


def _numbers(unknown: list[str]) -> str:
    return f"[{' '.join(unknown)}]"


def _written(sign: str) -> str | None:
    """Give the code of one sign; None where the fonts do not have it."""
    if sign in SIGNS:
        return SIGNS[sign]
    if sign.isascii() and sign.isprintable():
        return sign
    if unicodedata.category(sign) in {"Cc", "Cf", "Mn"}:
        return ""
    parts = unicodedata.normalize("NFD", sign)
    base, marks = parts[0], parts[1:]
    if not (base.isascii() and base.isalpha()):
        return None
    for mark in marks:
        if mark == _OGONEK:
            base = f"{{\\ooalign{{{base}\\crcr\\hfil\\lower1.5ex\\hbox{{\\`{{}}}}}}}}"
        elif mark in _ACCENTS:
            base = f"\\{_ACCENTS[mark]}{{{_dotless(base)}}}"
        else:
            return None
    return base


def _dotless(base: str) -> str:
    return {"i": "\\i", "j": "\\j"}.get(base, base)
