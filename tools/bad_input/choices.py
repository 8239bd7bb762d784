"""Multiple-choice questions and rankings that cannot be what was meant."""

from pathlib import Path
from typing import Final

from tools.bad_input.bad_case import BadCase
from tools.bad_input.making import Make, added, replaced, written
from tools.bad_input.refused import CASES, CLINIC, ROBOT

OPTIONS: Final = '"{""A"": ""Rest"", ""B"": ""Ice""}"'


def _question(gold: str, options: str = OPTIONS) -> str:
    return (
        f"case,question,options,gold\n01,What first?,{options},{gold}\n02,And then?,{OPTIONS},A\n"
    )


def _rankings(folder: Path) -> None:
    written(CASES, 'case,documents\n01,\n02,"[{""id"": ""g1"", ""grade"": 1}]"\n')(folder)
    lines = [
        f'{{"case": "{case}", "retrieved": [{{"document": "g1"}}]}}\n' for case in ("01", "02")
    ]
    written(ROBOT, "".join(lines))(folder)


def _own_file(key: str, name: str, content: str) -> Make:
    """Name a file of rules in study.toml, and write it."""
    section, _, field = key.partition(".")

    def make(folder: Path) -> None:
        added("study/study.toml", f'[{section}]\n{field} = "{name}"\n')(folder)
        written(f"study/{name}", content)(folder)

    return make


CHOICES: Final = [
    BadCase(
        "A confidence of 1.2",
        "answers/clinic.csv with a confidence above 1",
        replaced(CLINIC, "0.5", "1.2"),
    ),
    BadCase(
        "A confidence in words",
        "answers/clinic.csv with `high` under confidence",
        replaced(CLINIC, "0.5", "high"),
    ),
    BadCase(
        "A right option that is no option",
        "cases.csv with the gold E of A and B",
        written(CASES, _question("E")),
    ),
    BadCase(
        "Two right options",
        "cases.csv with the gold A,B",
        written(CASES, _question('"A,B"')),
    ),
    BadCase(
        "A right option in small letters",
        "cases.csv with the gold a of A and B",
        written(CASES, _question("a")),
    ),
    BadCase(
        "One option alone",
        "cases.csv with the option A and no other",
        written(CASES, _question("A", '"{""A"": ""Rest""}"')),
    ),
    BadCase(
        "Options that differ by capitals alone",
        "cases.csv with the options A and a",
        written(CASES, _question("A", '"{""A"": ""Rest"", ""a"": ""Ice""}"')),
    ),
    BadCase(
        "A document twice in a ranking",
        "a line of answers/robot.jsonl that retrieved g1 twice",
        written(
            ROBOT,
            '{"case": "01", "retrieved": [{"document": "g1"}, {"document": "g1"}]}\n',
        ),
    ),
    BadCase(
        "A negative grade",
        "cases.csv with a document of grade -1",
        written(CASES, 'case,documents\n01,"[{""id"": ""g1"", ""grade"": -1}]"\n02,\n'),
    ),
    BadCase(
        "A file of no format that is known",
        "costs.csv with the columns month and euros",
        written("costs.csv", "month,euros\n1,20\n"),
        "medassay import costs.csv --into study",
    ),
    BadCase(
        "A file that may be of two formats",
        "results.csv has the columns of med-gpt, and scenario_id besides",
        written(
            "results.csv", "question,answer,model,human_score,scenario_id\nWhy?,So.,phi,4,S1\n"
        ),
        "medassay import results.csv --into new",
    ),
    BadCase(
        "A format that there is not",
        "`--from trec_run`",
        written("mine.run", "01 Q0 g1 1 2.0 x\n"),
        "medassay import mine.run --from trec_run --into study",
    ),
    BadCase(
        "A document twice in a run",
        "a TREC run that ranks g1 twice",
        written("mine.run", "01 Q0 g1 1 2.0 x\n01 Q0 g1 2 1.0 x\n"),
        "medassay import --from trec-run mine.run --into study",
    ),
    BadCase(
        "A score that is no number",
        "a TREC run with `high` as score",
        written("mine.run", "01 Q0 g1 1 high x\n"),
        "medassay import --from trec-run mine.run --into study",
    ),
    BadCase(
        "A topic that was never asked",
        "a TREC run for topic 3",
        written("mine.run", "3 Q0 g1 1 2.0 x\n"),
        "medassay import --from trec-run mine.run --into study",
    ),
    BadCase(
        "A negative grade in qrels",
        "qrels with the grade -1",
        written("q.txt", "01 0 g1 -1\n"),
        "medassay import --from trec-qrels q.txt --into study",
    ),
    BadCase(
        "A condition in two groups",
        "a file of similar conditions, named under `[conditions] groups`, with AKI in two groups",
        _own_file(
            "conditions.groups",
            "similar.toml",
            '[[groups]]\nname = "Renal"\nconditions = [["AKI"], ["CKD"]]\n'
            '[[groups]]\nname = "Acute"\nconditions = [["AKI"]]\n',
        ),
    ),
    BadCase(
        "A pattern that is no regular expression",
        "a file of steps, named under `[reasoning] steps`, with `(sign` as pattern",
        _own_file(
            "reasoning.steps",
            "steps.toml",
            'version = 1\nsource = "ours"\n[[steps]]\nid = "signs"\ntitle = "Signs"\nplace = 1\n'
            "published = '(sign'\nwider = ['sign']\n[coherence]\ndenied = []\nconcludes = []\n"
            "affirms = []\ndenies = []\ngeneral = []\n",
        ),
    ),
]

NOTED: Final = [
    BadCase(
        "A grade above 10,000 in qrels",
        "qrels with a day for a grade, 20230101",
        written("q.txt", "01 0 g1 20230101\n"),
        "medassay import --from trec-qrels q.txt --into study",
        code=0,
        same=False,
    ),
    BadCase(
        "A choice in small letters or brackets",
        "a line of answers/robot.jsonl with the choice (b) of A and B",
        lambda folder: (
            written(CASES, _question("B"))(folder),
            written(ROBOT, '{"case": "01", "choice": "(b)"}\n{"case": "02", "choice": "A"}\n')(
                folder
            ),
        ),
        code=0,
        same=False,
    ),
    BadCase(
        "Two options with the same words",
        "cases.csv with the options Rest, Ice and rest",
        written(CASES, _question("A", '"{""A"": ""Rest"", ""B"": ""Ice"", ""C"": ""rest""}"')),
        code=0,
        same=False,
    ),
    BadCase(
        "A question without a right option",
        "cases.csv with options for both and a gold for one",
        written(CASES, _question("")),
        code=0,
        same=False,
    ),
    BadCase(
        "Scores that do not fall",
        "a line of answers/robot.jsonl whose second document has the higher score",
        written(
            ROBOT,
            '{"case": "01", "retrieved": [{"document": "g1", "score": 1}, '
            '{"document": "g2", "score": 2}]}\n{"case": "02", "text": "Yes."}\n',
        ),
        code=0,
        same=False,
    ),
    BadCase(
        "A ranking scored in part",
        "a line of answers/robot.jsonl whose second document has no score",
        written(
            ROBOT,
            '{"case": "01", "retrieved": [{"document": "g1", "score": 1}, {"document": "g2"}]}\n'
            '{"case": "02", "text": "Yes."}\n',
        ),
        code=0,
        same=False,
    ),
    BadCase(
        "A topic without judgements",
        "rankings for both cases, and a graded document for the second only",
        _rankings,
        code=0,
        same=False,
    ),
]
