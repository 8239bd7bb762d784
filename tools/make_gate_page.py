"""Write docs/gate.md: how the gate is set up, a run of it, and how often it is wrong.

    python -m tools.make_gate_page

The workflow in examples/ci is run step by step on three versions of a small invented study; the
page holds what was printed. A test writes the page again and compares.
"""

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tools.gate_run.sample_studies import CHANGES
from tools.gate_run.workflow import PIPELINE, WORKFLOW, Step, run_workflow

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "gate.md"
DESIGN: Final = ROOT / "simulations" / "gate-errors.md"
_TOLD: Final = {
    "unchanged": "Nothing changed: it passes, at any number of cases.",
    "reworded": "A few answers got better and a few worse: it passes, surely within the margin.",
    "shortened": "Four answers of ten lost a sentence: the job fails.",
}
_HEAD: Final = """\
# A gate for CI

`medassay compare OLD NEW` says of each system and each metric whether the new version is worse, \
whether the metric is not worse within a margin, or whether the cases cannot tell. OLD and NEW \
are studies, or tables of scores with the columns system, case, value and source. The version is \
worse if any system is worse by any metric. The verdict is *metric not worse* only if that is so \
of every system and every metric: what five systems gain hides no loss of the sixth. It speaks of \
the metric, never of the answers: what a metric does not see it cannot rule out, and the comment \
says whether the raters of the study bear the metric out. Exit codes: 0 passes; 2 is bad input, \
or nothing to compare; 3 is worse; 4 is undecided, where `--require-not-worse` was given or \
scores are missing.

Without `--metric` every metric of the old version is compared. One that neither version has a \
score of, as retrieval where nothing was retrieved, is left out, and a note says why; one that you \
name must have scores in both. Answers are matched by the id of their case, in whatever order \
they stand. Cases that only one version has are counted and named. A study that asks under an id \
what the other asks under another is refused: so it is with logs without ids, whose rows an \
import counts. Import the new answers into a copy of the old study without its `answers/` and \
`results/` then: an import knows the questions of a study by their words.

Two logs are compared in one line: `medassay compare old.jsonl new.jsonl --into versions`. It \
makes a study of each by the same reading, `versions/old` and `versions/new`, with the same ids \
of questions. Where a column may be two things it exits with 2 and prints the line that settles \
it; `versions/import.toml` keeps the answer. Commit that file: the next comparison asks \
nothing.

A study for each version is one line of your pipeline's log: `medassay import new.jsonl --into \
studies/new --yes`, with the columns `question`, `answer`, `contexts`, `ground_truth`, `model` or \
what yours are called ([your own data](how-to/your-own-data.md)). A hundred questions take two \
seconds of processor time to import, and two to compare. One command at a time writes into a \
study: two jobs need a checkout each, and a place where they may write, since scores are kept \
there.

`--to markdown` writes the verdict as a comment for a pull request, a row for each system and the \
rest folded; `--json` holds the same. The comment shows old and new text of the five answers \
that lost most, unless a study keeps its texts. Where nothing can be compared the comment says so \
and why. \
Answers that are worse by a metric of harm, such as `danger_flag`, are named below the verdict, \
whatever it is: two new flags among 60 answers are no verdict by any margin, and somebody should \
read them. Both name cases, systems and metrics, as the terminal does: \
where a pull request is public, so are they, unless study.toml says `[privacy] texts = "none"`.

This page is written by `python -m tools.make_gate_page`, and a test compares it.

## The workflow

"""
_GITLAB: Final = """
### On GitLab

"""
_CLUSTERS: Final = """
## Repeated answers

Where a system answered each case several times, `compare` pairs the means of cases, never single \
answers. It also says whether the two runs shared a seed (`parameters.seed` of the system in \
study.toml) or a day (`date` in study.toml), since such runs may err together; what neither \
records is said to be not known. The report of either study has pass^k, pass@k and the worst of k \
under *Several answers to one case*, each an estimate without bias from all subsets of k answers \
(`simulations/repeated-samples.md`). A table of imported scores says in a column `sample` (0, 1, \
2) which answer a score is of.

## Cases in clusters

If study.toml names clusters of cases (`clusters = "specialty"`), the gate treats each cluster as \
one independent unit. Unequal clusters leave fewer degrees of freedom than there are clusters. \
With fewer than four degrees of freedom, the verdict is *undecided*, and the gate says which share \
of the cases the largest cluster holds. One cluster of 60 cases beside nine of 4 is such a study. \
With four or more, unequal clusters gave a wrong verdict in up to 2.9% of simulated pairs; the \
goal is 2.5%. ([The rates](../simulations/gate-clusters.md))
"""
_RARE: Final = """
## Harm, and losses that are rare and heavy

The spread of changes says little about a heavy loss in a few answers. If one answer in forty \
loses 0.8 and the others hardly move, 50 answers show none of it in 28% of pairs. So *metric not \
worse* always needs enough answers to show a heavy loss. On a score of 0 to 1 that is 183 answers \
for a margin of 0.02, and 72 for 0.05. It is more if several tests share the level. With fewer \
answers only gains can rule out a loss; the gate says so in the row, and `medassay plan` says so \
beforehand. By the spread alone, such versions were called *metric not worse* in up to 46% of \
simulated pairs, at one look or another. Now it is 1.2%. A score without a range has no such \
bound, and its row says that.

The bound uses only the score's range, and so allows for any loss that is possible, if

- the metric measures harm: it declares so (`medassay metrics explain danger_flag`), its imported \
scores do (`harm = true` in `scores/NAME.toml`, beside their table), or you say so \
(`--harm NAME`);
- or four in five of the old version's scores lie within the margin of the best value, unless \
scores only move from one end to the other: for right or wrong there is an exact bound.

With this bound, such versions were called *metric not worse* in at most 0.5% of simulated pairs. \
It needs more cases: with fewer than 216, only gains can rule out a loss of 0.02. `--bound \
betting` uses this bound for every metric and both verdicts, and stays valid however often you \
look. `--bound t` uses the usual bound. ([The rates](../simulations/gate-rare-losses.md))

*Worse* uses the spread of changes, as for any metric. If nearly all answers lose a little and one \
in forty gains 0.8, nothing is lost on average. Then 50 answers are called worse in 29% of \
simulated pairs, and 200 answers in 0.7%. Where so few answers may miss such gains, the row says \
*not settled* and why.
"""
_SYSTEMS: Final = """
## Several systems

The more systems and metrics you compare, the more answers each verdict needs, because Holm's \
correction covers all rows. We simulated six systems with 200 answers each and a margin of 0.02. \
When none lost anything, all six rows said *metric not worse* in 8% of simulated pairs. Their \
mean alone said so in 63%. When one lost 0.10 and the others gained 0.02, the six rows found the \
loss in 100%. The mean said *metric not worse* in 60%. So compare the systems that you plan to \
release: `FOLDER:SYSTEM` names one. ([The rates](../simulations/gate-systems.md))
"""
_RATCHET: Final = """
## Many pull requests

Of 100 pull requests that change answers and lose nothing, expect up to 2.5 false alarms, over all \
systems, metrics and versions compared with together; `compare` prints it. Expect more if many \
answers lose a little and a few gain much: up to 29 with 50 answers each. A pull request that \
changes no answer raises none.

Small losses add up. A comparison with the last merged version misses the sum if each loss is \
within the margin. We simulated ten pull requests that lose 0.01 each. With 50 cases, all ten \
passed in 56% of series; with 200 cases, in 11%. `--baseline FIRST` also compares with a fixed \
version, such as the last release. Then all ten passed in 51% with 50 cases and in 4% with 200. \
So 50 cases are too few to notice such losses. If nothing is lost, 9% of series of ten have a \
false alarm with 200 cases. Without the fixed version, 17% do. \
([The rates](../simulations/gate-ratchet.md))
"""
_ERRORS: Final = """
## How often a verdict is wrong

"""


def page(runs: Mapping[str, Sequence[Step]]) -> str:
    """Put the page together from what each version's run printed."""
    parts = [_HEAD, "```yaml\n", WORKFLOW.read_text(encoding="utf-8"), "```\n"]
    parts += [_GITLAB, "```yaml\n", PIPELINE.read_text(encoding="utf-8"), "```\n"]
    parts.append("\n## Three runs of it\n\nA hundred invented cases, one system.\n")
    for change, steps in runs.items():
        parts.append(f"\n### {change.capitalize()}\n\n{_TOLD[change]}\n\n```text\n")
        parts += [_shown(step) for step in steps]
        parts.append("```\n")
    design = DESIGN.read_text(encoding="utf-8")
    parts += [_SYSTEMS, _RARE, _CLUSTERS, _RATCHET]
    parts += [_ERRORS, design.partition("## Measured\n\n")[2].partition("\n**Weighed**")[0]]
    parts.append("\nThe rules: [simulations/gate-errors.md](../simulations/gate-errors.md).\n")
    return "".join(parts)


def _shown(step: Step) -> str:
    said = [line.rstrip() for line in step.said.splitlines()]
    kept = [line for line in said if not line.startswith("Report: ")]
    if " compare " not in step.command:
        kept = [line for line in kept if line][-1:]  # how it ended
    while kept and not kept[-1]:
        kept.pop()
    failed = f"[exit code {step.code}]\n" if step.code else ""
    text = "\n".join([f"$ {step.command}", *kept]) + f"\n{failed}"
    return re.sub(r"results/[0-9a-f]{12}", "results/RUN", text)


def run_all() -> dict[str, list[Step]]:
    """Run the workflow on each version."""
    runs = {}
    for change in CHANGES:
        with tempfile.TemporaryDirectory() as place:
            runs[change] = run_workflow(Path(place), change)
    return runs


if __name__ == "__main__":
    PAGE.write_text(page(run_all()), encoding="utf-8")
