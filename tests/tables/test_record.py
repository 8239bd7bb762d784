"""What is said of a key that a record does not know names the keys of that very record."""

from pydantic import BaseModel

from medassay.annotations import Words, record
from medassay.errors import Problem
from medassay.tables import read_record


@record(infers=False)
class Wheel:
    maker: Words
    spokes: int


@record(infers=False)
class Axle:
    wheels: tuple[Wheel, ...]


class Cart(BaseModel):
    axle: Axle | None


def problem_of(axle: object) -> Problem:
    problems: list[Problem] = []
    read = read_record(Cart, {"axle": axle}, file="cart.json", row=None, problems=problems)
    assert read is None
    [problem] = problems
    return problem


def test_an_unknown_key_deep_in_records_is_named_beside_those_known_there() -> None:
    found = problem_of({"wheels": [{"maker": "a", "spokes": 8, "spoke": 9}]})
    assert (found.must, found.got) == ("be one of maker, spokes", '"spoke"')
    assert found.column == "axle.wheels[1].spoke"


def test_what_is_no_record_is_told_the_keys_of_the_record_that_it_should_be() -> None:
    found = problem_of({"wheels": [3]})
    assert (found.must, found.try_) == ("be keys with their values", "The keys: maker, spokes.")
