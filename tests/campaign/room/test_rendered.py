"""How answers are shown is one of the things that a campaign says once."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from medassay.campaign import Wishes, create_campaign
from medassay.campaign.create import DESIGN
from medassay.campaign.room import Room, open_room, unheeded_options
from medassay.errors import InvalidInput
from medassay.study import Study

from .conftest import SECRET, Time

pytestmark = pytest.mark.web


@pytest.fixture
def options(study: Path) -> Path:
    create_campaign(Study.open_whole(study), Wishes(raters="2"), SECRET)
    return study / "campaigns" / "main" / "campaign.toml"


@pytest.fixture
def opened(study: Path, options: Path, time: Time) -> Iterator[Room]:
    assert options.is_file()
    with open_room(Study.open_whole(study), clock=time) as room:
        yield room


def says(options: Path, render: str) -> None:
    line = f'render = "{render}"' if render else "# render"
    kept = [each for each in options.read_text("utf-8").splitlines() if "render" not in each]
    at = kept.index("[room]") + 1
    options.write_text("\n".join([*kept[:at], line, *kept[at:], ""]), encoding="utf-8")


def frozen(study: Path) -> dict[str, object]:
    text = (study / "campaigns" / "main" / DESIGN).read_text(encoding="utf-8")
    record: dict[str, object] = json.loads(text)
    return record


def test_markdown_is_what_a_new_room_shows_and_its_design_says_so(
    study: Path, opened: Room
) -> None:
    assert opened.design.render == "markdown"
    design = frozen(study)["design"]
    assert isinstance(design, dict)
    assert design["render"] == "markdown"


def test_it_may_be_changed_until_somebody_takes_part(
    study: Path, options: Path, opened: Room
) -> None:
    before = opened.kept.design_hash
    says(options, "plain")
    with open_room(Study.open_whole(study)) as again:
        assert again.design.render == "plain"
        assert again.kept.design_hash == again.design.hash != before
        assert frozen(study)["hash"] == again.design.hash
        assert unheeded_options(study, "main", again) == []
    # The server that was running shows the old design: nobody can begin there.
    with pytest.raises(InvalidInput, match="start it again"):
        opened.rating.consent("rater-1", opened.design.options.information.version)


def test_it_is_refused_once_somebody_has_seen_an_answer(
    study: Path, options: Path, opened: Room
) -> None:
    opened.rating.consent("rater-1", opened.design.options.information.version)
    before = frozen(study)
    says(options, "plain")
    with pytest.raises(InvalidInput) as told:
        open_room(Study.open_whole(study))
    [problem] = told.value.problems
    assert problem.file == "campaigns/main/campaign.toml"
    assert problem.column == "room.render"
    assert problem.got == '"plain"'
    assert 'render = "markdown"' in str(told.value)
    assert frozen(study) == before
    says(options, "")
    with open_room(Study.open_whole(study)) as again:
        assert again.design.render == "markdown"


def test_a_room_of_before_shows_answers_as_it_did(study: Path, options: Path, opened: Room) -> None:
    from medassay.campaign.room.schema import tables

    facts = tables().facts
    old = opened.design.model_dump(mode="json", exclude={"render"})
    old["options"].pop("render")
    text = json.dumps(old)
    row = facts.update().where(facts.c.name == "design").values(value=text)
    opened.database.write(lambda c: c.execute(row))
    with open_room(Study.open_whole(study)) as again:
        assert again.design.render == "plain"
    says(options, "plain")
    with open_room(Study.open_whole(study)) as again:
        assert again.design.render == "plain"


def test_another_word_is_refused(study: Path, options: Path) -> None:
    says(options, "html")
    with pytest.raises(InvalidInput, match=r"render.*markdown.*plain"):
        open_room(Study.open_whole(study))
