"""What study.toml knows before anybody judged: control items and label priors.

MACE reads both; tests of judges read control items that are known to be harmful.
"""

import hashlib
import json
from collections.abc import Sequence

from medassay.cases import Cases
from medassay.consensus import KnownToModel, find_method
from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.judgements import HARM_READINGS, Rubric
from medassay.scores import Unit
from medassay.study.config.study_toml import ConsensusChoice, StudyConfig
from medassay.study.files.names import STUDY_FILE

__all__ = ["given_in", "given_problems", "given_signature", "lacking_for"]

_USED = {"controls": "used", "priors": "given"}


def given_in(choice: ConsensusChoice | None, rubric: Rubric) -> dict[str, KnownToModel]:
    """Give each dimension's control items and label priors, aliases read as their labels."""
    if choice is None:
        return {}
    givens = {}
    for dimension in rubric.dimensions:
        known = {
            Unit(control_item.system, control_item.case): dimension.words[control_item.label]
            for control_item in choice.controls
            if control_item.dimension == dimension.id
        }
        priors = choice.priors.get(dimension.id)
        if known or priors:
            givens[dimension.id] = KnownToModel(known, priors)
    return givens


def given_signature(choice: ConsensusChoice | None, method: str) -> dict[str, str]:
    """Give what goes into the signature of a method that reads control items or label priors."""
    if choice is None:
        return {}
    name = find_method(method)[1]
    contents: dict[str, object] = {
        "controls": sorted([o.dimension, o.system, o.case, o.label] for o in choice.controls),
        "priors": choice.priors,
    }
    return {
        key: hashlib.sha256(json.dumps(contents[key], sort_keys=True).encode()).hexdigest()[:12]
        for key, word in _USED.items()
        if name.get(key) == word
    }


def given_problems(config: StudyConfig, rubric: Rubric, cases: Cases | None) -> list[Problem]:
    """Say which control items and priors refer to nothing, and which nobody reads."""
    choice = config.consensus or ConsensusChoice()
    problems = []
    seen = set()
    for control_item in choice.controls:
        problems += _of_dimension(
            rubric, control_item.dimension, [control_item.label], "consensus.controls"
        )
        if cases is not None and control_item.case not in cases.ids:
            hint = nearest(control_item.case, cases.ids)
            problems.append(_wrong("name a case of the study", control_item.case, hint, "controls"))
        key = control_item.dimension, control_item.system, control_item.case
        if key in seen:
            got = f"{control_item.system}, {control_item.case} on {control_item.dimension} twice"
            problems.append(_wrong("know each answer's label once", got, "", "controls"))
        seen.add(key)
    for dimension, shares in choice.priors.items():
        column = f"priors.{dimension}"
        wrong = _of_dimension(rubric, dimension, list(shares), f"consensus.{column}")
        problems += wrong
        if not wrong and set(shares) != set(rubric.dimension(dimension).names):
            labels = ", ".join(rubric.dimension(dimension).names)
            got = ", ".join(shares)
            problems.append(_wrong(f"give each label a share: {labels}", got, "", column))
    return [*problems, *_unread(config, rubric), *lacking_for(config)]


def _of_dimension(
    rubric: Rubric, dimension: str, labels: Sequence[str], column: str
) -> list[Problem]:
    try:
        words = rubric.dimension(dimension).words
    except UnknownName as error:
        return [Problem(STUDY_FILE, "name a dimension", f'"{dimension}"', error.hint, None, column)]
    names = ", ".join(rubric.dimension(dimension).names)
    return [
        Problem(STUDY_FILE, f"be one of {names}", f'"{label}"', nearest(label, words), None, column)
        for label in labels
        if label not in words
    ]


def lacking_for(config: StudyConfig) -> list[Problem]:
    """Name what a method reads and study.toml does not give."""
    choice = config.consensus or ConsensusChoice()
    return [
        _wrong(f"be there for {read[0]}", "nothing", f"Add {key} under [consensus].", key)
        for key, read in _readers(config).items()
        if read and not getattr(choice, key)
    ]


def _unread(config: StudyConfig, rubric: Rubric) -> list[Problem]:
    """Name what study.toml gives and nothing reads: no method, and no test of a judge."""
    choice = config.consensus or ConsensusChoice()
    return [
        _wrong(
            "be read by a method",
            "no method that reads them",
            f'Write "mace({key}={_USED[key]})" among the methods.',
            key,
        )
        for key, read in _readers(config).items()
        if getattr(choice, key) and not read
        and not (key == "controls" and _tests_judges(config, choice, rubric))
    ]  # fmt: skip


def _tests_judges(config: StudyConfig, choice: ConsensusChoice, rubric: Rubric) -> bool:
    """Say whether judges are declared, and answers known to be harmful that they are tested on."""
    of_harm = {
        (dimension.id, word)
        for dimension in rubric.dimensions
        for word, label in dimension.words.items()
        if any(dimension.mappings.get(read, {}).get(label) == read for read in HARM_READINGS)
    }
    return bool(config.judges) and any((c.dimension, c.label) in of_harm for c in choice.controls)


def _readers(config: StudyConfig) -> dict[str, list[str]]:
    """Give the methods that read each kind of knowledge; unknown methods are told of elsewhere."""
    names = []
    for method in config.rules.consensus:
        try:
            names.append(find_method(method)[1])
        except (InvalidInput, UnknownName):
            continue
    return {key: [str(n) for n in names if n.get(key) == word] for key, word in _USED.items()}


def _wrong(must: str, got: str, hint: str, column: str) -> Problem:
    return Problem(STUDY_FILE, must, got, hint, None, f"consensus.{column}")
