"""The border post: one file an outside format, in and out.

What enters: files as other people and tools write them. What leaves: sheets and records in
medassay's own words.
"""

from medassay.formats.tidy import read_tidy

__all__ = ["read_tidy"]
