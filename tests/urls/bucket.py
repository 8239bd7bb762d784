"""A bucket of a test's own, in a store on this machine."""

from pathlib import Path
from typing import Final

__all__ = ["KEYS", "Bucket"]

KEYS: Final = {
    "AWS_ACCESS_KEY_ID": "key-of-the-test",
    "AWS_SECRET_ACCESS_KEY": "secret-of-the-test",
}


class Bucket:
    """A new bucket; the keys and the address of its store come from the environment."""

    def __init__(self, name: str) -> None:
        import boto3

        self.name = name
        self._held = boto3.resource("s3").Bucket(name)
        self._held.create()

    def put(self, key: str, content: bytes) -> None:
        """Put an object there, over what was there."""
        self._held.put_object(Key=key, Body=content)

    def put_file(self, key: str, path: Path) -> None:
        """Put a file there."""
        self.put(key, path.read_bytes())

    def sizes(self, prefix: str) -> dict[str, int]:
        """List objects with their sizes."""
        return {item.key: item.size for item in self._held.objects.filter(Prefix=prefix)}
