// Marks in an answer: words are selected, and each question about spans gives them a label.

import { headOf, sureGroup } from "./asking.js";
import { fill, h, t } from "./dom.js";
import { shownAs } from "./said.js";

/** Build the block of marks; null where no question is about spans. */
export function spansOf(task, answer, held, act, { closed, remarks }) {
  const questions = task.questions.filter((question) => question.kind === "span");
  if (!questions.length || !answer) return null;
  const asked = questions.filter((question) => question.none);
  const marked = ({ id }) => held.abouts(id, "span:").some((about) => held.of(id, about).label);
  const list = h("ol", { class: "marks" });
  const note = h("p", { class: "soft", role: "status" });
  const places = () => {
    const all = new Set(questions.flatMap((question) => held.abouts(question.id, "span:")));
    return [...all]
      .map((about) => ({ about, span: about.slice(5).split("-").map(Number) }))
      .filter(({ about }) => questions.some((question) => held.answered(question.id, about) && held.of(question.id, about).reason !== "not_applicable"))
      .sort((one, other) => one.span[0] - other.span[0] || one.span[1] - other.span[1]);
  };

  function mark(question, label) {
    const span = answer.selected();
    if (!span) {
      note.textContent = t("span.select");
      return;
    }
    note.textContent = "";
    getSelection().removeAllRanges();
    act.say({ dimension: question.id, about: `span:${span[0]}-${span[1]}`, label });
    // On a phone the list of marks lies below what is in sight.
    act.tell(t("span.marked", { words: answer.wordsOf(span) }), true);
  }

  function labels(question, pressed, press) {
    return h(
      "div",
      { class: "labels" },
      question.labels.map((label, place) =>
        h(
          "button",
          { type: "button", class: "label", disabled: closed, title: label.description || null, "aria-pressed": pressed === null ? null : String(pressed === label.label), onpointerdown: (event) => event.preventDefault(), onclick: () => press(label.label) },
          pressed === null && question === questions[0] && place < 9 ? h("kbd", {}, String(place + 1)) : null,
          h("span", { dir: "auto" }, shownAs(question, label.label)),
        ),
      ),
    );
  }

  /** How sure the rater is of one mark, where the rubric asks it. */
  function sure(question, about) {
    const given = held.of(question.id, about);
    const { label } = given;
    const group = label ? sureGroup(question, closed, (confidence) => act.say({ dimension: question.id, about, label, confidence })) : null;
    group?.show(given);
    return group?.element;
  }

  function show() {
    const now = places();
    answer.show(now.map((one) => one.span));
    fill(
      list,
      now.map(({ about, span }) =>
        h(
          "li",
          {},
          h("p", { dir: "auto" }, t("span.marked", { words: answer.wordsOf(span) })),
          questions.map((question) => [
            questions.length > 1 ? h("p", { class: "soft" }, h("bdi", {}, question.title)) : null,
            labels(question, held.of(question.id, about).label, (label) => act.say({ dimension: question.id, about, label })),
            sure(question, about),
          ]),
          closed
            ? null
            : h(
                "button",
                {
                  type: "button",
                  class: "quiet",
                  // Append-only: a mark that is removed is said not to apply, and stays in the trail.
                  onclick: () =>
                    questions
                      .filter((question) => held.answered(question.id, about))
                      .forEach((question) => act.say({ dimension: question.id, about, reason: "not_applicable" })),
                },
                t("span.remove"),
              ),
        ),
      ),
    );
    const whole = held.of(questions[0].id, "");
    const clean = !now.length;
    nothing.setAttribute("aria-pressed", String(clean && Boolean(whole.label)));
    cannot.setAttribute("aria-pressed", String(clean && Boolean(whole.reason)));
    for (const button of [nothing, cannot]) button.disabled = closed || !clean;
    element.querySelector(".ask").classList.toggle("done", done());
  }

  /** Say of the whole answer that there is nothing to mark, or that this cannot be judged. */
  function say(said) {
    if (closed || questions.some(marked)) return;
    for (const question of asked) act.say({ dimension: question.id, about: "", ...said(question) });
    act.onward(row);
  }
  const none = () => say((question) => ({ label: question.none }));
  const reason = (word) => say(() => ({ reason: word }));
  const done = () => asked.every((question) => marked(question) || held.answered(question.id, ""));
  const whole = (key, text, press, more = "") =>
    h("button", { type: "button", class: `label${more}`, "aria-pressed": "false", onclick: press }, h("kbd", {}, key), h("span", {}, text));
  const nothing = whole("N", t("span.nothing"), none);
  const cannot = whole("0", t("ask.cannot_judge"), () => reason("cannot_judge"), " reason");

  const [first] = questions;
  const element = h(
    "section",
    { class: "block spans" },
    headOf(first, act),
    h("p", { class: "soft" }, t("span.how"), h("span", { class: "by-keys" }, " ", t("span.keys"))),
    h("div", { class: "ask", role: "group", "aria-label": first.title, onfocusin: () => act.choose(row), onpointerdown: () => act.choose(row) }, labels(first, null, (label) => mark(first, label)), note, h("div", { class: "labels whole" }, nothing, cannot)),
    questions.map((question) => remarks.of(question.id, null)),
    list,
  );
  const row = { question: first, about: "", element: element.querySelector(".ask"), labels: [nothing], none, reason, done, show, spans: true, mark: (place) => first.labels[place] && mark(first, first.labels[place].label) };
  return {
    element,
    row,
    show,
    /** Put the caret before the answer's first word, for who marks with the keyboard. */
    begin() {
      const text = answer.first();
      if (!text) return;
      const selection = getSelection();
      selection.setBaseAndExtent(text, 0, text, 0);
      selection.modify("extend", "forward", "word");
    },
    /** Move the selection by a word, or make it longer by one. */
    move(direction, longer) {
      const selection = getSelection();
      if (!selection.rangeCount) return;
      const text = selection.anchorNode?.parentElement;
      if (text && getComputedStyle(text).direction === "rtl") direction = direction === "forward" ? "backward" : "forward";
      if (!longer) {
        if (direction === "forward") selection.collapseToEnd();
        else selection.collapseToStart();
      }
      selection.modify("extend", direction, "word");
    },
  };
}
