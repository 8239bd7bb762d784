"""How docstrings are read for the library's page: our `Example:` is the style's `Examples:`."""

import re
from typing import Any

from griffe import Extension, Object


class OneExample(Extension):  # type: ignore[misc]  # griffe is in the environment of the docs only
    """Let a single example be shown as code, like several."""

    def on_object(self, *, obj: Object, **_: Any) -> None:  # noqa: ANN401 - whatever else is told
        """Rename the section where an object has been read."""
        if obj.docstring is not None:
            said = obj.docstring.value
            obj.docstring.value = re.sub(r"^Example:$", "Examples:", said, flags=re.MULTILINE)
