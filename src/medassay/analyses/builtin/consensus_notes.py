"""Which aggregation methods say less than they seem to?"""

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.consensus_fits import Fitted, notes_on_fits
from medassay.analyses.results.whole import ConsensusNote
from medassay.annotations import record
from medassay.exhibits import Names
from medassay.exhibits.numbers import listed
from medassay.exhibits.sentences import as_sentence


@record(infers=True)
class ConsensusNotes:
    """What a reader must know of each fit before reading its numbers."""

    notes: tuple[ConsensusNote, ...]


def _notes(noted: ConsensusNotes, names: Names) -> list[str]:
    """Say each note once, with the fits that it holds for."""
    places: dict[str, list[str]] = {}
    for note in noted.notes:
        where = f"{names.of_dimension(note.dimension)}, {note.title}"
        places.setdefault(note.text, []).append(where)
    return [as_sentence(f"{listed(where)}: {text}") for text, where in places.items()]


def _cautions(noted: ConsensusNotes) -> list[str]:
    return [f"Consensus on {n.dimension}, {n.title}: {n.text}." for n in noted.notes]


@analysis(
    Declaration(
        id="consensus_notes",
        title="What must be known of each consensus",
        question="Which aggregation methods say less than they seem to?",
        section="panel",
        part="panel-consensus",
        infers=True,
        reader="methodologist",
        place=28,
        notes=_notes,
        cautions=_cautions,
    )
)
def consensus_notes(fitted: Fitted) -> ConsensusNotes | None:
    """List what the fitted ways say of themselves, in the order of the dimensions."""
    notes = tuple(notes_on_fits(fitted.ways))
    return ConsensusNotes(notes) if notes else None
