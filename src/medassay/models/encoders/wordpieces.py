"""Word pieces by the tokenizers package: from a BERT vocabulary or a tokenizer.json."""

from pathlib import Path
from typing import TYPE_CHECKING, Self

from medassay.errors import MissingBackend
from medassay.models.encoders.encoder import Pieces
from medassay.models.files import read_model
from medassay.models.install import need_package

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["WordPieces"]


class WordPieces:
    """A tokenizer without any limit of length: what is cut is cut by `windows`, and counted."""

    def __init__(self, tokenizer: "Tokenizer", unknown: str) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._unknown = tokenizer.token_to_id(unknown)

    @classmethod
    def from_vocabulary(cls, path: Path) -> Self:
        """Read a vocabulary of BERT, a piece a line, lower case."""
        need_package("tokenizers", "splitting text into word pieces")
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

        tokenizer = Tokenizer(models.WordPiece.from_file(str(path), unk_token="[UNK]"))  # noqa: S106 - a piece of the vocabulary
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        closing, opening = (tokenizer.token_to_id(mark) or 0 for mark in ("[SEP]", "[CLS]"))
        tokenizer.post_processor = processors.BertProcessing(("[SEP]", closing), ("[CLS]", opening))
        return cls(tokenizer, "[UNK]")

    @classmethod
    def from_folder(cls, folder: Path) -> Self:
        """Read a model's own tokenizer.json, or its vocab.txt.

        Raises:
            MissingBackend: It has neither.
            UnusableModel: The file is damaged.
        """
        if (folder / "tokenizer.json").is_file():
            need_package("tokenizers", "splitting text into word pieces")
            from tokenizers import Tokenizer

            path = folder / "tokenizer.json"
            must = "be a whole tokenizer.json"
            tokenizer = read_model(path, must, lambda: Tokenizer.from_file(str(path)))
            unknown = "[UNK]" if tokenizer.token_to_id("[UNK]") is not None else "<unk>"
            return cls(tokenizer, unknown)
        if (folder / "vocab.txt").is_file():
            return cls.from_vocabulary(folder / "vocab.txt")
        put = "put the tokenizer.json of the model beside its weights"
        raise MissingBackend("its tokenizer", f"the model in {folder.name}", put)

    @property
    def size(self) -> int:
        """Count the pieces that there are."""
        return int(self._tokenizer.get_vocab_size(with_added_tokens=True))

    def pieces(self, text: str) -> Pieces:
        """Split a text."""
        encoded = self._tokenizer.encode(text.strip())
        marks = tuple(mark == 1 for mark in encoded.special_tokens_mask)
        # A tokenizer may count an unknown piece among its marks: only those at the ends are.
        first = next((i for i, mark in enumerate(marks) if not mark), len(marks))
        last = len(marks) - next((i for i, m in enumerate(reversed(marks)) if not m), 0)
        ends = tuple(not first <= i < last for i in range(len(marks)))
        ids = tuple(encoded.ids)
        unknown = sum(
            piece == self._unknown for piece, end in zip(ids, ends, strict=True) if not end
        )
        return Pieces(ids, ends, unknown)
