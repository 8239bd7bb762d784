"""Which option an answer chooses, stated or in words."""

from medassay.answers.choice import parse_choice
from medassay.answers.record import Answer
from medassay.cases import Case

__all__ = ["chosen_option"]


def chosen_option(case: Case, answer: Answer) -> str | None:
    """Give the option that an answer chooses: the one it states, or the one its text is read as.

    Example:
        >>> case = Case(case="1", options={"A": "Rest", "B": "Surgery"}, gold="A")
        >>> chosen_option(case, Answer(system="S", case="1", text="The answer is (A)."))
        'A'
    """
    if answer.choice is None:
        return parse_choice(answer.text or "", case.options).choice
    return answer.choice if answer.choice in case.options else None
