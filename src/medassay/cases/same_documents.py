"""One object for a document that many cases list with the same grade."""

from typing import Final

from medassay.cases.record import Document
from medassay.tables import Shared

__all__ = ["SameDocuments"]

_SHORT: Final = {"id", "grade"}


class SameDocuments:
    """Puts documents into the cells of cases, in the place of what names them and their grade.

    Cases that share documents list each of them thousands of times. A document that a case tells
    more of, such as its text, is left as it is.

    Attributes:
        shared: The documents.

    Example:
        >>> same = SameDocuments()
        >>> one = same({"documents": [{"id": "g1", "grade": 2}]})
        >>> two = same({"documents": [{"id": "g1", "grade": 2}, {"id": "g2", "text": "Rest."}]})
        >>> two["documents"][0] is one["documents"][0], two["documents"][1]
        (True, {'id': 'g2', 'text': 'Rest.'})
    """

    def __init__(self) -> None:
        self.shared = Shared()
        self._made: dict[tuple[str, object], Document] = {}

    def __call__(self, cells: dict[str, object]) -> dict[str, object]:
        """Give the cells with documents in them.

        Raises:
            ValidationError: What a case says of one is wrong.
        """
        listed = cells.get("documents")
        if not isinstance(listed, list):
            return cells
        return {**cells, "documents": [self._document(entry) for entry in listed]}

    def _document(self, cell: object) -> object:
        if not isinstance(cell, dict) or not cell.keys() <= _SHORT:
            return cell
        name, grade = cell.get("id"), cell.get("grade")
        if not isinstance(name, str) or isinstance(grade, list | dict):
            return cell
        document = self._made.get((name, grade))
        if document is None:
            document = self.shared.add(Document.model_validate(cell))
            self._made[name, grade] = document
        return document
