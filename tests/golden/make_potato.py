"""Make examples/other-tools/potato: two annotators answer our export on a real Potato server.

Run in an environment of its own with `pip install potato-annotation==2.12.1`, after

    medassay new study --protocol ratings && medassay export --to potato study --into potato

as `python tests/golden/make_potato.py potato FOLDER`. The server stores what it is told, and
`python -m potato.export` writes the three tables from that. The export draws its codes anew: put
`study/campaigns` into examples/other-tools too, or nothing can be taken in again.
"""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import requests

PORT = 8917
LABELS = {"anna": "4", "ben": "2"}


def answer(task: Path, rater: str, label: str) -> None:
    """Log in, and answer the items as they come: the last cannot be judged."""
    codes = [json.loads(line)["id"] for line in (task / "items.jsonl").open(encoding="utf-8")]
    site = f"http://127.0.0.1:{PORT}"
    session = requests.Session()
    form = {"email": rater, "pass": "only-for-this-server", "action": "signup"}
    session.post(f"{site}/register", data=form, timeout=30)
    for turn in range(len(codes)):
        page = session.get(f"{site}/annotate", timeout=30).text
        (code,) = (one for one in codes if one in page)
        word = label if turn < len(codes) - 1 else "cannot judge"
        said = {f"quality:::{word}": word}
        if turn == 0:
            said["comment:::text_box"] = "Clear, I think."
        body = {"instance_id": code, "annotations": said}
        session.post(f"{site}/updateinstance", json=body, timeout=30).raise_for_status()
        step = {"action": "next_instance", "instance_id": code}
        session.post(f"{site}/annotate", json=step, timeout=30).raise_for_status()


def main() -> None:
    """Run the server, answer, export, and copy what it wrote."""
    task, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    words = [sys.executable, "-m", "potato", "start", "config.yaml", "-p", str(PORT)]
    with subprocess.Popen(words, cwd=task) as server:  # noqa: S603 - the tool under test
        time.sleep(30)
        for rater, label in LABELS.items():
            answer(task, rater, label)
        server.terminate()
    for form in ("csv", "tsv", "jsonl"):
        words = [sys.executable, "-m", "potato.export", "--config", "config.yaml"]
        words += ["--format", form, "--output", str(out.resolve())]
        subprocess.run(words, cwd=task, check=True)  # noqa: S603 - the tool under test
    for rater in LABELS:
        state = json.loads((task / "annotation_output" / rater / "user_state.json").read_bytes())
        (out / rater).mkdir(parents=True, exist_ok=True)
        (out / rater / "user_state.json").write_text(json.dumps(state, indent=1), encoding="utf-8")
    for name in ("config.yaml", "items.jsonl"):
        shutil.copy(task / name, out / name)


if __name__ == "__main__":
    main()
