"""The 90 answers of the med-gpt protocol, as its source has them made, by a server that stands in.

Thirty questions, three models, retrieval before each. The real models are the user's.
"""

import json
from pathlib import Path

import pytest
from tools.llm_server import Server, completion, serving

from medassay.study import Study, answer_study

pytestmark = pytest.mark.llm

MODELS = {"phi": "phi", "tinyllama": "tinyllama", "gemma-2b": "gemma:2b"}
QUESTIONS = 30


def test_thirty_questions_by_three_models(tmp_path: Path) -> None:
    server = Server()
    with serving(server) as running:
        bodies: list[dict[str, object]] = []

        def reply(body: dict[str, object]) -> object:
            bodies.append(body)
            return completion(f"{body['model']} answers")

        running.reply = reply
        study = tmp_path / "s"
        study.mkdir()
        settings = 'schema = 1\ntitle = "T"\nprotocol = "med-gpt"\n'
        for name, model in MODELS.items():
            settings += (
                f'[systems.{name}]\nkind = "grounded"\nretrieval = "tfidf"\nreads = 3\n'
                f'base_url = "{running.address}"\nmodel = "{model}"\n'
            )
        (study / "study.toml").write_text(settings, encoding="utf-8")
        cases = [{"case": f"q{n}", "question": f"What helps ill {n}?"} for n in range(QUESTIONS)]
        texts = [{"id": f"d{n}", "text": f"Remedy {n} helps ill {n}."} for n in range(QUESTIONS)]
        for name, rows in (("cases", cases), ("documents", texts)):
            text = "".join(json.dumps(row) + "\n" for row in rows)
            (study / f"{name}.jsonl").write_text(text, encoding="utf-8")
        for name in MODELS:
            assert answer_study(study, name).answers == QUESTIONS
    answers = Study.open_whole(study).answers
    assert len(answers) == len(bodies) == 90
    assert {body["model"] for body in bodies} == set(MODELS.values())
    answer = answers.get("gemma-2b", "q7")
    assert answer is not None
    assert answer.text == "gemma:2b answers"
    assert [hit.document for hit in answer.retrieved or ()][:1] == ["d7"]
    asked = [json.dumps(body["messages"]) for body in bodies if body["model"] == "phi"]
    assert any("Remedy 7 helps ill 7." in text and "What helps ill 7?" in text for text in asked)
