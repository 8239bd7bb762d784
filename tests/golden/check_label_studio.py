"""Hold our export for Label Studio against its own checker.

Run in an environment of its own with `pip install label-studio-sdk==2.1.2`, after

    medassay new study --protocol ratings
    medassay export --to label-studio study --into out --ratings

as `python tests/golden/check_label_studio.py out`. It prints nothing wrong, or says what is.
"""

import json
import sys
from pathlib import Path

from label_studio_sdk.label_interface import LabelInterface


def main() -> None:
    """Check the configuration, the tasks, and every annotation."""
    folder = Path(sys.argv[1])
    interface = LabelInterface((folder / "labelling.xml").read_text(encoding="utf-8"))
    interface.validate()
    tasks = json.loads((folder / "tasks.json").read_bytes())
    wrong = [one for one in tasks if not interface.validate_task({"data": one["data"]})]
    for task in tasks:
        for annotation in task.get("annotations", []):
            wrong += interface.validate_prediction(annotation, return_errors=True)
    sys.stdout.write(f"{len(tasks)} tasks, wrong: {wrong}\n")


if __name__ == "__main__":
    main()
