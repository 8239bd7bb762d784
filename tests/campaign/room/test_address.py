"""Where a room can be served: at the root of a server, or under a path."""

import pytest

from medassay.campaign.room import address_of
from medassay.errors import InvalidInput

GOOD = (
    "https://rate.ward.example",
    "http://127.0.0.1:8000",
    "http://[::1]:8080",
    "https://ward.example/ratings",
    "https://ward.example/studies/ankles_2026.1~b",
)


@pytest.mark.parametrize("address", GOOD)
@pytest.mark.parametrize("end", ["", "/"])
def test_an_address_is_taken_as_it_is(address: str, end: str) -> None:
    assert address_of(address + end) == address


@pytest.mark.parametrize("address", GOOD)
@pytest.mark.parametrize(
    "end",
    [
        "/?a=1",
        "?a=1",
        "?",
        "/#x",
        "#",
        "/a//b",
        "//",
        "/a b",
        "/ä",
        "/a%2Fb",
        "/../a",
        "/a/.",
        "/..",
    ],
)
def test_what_goes_on_behind_a_path_is_refused_with_its_reason(address: str, end: str) -> None:
    with pytest.raises(InvalidInput, match=r"--url: must end with the server's name, its port, or"):
        address_of(address + end)


@pytest.mark.parametrize("address", ["rate.ward.example", "ftp://ward.example", "https://", ""])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidInput, match="--url"):
        address_of(address)


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("https://Rate.Ward.Example", "https://rate.ward.example"),
        ("https://rate.ward.example:443/", "https://rate.ward.example"),
        ("http://rate.ward.example:80", "http://rate.ward.example"),
        ("http://rate.ward.example:443", "http://rate.ward.example:443"),
        ("https://rate.münchen.example", "https://rate.xn--mnchen-3ya.example"),
        ("HTTPS://[2001:DB8::1]:443", "https://[2001:db8::1]"),
    ],
)
def test_an_address_is_given_as_browsers_name_it(typed: str, address: str) -> None:
    assert address_of(typed) == address


@pytest.mark.parametrize(
    "address", ["https://[::1", "https://rate.example:99999", f"https://{'a' * 70}.example"]
)
def test_a_name_or_port_that_no_server_has_is_refused(address: str) -> None:
    with pytest.raises(InvalidInput, match="--url"):
        address_of(address)


def test_a_password_is_refused_and_not_repeated() -> None:
    with pytest.raises(InvalidInput, match="--url") as refused:
        address_of("https://lead:zqSECRET@rate.ward.example")
    assert "zqSECRET" not in str(refused.value)
