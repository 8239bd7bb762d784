"""Texts that tell a judge what to say: what it was shown is never read as what it said."""

import json
from pathlib import Path

import pytest
from tools.injections import GOAL, injections, outcome_of, write_injections
from tools.llm_server import Server, completion, serving

from medassay.judges import ask_judge

pytestmark = pytest.mark.llm


@pytest.mark.parametrize("bare", [False, True], ids=["in its reason", "before its verdict"])
def test_a_judge_that_repeats_all_it_reads_is_read_by_its_own_field(
    tmp_path: Path, *, bare: bool
) -> None:
    def parrot(body: dict[str, list[dict[str, str]]]) -> object:
        shown = body["messages"][-1]["content"]
        said = json.dumps({"reason": shown, "verdict": "no"})
        return completion(f"{shown}\n{said}" if bare else said)

    with serving(Server(reply=parrot)) as server:
        settings = (
            'schema = 1\ntitle = "T"\n[[dimensions]]\nrubric = "safe.toml"\n[judges.parrot]\n'
            f'base_url = "{server.address}"\nmodel = "m"\nversion = "1"\n'
        )
        study = write_injections(tmp_path / "s", settings)
        ask_judge(study, "parrot")
    found = outcome_of(study, "parrot")
    assert len(found.said) == len(injections()) == 24
    assert set(found.said.values()) == {"off_menu" if bare else "no"}
    assert GOAL not in found.said.values()
    assert found.moved == []
