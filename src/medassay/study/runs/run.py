"""A run of a study: planned, named, logged, listed, and computed again beside the one there was."""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from medassay import plugins
from medassay.__about__ import __version__
from medassay.cases import Case, read_cases
from medassay.errors import InvalidInput, MedassayError, Problem
from medassay.metrics import BoundMetric
from medassay.models import installed_versions, python_version, use_models
from medassay.models.device import refuse_missing_gpu
from medassay.study.config.study_toml import MetricChoice, StudyConfig, model_setup_of, read_config
from medassay.study.contents.private import Pseudonyms
from medassay.study.files.lock import leads_elsewhere
from medassay.study.files.names import file_hash, misnamed, table_file
from medassay.study.folder import Study, models_of
from medassay.study.metric_choice import (
    ONLY,
    LeftOut,
    choose_metrics,
    left_out_of,
    named_metrics,
    names_all,
    with_imports,
)
from medassay.study.opening.choices import input_hashes, resolve_metrics
from medassay.study.scoring.score_study import Scored
from medassay.tables import json_bytes, write_atomically

MANIFEST: Final = "manifest.json"


def run_name(inputs: Mapping[str, str], choices: Mapping[str, object]) -> str:
    """Name a run by what it depends on.

    Example:
        >>> inputs = {"cases.jsonl": "ab"}
        >>> run_name(inputs, {"seed": 0}) == run_name(inputs, {"seed": 1})
        False
    """
    facts = json.dumps([dict(inputs), dict(choices)], sort_keys=True)
    return hashlib.sha256(facts.encode()).hexdigest()[:12]


def write_manifest(folder: Path, inputs: Mapping[str, str], choices: Mapping[str, object]) -> None:
    """Write down what the run read, chose and wrote."""
    facts = {
        "schema": 1, "inputs": dict(inputs), "choices": dict(choices), "files": _files(folder),
    }  # fmt: skip
    write_atomically(folder / MANIFEST, json_bytes(facts))


def any_manifest(results: Path) -> bool:
    """Tell whether any run in a study's folder of results has its manifest."""
    return any(results.glob(f"*/{MANIFEST}"))


def is_whole(folder: Path) -> bool:
    """Tell whether a run's folder has everything that its manifest lists, unchanged."""
    path = folder / MANIFEST
    if any(map(leads_elsewhere, (folder.parent, folder, path))) or not path.is_file():
        return False
    try:
        listed = dict(json.loads(path.read_text(encoding="utf-8"))["files"])
        return bool(listed) and all(
            _is_own(folder, name) and file_hash(folder / name) == digest
            for name, digest in listed.items()
        )
    # A received manifest may name what no file can be called.
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def _is_own(folder: Path, name: str) -> bool:
    """Tell whether a file is there and the folder's own, not one elsewhere that is named or linked.

    Example:
        >>> _is_own(Path(), "../cases.jsonl")
        False
    """
    path = folder / name
    own = ".." not in path.parts and path.is_relative_to(folder) and not path.is_symlink()
    return own and path.is_file()


REPLACED: Final = "replaced"
"""The folder of `results` for what a run computed anew took the place of."""
_SOME: Final = "other versions of what a metric runs on"
_OF_VERSIONS: Final = ("medassay", "libraries", "metrics")


@dataclass(frozen=True)
class Checked:
    """A run that was there, beside the one that was computed now.

    Attributes:
        against: The run that was there.
        files: How many files it has.
        differing: Those that are other bytes now.
        gone: Those that are not written now.
        added: Those that are written now and were not there.
        versions: What computed it that another version computes now, each with both versions.
        kept_in: Where it lies in the study, if it is still there.
    """

    against: str
    files: int
    differing: tuple[str, ...]
    gone: tuple[str, ...]
    added: tuple[str, ...]
    versions: tuple[str, ...]
    kept_in: str

    @property
    def same(self) -> int:
        """Count the files that are the same bytes."""
        return self.files - len(self.differing) - len(self.gone)


def set_aside(folder: Path) -> None:
    """Move a run out of the way of one that is computed anew.

    A run that has no manifest was not finished, and takes the place of none that was: it lies
    beside what an earlier check set aside before it was killed, and both are compared.
    """
    aside, unfinished = _asides(folder)
    if not folder.is_dir():
        return
    place = unfinished if aside.is_dir() and not (folder / MANIFEST).is_file() else aside
    if place.is_dir():
        shutil.rmtree(place)
    place.parent.mkdir(exist_ok=True)
    folder.rename(place)


def check_against(folder: Path) -> tuple[Checked, ...]:
    """Compare a run that was computed anew with those of the same files and choices.

    These are the one that was set aside, and those that differ from it in nothing but what computed
    them: their names differ, and so do the files that print names and signatures.
    """
    now = _files(folder)
    comparisons = []
    for aside in _asides(folder):
        if aside.is_dir():
            checked = _compared(aside, now, ())
            if not (checked.differing or checked.gone):
                shutil.rmtree(aside)
            comparisons.append(checked)
    replaced = folder.parent / REPLACED
    if replaced.is_dir() and not any(replaced.iterdir()):
        replaced.rmdir()
    ours = _manifest(folder)
    for path in sorted(folder.parent.glob(f"*/{MANIFEST}")):
        theirs = _manifest(path.parent) if path.parent != folder else {}
        versions = _versions(theirs, ours)
        if versions:
            comparisons.append(_compared(path.parent, now, versions))
    return tuple(comparisons)


def _asides(folder: Path) -> tuple[Path, Path]:
    """Give the places for a run that was there: one that was finished, and one that was not."""
    replaced = folder.parent / REPLACED
    return replaced / folder.name, replaced / f"{folder.name}-unfinished"


def _compared(before: Path, now: Mapping[str, str], versions: tuple[str, ...]) -> Checked:
    there = _files(before)
    differing = tuple(name for name in there if name in now and there[name] != now[name])
    gone = tuple(name for name in there if name not in now)
    added = tuple(name for name in now if name not in there)
    inside = before.relative_to(_results(before).parent).as_posix()
    kept_in = inside if versions or differing or gone else ""
    return Checked(before.name, len(there), differing, gone, added, versions, kept_in)


def _results(run: Path) -> Path:
    return run.parents[1] if run.parent.name == REPLACED else run.parent


def _files(folder: Path) -> dict[str, str]:
    """Hash the files of a run but its manifest, which is made of these hashes."""
    return {
        path.relative_to(folder).as_posix(): file_hash(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MANIFEST and not path.name.startswith(".")
    }


def _manifest(run: Path) -> dict[str, object]:
    try:
        facts = json.loads((run / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return facts if isinstance(facts, dict) and isinstance(facts.get("choices"), dict) else {}


def _versions(theirs: Mapping[str, object], ours: Mapping[str, object]) -> tuple[str, ...]:
    """Say which versions differ between two runs; nothing where anything else does."""
    before, now = theirs.get("choices"), ours.get("choices")
    if not isinstance(before, dict) or not isinstance(now, dict):
        return ()
    if theirs.get("inputs") != ours.get("inputs") or _chosen(before) != _chosen(now):
        return ()
    return tuple(_differing(_named(before), _named(now))) or (_SOME,)


def _chosen(choices: Mapping[str, object]) -> dict[str, object]:
    """Give what a run was asked for: of metrics the names, not what they are made with."""
    metrics = choices.get("metrics")
    names = sorted(metrics) if isinstance(metrics, dict) else []
    rest = {name: value for name, value in choices.items() if name not in _OF_VERSIONS}
    return {**rest, "metrics": names}


def _named(choices: Mapping[str, object]) -> dict[str, str]:
    libraries = choices.get("libraries")
    named = {**libraries} if isinstance(libraries, dict) else {}
    named["medassay"] = choices.get("medassay")
    return {str(name): str(version) for name, version in named.items()}


def _differing(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    for name in sorted(before.keys() | now.keys()):
        old, new = before.get(name, "no word of it"), now.get(name, "no word of it")
        if old != new:
            yield f"{name} {old}, now {new}"


LOG: Final = "log"


class Counts(BaseModel):
    """Of one metric: scores computed for the run, and answers whose score was kept from before."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    computed: int
    reused: int


class RunLog(BaseModel):
    """How a run was made.

    Attributes:
        run: Its name.
        fresh: Whether the cache was ignored.
        computed: Scores computed for it.
        reused: Answers whose score was kept from before.
        metrics: The same two for each metric.
        damaged: What was cached and unusable, and was computed again.
        checked: The runs that were there, compared with it; where it was computed anew.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    run: str
    fresh: bool
    computed: int
    reused: int
    metrics: dict[str, Counts]
    damaged: list[str] = []
    checked: list[Checked] = []

    @classmethod
    def of(cls, run: str, scored: Scored, checked: tuple[Checked, ...] | None) -> "RunLog":
        """Write down how a run was made; `checked` is given where it was computed anew."""
        return cls(
            run=run,
            fresh=checked is not None,
            computed=scored.computed,
            reused=scored.reused,
            metrics={
                name: Counts(computed=computed, reused=reused)
                for name, (computed, reused) in scored.by_metric.items()
            },
            damaged=[str(problem) for problem in scored.damaged],
            checked=list(checked or ()),
        )

    @classmethod
    def read(cls, folder: Path) -> "RunLog | None":
        """Read how a run was made; None where nothing says so."""
        path = _place(folder)
        try:
            run_log = cls.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):
            return None
        return run_log if run_log.run == folder.name else None

    def write(self, folder: Path) -> None:
        """Write it beside the runs."""
        write_atomically(_place(folder), json_bytes(self.model_dump(mode="json")))


def _place(folder: Path) -> Path:
    return folder.parent / LOG / f"{folder.name}.json"


_LIBRARIES: Final = ("jinja2", "matplotlib", "numpy", "polars", "scipy")
_NAMING: Final[Mapping[str, set[str]]] = {
    "ranking": {"clusters"},
    "safety": {"tag"},
    "domain": {"tags"},
    "consensus": {"controls"},
}
"""Settings that name cases and tags; the hash of study.toml is among the inputs in any case."""


@dataclass(frozen=True, repr=False)
class Run:
    """A run that has been planned: its name, its folder, and whether it is done.

    Attributes:
        study: The study, with the choices of this run laid over study.toml.
        metrics: The metrics.
        name: Hash of inputs and choices.
        folder: Where its results go.
        whole: Whether everything that it writes is there already, unchanged.
        choices: Everything but the input files that a number or a page depends on.
        left_out: Metrics that it has no value of, and what they would need.
        pseudonyms: What people who rate are called in it, for the lead's key.
    """

    study: Study
    metrics: tuple[BoundMetric, ...]
    name: str
    folder: Path
    whole: bool
    choices: Mapping[str, object]
    left_out: tuple[LeftOut, ...] = ()
    pseudonyms: Pseudonyms = field(default_factory=Pseudonyms, repr=False)

    def __repr__(self) -> str:
        """Name the run: all of its study would fill pages."""
        return f"Run({self.name!r}, {str(self.folder)!r})"

    def is_done(self) -> bool:
        """Look again whether all of it is there: another process may have written it meanwhile."""
        return is_whole(self.folder)

    def finish(self) -> None:
        """Write the manifest: from now on the run is whole."""
        write_manifest(self.folder, self.study.inputs, self.choices)


def open_run(  # noqa: PLR0913 - each is one choice of a run
    path: Path | str,
    *,
    seed: int | None = None,
    texts: Literal["full", "ids", "none"] | None = None,
    metrics: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    offline: bool = False,
    against: Path | None = None,
    option: str = ONLY,
    whole: bool = False,
) -> Run:
    """Open a study and plan its run.

    Args:
        path: The study's folder.
        seed: Overrules study.toml's.
        texts: Overrules study.toml's.
        metrics: Names of metrics to compute beside the study's own; `all` stands for every metric
            that can score an answer of the study on this machine, in its usual forms.
        only: Names of metrics to compute instead of the study's own.
        offline: Fetch no model, whatever study.toml allows.
        against: An earlier run that stands beside this one; overrules study.toml's.
        option: The option that `only` was typed under, for what is said of a wrong name.
        whole: Keep ids and tags, whatever [privacy] texts says: for who holds one study against
            another, and numbers the cases of both at the end.

    Raises:
        InvalidInput: Every problem of the study, or of the metrics' names; or study.toml names a
            GPU for their models that cannot be had.
    """
    study = Study.open_whole(path)
    config = _overruled(study.config, seed, texts, offline=offline, against=against)
    study = replace(study, config=config)
    pseudonyms = study.pseudonyms
    # Named or not, everything is computed under pseudonyms: no number follows from a name.
    study = study.with_pseudonyms()
    study = study if whole else study.private()
    chosen = choose_metrics(study, metrics, only, option=option)
    refuse_missing_gpu(metric.missing for metric in chosen.metrics)
    study = replace(study, config=_with_metrics(study.config, chosen.metrics))
    with use_models(models_of(study)):
        # Which imports take a metric's place follows from the files, which are hashed as they are.
        choices = _run_choices(study.config, chosen.metrics, chosen.left_out)
        name = run_name(study.inputs, choices)
        study, chosen = with_imports(study, chosen)
    folder = study.path / "results" / name
    return Run(
        study, chosen.metrics, name, folder, is_whole(folder), choices, chosen.left_out, pseudonyms
    )


def find_completed_run(
    path: Path | str,
    *,
    seed: int | None = None,
    texts: Literal["full", "ids", "none"] | None = None,
    metrics: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    offline: bool = False,
    against: Path | None = None,
) -> Path | None:
    """Find the folder of the run that `open_run` would plan, where that run is whole.

    A run is named by its input files and by every choice, so a whole run of the same name was
    opened from the same files, without a problem, and opening them again would find nothing else.
    Tables are hashed, not read.

    Returns:
        The folder. None where the run is not there, where something is wrong with the study, which
        opening it says, or where only the data tell what is computed, as with the metrics `all`.
    """
    folder = Path(path)
    if names_all(metrics, only) or not any_manifest(folder / "results"):
        return None
    try:
        if misnamed(folder):
            return None
        config = _overruled(read_config(folder), seed, texts, offline=offline, against=against)
        chosen = named_metrics(config, metrics, only)
        config = _with_metrics(config, chosen)
        with use_models(model_setup_of(folder, config, _CasesOnFile(folder))):
            choices = _run_choices(config, chosen, left_out_of(chosen))
        run = folder / "results" / run_name(input_hashes(folder, config), choices)
    except (MedassayError, OSError):
        return None
    return run if is_whole(run) else None


@dataclass(frozen=True, slots=True)
class _CasesOnFile:
    """The cases of a study, read when they are gone through: hardly any metric asks for them."""

    folder: Path

    def __iter__(self) -> Iterator[Case]:
        path = table_file(self.folder, "cases")
        return iter(()) if path is None else iter(read_cases(path))


def _overruled(
    config: StudyConfig,
    seed: int | None,
    texts: Literal["full", "ids", "none"] | None,
    *,
    offline: bool,
    against: Path | None,
) -> StudyConfig:
    """Lay the choices of one run over those of study.toml.

    Raises:
        InvalidInput: More text is asked for than study.toml allows.
    """
    if seed is not None:
        config = config.model_copy(update={"run": config.run.model_copy(update={"seed": seed})})
    if texts is not None:
        if not config.privacy.allows(texts):
            must = f"show no more than study.toml allows ({config.privacy.texts})"
            hint = "Change [privacy] texts in study.toml if you may."
            raise InvalidInput(Problem("--texts", must, texts, hint))
        privacy = config.privacy.model_copy(update={"texts": texts})
        config = config.model_copy(update={"privacy": privacy})
    if offline:
        models = config.models.model_copy(update={"download": False})
        config = config.model_copy(update={"models": models})
    if against is not None:
        config = config.beside(against)
    return config


def _with_metrics(config: StudyConfig, metrics: Sequence[BoundMetric]) -> StudyConfig:
    """Name the metrics of a run in its settings, where they are not the study's own."""
    names = [str(metric.name) for metric in metrics]
    if names == [str(metric.name) for metric in resolve_metrics(config.rules.metrics)]:
        return config
    named = [MetricChoice(name=name) for name in names]
    return config.model_copy(update={"metrics": named})


def _settings(config: StudyConfig) -> dict[str, Any]:
    """Give what study.toml says, as far as its [privacy] lets it be told.

    Where models are is no part of a result: their hashes are in the signatures.
    """
    settings: dict[str, Any] = config.model_dump(mode="json", by_alias=True, exclude={"models"})
    for section, names in _NAMING.items() if config.privacy.texts != "full" else ():
        if settings[section] is not None:
            settings[section] = {
                key: value for key, value in settings[section].items() if key not in names
            }
    return settings


def _brought() -> dict[str, str]:
    """Say what other packages bring; formats are left out, which no number and no page asks."""
    return {k: v for k, v in plugins.versions().items() if not k.startswith("formats: ")}


def _run_choices(
    config: StudyConfig, metrics: Sequence[BoundMetric], left_out: Sequence[LeftOut]
) -> dict[str, object]:
    """Give everything but the input files that a number or a page depends on."""
    return {
        "medassay": __version__,
        # Another version of these may give other bytes: numbers, their last digits, or drawings.
        "libraries": {"python": python_version(), **installed_versions(*_LIBRARIES)},
        "settings": _settings(config),
        "protocol": config.rules.model_dump(mode="json"),
        **({"plug_ins": brought} if (brought := _brought()) else {}),
        "metrics": {str(m.name): m.signature.digest for m in metrics},
        # The report names them with what they lack; that may change though the others stay.
        **({"left_out": [asdict(out) for out in left_out]} if left_out else {}),
    }
