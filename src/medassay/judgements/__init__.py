"""What raters, people and models, said about the answers.

What enters: a rubric (a TOML file with questions, scales and labels; packages bring theirs by entry
points), rows of judgements or preferences, checked against it, and a table of the raters. What
leaves: `Judgements` and `Preferences`, append-only tables that know what holds now, and `Units`,
the arrays that agreement and consensus read.
"""

from medassay.judgements.preferences import Preferences
from medassay.judgements.raters import Rater, RaterKind, Raters
from medassay.judgements.rows import (
    ABOUT,
    MANY,
    NO_VERDICT,
    OWN_WORDS,
    SAID,
    About,
    AboutKind,
    Part,
    cited_text,
    off_scale,
    parts_of,
    phases_that_count,
    statements_of,
)
from medassay.judgements.rubric import (
    DANGEROUS,
    HARM_READINGS,
    HARMFUL,
    NO_SPAN,
    Dimension,
    DimensionTranslation,
    Example,
    HarmReading,
    Label,
    NumberScale,
    Reads,
    Rubric,
    Translation,
    rubric_gaps,
    unsaid_reads,
)
from medassay.judgements.rubric_files import (
    RubricFile,
    choose_rubric,
    library_dimensions,
    load_rubric,
    rubric_names,
    rubric_of,
    rubric_plugin_problems,
)
from medassay.judgements.table import Judgements
from medassay.judgements.units import Units, preference_units, repeat_units, units

__all__ = [
    "ABOUT",
    "DANGEROUS",
    "HARMFUL",
    "HARM_READINGS",
    "MANY",
    "NO_SPAN",
    "NO_VERDICT",
    "OWN_WORDS",
    "SAID",
    "About",
    "AboutKind",
    "Dimension",
    "DimensionTranslation",
    "Example",
    "HarmReading",
    "Judgements",
    "Label",
    "NumberScale",
    "Part",
    "Preferences",
    "Rater",
    "RaterKind",
    "Raters",
    "Reads",
    "Rubric",
    "RubricFile",
    "Translation",
    "Units",
    "choose_rubric",
    "cited_text",
    "library_dimensions",
    "load_rubric",
    "off_scale",
    "parts_of",
    "phases_that_count",
    "preference_units",
    "repeat_units",
    "rubric_gaps",
    "rubric_names",
    "rubric_of",
    "rubric_plugin_problems",
    "statements_of",
    "units",
    "unsaid_reads",
]
