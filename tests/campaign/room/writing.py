"""Twenty-six raters who write as fast as they are answered; what is acknowledged is printed.

python writing.py DATABASE
"""

import os
import sys
import threading
import uuid

from medassay.campaign.room import Room, Said


def rate(room: Room, rater: str) -> None:
    """Give a label, and another, and another."""
    task = room.rating.next(rater)
    assert task is not None
    question = task.questions[0]
    for turn in range(1_000_000):
        label = question.labels[turn % len(question.labels)].label
        said = Said(str(uuid.uuid4()), task.code, question.id, label=label)
        if room.rating.say(rater, said).saved:
            # One write of one line is whole or not there.
            os.write(1, f"{rater} {said.client} {label}\n".encode())


def main() -> None:
    """Write until killed."""
    room = Room(sys.argv[1])
    for rater in room.design.settings.raters:
        threading.Thread(target=rate, args=(room, rater)).start()


if __name__ == "__main__":
    main()
