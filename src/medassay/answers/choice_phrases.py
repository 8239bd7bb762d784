"""The phrases by which an English answer chooses an option, denies one, or declines to choose."""

import re
from typing import Final

__all__ = [
    "BEFORE", "BUT", "DENIED", "IF", "LEAVES", "NOT", "REFUSAL", "RIGHT", "SECOND", "WRONG",
]  # fmt: skip

_KIND = (
    r"(?:final|correct|right|best|better|likely|likeliest|probable|appropriate|suitable|single"
    r"|selected|chosen|most|my|the)"
)
_NOUN = (
    r"(?:answer|option|choice|ans|diagnosis|selection|selected|treatment|step|drug|pick|guess|one"
    r"|response|conclusion|key|letter|decision|solution|cause)"
)
_ADVERB = (
    r"(?:therefore|thus|hence|then|most|likely|probably|clearly|definitely|actually|certainly"
    r"|indeed|still|undoubtedly|obviously|simply)"
)
_IS = (
    rf"(?:\s*(?:\s(?:is|was|remains)"
    rf"|\s(?:would|should|must|could|will|has\ to)\s+(?:{_ADVERB}\s+)?be"
    rf"|'s)\b(?:\s+{_ADVERB})*\s*:?|\s*[:=\-\u2013\u2014]|\.(?=\s*\())"
)
_OF_WHAT = (
    r"(?:\s+(?:choice|option|here)"
    r"|\s+(?:for|in|among|of|to)\s+(?:this|that|these|those|the|our|him|her|his)(?:\s+\w+){0,4}?"
    r"|,[^,.;:\n]{1,40},)?"
)

BEFORE: Final = re.compile(
    rf"""(?x)
    \b(?:{_KIND}\s+){{0,5}}{_NOUN}{_OF_WHAT}["']?{_IS}\s*
    | \b(?:correct|right|best|likeliest|most[ ]likely|most[ ]appropriate){_OF_WHAT}{_IS}\s*
    | \b{_NOUN}\s*\n\s*
    | <answer>\s*
    | ["'](?:\w+[_ ])?(?:answer|choice|option|selection|prediction|letter)(?:[_ ]\w+)?["']\s*:\s*
    | \b(?:i|we)(?:[ ](?:would|will)|'d|'ll)?[ ](?:{_ADVERB}[ ])?
        (?:choose|select|pick|chose|go[ ](?:with|for)|opt[ ]for|settle[ ](?:on|for)|lean[ ]towards?
        |vote[ ]for)\s+
    | \bgoing[ ]with\s+ | (?:^|[.:;])\s*(?:choose|select|pick)\s+
    | ^\W*(?:probably|definitely|certainly|surely|most[ ]likely|likely)\b[,:]?\s+
    | \bit(?:[ ](?:is|must[ ]be|has[ ]to[ ]be|should[ ]be|can[ ]only[ ]be)|'s)\s+(?:{_ADVERB}\s+)*
    | \b(?:so|therefore|hence|thus)\b[,:]?\s+(?=\(|["']?[a-z0-9]\s*[.\n]|["']?[a-z0-9]\s*$)
    """
)
"""What stands before the option in a sentence that chooses; for text in lower case, which is
quicker to search."""

SECOND: Final = re.compile(r"(?i)\b(?:second|third|alternative|other)[\s-]+$")
"""What ends where such a phrase speaks of another option than the chosen one."""

IF: Final = re.compile(r"(?i)\b(?:if|unless|were)\b(?!.*\b(?:so|therefore|thus|hence)\b)")
"""What makes a sentence a condition: the choice would be another in another case."""

LEAVES: Final = re.compile(
    r"\b(?:leaves|leaving|leaves us with|point(?:s|ing)? to|consistent with|in favou?r of"
    r"|supports?)\s+"
)
"""What stands before an option's letter where the rest is thought out; read after all of BEFORE,
in lower case too."""

RIGHT: Final = re.compile(
    rf"(?i)(?:\s*,)?\s*(?:is|are|would be|should be|must be|has to be)"
    rf"\s+(?:{_ADVERB}\s+)?(?:both\s+)?"
    r"(?:the\s+|my\s+)?(?:most\s+|single\s+|final\s+)?"
    r"(?:correct|right|best|true|preferable|preferred"
    r"|more (?:likely|probable|appropriate|suitable)|answer\b|choice\b|pick\b"
    r"|likely answer|likely diagnosis|appropriate|likely\b"
    r"|better\s*(?:[.,;]|$|than\b))"
    r"|\s*makes\s+(?:the\s+)?most\s+sense"
)
"""What stands after an option that is chosen."""

WRONG: Final = re.compile(
    r"(?i)\s*(?:is|are|was|were|(?:can|has|should|must|would|could|may)\s+be(?:en)?|does|do|would"
    r"|should|must|can)\s+(?:also\s+|both\s+|all\s+|therefore\s+|clearly\s+)?"
    r"(?:not\b(?!\s+(?:only|just|merely))|never\b|wrong|incorrect|false|unlikely"
    r"|excluded|ruled out|less likely|inappropriate|contraindicated"
    r"|avoided|harmful|dangerous|unsafe|stopped|eliminated)"
    r"|\s*(?:cannot|can't|isn't|aren't|wasn't|doesn't|don't|shouldn't|wouldn't)\b"
)
"""What stands after an option that is denied."""

DENIED: Final = re.compile(
    r"(?i)(?:\bno|\bno sign of|\bno evidence of|\bneither|\bnor|\brather than|\binstead of"
    r"|\bwithout|\brul(?:e|es|ed|ing) out|\bexclud(?:e|es|ed|ing)|\beliminat(?:e|es|ed|ing)"
    r"|\bavoid(?:s|ed|ing)?|\bunlike|\bagainst"
    r"|\b(?:unlikely|wrong|incorrect|excluded|ruled out),?\s+and\s+so\s+(?:is|are)"
    r"|(?:\bnot|\bnever|\bcannot|n't)(?!\s+(?:only|just|merely|delay|withhold|stop|omit|forget))"
    r"(?:\s+(?:to|be|use|using|give|giving|start|starting|take|taking|choose|choosing|prescribe"
    r"|prescribing|recommend|recommended)){0,2})"
    r"(?:\s+(?:option|choice|a|an|the|be))*\s*[(\[]?$"
)
"""What ends where an option that is denied begins."""

NOT: Final = re.compile(r"(?i)\bnot\s+")
"""What begins 'not this but that'."""

BUT: Final = re.compile(r"(?i)[)\]\"']?\s*,?\s*but\s+(?:rather\s+)?")
"""What stands between the two."""

REFUSAL: Final = re.compile(
    r"""(?xi)
    \b(?:can(?:not|[ ]not|'t)|unable[ ]to|not[ ]able[ ]to|won't|refuse[ ]to)[ ]
        (?:\w+[ ])?(?:answer|provide|give|recommend|determine|be[ ](?:determined|answered)|say
        |advise|choose|select|help|decide|tell)
    | \b(?:do|does)(?:[ ]not|n't)[ ]know\b
    | (?:\bnot|n't)[ ](?:have[ ])?(?:enough|sufficient)\b | \b(?:insufficient|inadequate)[ ]
        (?:information|data|evidence|context|details?)
    | \b(?:do|does|did)(?:[ ]not|n't)[ ](?:contain|provide|include|mention|address|specify|give)\b
        .{0,40}?\b(?:information|answer|details?|data)
    | \bneeds?[ ](?:more|further|additional)[ ](?:information|data|details?|context)\b
    | \bas[ ]an[ ]ai\b
    | \b(?:consult|see|ask)[ ](?:a|your)[ ](?:doctor|physician|clinician|healthcare)
    | \bnone[ ]of[ ](?:the|these|those)\b
    | \bno[ ](?:option|choice)\b.{0,15}\b(?:fits?|applies|correct|right|suitable)\b
    | ^\W*(?:none|n/?a|unknown|unsure|unclear|no[ ]answer)\W*$
    | \bI[ ]am[ ]unsure\b | \bI'm[ ]not[ ]sure\b | \bI[ ]am[ ]not[ ]sure\b
    """
)
"""What an answer says that declines to choose."""
