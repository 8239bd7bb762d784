"""A file of each format that is read: one that another tool or a person wrote."""

from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
SHIPPED = {
    "other-tools/potato": "potato",
    "other-tools/potato/annotations.csv": "potato",
    "other-tools/potato/annotations.tsv": "potato",
    "other-tools/potato/annotations.jsonl": "potato",
    "other-tools/potato/anna/user_state.json": "potato",
    "other-tools/label-studio/export.json": "label-studio",
    "other-tools/redcap/export_raw.csv": "redcap",
    "other-tools/redcap/export_labels.csv": "redcap",
    "other-tools/redcap/data_dictionary.csv": "redcap",
    "other-tools/inspect/log.json": "inspect",
    "other-tools/inspect/log.eval": "inspect",
    "other-tools/mt-metrics-eval": "mt-metrics-eval",
    "other-tools/mt-metrics-eval/human-scores/en-de.mqm.seg.score": "mt-metrics-eval",
    "chatbots/wide.xlsx": "spreadsheet",
    "chatbots/long.xlsx": "spreadsheet",
    "med-gpt/evaluation_results.csv": "med-gpt",
    "environmental-health/original": "environmental-health",
    "environmental-health/panel": "environmental-health",
    "environmental-health/panel/experts.csv": "environmental-health",
    "shared-task/submissions/S01.json": "archehr",
    "shared-task/judgements.csv": "judgements",
    "shared-task/bertscore.csv": "scores",
    "evaluation-tools/ragas/clinic-bot.csv": "ragas",
    "evaluation-tools/ragas/quick-bot.jsonl": "ragas",
    "evaluation-tools/deepeval/clinic-bot.json": "deepeval",
    "evaluation-tools/deepeval/quick-bot.json": "deepeval",
    "evaluation-tools/langfuse/traces.json": "langfuse",
    "evaluation-tools/langfuse/traces.csv": "langfuse",
    "evaluation-tools/langfuse/scores.csv": "langfuse",
    "evaluation-tools/phoenix/clinic-bot.json": "phoenix",
    "evaluation-tools/phoenix/quick-bot.csv": "phoenix",
    "evaluation-tools/phoenix/spans.csv": "phoenix",
    "evaluation-tools/phoenix/annotations.csv": "phoenix",
    "evaluation-tools/mlflow/clinic-bot.json": "mlflow",
    "evaluation-tools/mlflow/traces.json": "mlflow",
    "evaluation-tools/promptfoo/results.json": "promptfoo",
    "evaluation-tools/promptfoo/version-2.json": "promptfoo",
    "evaluation-tools/promptfoo/results.jsonl": "promptfoo",
    "evaluation-tools/promptfoo/results.csv": "promptfoo",
    "evaluation-tools/label-studio/tasks.json": "label-studio",
    "evaluation-tools/label-studio/min.json": "label-studio",
    "evaluation-tools/label-studio/table.csv": "label-studio",
    "evaluation-tools/helm": "helm",
    "evaluation-tools/helm/clinicians.csv": "helm",
    "evaluation-tools/lm-eval": "lm-eval",
    "evaluation-tools/lm-eval/example__clinic-bot": "lm-eval",
    "evaluation-tools/arena/battles.json": "arena",
    "evaluation-tools/arena/mt-bench": "arena",
    "evaluation-tools/arena/mt-bench/question.jsonl": "arena",
    "evaluation-tools/bioasq/golden.json": "bioasq",
    "evaluation-tools/bioasq/quick-bot.json": "bioasq",
    "evaluation-tools/evalport/suite.json": "evalport",
    "evaluation-tools/evalport/quick-bot.json": "evalport",
    "evaluation-tools/opik": "opik",
    "evaluation-tools/opik/experiment_quick-bot.json": "opik",
    "evaluation-tools/argilla/records.json": "argilla",
    "evaluation-tools/argilla/records.jsonl": "argilla",
    "evaluation-tools/argilla/version-1.jsonl": "argilla",
}
WRITTEN = {
    "answers": ("a.csv", "system,case,text\nX,sprain,Rest.\n"),
    "preferences": (
        "p.csv",
        "rater,case,system_a,system_b,dimension,choice\nr1,sprain,system-a,system-b,quality,a\n",
    ),
    "clinical-mcq": (
        "q.json",
        (
            '{"questions": [{"question_id": "Q_1", "question": "What now?", "options": '
            '{"A": "Rest.", "B": "Run."}, "correct_answer": "A", "guideline_id": "GL_001"}]}'
        ),
    ),
    "healthbench": (
        "h.jsonl",
        (
            '{"prompt_id": "p-1", "prompt": [{"role": "user", "content": "How long?"}], '
            '"rubrics": [{"criterion": "Says two days.", "points": 5, "tags": []}]}\n'
        ),
    ),
    "trec-run": ("a.run", "sprain Q0 d1 1 0.5 mine\n"),
    "trec-qrels": ("qrels.txt", "sprain 0 d1 2\n"),
}
