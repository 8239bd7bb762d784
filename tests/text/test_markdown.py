"""Markdown of answers: nothing runs, no word is lost, each leaf knows where it stands."""

import re
import time
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medassay.text import Leaf, leaves, markdown_tree, packed, page_of

WORDS = ["aspirin", "5 mg", "no", "ünï", "😀", "الجرعة", "x_y", "2*3", "a|b", "p<0.05", "[1]", "~5"]
MARKUP = [
    "# ", "## ", "- ", "* ", "1. ", "3) ", "> ", "    ", "\t", "**", "*", "_", "`", "```\n", "~~",
    "~", "| ", " |", "|-|-|\n", "|:-:|\n", "[", "](", ")", "![", "]: ", "<", ">", "</", "<br>",
    "&amp;", "&#x41;", "&", "\\", "\n", "\n\n", "  \n", "\r\n", "---\n", "===\n",
    "https://a.example", "<https://b.example>", '[r]: https://c.example "T"\n', "<!--", "\x00",
    "javascript:alert(1)",
]  # fmt: skip
MARKDOWN = st.lists(st.sampled_from([*WORDS, *MARKUP, " "]), max_size=40).map("".join)


def shown_of(text: str, leaf: Leaf) -> str:
    return text[leaf.start : leaf.end] if leaf.shown is None else leaf.shown


class _Tags(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.words += data


def read(text: str) -> _Tags:
    tags = _Tags()
    tags.feed(page_of(markdown_tree(text), text))
    tags.close()
    return tags


@given(MARKDOWN)
@settings(max_examples=600, deadline=None)
def test_each_leaf_is_a_stretch_of_the_text_in_the_order_of_reading(text: str) -> None:
    places = [(leaf.start, leaf.end) for leaf in leaves(markdown_tree(text))]
    assert all(0 <= start < end <= len(text) for start, end in places)
    ordered = sorted(places)
    assert all(first[1] <= second[0] for first, second in pairwise(ordered))


@given(MARKDOWN)
@settings(max_examples=600, deadline=None)
def test_no_word_is_lost(text: str) -> None:
    told = bytearray(len(text))
    for leaf in leaves(markdown_tree(text)):
        told[leaf.start : leaf.end] = b"\1" * (leaf.end - leaf.start)
    untold = "".join(" " if told[at] else sign for at, sign in enumerate(text))
    # The number of a list's item is shown by the list.
    untold = re.sub(r"\d+[.)]", "", untold)
    assert not re.search(r"[^\W_]", untold), untold


@given(MARKDOWN)
@settings(max_examples=600, deadline=None)
def test_what_is_shown_otherwise_is_a_sign_of_markdown(text: str) -> None:
    for leaf in leaves(markdown_tree(text)):
        raw = text[leaf.start : leaf.end]
        if leaf.shown is None or leaf.shown == unescape(raw):
            continue
        code = " ".join(raw.replace("\\|", "|").split())
        assert leaf.shown in {"\n", "\ufffd", raw.replace("\x00", "\ufffd")} or (
            " ".join(leaf.shown.split()) == code
        ), (raw, leaf.shown)


@given(MARKDOWN)
@settings(max_examples=600, deadline=None)
def test_a_page_has_only_the_tags_that_we_write(text: str) -> None:
    attributes = {"class", "role", "tabindex", "aria-label", "start"}
    known = {
        "p",
        "ul",
        "ol",
        "li",
        "blockquote",
        "pre",
        "code",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "em",
        "strong",
        "del",
        "hr",
    }
    for tag, given_ in read(text).seen:
        assert tag in known | {"h3", "h4", "h5", "h6", "div", "span"}
        assert {name for name, _ in given_} <= attributes


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[press](javascript:alert(1))",
        "[press](data:text/html,<script>alert(1)</script>)",
        "![](https://tracker.example/a.png)",
        '![x](javascript:alert(1) "<script>")',
        "<javascript:alert(1)>",
        "<https://tracker.example>",
        "[a]\n\n[a]: javascript:alert(1)",
        "<style>*{display:none}</style>",
        "<svg/onload=alert(1)>",
        "| <iframe src=https://x.example> |\n|-|\n| <b onclick=x>y</b> |",
        "`<script>`",
        "```html\n<script>alert(1)</script>\n```",
        "<!-- --><script>alert(1)</script>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "<a href='https://x.example'>x</a>",
        '"><script>alert(1)</script>',
    ],
)  # fmt: skip
def test_nothing_runs_nothing_is_fetched_and_all_of_it_is_read(attack: str) -> None:
    tags = read(attack)
    names = {tag for tag, _ in tags.seen}
    assert not names & {"script", "img", "a", "svg", "iframe", "style", "b", "object", "link"}
    assert not any(
        name in {"href", "src", "style"} for _, given_ in tags.seen for name, _ in given_
    )
    for word in re.findall(r"[A-Za-z]{4,}", unescape(attack)):
        assert word in tags.words


def test_links_are_text_with_where_they_would_lead() -> None:
    text = (
        'See [NHS](https://nhs.example "health"), [https://a.example](https://a.example) and [1].'
    )
    assert packed(markdown_tree(text)) == [
        ["p", [0, 4], [5, 8], ["address", [10, 38]], [39, 41], [42, 59], [79, 88]]
    ]
    assert text[10:38] == 'https://nhs.example "health"'


def test_definitions_of_links_and_cells_too_many_are_shown() -> None:
    text = "Proven [1].\n\n| a |\n|-|\n| b | dropped |\n\n[1]: https://one.example\n"
    shown = [text[leaf.start : leaf.end] for leaf in leaves(markdown_tree(text))]
    assert shown == ["Proven [1].", "a", "b", "dropped", "[1]: https://one.example"]


def test_one_tilde_strikes_nothing() -> None:
    text = "5~10 mg or 20~30 mg, ~~not 50~~"
    (paragraph,) = markdown_tree(text)
    assert packed([paragraph]) == [["p", [0, 21], ["del", [23, 29]]]]


def test_lines_of_an_answer_stay_lines() -> None:
    text = "one\ntwo<br>three  \nfour"
    assert "".join(shown_of(text, leaf) for leaf in leaves(markdown_tree(text))) == (
        "one\ntwo\nthree\nfour"
    )


def test_a_table_has_its_numbers_at_the_right() -> None:
    text = "| dose | n |\n|:--|--:|\n| `a \\| b` | 3 |\n"
    page = page_of(markdown_tree(text), text, "Table of <it>")
    assert page == (
        '<div class="laid-table" role="region" tabindex="0" aria-label="Table of &lt;it&gt;">'
        "<table>"
        '<thead><tr><th>dose</th><th class="right">n</th></tr></thead>'
        '<tbody><tr><td><code>a | b</code></td><td class="right">3</td></tr></tbody></table></div>'
    )


@pytest.mark.parametrize(
    "piece",
    ["[", "&", "<", "*a ", "> ", "![](", "**a_", "a  \n", "`a``b", "|a\n|-\n", "[a](b)", "&amp;",
     "[a]: x\n", "- a\n ", "<a ", "~~a", "\n", " \n", "x\n\n"],
)  # fmt: skip
def test_huge_answers_take_time_in_proportion(piece: str) -> None:
    def took(times: int) -> float:
        text = piece * times
        begun = time.process_time()
        page_of(markdown_tree(text), text)
        return time.process_time() - begun

    took(100)
    short, long = min(took(4_000), took(4_001)), min(took(32_000), took(32_001))
    # Eight times the text: sixty-four times the time is what must not be.
    assert long < 24 * short + 0.1


def test_deep_lists_and_quotations_are_held() -> None:
    deep = (
        "".join(f"{'  ' * depth}- a{depth}\n" for depth in range(300)) + "\n" + ">" * 5_000 + " b"
    )
    page = page_of(markdown_tree(deep), deep)
    assert page.count("<ul>") < 20
    assert "a299" in page
    assert "b" in page
