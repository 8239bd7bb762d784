// An answer: its statements with what each cites, and the marks that a rater makes in it.

import { fill, h, t } from "./dom.js";
import { turnsOf } from "./reading.js";

/** Count as Python does, by code points, not by the halves that some signs have here. */
const points = (text) => Array.from(text).length;

/**
 * Build an answer.
 *
 * `look` is called with the ids of what is pointed at, and `stay` with those that were pressed;
 * `heading` is its title.
 */
export function answerOf(shown, { heading = t("read.answer"), look, stay } = {}) {
  const { answer } = shown;
  const texts = [];
  let from = 0;
  const statements = answer.statements.map((statement) => {
    // Places of marks count in the whole text, in which the statements stand in their order.
    const found = answer.text.indexOf(statement.text, from);
    const start = found < 0 ? from : found;
    from = start + statement.text.length;
    const text = h("span", { class: "text" }, statement.text);
    texts.push({ element: text, words: statement.text, start, place: statement.place });
    const cites = statement.citations.map((id) =>
      h(
        "button",
        {
          type: "button",
          class: "cite",
          "aria-label": t("read.sentence", { id }),
          "aria-pressed": "false",
          onclick: (event) => stay?.([id], event.currentTarget),
          onpointerenter: () => look?.([id]),
          onfocus: () => look?.([id]),
          onpointerleave: () => look?.(statement.citations),
        },
        id,
      ),
    );
    return h(
      "p",
      {
        class: "statement",
        dir: "auto",
        "data-place": statement.place,
        onpointerenter: () => statement.citations.length && look?.(statement.citations),
        onpointerleave: () => look?.([]),
      },
      text,
      cites.length ? h("span", { class: "cites" }, cites) : null,
    );
  });
  const spoken = answer.turns.length ? turnsOf(answer.turns) : null;
  const empty = !statements.length && !spoken && !answer.choice;
  const element = h(
    "section",
    { class: "part answer" },
    h("h2", {}, heading),
    answer.choice ? h("p", { class: "choice", dir: "auto" }, answer.choice) : null,
    spoken ?? statements,
    empty ? h("p", { class: "soft" }, t("read.empty")) : null,
    answer.reasoning
      ? h("details", { class: "reasoning" }, h("summary", {}, t("read.reasoning")), h("p", { class: "words", dir: "auto" }, answer.reasoning))
      : null,
    shown.confidence
      ? h("p", { class: "confidence" }, t("read.confidence", { label: shown.confidence }))
      : null,
  );
  return {
    element,
    first: () => texts[0]?.element,
    lightStatement(place) {
      for (const one of element.querySelectorAll(".statement"))
        one.classList.toggle("lit", Number(one.dataset.place) === place);
    },
    selected: () => selectedIn(texts, answer.text),
    show: (marks) => texts.forEach((one) => showMarks(one, marks, answer.text)),
    wordsOf: ([start, end]) => Array.from(answer.text).slice(start, end).join(""),
  };
}

/** Give the selected characters as [start, end), counted in the whole answer; null if none. */
function selectedIn(texts, whole) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  let start = null;
  let end = null;
  for (const one of texts) {
    if (!range.intersectsNode(one.element)) continue;
    const inside = document.createRange();
    inside.selectNodeContents(one.element);
    const before = inside.cloneRange();
    if (range.compareBoundaryPoints(Range.START_TO_START, inside) > 0) {
      before.setEnd(range.startContainer, range.startOffset);
    } else before.collapse(true);
    const until = inside.cloneRange();
    if (range.compareBoundaryPoints(Range.END_TO_END, inside) < 0)
      until.setEnd(range.endContainer, range.endOffset);
    const first = one.start + before.toString().length;
    const last = one.start + until.toString().length;
    if (last <= first) continue;
    start = Math.min(start ?? first, first);
    end = Math.max(end ?? last, last);
  }
  if (start === null) return null;
  const words = whole.slice(start, end);
  start += words.length - words.trimStart().length;
  end -= words.length - words.trimEnd().length;
  if (end <= start) return null;
  return [points(whole.slice(0, start)), points(whole.slice(0, end))];
}

/** Draw the marks that lie in one statement. */
function showMarks(one, marks, whole) {
  const start = points(whole.slice(0, one.start));
  const letters = Array.from(one.words);
  const depth = letters.map(() => 0);
  for (const [from, to] of marks)
    for (let at = Math.max(from - start, 0); at < Math.min(to - start, letters.length); at++)
      depth[at] += 1;
  const pieces = [];
  for (let at = 0; at < letters.length; ) {
    let to = at;
    while (to < letters.length && depth[to] === depth[at]) to += 1;
    const text = letters.slice(at, to).join("");
    pieces.push(depth[at] ? h("mark", {}, text) : text);
    at = to;
  }
  fill(one.element, pieces);
}
