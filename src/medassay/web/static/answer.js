// An answer: its statements with what each cites, and the marks that a rater makes in it.

import { h, t } from "./dom.js";
import { Laid, points, saidBy } from "./laid.js";
import { turnsOf } from "./reading.js";

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
    const laid = new Laid(statement.text, statement.layout, cites.length ? h("span", { class: "cites" }, cites) : null);
    texts.push({ laid, start: points(answer.text.slice(0, start)) });
    return h(
      "div",
      {
        class: "statement",
        "data-place": statement.place,
        onpointerenter: () => statement.citations.length && look?.(statement.citations),
        onpointerleave: () => look?.([]),
      },
      laid.element,
    );
  });
  const all = texts.map(({ laid }) => laid);
  const spoken = answer.turns.length ? turnsOf(answer.turns, all) : null;
  const account = answer.reasoning ? saidBy(answer.reasoning, answer.reasoning_layout, all) : null;
  const empty = !statements.length && !spoken && !answer.choice;
  const markedUp = all.some((laid) => laid.markedUp);
  const written = markedUp
    ? h("button", { type: "button", class: "quiet written", "aria-pressed": "false", onclick: () => write() }, h("kbd", {}, "R"), h("span", {}, t("read.written")))
    : null;
  /** Show the answer as it was written, or laid out again. */
  function write() {
    if (!written) return;
    const now = written.getAttribute("aria-pressed") !== "true";
    written.setAttribute("aria-pressed", String(now));
    for (const laid of all) laid.show(laid.marks, now);
  }
  const element = h(
    "section",
    { class: "part answer" },
    h("div", { class: "row head" }, h("h2", {}, heading), written),
    answer.choice ? h("p", { class: "choice", dir: "auto" }, answer.choice) : null,
    spoken ?? statements,
    empty ? h("p", { class: "soft" }, t("read.empty")) : null,
    account ? h("details", { class: "reasoning" }, h("summary", {}, t("read.reasoning")), account) : null,
    shown.confidence
      ? h("p", { class: "confidence" }, t("read.confidence", { label: shown.confidence }))
      : null,
  );
  return {
    element,
    markedUp,
    write,
    first: () => texts[0]?.laid.element,
    lightStatement(place) {
      for (const one of element.querySelectorAll(".statement"))
        one.classList.toggle("lit", Number(one.dataset.place) === place);
    },
    selected: () => selectedIn(texts, answer.text),
    show: (marks) => texts.forEach(({ laid, start }) => laid.show(marks.map((mark) => mark.map((place) => place - start)))),
    wordsOf: ([start, end]) => Array.from(answer.text).slice(start, end).join(""),
  };
}

/** Give the selected characters as [start, end), counted in the whole answer; null if none. */
function selectedIn(texts, whole) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const found = texts.flatMap(({ laid, start }) => (laid.within(range) ?? []).map((place) => start + place));
  if (!found.length) return null;
  const letters = Array.from(whole);
  let start = Math.min(...found);
  let end = Math.max(...found);
  while (start < end && !letters[start].trim()) start += 1;
  while (start < end && !letters[end - 1].trim()) end -= 1;
  return start < end ? [start, end] : null;
}
