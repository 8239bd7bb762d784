"""Guidelines and questions that are small enough to see through."""

from collections.abc import Iterator

import pytest

from medassay.cases import Case, Document
from medassay.models import ModelSetup, use_models


@pytest.fixture
def guidelines() -> list[Document]:
    """Give three short guidelines."""
    return [
        Document(id="g1", title="Colds", text="Rest and fluids help in a cold. No antibiotic."),
        Document(id="g2", title="Asthma", text="In acute asthma give salbutamol and oxygen."),
        Document(id="g3", title="Stroke", text="In ischaemic stroke give alteplase after imaging."),
    ]


@pytest.fixture
def question() -> Case:
    """Give a question with options."""
    return Case(
        case="1",
        question="A man of 30 wheezes and is short of breath. What is given in acute asthma?",
        options={"A": "Alteplase", "B": "Salbutamol", "C": "An antibiotic"},
        gold="B",
    )


@pytest.fixture
def models() -> Iterator[None]:
    """Open the embedded models, without keeping anything."""
    with use_models(ModelSetup()):
        yield
