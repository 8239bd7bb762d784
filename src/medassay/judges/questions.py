"""What a model judge is asked: its menu, what it is shown, its prompt, and the questions."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Final, TypeAlias

from medassay.answers import Answer
from medassay.cases import Case, Criterion
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Dimension, NumberScale, Reads, cited_text, parts_of, unsaid_reads
from medassay.models.endpoints import JsonSchema, Reply
from medassay.scores import Reason
from medassay.study.config.study_toml import JudgeConfig, shipped_prompt
from medassay.study.files.names import STUDY_FILE
from medassay.study.folder import Study
from medassay.tables import json_bytes, parse_strictly, without_halves

_ENOUGH: Final = 0.5
"""Labels of a free reply must hold so much of the probability together."""
_UNCLEAR: Final = 0.01
"""So much of what labels hold may begin several alike."""
_MARK: Final = "\u0001here"


def likelihoods(
    reply: Reply, field: str, words: Sequence[str], *, but: str, held: bool
) -> dict[str, float] | None:
    r"""Give the probability of each label, where the endpoint gave those of its tokens.

    The tokens are followed through the field's own value up to the first that decides: the chance
    of a label is the product of those of the tokens that lead to it. What begins no label is left
    out, and the rest adds up to 1.

    Args:
        reply: The reply: one JSON object.
        field: The field of the object that holds the verdict.
        words: What may stand there.
        but: The one of them that is no label, and gets no probability.
        held: Whether the endpoint held the reply to these words. Then what it gives anything else
            was never open to it, however much that is.

    Returns:
        None where tokens or alternatives lack, where tokens that were not taken begin several
        labels, or where the labels of a reply that was free hold less than half of the
        probability together.

    Example:
        >>> from math import log
        >>> tokens = (('{"verdict": "', 0.0, ()),
        ...           ("no", log(0.6), (("no", log(0.6)), ("yes", log(0.3)), ("x", log(0.1)))),
        ...           ('"}', 0.0, ()))
        >>> reply = Reply("answered", '{"verdict": "no"}', tokens=tokens)
        >>> likelihoods(reply, "verdict", ["yes", "no", "?"], but="?", held=False)
        {'yes': 0.333333, 'no': 0.666667}
    """
    place = _place_of(reply.text, field)
    all_tokens = "".join(token for token, _, _ in reply.tokens)
    if place is None or not all_tokens.startswith(reply.text):
        return None
    chances = _followed(
        reply, place, {word: json.dumps(word, ensure_ascii=False)[1:] for word in words}
    )
    if chances is None:
        return None
    chances.pop(but, None)
    whole = sum(chances.values())
    if whole <= (0 if held else _ENOUGH):
        return None
    return {word: round(chance / whole, 6) for word, chance in chances.items()}


def _place_of(text: str, field: str) -> int | None:
    """Find where the value of a field of the outermost object begins, behind its quotation mark."""
    for key in re.finditer(rf'"{field}"\s*:\s*"', text):
        try:
            _, end = json.JSONDecoder().raw_decode(text, key.end() - 1)
            whole = text[: key.end()] + json.dumps(_MARK)[1:-1] + text[end - 1 :]
            parsed = parse_strictly(whole, halves=True)
        except (ValueError, RecursionError):
            continue
        if isinstance(parsed, dict) and parsed.get(field) == _MARK:
            return key.end()
    return None


def _followed(reply: Reply, place: int, ends: dict[str, str]) -> dict[str, float] | None:
    """Follow the tokens from a place of the text on; `ends` are the words up to their quotation."""
    chances = dict.fromkeys(ends, 0.0)
    path, unclear, read, at = 1.0, 0.0, "", 0
    for token, log_chance, others in reply.tokens:
        start, at = at, at + len(token)
        if at <= place:
            continue
        before = reply.text[start:place] if start < place else ""
        if not others:
            return None
        decided = False
        for other, chance in {**dict(others), token: log_chance}.items():
            if not other.startswith(before):
                continue
            so_far = read + other[len(before) :]
            fits = [
                w for w, end in ends.items() if end.startswith(so_far) or so_far.startswith(end)
            ]
            if len(fits) == 1:
                chances[fits[0]] += path * exp(chance)
                decided = decided or other == token
            elif fits and other != token:
                unclear += path * exp(chance)
        if decided:
            return chances if unclear <= _UNCLEAR * sum(chances.values()) else None
        path, read = path * exp(log_chance), read + token[len(before) :]
    return None


_CANNOT: Final = "cannot judge"
_WHEN: Final = "What there is to read does not let you decide."
_FIELD: Final = "verdict"
_LONGEST_REASON: Final = 600
_FENCED: Final = re.compile(r"```(?:json)?\s*\n(.*)\n\s*```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """What a judge said, or why it said nothing that counts.

    Attributes:
        label: The label; None where there is none.
        number: The number, on a scale of numbers.
        reason: Why there is neither: cannot_judge is the judge's own word, the others are not
            verdicts (`judgements.rows.NO_VERDICT`).
        rationale: What it gives as its reason.
        probabilities: Label to probability, where the endpoint tells.
    """

    label: str | None = None
    number: float | None = None
    reason: str | None = None
    rationale: str = ""
    probabilities: Mapping[str, float] | None = None


@dataclass(frozen=True)
class Menu:
    """What a judge may say.

    Attributes:
        words: Each accepted word, to the label that it stands for.
        shown: Each label with when to choose it, as the judge reads it.
        number: The numbers that it may give instead.
        rationale: Whether it gives its reason first.
        held: Whether the endpoint holds the reply to the schema.
    """

    words: Mapping[str, str]
    shown: Sequence[Mapping[str, str]]
    number: NumberScale | None = None
    rationale: bool = True
    held: bool = True

    @property
    def form(self) -> Mapping[str, str]:
        """Give the JSON that a reply must be, as an example."""
        why = "one or two sentences with the words of the reply that decide"
        return {**({"reason": why} if self.rationale else {}), _FIELD: "..."}

    @property
    def schema(self) -> JsonSchema:
        """Give the JSON that a reply must be: first the reason, then the verdict that follows."""
        verdict_field: dict[str, object] = {
            "type": "string",
            "enum": [choice["verdict"] for choice in self.shown],
        }
        if self.number is not None:
            verdict_field = {"anyOf": [{"type": "number"}, {"type": "string", "enum": [_CANNOT]}]}
        reason = {"reason": {"type": "string", "maxLength": _LONGEST_REASON}}
        fields = {**(reason if self.rationale else {}), _FIELD: verdict_field}
        return {
            "type": "object",
            "properties": fields,
            "required": list(fields),
            "additionalProperties": False,
        }

    def read(self, reply: Reply) -> JudgeVerdict:
        """Read what a judge said: from the field `verdict` of the one object that its reply is.

        A reply with anything before or after the object is off the menu, whatever it quotes.

        Example:
            >>> menu = menu_of(Dimension(id="safe", question="Is it safe?", scale="nominal",
            ...     labels=({"label": "yes"}, {"label": "no"})))
            >>> menu.read(Reply.said('{"reason": "It says: verdict yes", "verdict": "no"}')).label
            'no'
            >>> menu.read(Reply.said('The reply says {"verdict": "yes"}.')).reason
            'off_menu'
            >>> menu.read(Reply("cut_off", '{"reason": "Rest')).reason
            'cut_off'
        """
        if reply.ended in {"refused", "cut_off", "failed"}:
            return JudgeVerdict(reason=reply.ended)
        fenced = _FENCED.fullmatch(reply.text.strip())
        try:
            parsed = parse_strictly(fenced[1] if fenced else reply.text, halves=True)
        except (ValueError, RecursionError):
            parsed = None
        if not isinstance(parsed, Mapping):
            return JudgeVerdict(reason="off_menu")
        reason = parsed.get("reason")
        rationale = without_halves(reason) if isinstance(reason, str) else ""
        return self._verdict(parsed.get(_FIELD), rationale, reply)

    def _verdict(self, value: object, rationale: str, reply: Reply) -> JudgeVerdict:
        word = _folded(value) if isinstance(value, str) else None
        if word == _CANNOT:
            return JudgeVerdict(reason="cannot_judge", rationale=rationale)
        if self.number is not None:
            fits = isinstance(value, int | float) and not isinstance(value, bool)
            if fits and self._holds(float(str(value))):
                return JudgeVerdict(number=float(str(value)), rationale=rationale)
            return JudgeVerdict(reason="off_menu", rationale=rationale)
        labels = sorted({label for known, label in self.words.items() if _folded(known) == word})
        if len(labels) != 1:
            return JudgeVerdict(reason="off_menu", rationale=rationale)
        words = [choice["verdict"] for choice in self.shown]
        likely = likelihoods(reply, _FIELD, words, but=_CANNOT, held=self.held)
        return JudgeVerdict(label=labels[0], rationale=rationale, probabilities=likely)

    def _holds(self, number: float) -> bool:
        import polars as pl

        return self.number is not None and bool(self.number.holds(pl.Series([number])).all())


def _folded(word: str) -> str:
    return " ".join(word.split()).casefold()


def menu_of(dimension: Dimension) -> Menu:
    """Give what a judge may say on a dimension."""
    cannot = {"verdict": _CANNOT, "when": _WHEN}
    if dimension.number is not None:
        number_choice = {"verdict": str(dimension.number), "when": ""}
        return Menu({}, (number_choice, cannot), dimension.number)
    shown = [{"verdict": label.label, "when": label.description} for label in dimension.labels]
    return Menu(dimension.words, (*shown, cannot))


PAIR: Final = Menu(
    {"a": "a", "b": "b", "tie": "tie"},
    (
        {"verdict": "A", "when": "Reply A is better."},
        {"verdict": "B", "when": "Reply B is better."},
        {"verdict": "tie", "when": "Neither is better: equally good, or equally bad."},
        {"verdict": _CANNOT, "when": _WHEN},
    ),
)
"""What a judge may say of two answers."""


Sources: TypeAlias = Mapping[str, object]

PLACES: Final[Mapping[Reads, tuple[str, ...]]] = {
    "evidence": ("given",),
    "references": ("sources", "references"),
    "retrieved": ("sources",),
    "cited": ("sources",),
}
"""The places of a prompt, one of which it must have where a question speaks of this."""

NOT_THERE: Final[Mapping[Reads, str]] = {
    "evidence": "its case holds neither a narrative nor evidence",
    "references": "its case has no reference answer",
    "retrieved": "the study does not hold the texts that it retrieved",
    "cited": "the study does not hold the texts that it cites",
}
"""Why a judge cannot be shown it."""


def sources_of(dimension: Dimension, case: Case, answer: Answer) -> tuple[Sources, str]:
    """Give what a question about an answer speaks of, or say why a judge cannot be shown it.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> asked = load_rubric("med-gpt").dimension("grounding")
        >>> answer = Answer(system="A", case="1", text="Rest.", retrieved=[{"document": "d"}])
        >>> sources_of(asked, Case(case="1", documents=[{"id": "d", "text": "Rest."}]), answer)
        ({'retrieved': [{'id': 'd', 'title': None, 'text': 'Rest.'}]}, '')
        >>> sources_of(asked, Case(case="1"), answer)
        ({}, 'the study does not hold the texts that it retrieved')
    """
    why = unaskable(dimension) or unsaid_reads(dimension) or text_lacks(answer)
    if why:
        return {}, why
    shown: dict[str, object] = {}
    for what in dimension.reads or ():
        found = _FINDS[what](case, answer)
        if found is None:
            return {}, NOT_THERE[what]
        shown |= found
    return shown, ""


def text_lacks(answer: Answer) -> str:
    """Say why a judge cannot be shown an answer; else nothing."""
    return "" if answer.held else Reason.NOT_HELD.words


def unaskable(dimension: Dimension) -> str:
    """Say why no model can be asked a question, whatever the study holds; else nothing."""
    if dimension.after_reveal:
        return "raters see the system's confidence beside it, and a prompt does not hold that"
    if dimension.about == "span" or not dimension.joinable:
        return "a judge marks no passages"
    return "nobody is asked: it is derived" if dimension.derived else ""


def _evidence(case: Case, _: Answer) -> Sources | None:
    """Say whether there is some: `<<given>>` shows it to whatever question."""
    return {} if case.narrative or case.evidence else None


def _references(case: Case, _: Answer) -> Sources | None:
    texts = [reference.text for reference in case.references]
    return {"references": texts} if texts else None


def _retrieved(case: Case, answer: Answer) -> Sources | None:
    known = {document.id: document for document in case.documents if document.text}
    names = [retrieved.document for retrieved in answer.retrieved or ()]
    if not names or not known.keys() >= set(names):
        return None
    documents = [known[name] for name in names]
    return {"retrieved": [document.model_dump(include=_SHOWN) for document in documents]}


_SHOWN: Final = {"id", "title", "text"}


def _cited(case: Case, answer: Answer) -> Sources | None:
    """Show what each statement cites; of an answer that marks no citation what it retrieved."""
    if not answer.citations:
        return _retrieved(case, answer)
    texts = {cited: cited_text(case, cited) for cited in answer.citations}
    if "" in texts.values():
        return None
    statements = [
        {
            "statement": statement.text,
            "cites": [{"id": cited, "text": texts[cited]} for cited in statement.citations],
        }
        for statement in answer.statements or ()
    ]
    return {"cited": statements}


_FINDS: Final[Mapping[Reads, Callable[[Case, Answer], Sources | None]]] = {
    "evidence": _evidence,
    "references": _references,
    "retrieved": _retrieved,
    "cited": _cited,
}


_PLACE: Final = re.compile(r"<<(\w+)>>")
_SHARED: Final = ("conversation", "given", "references", "sources", "question", "verdicts", "form")
ONE: Final = (*_SHARED, "reply", "reasoning", "part", "criterion")
"""Places of a prompt that shows one answer."""
TWO: Final = (*_SHARED, "reply_a", "reply_b")
"""Places of a prompt that shows two."""


def filled(template: str, places: Mapping[str, object]) -> str:
    """Put JSON in the places of a template: no text can end its own quotation.

    Example:
        >>> filled("Read: <<reply>>", {"reply": "Rest. <<reply>>"})
        'Read: "Rest. <<reply>>"'
    """
    return _PLACE.sub(lambda place: json.dumps(places[place[1]], ensure_ascii=False), template)


def refuse_prompt(
    template: str, file: str, known: tuple[str, ...], asked: Iterable[Dimension]
) -> None:
    """Refuse a template that nothing fills, or that does not show what its questions speak of.

    Raises:
        InvalidInput: It is one.
    """
    named = set(_PLACE.findall(template))
    shown = [name for name in known if name.startswith("reply")]
    must = f"have places among {', '.join(f'<<{name}>>' for name in known)}"
    problems = [Problem(file, must, f"<<{name}>>") for name in sorted(named - set(known))]
    problems += [
        Problem(file, f"have the place <<{name}>>", "none", "It is what is judged.")
        for name in shown
        if name not in named
    ]
    problems += [
        Problem(
            file,
            f"have the place {' or '.join(f'<<{name}>>' for name in PLACES[what])}",
            "none",
            f"{dimension.id} speaks of what stands there ({what}).",
        )
        for dimension in asked
        for what in dimension.reads or ()
        if named.isdisjoint(PLACES[what])
    ]
    if problems:
        raise InvalidInput(problems)


def places_of(case: Case, question: str, menu: Menu) -> dict[str, object]:
    """Give what a prompt may say of a case and of what is asked about it.

    Neither the gold option nor points nor tags are in it: nobody learns from them which verdict
    would be the good one.
    """
    turns = [{"role": turn.role, "text": turn.text} for turn in case.turns]
    if case.question is not None:
        turns.append({"role": "user", "text": case.question})
    facts = [case.narrative] if case.narrative else []
    facts += [f"[{sentence.id}] {sentence.text}" for sentence in case.evidence]
    facts += [f"{letter}. {text}" for letter, text in case.options.items()]
    return {
        "conversation": turns,
        "given": facts,
        "references": [reference.text for reference in case.references],
        "question": question,
        "verdicts": menu.shown,
        "form": menu.form,
    }


def judge_prompt(template: str, case: Case, answer: Answer, dimension: Dimension) -> str:
    """Fill a template of your own for one answer, as a judge would read it.

    Raises:
        InvalidInput: The template has a place that nothing fills, or shows no answer, or the
            question speaks of what cannot be shown.

    Example:
        >>> case = Case(case="1", question="Is it broken?")
        >>> safe = Dimension(id="safe", question="Is it safe?", scale="nominal",
        ...     labels=({"label": "yes"}, {"label": "no"}))
        >>> template = "Read <<reply>>. Question: <<question>>"
        >>> print(judge_prompt(template, case, Answer(system="A", case="1", text="Rest."), safe))
        Read "Rest.". Question: "Is it safe?"
    """
    refuse_prompt(template, "template", ONE, [dimension])
    sources, lacks = sources_of(dimension, case, answer)
    if lacks:
        raise InvalidInput(Problem("template", f"show what {dimension.id} speaks of", lacks))
    places = places_of(case, dimension.question, menu_of(dimension))
    of_reply = {"reply": reply_of(case, answer), "reasoning": answer.reasoning}
    nothing = {"part": None, "criterion": None}
    return filled(template, {**places, **of_reply, **nothing, "sources": sources})


def reply_of(case: Case, answer: Answer) -> str:
    """Give what a prompt shows as the reply: the option that it chose, and its text."""
    option = case.options.get(answer.choice or "", "")
    chosen = f"{answer.choice}. {option}" if option else answer.choice
    pieces = [chosen, None if answer.is_blank else answer.text]
    return "\n\n".join(piece for piece in pieces if piece is not None)


def criterion_prompt(case: Case, answer: Answer, criterion: Criterion) -> str:
    """Fill the template that ships for criteria: conversation, reply and criterion, each as JSON.

    Points are left out, so that nobody learns from them which verdict would be the good one. The
    wording is ours (`data/prompts/criterion.txt`).

    Example:
        >>> case = Case.model_validate({"case": "1", "question": "Is it broken?", "criteria": [
        ...     {"id": "a", "text": "Asks how it happened.", "points": 5}]})
        >>> answer = Answer(system="A", case="1", text="Met.")
        >>> asked = criterion_prompt(case, answer, *case.criteria)
        >>> [line for line in asked.splitlines() if line.startswith(('[', '"'))]
        ['[{"role": "user", "text": "Is it broken?"}]', '[]', '"Met."', '"Asks how it happened."']
    """
    places = places_of(case, "", Menu(words={}, shown=()))
    shown = {"reply": reply_of(case, answer), "criterion": criterion.text}
    return filled(shipped_prompt("criterion"), places | shown)


_COLUMNS = ("dimension", "system", "case", "sample", "about")


@dataclass(frozen=True)
class JudgeQuestion:
    """One question to a judge.

    Attributes:
        row: What stands in the row of the table beside who says what.
        text: What the judge reads; empty where it is not asked.
        menu: What it may say.
        lacks: Why it is not asked, where something that it speaks of cannot be shown.
    """

    row: Mapping[str, object]
    text: str
    menu: Menu
    lacks: str = ""

    def said(self, reply: Reply) -> dict[str, object]:
        """Give what a reply says, by the columns of the table."""
        verdict = self.menu.read(reply)
        likely = verdict.probabilities
        column = "choice" if "system_a" in self.row else "label"
        if self.menu.number is not None:
            column = "number"
        more = {
            "reason": verdict.reason,
            "rationale": verdict.rationale or None,
            "probabilities": likely and json_bytes(likely, compact=True).decode().strip(),
        }
        return {
            column: verdict.label if verdict.number is None else verdict.number,
            **{name: value for name, value in more.items() if value is not None},
        }


@dataclass(frozen=True)
class Asking:
    """What a judge is asked on one dimension.

    Attributes:
        dimension: The dimension.
        menu: What it may say.
        template: The prompt, with its places.
    """

    dimension: Dimension
    menu: Menu
    template: str

    def of(self, case: Case, answer: Answer) -> Iterator[JudgeQuestion]:
        """Give the question about an answer, or one about each part of it.

        One that cannot be shown what it speaks of says so, and is not to be asked.
        """
        sources, lacks = sources_of(self.dimension, case, answer)
        places = places_of(case, self.dimension.question, self.menu) | {
            "reply": reply_of(case, answer),
            "reasoning": answer.reasoning,
            "sources": sources,
        }
        for about, part, wordless in _parts(case, answer, self.dimension):
            unit = (self.dimension.id, answer.system, case.case, answer.sample, about)
            row = {**dict(zip(_COLUMNS, unit, strict=True)), "phase": "main"}
            if lacks or wordless:
                yield JudgeQuestion(row, "", self.menu, lacks or wordless)
            else:
                text = filled(self.template, {**places, "part": part, "criterion": part})
                yield JudgeQuestion(row, text, self.menu)


def askings_of(
    study: Study, name: str, config: JudgeConfig, prompt: str | None
) -> tuple[Asking, ...]:
    """Give each dimension that a judge is asked, with what it is told.

    Raises:
        InvalidInput: The judge is to be asked what the rubric has not, or no model can be asked.
    """
    askable = [dimension.id for dimension in study.rubric.dimensions if not unaskable(dimension)]
    refuse_unknown(name, config, askable)
    asked = [
        dimension
        for dimension in study.rubric.dimensions
        if not dimension.derived and dimension.id in (config.dimensions or study.rubric.ids)
    ]
    if prompt is not None:
        refuse_prompt(prompt, config.prompt, ONE, asked)
    held = config.form == "schema"
    return tuple(
        Asking(
            dimension,
            replace(menu_of(dimension), rationale=config.rationale, held=held),
            prompt or shipped_prompt(_shipped(dimension)),
        )
        for dimension in asked
    )


def label_questions(
    study: Study, name: str, config: JudgeConfig, prompt: str | None
) -> Iterator[JudgeQuestion]:
    """Give a question for each answer, or each part of one that a dimension is about.

    Raises:
        InvalidInput: The judge is to be asked what the rubric has not, or no model can be asked.
    """
    askings = askings_of(study, name, config, prompt)
    judged = _judged_by_people(study) if config.of == "judged" else None
    for asking in askings:
        for case, answer in answers_of(study):
            for question in asking.of(case, answer):
                if judged is not None and tuple(question.row[n] for n in _COLUMNS) not in judged:
                    continue
                yield question
                if config.again and not question.lacks:
                    yield replace(question, row={**question.row, "phase": "repeat"})


def refuse_unknown(name: str, config: JudgeConfig, known: list[str]) -> None:
    """Refuse dimensions that the judge cannot be asked.

    Raises:
        InvalidInput: Each is named.
    """
    must = f"be dimensions that a model can be asked: {', '.join(known) or 'none'}"
    where = f"judges.{name}.dimensions"
    strange = [name_asked for name_asked in config.dimensions if name_asked not in known]
    if strange or not known:
        got = ", ".join(f'"{name_asked}"' for name_asked in strange) or "none"
        hint = nearest(strange[0], known) if strange else ""
        raise InvalidInput(Problem(STUDY_FILE, must, got, hint, None, where))


def answers_of(study: Study) -> Iterator[tuple[Case, Answer]]:
    """Give every answer with its case, in the order of the cases."""
    for case in study.cases:
        for system in study.answers.systems:
            for answer in study.answers.samples(system, case.case):
                yield case, answer


def _shipped(dimension: Dimension) -> str:
    whether = dimension.about == "criterion" and {"met", "not met"} == set(dimension.names)
    return "criterion" if whether and not dimension.reads else "judge"


def _judged_by_people(study: Study) -> set[tuple[object, ...]]:
    import polars as pl

    people = study.everyone.without_raters(study.judges.raters).current()
    rows = people.filter(pl.col("phase").is_in(["main", "calibration"]))
    return set(rows.select(_COLUMNS).iter_rows())


def _parts(case: Case, answer: Answer, dimension: Dimension) -> Iterator[tuple[str, object, str]]:
    """Give what a dimension is about, by the column `about`, with what the judge reads of it.

    The third is why it cannot be asked, where nobody has the words of a source.
    """
    if dimension.about == "span":
        yield "", None, ""
    elif dimension.about in {"statement", "citation"} and not answer.held:
        yield "", None, text_lacks(answer)
    for part in parts_of(case, answer, dimension.about):
        shown: object = part.text or None
        why = ""
        if dimension.about == "citation":
            text = cited_text(case, part.id)
            shown = {"statement": part.cited_by, "cites": text}
            why = NOT_THERE["cited"] if text == "" else ""
        elif dimension.about == "document" and not part.text:
            why = "the study does not hold the text of the document"
        yield part.about, shown, why
