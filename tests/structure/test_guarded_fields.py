"""A field of a study's files that can name a host, a path or code says what guards it.

A study may come from anybody. Every record that is read from one is looked through, with all that
stands in it: no list names them.
"""

import ast
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel, create_model
from pydantic.fields import FieldInfo

import medassay
from medassay.annotations import Guarded
from medassay.errors import MissingBackend
from medassay.systems.opening import SystemSettings

NOT_OF_A_STUDY = (
    "medassay.web.",  # what browsers send, each with its bounds
    "medassay.exchange.",  # rows of outside files: texts, ids and numbers
    "medassay.report.",  # what is written
    "medassay.analyses.",  # what is written
)
NAMES = re.compile(
    r"(^|_)(address|code|command|corpus|database|dir|endpoint|files?|folders?|function|home|hosts?|"
    r"into|kept|link|location|modules?|paths?|places?|plugins?|port|program|prompts?|proxy|"
    r"rubric|script|send_to|server|starter|store|ur[il]s?)($|_)"
)
WORDS = re.compile(
    r"\b(a|an|the|its) (address|command|database|file|folder|function|host|module|script|server)\b"
    r"|\bURLs?\b|\bHosts\b"
)
ARE_NONE = {
    # Hashes, prompts by name, and a version in words.
    "_Facts.rubric", "JudgeIdentity.prompt", "JudgeResult.prompt", "PromptFile.prompts",
    "FunctionSystem.version",
}  # fmt: skip


@cache
def records() -> tuple[type[BaseModel], ...]:
    for module in pkgutil.walk_packages(medassay.__path__, "medassay."):
        if module.name.endswith("__main__") or ".versions" in module.name:
            continue
        try:
            import_module(module.name)
        except (ImportError, MissingBackend):
            continue  # of a package that is not installed here; others have it
    return tuple(sorted(set(below(BaseModel)), key=lambda model: (model.__module__, str(model))))


def below(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for inner in model.__subclasses__():
        yield from below(inner)
        if inner.__module__.startswith("medassay."):
            yield inner


def takes_words(annotation: Any) -> bool:  # noqa: ANN401 - any annotation
    """Say whether free words fit: a choice of ours is none."""
    if get_origin(annotation) is Literal:
        return False
    inner = get_args(annotation)
    return annotation is str or annotation is Any or any(map(takes_words, inner))


def said_of(model: type[BaseModel]) -> dict[str, str]:
    """Give what is written of each field, in its class or below it."""
    said: dict[str, str] = {}
    lines = re.findall(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", inspect.getdoc(model) or "", re.MULTILINE)
    said |= dict(lines)
    try:
        source = textwrap.dedent(inspect.getsource(model))
    except (OSError, TypeError):
        return said
    [whole] = ast.parse(source).body
    assert isinstance(whole, ast.ClassDef)
    for field, below_it in zip(whole.body, whole.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            match below_it:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    said[field.target.id] = text
    return said


def guards(model: type[BaseModel], name: str, field: FieldInfo) -> list[Guarded]:
    marks = [mark for mark in field.metadata if isinstance(mark, Guarded)]
    for part in get_args(field.annotation):
        marks += [mark for mark in getattr(part, "__metadata__", ()) if isinstance(mark, Guarded)]
    if issubclass(model, SystemSettings) and name in model.files:
        marks.append(Guarded("medassay.study.config.study_toml.refuse_outside"))
    return marks


def unguarded(model: type[BaseModel]) -> list[str]:
    """List the fields that could name a place and say nothing of it."""
    said = said_of(model)
    return [
        f"{model.__name__}.{name}"
        for name, field in model.model_fields.items()
        if takes_words(field.annotation)
        and (NAMES.search(name) or WORDS.search(said.get(name, "")))
        and not guards(model, name, field)
        and f"{model.__name__}.{name}" not in ARE_NONE
    ]


def test_every_field_that_can_name_a_place_says_what_guards_it() -> None:
    models = [model for model in records() if not model.__module__.startswith(NOT_OF_A_STUDY)]
    assert len(models) > 60
    assert [field for model in models for field in unguarded(model)] == []


def test_what_guards_is_there() -> None:
    marks = {
        mark.by
        for model in records()
        for name, field in model.model_fields.items()
        for mark in guards(model, name, field)
    }
    assert len(marks) > 5
    for by in marks:
        module, found = by, None
        while found is None:
            module = module.rpartition(".")[0]
            try:
                found = import_module(module)
            except ImportError:
                continue
        for name in by.removeprefix(f"{module}.").split("."):
            found = getattr(found, name)
        assert callable(found), by


class _ToldCommand(BaseModel):
    shell_command: Annotated[str | None, "words"] = None


class _Chosen(BaseModel):
    folder: Literal["a", "b"] = "a"


class _Told(BaseModel):
    other: str = ""
    """Where it goes: a file of the study."""


@pytest.mark.parametrize(
    "model",
    [
        create_model("New", database=(str, "")),
        create_model("New", hosts=(list[str], [])),
        create_model("New", base_url=(str | None, None)),
        create_model("New", more_files=(dict[str, Any], {})),
        _ToldCommand,
        _Told,
    ],
)
def test_a_new_field_that_says_nothing_is_found(model: type[BaseModel]) -> None:
    assert len(unguarded(model)) == 1


def test_a_choice_of_ours_names_no_place() -> None:
    assert unguarded(_Chosen) == []
