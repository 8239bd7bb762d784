"""Words and sentences: what enters is text, what leaves is tokens, counts or pieces of it."""

from medassay.text.markdown import Leaf, Node, is_marked_up, leaves, markdown_tree, packed
from medassay.text.markdown_page import page_of
from medassay.text.near_equal import MOST_PAIRS, NearEqual, near_equal
from medassay.text.words import (
    ASCII_LETTER,
    SPACED_LETTER,
    Between,
    Counted,
    called_otherwise,
    content_terms,
    content_words,
    count_of,
    count_words,
    first_of,
    first_words,
    listed,
    main_script,
    plural,
    shell_line,
    split_sentences,
    tokenize_13a,
)

__all__ = [
    "ASCII_LETTER",
    "MOST_PAIRS",
    "SPACED_LETTER",
    "Between",
    "Counted",
    "Leaf",
    "NearEqual",
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
    "near_equal",
    "packed",
    "page_of",
    "plural",
    "shell_line",
    "split_sentences",
    "tokenize_13a",
]
