"""The last guard before anything is written: no text leaves that the study keeps to itself."""

from medassay.analyses.results import Results
from medassay.annotations import Audience, numbers_of_cases, pruned


def guarded(results: Results) -> Results:
    """Take out what `study.texts` forbids, by the types of what the results hold.

    * `full`: nothing is taken out.
    * `ids`: no text of a case or an answer, no tag and no comment; ids, scores and labels stay.
    * `none`: as `ids`, and cases and documents are numbered in their order instead of named. A run
      of such a study knows its cases by numbers already; these stay.

    Results that were sealed before, such as those of a report.json, stay as they are.
    """
    study = results.study
    if study.sealed or study.texts == "full":
        return results
    cases = [*(case.case for case in results.cases), *results.ranking_cases]
    known = numbers_of_cases(study.counts.cases)
    quiet = pruned(results, Audience(study.texts, cases, known))
    return quiet.model_copy(update={"study": study.model_copy(update={"sealed": True})})
