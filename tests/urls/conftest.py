"""Tests of URLs stand aside only where they are asked to; an object store of their own."""

import hashlib
from collections.abc import Iterator

import pytest
from tests.apart import stands_aside
from tests.urls.bucket import KEYS, Bucket

pytest_ignore_collect = stands_aside("urls", "s3fs")


@pytest.fixture(scope="session")
def store() -> Iterator[str]:
    """Start an object store on this machine, and give its address."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(store: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Bucket:
    """Make a bucket of the test's own, with keys to it in the environment."""
    address = {"AWS_ENDPOINT_URL": store, "AWS_DEFAULT_REGION": "us-east-1"}
    for name, value in {**KEYS, **address, "AWS_EC2_METADATA_DISABLED": "true"}.items():
        monkeypatch.setenv(name, value)
    return Bucket("test-" + hashlib.sha256(request.node.name.encode()).hexdigest()[:12])
