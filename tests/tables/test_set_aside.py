"""Records that are very many lie in a file, and come back as they were."""

import multiprocessing
from collections.abc import Iterator

import pytest

from medassay.answers import Answer
from medassay.cases import Case, Document
from medassay.tables import Gathering, SetAside, Shared, changed, gathered, many_records

GUIDELINE = Document(id="g1", title="Rest", text="Rest at home. " * 100, grade=1)
CASES = [
    Case(case=str(n), question=f"Question {n}?", documents=(GUIDELINE,), tags={"part": str(n % 3)})
    for n in range(1_300)
]


def aside() -> SetAside[Case]:
    shared = Shared()
    shared.add(GUIDELINE)
    return SetAside(iter(CASES), shared)


def test_records_come_back_equal_in_their_order() -> None:
    records = aside()
    assert list(records) == CASES
    assert len(records) == len(CASES)
    assert [records[0], records[-1], records[700]] == [CASES[0], CASES[-1], CASES[700]]
    assert list(records[510:515]) == CASES[510:515]
    assert list(records[::-650]) == CASES[::-650]
    assert list(records[5:2]) == []
    assert records[3].model_fields_set == CASES[3].model_fields_set
    with pytest.raises(IndexError):
        records[len(CASES)]


def test_what_is_shared_is_one_object_and_is_written_once() -> None:
    assert all(case.documents[0] is GUIDELINE for case in aside())
    assert all(case.documents[0] is GUIDELINE for case in changed(lambda case: case, aside()))


def test_an_answer_keeps_its_ranking_to_the_bit() -> None:
    answer = Answer(
        system="S", case="1", retrieved=[{"document": "d", "score": 0.1 + 0.2}, {"document": "e"}],
        statements=[{"text": "Rest.", "citations": ["d"]}], confidence=0.3,
    )  # fmt: skip
    (again,) = SetAside([answer])
    assert again == answer
    assert repr(again) == repr(answer)


def test_records_are_set_aside_past_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_records, "_IN_MEMORY", 3)
    assert gathered(iter("abc")) == ("a", "b", "c")
    more = gathered(iter("abcd"))
    assert isinstance(more, SetAside)
    assert list(more) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("kept", [1, 3, 4, 6])
def test_records_that_do_not_count_are_gone(monkeypatch: pytest.MonkeyPatch, kept: int) -> None:
    monkeypatch.setattr(many_records, "_IN_MEMORY", 3)
    gathering: Gathering[str] = Gathering()
    for letter in "abcdef":
        gathering.add(letter)
    gathering.back_to(kept)
    assert len(gathering) == kept
    gathering.add("a longer word than was there")
    assert list(gathering.all()) == [*"abcdef"[:kept], "a longer word than was there"]


def test_records_are_read_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_records, "_IN_MEMORY", 3)
    taken = 0

    def coming() -> Iterator[int]:
        nonlocal taken
        for number in range(10):
            taken += 1
            yield number

    records = changed(lambda number: number + 1, gathered(coming()))
    assert (taken, list(records)) == (10, list(range(1, 11)))
    assert isinstance(records, SetAside)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork")
def test_copies_of_the_process_read_side_by_side() -> None:
    records, found = aside(), multiprocessing.get_context("fork").Queue()

    def read(start: int) -> None:
        found.put((start, [records[place].case for place in range(start, len(records), 3)]))

    copies = [multiprocessing.get_context("fork").Process(target=read, args=(n,)) for n in range(3)]
    for copy in copies:
        copy.start()
    read_by = dict(found.get(timeout=60) for _ in copies)
    for copy in copies:
        copy.join()
    assert read_by == {n: [case.case for case in CASES[n::3]] for n in range(3)}
