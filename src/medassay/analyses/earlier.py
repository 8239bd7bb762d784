"""An earlier run read for what stands beside this one."""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from medassay.analyses.measures import chosen_right, measures_of
from medassay.analyses.reading import results_of
from medassay.analyses.results import Results
from medassay.analyses.results.earlier import EarlierChange, EarlierRun, EarlierValue
from medassay.errors import InvalidInput, Problem
from medassay.study.folder import Study
from medassay.study.opening.inputs import earlier_report
from medassay.tables import parse_widely

__all__ = ["with_earlier"]


def with_earlier(study: Study, results: Results) -> Results:
    """Put what an earlier run measured beside a run; the same run where study.toml names none.

    Raises:
        InvalidInput: What is named is no report.json that this medassay reads.
    """
    path = earlier_report(study.path, study.config)
    if path is None:
        return results
    try:
        written: Any = parse_widely(path.read_text(encoding="utf-8"))
        before = results_of({name: own for name, own in written.items() if name != "findings"})
    except (ValidationError, ValueError, AttributeError) as error:
        where = "the earlier run"
        must = "name a report.json that this version of medassay wrote"
        hint = "Run that study again: medassay run STUDY."
        raise InvalidInput(Problem(where, must, f'"{path}"', hint)) from error
    systems = [system.id for system in results.systems]
    values = [
        EarlierValue(system=system, measure=measure.title, value=spot.value, text=spot.text)
        for measure in measures_of(before, systems)
        for system, spot in measure.spots.items()
        if spot.value is not None
    ]
    earlier = EarlierRun(
        name=before.run.name, values=values, changes=list(_changes(results, before))
    )
    return results.model_copy(update={"earlier": earlier})


def _changes(results: Results, before: Results) -> Iterator[EarlierChange]:
    if "none" in {results.study.texts, before.study.texts}:
        return  # their cases are numbered, so that equal numbers need not be equal cases
    for system in results.systems:
        now, then = chosen_right(results, system.id), chosen_right(before, system.id)
        shared = now.keys() & then.keys()
        if shared:
            yield EarlierChange(
                system=system.id,
                questions=len(shared),
                became_right=sum(now[case] and not then[case] for case in shared),
                became_wrong=sum(then[case] and not now[case] for case in shared),
            )
