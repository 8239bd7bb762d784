"""Words and sentences: what enters is text, what leaves is tokens, counts or pieces of it."""

from medassay.text.content import content_terms, content_words
from medassay.text.counts import Counted, count_of, first_of, listed, plural
from medassay.text.markdown import Leaf, Node, is_marked_up, leaves, markdown_tree, packed
from medassay.text.markdown_page import page_of
from medassay.text.names import called_otherwise
from medassay.text.scripts import ASCII_LETTER, SPACED_LETTER, main_script
from medassay.text.sentences import split_sentences
from medassay.text.tokens import tokenize_13a
from medassay.text.words import Between, count_words, first_words

__all__ = [
    "ASCII_LETTER",
    "SPACED_LETTER",
    "Between",
    "Counted",
    "Leaf",
    "Node",
    "called_otherwise",
    "content_terms",
    "content_words",
    "count_of",
    "count_words",
    "first_of",
    "first_words",
    "is_marked_up",
    "leaves",
    "listed",
    "main_script",
    "markdown_tree",
    "packed",
    "page_of",
    "plural",
    "split_sentences",
    "tokenize_13a",
]
