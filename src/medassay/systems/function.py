"""Kind `python`: a function of the user's own, which the command line alone can name."""

import asyncio
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import ClassVar

from medassay.answers import Answer, answer_row
from medassay.cases import Case
from medassay.errors import InvalidInput, Problem
from medassay.models import file_digest
from medassay.models.endpoints import Ask, Reply
from medassay.models.endpoints.body import Body
from medassay.systems.opening import (
    AskingSettings,
    AskingSystem,
    Code,
    Opening,
    OpenSystem,
    SystemSettings,
    answer_of,
    as_fields,
    blind,
)

__all__ = ["FunctionSystem", "load_code"]

_FORM = "name a function as module:function or file.py:function"


def load_code(name: str) -> Code:
    """Load the function that `--allow-code` names; nothing else may.

    A file is loaded by itself: the folder that it lies in is not searched for other modules.

    Raises:
        InvalidInput: There is no such module, file or function, or it cannot be loaded.
    """
    place, _, function = name.rpartition(":")
    if not place or not function.isidentifier():
        raise InvalidInput(Problem("--allow-code", _FORM, f'"{name}"'))
    try:
        module = _of_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
        attribute = getattr(module, function)
        source = Path(inspect.getfile(module))
    except Exception as error:  # whatever the user's own code raises while it is loaded
        got = f"{type(error).__name__}: {error}"
        raise InvalidInput(Problem("--allow-code", _FORM, got)) from error
    if not callable(attribute):
        raise InvalidInput(Problem("--allow-code", _FORM, f"{function}, which is no function"))
    return Code(name, attribute, file_digest(source))


def _of_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    spec.loader.exec_module(module)
    return module


class FunctionSystem(AskingSettings, SystemSettings):
    """[systems.NAME] kind = "python".

    Attributes:
        version: Which state of the system it is, where the function calls something that changes.
    """

    kind: ClassVar[str] = "python"
    version: str = ""

    def open(self, opening: Opening) -> OpenSystem:
        """Take the function that the command line allows."""
        if opening.code is None:
            must = "be given its function on the command line"
            hint = "Add --allow-code module:function. No study can name code by itself."
            where = f"systems.{opening.system}"
            raise InvalidInput(Problem("study.toml", must, "none", hint, None, where))
        cases = {case.case: case for case in opening.cases}
        return _Open(opening.system, self, _FunctionBackend(opening.code, self.version, cases))


@dataclass(frozen=True)
class _FunctionBackend:
    code: Code
    version: str
    cases: Mapping[str, Case]

    @property
    def identity(self) -> Mapping[str, object]:
        function = self.code.name.rpartition(":")[2]
        return {"function": function, "code": self.code.digest, "version": self.version}

    @property
    def where(self) -> str:
        return self.code.name

    async def send(self, body: Body) -> Reply:
        """Call the function with the case; in a thread, where it is no coroutine."""
        case = Case.model_validate(body)
        try:
            if inspect.iscoroutinefunction(self.code.function):
                made = await self.code.function(case)
            else:
                made = await asyncio.to_thread(self.code.function, case)
        except Exception as error:  # noqa: BLE001 - the user's own code: whatever it raises is a failure of this case
            return Reply.failed("code", type(error).__name__)
        if made is None:
            return Reply.said("")
        if isinstance(made, str):
            return Reply.said(made)
        row = answer_row(made) if isinstance(made, Answer) else made
        if not isinstance(row, Mapping):
            return Reply.failed("code", f"it gave {type(made).__name__}, no text and no answer")
        fields = as_fields(
            {name: cell for name, cell in row.items() if name not in {"system", "case", "sample"}}
        )
        if isinstance(fields, str):
            return Reply.failed("code", fields)
        text = fields.get("text")
        return Reply.said(text if isinstance(text, str) else "", fields)

    async def close(self) -> None:
        """Nothing is open."""


class _Open(AskingSystem[FunctionSystem]):
    async def answer(self, case: Case, sample: int, ask: Ask) -> Answer | None:
        body = blind(case).model_dump(mode="json", exclude_defaults=True)
        reply = await ask(body, about={"case": case.case, "sample": sample}, sample=sample)
        return answer_of(self.system, case.case, sample, reply)
