"""Where a room can be served: at the root of a server, and nowhere else."""

import pytest

from medassay.campaign.room import address_of
from medassay.errors import InvalidInput

GOOD = ("https://rate.ward.example", "http://127.0.0.1:8000", "http://[::1]:80")


@pytest.mark.parametrize("address", GOOD)
@pytest.mark.parametrize("end", ["", "/"])
def test_an_address_is_taken_as_it_is(address: str, end: str) -> None:
    assert address_of(address + end) == address


@pytest.mark.parametrize("address", GOOD)
@pytest.mark.parametrize("end", ["/ratings", "/ratings/", "/?a=1", "?a=1", "/#x"])
def test_what_goes_on_behind_the_servers_name_is_refused_with_its_reason(
    address: str, end: str
) -> None:
    with pytest.raises(InvalidInput, match=r"--url.*the room's pages are at its root"):
        address_of(address + end)


@pytest.mark.parametrize("address", ["rate.ward.example", "ftp://ward.example", "https://", ""])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidInput, match="--url"):
        address_of(address)
