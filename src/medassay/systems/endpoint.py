"""Kind `endpoint`: one question to a model behind the OpenAI protocol, or to the embedded one."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from medassay.answers import Answer
from medassay.cases import Case, Turn
from medassay.models.endpoints import (
    Ask,
    EndpointSettings,
    Message,
    chat_body,
    open_backend,
)
from medassay.systems.opening import (
    AskingSettings,
    AskingSystem,
    Opening,
    OpenSystem,
    SystemSettings,
    answer_of,
)
from medassay.systems.prompt import messages_of, refuse_places
from medassay.tables import file_bytes

__all__ = ["EndpointSystem"]


class EndpointSystem(EndpointSettings, AskingSettings, SystemSettings):
    """[systems.NAME] kind = "endpoint".

    Attributes:
        prompt: A file of the study: what is asked of each case, with places in braces.
        instructions: A file of the study: what the model is told beforehand.
        live: The user's turns of a conversation are put one after the other, each after the
            system's own reply to the one before; else the conversation is told as it went.
    """

    kind: ClassVar[str] = "endpoint"
    files: ClassVar[tuple[str, ...]] = ("prompt", "instructions")
    prompt: str | None = None
    instructions: str | None = None
    live: bool = False

    def open(self, opening: Opening) -> OpenSystem:
        """Read the prompt, and find who is asked."""
        prompt, instructions = (
            None if name is None else _text(opening.folder, name)
            for name in (self.prompt, self.instructions)
        )
        if prompt is not None and self.prompt is not None:
            refuse_places(prompt, self.prompt)
        backend = open_backend(self, opening.allowed)
        return _Open(opening.system, self, backend, prompt, instructions)


def _text(folder: Path, name: str) -> str:
    return file_bytes(folder / name, name).decode("utf-8-sig").strip()


@dataclass(frozen=True)
class _Open(AskingSystem[EndpointSystem]):
    prompt: str | None
    instructions: str | None

    async def answer(self, case: Case, sample: int, ask: Ask) -> Answer | None:
        if self.settings.live and len([t for t in case.turns if t.role == "user"]) > 1:
            return await self._converse(case, sample, ask)
        messages = messages_of(case, self.prompt, self.instructions)
        reply = await ask(
            chat_body(messages, self.settings.sent), about=_about(case, sample), sample=sample
        )
        return answer_of(self.system, case.case, sample, reply)

    async def _converse(self, case: Case, sample: int, ask: Ask) -> Answer | None:
        """Hold the conversation: only the user's turns are the case's."""
        messages = [Message("system", self.instructions)] if self.instructions else []
        turns: list[Turn] = []
        asked = [turn for turn in case.turns if turn.role == "user"]
        if case.question is not None:
            asked.append(Turn(role="user", text=case.question))
        costs, ended = [], None
        for place, turn in enumerate(asked):
            messages.append(Message("user", turn.text))
            about = {**_about(case, sample), "turn": place}
            reply = await ask(chat_body(messages, self.settings.sent), about=about, sample=sample)
            if reply.ended == "failed":
                return None
            messages.append(Message("assistant", reply.text))
            turns += [turn, Turn(role="assistant", text=reply.text)]
            costs.append(reply.cost)
            ended = reply.ended if reply.ended in {"refused", "cut_off"} else None
        return Answer(
            system=self.system,
            case=case.case,
            sample=sample,
            turns=tuple(turns),
            cost=None if None in costs else round(sum(filter(None, costs)), 9),
            ended=ended,
        )


def _about(case: Case, sample: int) -> dict[str, object]:
    return {"case": case.case, "sample": sample}
