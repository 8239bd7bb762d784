"""Which aggregation methods say less than they seem to?"""

from collections.abc import Callable

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
    return [as_sentence(note) for note in _once(noted, names.of_dimension)]


def _cautions(noted: ConsensusNotes) -> list[str]:
    return [f"Consensus by {note}." for note in _once(noted, str)]


def _once(noted: ConsensusNotes, called: Callable[[str], str]) -> list[str]:
    """Say each note once, with the dimensions that it holds for."""
    places: dict[tuple[str, str], list[str]] = {}
    for note in noted.notes:
        places.setdefault((note.title, note.text), []).append(called(note.dimension))
    return [f"{title} on {listed(on)}: {text}" for (title, text), on in places.items()]


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
