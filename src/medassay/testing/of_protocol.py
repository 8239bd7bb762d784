"""Try a protocol on a study of its own making, and hold a rubric to what ours are held to."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from medassay.analyses import Results, check_analyses, run_study
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.shared_task import shared_task
from medassay.analyses.builtin.summaries import summaries_in
from medassay.judgements import Rubric, load_rubric, rubric_gaps
from medassay.judgements.rubric_files import shipped_rubrics
from medassay.scores import Name
from medassay.study import Study, new_study, open_run, summarise
from medassay.study.config.protocol import own_protocol
from medassay.study.opening.choices import protocol_problems
from medassay.testing.hold import hold

_PROTOCOL: Final = "a protocol"
_REPLICATES: Final = "\n[run]\nreplicates = 100\n"
_INSTALLED: Final = "the protocol"
_RUBRIC: Final = "a rubric"


def check_protocol(protocol: Path | str, study: Path | str | None = None) -> str:
    """Does a protocol hold to what every protocol of medassay holds to?

    A new study is made by it, as `medassay new` makes one, and run. The columns that it ranks by,
    every dimension and every metric must have something in it.

    Args:
        protocol: The name of one that is installed, or a TOML file.
        study: A study by this protocol, in place of the invented one: where its metrics read what
            no invented file holds. A copy of it is run.

    Returns:
        What the run computed, a line a metric: how many cases and answers it could read.

    Raises:
        AssertionError: What is wrong, in a sentence.
        InvalidInput: It cannot be read, or names what is not there; every problem is named.
        UnknownName: No protocol of this name is installed.
    """
    with TemporaryDirectory() as around:
        folder = Path(around) / "study"
        if study is None:
            new_study(folder, str(protocol))
            with (folder / "study.toml").open("a", encoding="utf-8") as settings:
                settings.write(_REPLICATES)
        else:
            shutil.copytree(study, folder, ignore=shutil.ignore_patterns("results"))
        opened = Study.open(folder)
        rules, file = opened.config.whole_protocol, opened.config.protocol_file
        problems = protocol_problems(folder, rules, file or _INSTALLED)
        hold(not problems, _PROTOCOL, "name what is there", "; ".join(map(str, problems)))
        asked = _name_of(protocol)
        of = "be found under its own name" if study is None else "be what the study is by"
        hold(rules.name == asked, _PROTOCOL, of, rules.name)
        hold(
            rules.description.strip(),
            _PROTOCOL,
            "say what is done, in a sentence or two",
            "nothing",
        )
        check_analyses(opened)
        metrics = summarise(opened).metrics
        lacking = [
            metric_summary.metric
            for metric_summary in metrics
            if not (metric_summary.cases_ready and metric_summary.answers_ready)
        ]
        hold(not lacking, _PROTOCOL, "name metrics that find what they read", ", ".join(lacking))
        _hold(opened, run_study(open_run(folder))[0])
    return "\n".join(
        f"{metric_summary.metric}: {metric_summary.cases_ready} cases, "
        f"{metric_summary.answers_ready} answers"
        for metric_summary in metrics
    )


def _name_of(protocol: Path | str) -> str:
    path = Path(protocol)
    if path.suffix != ".toml":
        return str(protocol)
    return own_protocol(path.parent, path.name).name


def _hold(study: Study, results: Results) -> None:
    rules = study.config.rules
    hold(results.study.protocol == rules.name, _PROTOCOL, "be the report's", results.study.protocol)
    judged = set(study.judgements.current()["dimension"])
    if not judged and len(study.preferences.current()):
        return  # its first study holds preferences alone: no label, and no mean of labels
    hold(results.primary == rules.rank_by, _PROTOCOL, f"rank by {rules.rank_by}", results.primary)
    silent = [dimension for dimension in study.rubric.ids if dimension not in judged]
    hold(not silent, _PROTOCOL, "have labels of every dimension", f"none of {', '.join(silent)}")
    if results.study.descriptive:
        of = Name.parse(rules.rank_by).get("dimension")
        by = {
            summary.system
            for summary in summaries_in(results.analyses)
            if summary.name == of and summary.n
        }
    else:
        by = {
            row.system
            for row in leaderboards_in(results.analyses).standings
            if row.mean is not None
        }
    lacks = sorted(set(study.systems) - by)
    hold(
        not lacks, _PROTOCOL, f"rank every system by {rules.rank_by}", f"none of {', '.join(lacks)}"
    )
    boards = {board.name for board in results.analyses.of(shared_task) or ()}
    lost = [board.name for board in rules.boards if board.name not in boards]
    hold(not lost, _PROTOCOL, "have each of its leaderboards in the report", ", ".join(lost))


def check_rubric(rubric: Path | str) -> str:
    """Does a rubric hold to what every rubric of medassay holds to?

    A rater sees its questions, labels and descriptions and nothing else, and a reader must know
    whose words they are.

    Args:
        rubric: The name of one that is installed, or a TOML file.

    Returns:
        What raters or analyses will miss though nothing is wrong, a line each; empty for nothing.

    Raises:
        AssertionError: What is wrong, in a sentence.
        InvalidInput: The file cannot be read, or does not hold together; every problem is named.
        UnknownName: No rubric of this name is installed.
    """
    loaded = load_rubric(rubric)
    _named(loaded, rubric)
    for dimension in loaded.dimensions:
        silent = [label.label for label in dimension.labels if not label.description.strip()]
        hold(
            not silent,
            _RUBRIC,
            f"describe each label of {dimension.id}",
            f"none of {', '.join(silent)}",
        )
    titles = [titled.title.strip() for titled in loaded.dimensions]
    own = len({title for title in titles if title}) == len(titles)
    hold(own, _RUBRIC, "have a title of its own for each dimension", ", ".join(titles))
    has_wording = bool(loaded.wording.strip())
    whose = "say whose wording it is where it has a source, and only there (wording)"
    hold(has_wording == bool(loaded.source.strip()), _RUBRIC, whose, loaded.wording or "none")
    return "\n".join(rubric_gaps(loaded))


def _named(rubric: Rubric, asked: Path | str) -> None:
    if isinstance(asked, str) and not asked.endswith(".toml"):
        hold(rubric.name == asked, _RUBRIC, "be found under its own name", rubric.name)
    else:
        taken = f"have a name that no rubric of medassay has ({', '.join(shipped_rubrics())})"
        hold(rubric.name not in shipped_rubrics(), _RUBRIC, taken, rubric.name)
