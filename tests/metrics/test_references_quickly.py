"""References are looked up by the words of a chain; looking everywhere must find the same."""

import re
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from medassay.cases import Document
from medassay.metrics.reasoning import read_references

WORDS = (
    "asthma",
    "Asthma",
    "care",
    "CARE",
    "guideline",
    "gl-1",
    "GL_2",
    "K3",
    "\u212a3",
    "\u017f1",
)
words = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
ids = st.lists(st.sampled_from(["gl-1", "GL_2", "k3", "s1", "\u017f1", "asthma"]), unique=True)


def by_id(chain: str, id_: str) -> tuple[int, int] | None:
    found = re.search(rf"(?<![\w-]){re.escape(id_)}(?![\w-])", chain, re.IGNORECASE)
    return found and found.span()


def by_title(chain: str, title: str) -> tuple[int, int] | None:
    inside = list(re.finditer(r"[^\W_]+", chain))
    lower = [word[0].casefold() for word in inside]
    wanted = [word.casefold() for word in re.findall(r"[^\W_]+", title)]
    for i in range(len(lower) - len(wanted) + 1):
        beside = {"guideline", "guidelines", "document", "protocol"} & {
            *lower[max(0, i - 2) : i + 2]
        }
        if wanted and lower[i : i + len(wanted)] == wanted and (len(wanted) > 1 or beside):
            return inside[i].start(), inside[i + len(wanted) - 1].end()
    return None


@given(chain=words, retrieved=ids, titles=st.lists(words, min_size=6, max_size=6))
def test_what_stands_in_a_chain_is_found(
    chain: str, retrieved: list[str], titles: list[str]
) -> None:
    documents = {
        id_: Document(id=id_, title=title) for id_, title in zip(retrieved, titles, strict=False)
    }

    def spans(by: Literal["id", "title"]) -> list[tuple[int, int] | None]:
        found = read_references(chain, retrieved, documents, by)
        return [None if one.span is None else (one.span.start, one.span.end) for one in found]

    assert spans("id") == [by_id(chain, one) for one in retrieved]
    assert spans("title") == [by_title(chain, one.title or "") for one in documents.values()]
